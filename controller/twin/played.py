"""Boards that come back from the tables of the simulated club: with their hands, and with what play did
to them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.twin.world.things import Board as Container
from controller.twin.world.things import PhysicalCard, PrintShop, Smudge
from deals.boards import Board
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import PredealError

Piles = list[list[PhysicalCard]]
"""The four hands, N E S W."""


class PlayedError(PredealError, ValueError):
    """The twin is asked for something that play does not do to a board."""


@dataclass(frozen=True, slots=True)
class Played:
    """What happened to a board: to every copy, or to the one that is named."""

    name: str
    copy: str | None = None


def parse(text: str) -> Played:
    """From "displaced" or "displaced@B"; PlayedError says what is wrong."""
    name, at, copy = text.strip().partition("@")
    if name not in WAYS or (at and not copy):
        raise PlayedError("twin.played_unknown", text=text, known=list(WAYS))
    return Played(name, copy or None)


class PlayedBoards:
    """Makes each board once, shuffled within its hands as Law 7C wants it."""

    def __init__(
        self, shop: PrintShop, boards: Sequence[Board], played: Sequence[Played], seed: int
    ) -> None:
        self._shop = shop
        self._boards = {board.number: board for board in boards}
        self._played = played
        self._seed = seed
        self._made: dict[tuple[int, str], Container] = {}

    def board(self, number: int, copy: str = "") -> Container:
        """The copy of that board, with its cards."""
        made = self._made.get((number, copy))
        if made is None:
            made = self._made[number, copy] = self._make(number, copy)
        return made

    def _make(self, number: int, copy: str) -> Container:
        rng = random.Random(f"{self._seed} played {number} {copy}")
        happened = [one.name for one in self._played if one.copy in (None, copy)]
        source = self._boards[number]
        if "other_board" in happened:
            numbers = sorted(self._boards)
            source = self._boards[numbers[(numbers.index(number) + 1) % len(numbers)]]
        pack = self._shop.pack([card for seat in Seat for card in source.deal.hand(seat)])
        piles = [pack[13 * seat : 13 * seat + 13] for seat in Seat]
        for name in happened:
            WAYS[name](piles, self._shop, rng)
        made = Container(number)
        for seat, pile in zip(Seat, piles, strict=True):
            rng.shuffle(pile)
            made.pockets[seat.letter] = pile
        return made


def dealt_at_tables(numbers: Sequence[int], seed: int) -> list[Board]:
    """What the players of the simulated club have shuffled and dealt (Law 6E1)."""
    rng = random.Random(f"{seed} tables")
    boards = []
    for number in numbers:
        owners = [seat for seat in range(4) for _ in range(13)]
        rng.shuffle(owners)
        boards.append(Board.standard(number, Deal(bytes(owners))))
    return boards


def _two(rng: random.Random) -> tuple[int, int]:
    one, other = rng.sample(range(4), 2)
    return one, other


def _as_it_was(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    """Nothing happened."""


def _displaced(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    one, other = _two(rng)
    piles[other].append(piles[one].pop(rng.randrange(13)))


def _exchanged(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    one, other = _two(rng)
    mine, yours = rng.randrange(13), rng.randrange(13)
    piles[one][mine], piles[other][yours] = piles[other][yours], piles[one][mine]


def _turned(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    piles[:] = [*piles[2:], *piles[:2]]


def _together(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    one, other = _two(rng)
    piles[other] += piles[one]
    piles[one] = []


def _missing(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    piles[rng.randrange(4)].pop(rng.randrange(13))


def _foreign(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    piles[rng.randrange(4)][rng.randrange(13)] = shop.joker()


def _double(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    one, other = _two(rng)
    copied = piles[other][rng.randrange(13)].card
    if copied is not None:
        piles[one][rng.randrange(13)] = shop.card(copied)


def _surplus(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    copied = piles[rng.randrange(4)][rng.randrange(13)].card
    if copied is not None:
        piles[rng.randrange(4)].append(shop.card(copied))


def _worn(piles: Piles, shop: PrintShop, rng: random.Random) -> None:
    piles[rng.randrange(4)][rng.randrange(13)].smudges[:] = [Smudge.DAMAGE, Smudge.DAMAGE]


WAYS: Final[dict[str, Callable[[Piles, PrintShop, random.Random], None]]] = {
    "as_it_was": _as_it_was,
    "displaced": _displaced,
    "exchanged": _exchanged,
    "turned": _turned,
    "together": _together,
    "other_board": _as_it_was,
    "missing": _missing,
    "foreign": _foreign,
    "double": _double,
    "surplus": _surplus,
    "worn": _worn,
}
"""What play can do: a card in another pocket; two exchanged; hands in the wrong pockets; two hands in one
pocket and the other empty; the cards of the next board; a card lost; a joker for a card; a copy of another
card for a card; a card of another pack too many; an index worn off.
"""
