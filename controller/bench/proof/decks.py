"""Whole packs, dealt by the real engine in the twin from images that were read; in each two cards are confused.

The world knows cards, the camera's picture is a token of what lies before it, and the reader answers with a reading of
an image of that very card. The two confused cards are drawn and read each time anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from controller.bench.dealing import random_boards
from controller.bench.identity import IdentityReader, code_of
from controller.bench.proof.kinds import window
from controller.bench.proof.prints import Printed
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.jobs.results import BoardResult
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.world.camera import ROW_OF_EDGE, Shown
from controller.twin.world.view import View
from deals.boards import Board
from deals.cards import CARDS, Card, Seat
from deals.errors import PredealError
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.synthetic.confusions import Confusion
from vision.synthetic.optics import CLEAN, Conditions

_NOISE: Final = 8
_IMAGES: Final = 2
"""Images of one end of a confused card at one look, in one pack."""
Pool = Mapping[Card, Sequence[CardReading]]
"""Readings of images of each card, as the machine would have ended with: of look 1, or of look 2 where 1 was unsure."""


def slim(reading: CardReading) -> CardReading:
    """A reading without its picture."""
    evidence = {k: v for k, v in reading.evidence.items() if isinstance(v, str | float | dict)}
    return replace(reading, evidence=evidence)


class TokenPictures:
    """The `Pictures` of a world whose camera tells what lies there: code, look, which end, and chance."""

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        """Eleven bytes."""
        head = [code_of(shown, view), 1, 0]
        if shown:
            _, look, turned = min(
                (abs(one.lead_row - row), look, one.card.turned)
                for one in shown
                for look, row in enumerate(ROW_OF_EDGE, 1)
            )
            head[1:] = [look, turned]
        return np.array([*head, *rng.randbytes(_NOISE)], np.uint8)


@dataclass
class PoolReader:
    """Answers tokens: most cards from the pool, confused ones from a picture that is drawn and read."""

    reader: Reader
    pool: Pool
    faces: Mapping[Card, Any]
    conditions: Conditions
    confusion: Confusion
    seen: Counter[str] = field(default_factory=Counter)
    """How images of confused cards were read: right, unsure, twin, other."""
    _special: IdentityReader = field(default_factory=IdentityReader)
    _spoilt: dict[tuple[Card, int, int], list[CardReading]] = field(default_factory=dict)

    def begin(self, confusion: Confusion) -> None:
        """The next pack: these two cards are confused in it."""
        self.confusion = confusion
        self.seen = Counter()
        self._spoilt = {}

    def read(self, image: Any) -> CardReading:
        """The reading of one token."""
        code, look, turned = (int(v) for v in image[:3])
        if code >= len(CARDS):
            return self._special.read(image)
        card = CARDS[code]
        rng = np.random.default_rng(image[3:])
        if card in self.confusion.faces:
            return self._confused(card, look, turned, rng)
        if look == 1:
            readings = self.pool[card]
            return readings[int(rng.integers(len(readings)))]
        face = self.faces[card]
        return slim(self.reader.read(window(face, self.conditions, look, rng, bool(turned))))

    def _confused(
        self, card: Card, look: int, turned: int, rng: np.random.Generator
    ) -> CardReading:
        """Of a card that is fed over and over some images come again."""
        known = self._spoilt.setdefault((card, look, turned), [])
        if len(known) == _IMAGES:
            return known[int(rng.integers(_IMAGES))]
        image = window(self.confusion.faces[card], CLEAN, look, rng, bool(turned))
        known.append(slim(self.reader.read(image)))
        self.seen[self._how(card, known[-1])] += 1
        return known[-1]

    def _how(self, card: Card, reading: CardReading) -> str:
        if reading.kind is not Kind.CARD:
            return "unsure"
        if reading.card is card:
            return "right"
        return "twin" if reading.card is self.confusion.other(card) else "other"


@dataclass
class Dealt:
    """What came of some packs."""

    counts: Counter[str] = field(default_factory=Counter)
    """n, alone (proven and nobody needed), mended, stopped, silent; named: cards that a person named."""
    images: dict[str, Counter[str]] = field(default_factory=dict)
    """By cause: how the images of confused cards were read, and how many packs it was in."""
    silent: list[str] = field(default_factory=list)
    """Boards that were called proven and were not: what was confused in them."""


def deal_packs(
    printed: Printed,
    reader: Reader,
    pool: Pool,
    conditions: Conditions,
    confusions: Sequence[Confusion],
    seed: int,
) -> Dealt:
    """Deals one pack for each confusion, with people who mend what the machine asks for.

    A job ends at a board that nobody could mend; the packs that are left are dealt by another.
    """
    boards = random_boards(len(confusions), f"proof {printed.name} {seed}")
    told = Dealt()
    while (done := told.counts["n"]) < len(boards):
        eye = PoolReader(reader, pool, printed.faces, conditions, confusions[done])
        _job(boards, printed.name, eye, confusions, seed * 100 + done, told)
        if told.counts["n"] == done:
            raise PredealError("bench.not_proven", proven=done, boards=len(boards))
    return told


def _job(
    boards: Sequence[Board],
    design: str,
    eye: PoolReader,
    confusions: Sequence[Confusion],
    seed: int,
    told: Dealt,
) -> None:
    """Deals the boards that are left until all are, or one waits for somebody."""

    def progress(result: BoardResult) -> None:
        if not (result.proven or result.waiting):
            return
        board = boards[told.counts["n"]]
        true = _holds(session.report.contents[-1], board)
        _count(result, true, eye, told)
        if told.counts["n"] < len(boards):
            eye.begin(confusions[told.counts["n"]])

    left = tuple(boards[told.counts["n"] :])
    session = TwinSession(
        DealSet("proof", "PROOF", b"", tuple(boards), left),
        TwinSetup(PROFILES["standard"], TokenPictures(), eye, design, seed, operator="auto"),
        progress,
    )
    session.run()


def _count(result: BoardResult, true: bool, eye: PoolReader, told: Dealt) -> None:
    confusion, counts = eye.confusion, told.counts
    counts["n"] += 1
    counts["named"] += result.named
    counts["stopped" if not result.proven else "mended" if result.mended else "alone"] += 1
    causes = told.images.setdefault(confusion.cause, Counter())
    causes.update(eye.seen)
    causes["packs"] += 1
    if result.proven and not true:
        counts["silent"] += 1
        names = " ".join(map(str, confusion.cards))
        told.silent.append(f"board {result.board}: {names}, {confusion.cause}")


def _holds(contents: Mapping[str, Any], board: Board) -> bool:
    """Whether the pockets of the simulated world hold this deal, and nothing else is about."""
    hands = all(contents[seat.name] == board.deal.hand_pbn(seat) for seat in Seat)
    return hands and not contents["belt"] and not contents["tray"]
