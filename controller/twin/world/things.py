"""The things a machine handles: cards of pasteboard, packs of them, boards with four pockets."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from controller import geometry
from deals.cards import CARDS, SEAT_LETTERS, Card

BACK_OF_PACK: Final = 1
"""Colour class of the back of our packs."""
BACK_FOREIGN: Final = 2
BACK_OF_STOP_CARD: Final = 9
NO_BACK: Final = 10
"""What the back sensor says of the white of a face."""
THICKNESS_SPREAD_UM: Final = 10


class Kind(Enum):
    """What sort of card a piece of pasteboard is."""

    CARD = "card"
    JOKER = "joker"
    STOP = "stop card"
    BLANK = "blank card"


class Smudge(Enum):
    """What covers an index: nothing, dirt that can be wiped off, or damage for good."""

    CLEAN = 0
    DIRT = 1
    DAMAGE = 2


@dataclass(slots=True, eq=False)
class PhysicalCard:
    """One piece of pasteboard; the world alone knows which card it is."""

    kind: Kind
    card: Card | None
    """None for a joker or a stop card."""
    back: int
    thickness_um: int
    pack: int
    """Number of the pack it came in with; 0 for a stop card or a stray."""
    turned: bool = False
    """Which of its two indices is the one over the window."""
    face_up: bool = False
    smudges: list[Smudge] = field(default_factory=lambda: [Smudge.CLEAN, Smudge.CLEAN])
    """Of the index that shows unturned, and of the other."""

    @property
    def seen_from_above(self) -> int:
        """Colour class that the back sensor sees."""
        return NO_BACK if self.face_up else self.back

    @property
    def name(self) -> str:
        """Its card as text, or what it is."""
        return self.kind.value if self.card is None else str(self.card)


class Board:
    """A duplicate board: a number, the box it belongs to, and four pockets."""

    def __init__(self, number: int, box: str = "") -> None:
        self.number = number
        self.box = box
        self.pockets: dict[str, list[PhysicalCard]] = {seat: [] for seat in SEAT_LETTERS}

    @property
    def empty(self) -> bool:
        """No card in any pocket."""
        return not any(self.pockets.values())


@dataclass(frozen=True, slots=True)
class Contents:
    """What really is where, from the world itself; cards as text ("SA", "joker", "stop card")."""

    board: int | None
    """Number of the board in the slot."""
    box: str
    pockets: dict[str, tuple[str, ...]]
    """By pocket of the board in the slot, N E S W, in the order in which they landed."""
    tray: tuple[str, ...]
    belt: tuple[str, ...]
    """All that is between hopper and pockets, leading card first."""
    hopper: int
    """Left of the pack for the board in the slot, its stop card counted."""
    hopper_next: int
    """Of packs that were loaded behind it for boards to come, stop cards counted."""
    table: tuple[str, ...]
    """Fallen, with no board in the slot to catch them."""

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it: pockets as PBN hands, high to low."""
        found: dict[str, Any] = {seat: pbn_hand(held) for seat, held in self.pockets.items()}
        return {
            **found,
            "tray": list(self.tray),
            "belt": list(self.belt),
            "hopper": self.hopper,
            "hopper_next": self.hopper_next,
            "table": list(self.table),
        }


def pbn_hand(names: Iterable[str]) -> str:
    """ "AKQ.T98..": what is no card of the 52 follows after a space, a double shows twice."""
    suits: list[list[Card]] = [[], [], [], []]
    strays = []
    for name in names:
        if name in _CARD_NAMES:
            card = Card.parse(name)
            suits[card.suit].append(card)
        else:
            strays.append(name)
    hand = ".".join("".join(card.rank.letter for card in sorted(suit)) for suit in suits)
    return " ".join([hand, *strays])


def held_by(board: Board) -> dict[str, tuple[str, ...]]:
    """The cards in each pocket of a board, as text."""
    return {seat: tuple(card.name for card in held) for seat, held in board.pockets.items()}


class PrintShop:
    """Makes cards, each a little different; packs are numbered as they are made."""

    def __init__(self, rng: random.Random, thickness_um: int = geometry.CARD_THICKNESS_UM) -> None:
        self._rng = rng
        self._thickness_um = thickness_um
        self._packs = 0

    def pack(self, order: Iterable[Card] | None = None) -> list[PhysicalCard]:
        """52 cards, shuffled unless *order* gives them."""
        self._packs += 1
        if order is None:
            shuffled = list(CARDS)
            self._rng.shuffle(shuffled)
            order = shuffled
        return [self.card(card, pack=self._packs) for card in order]

    def shuffle(self, cards: list[PhysicalCard]) -> None:
        """Shuffles cards by hand, some of them turned round by it."""
        self._rng.shuffle(cards)
        for card in cards:
            card.turned ^= self._rng.random() < 0.5

    def card(self, card: Card, pack: int = 0, back: int = BACK_OF_PACK) -> PhysicalCard:
        """One card of the 52."""
        return self._make(Kind.CARD, card, back, pack)

    def joker(self, pack: int = 0) -> PhysicalCard:
        """A joker of our packs."""
        return self._make(Kind.JOKER, None, BACK_OF_PACK, pack)

    def stop_card(self) -> PhysicalCard:
        """What lies between two packs."""
        return self._make(Kind.STOP, None, BACK_OF_STOP_CARD, 0)

    def blank(self) -> PhysicalCard:
        """A white card of our back, for setting up the camera."""
        return self._make(Kind.BLANK, None, BACK_OF_PACK, 0)

    def _make(self, kind: Kind, card: Card | None, back: int, pack: int) -> PhysicalCard:
        spread = self._rng.randint(-THICKNESS_SPREAD_UM, THICKNESS_SPREAD_UM)
        thickness = self._thickness_um + spread
        return PhysicalCard(kind, card, back, thickness, pack, self._rng.random() < 0.5)


def names(cards: Iterable[PhysicalCard]) -> Iterator[str]:
    """Cards as text."""
    return (card.name for card in cards)


_CARD_NAMES: Final = frozenset(map(str, CARDS))
