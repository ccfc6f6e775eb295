"""The named faults of the simulated machine: what `--fault NAME[@BOARD[.CARD]]` can ask for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from deals.errors import PredealError

MIDDLE_CARD: Final = 26
CARD_MAX: Final = 53
"""A pack and its stop card."""


class FaultError(PredealError, ValueError):
    """A fault was asked for that the twin does not know, or in a form that it does not take."""


class When(Enum):
    """What the fault waits for, and so whether a card can be named."""

    BOARD = "as the board is put in"
    PACK = "in the pack for the board"
    FEED = "as the card leaves the hopper"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault that exists: its name, the row of faults it belongs to, and what it does."""

    name: str
    row: str
    means: str
    when: When
    takes_card: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault asked for. Without a board: the first board that is put in."""

    name: str
    board: int | None = None
    card: int = MIDDLE_CARD

    @property
    def kind(self) -> FaultKind:
        """What it is an instance of."""
        return KINDS[self.name]

    def __str__(self) -> str:
        place = "" if self.board is None else f"@{self.board}"
        return (
            f"{self.name}{place}.{self.card}"
            if place and self.kind.takes_card
            else self.name + place
        )


def parse(text: str) -> Fault:
    """From "jam_pocket", "jam_pocket@3" or "jam_pocket@3.20"; FaultError says what is wrong.

    A fault of a whole board takes the longest form too: its card says nothing (`ignored_card`).
    """
    name, at, place = text.strip().partition("@")
    kind = KINDS.get(name)
    if kind is None:
        close = difflib.get_close_matches(name, KINDS, 3, 0.5)
        code = "twin.fault_unknown_close" if close else "twin.fault_unknown"
        raise FaultError(code, name=name, close=close, known=sorted(KINDS))
    if not at:
        return Fault(name)
    form = re.fullmatch(r"([0-9]{1,4})(?:\.([0-9]{1,2}))?", place)
    if form is None or int(form[1]) < 1:
        raise FaultError("twin.fault_place", text=text, name=name)
    if form[2] is None:
        return Fault(name, int(form[1]))
    if not 1 <= int(form[2]) <= CARD_MAX:
        raise FaultError("twin.fault_card", name=name, card=int(form[2]), most=CARD_MAX)
    return Fault(name, int(form[1]), int(form[2]) if kind.takes_card else MIDDLE_CARD)


def ignored_card(text: str) -> bool:
    """Whether *text*, which `parse` takes, names a card to a fault of a whole board."""
    return "." in text and not parse(text).kind.takes_card


def _board(name: str, row: str, means: str) -> FaultKind:
    return FaultKind(name, row, means, When.BOARD, takes_card=False)


def _pack(name: str, row: str, means: str, takes_card: bool = True) -> FaultKind:
    return FaultKind(name, row, means, When.PACK, takes_card)


def _feed(name: str, row: str, means: str) -> FaultKind:
    return FaultKind(name, row, means, When.FEED)


_TABLE: Final = (
    _feed("link_cut", "F1", "The cable to the MCU is pulled while this card runs."),
    _feed("link_stall", "F1b", "No byte passes for half a second, then all of them at once."),
    _board("link_noise", "F2", "From this board on 1 % of the frames have a wrong byte."),
    _board("link_noise_5", "F2", "From this board on 5 % of the frames have a wrong byte."),
    _board("link_noise_20", "F2", "From this board on 20 % of the frames have a wrong byte."),
    _board("link_lossy", "F2", "From this board on 5 % of the frames are lost."),
    _board(
        "link_truncated", "F2", "From this board on 3 % of the frames come without their beginning."
    ),
    _board(
        "link_spliced", "F2", "From this board on 2 % of the frames run into the one behind them."
    ),
    _board(
        "link_reordered",
        "F3",
        "From this board on 5 % of what is sent is overtaken by what follows.",
    ),
    _board("link_doubled", "F3", "From this board on half of what is sent comes twice."),
    _feed("mcu_reset", "F4", "The supply of the MCU dips and it starts anew."),
    _feed("mcu_hang", "F4", "The firmware hangs and its watchdog starts it anew."),
    _feed("mcu_garbage", "F4b", "The supply dips: the MCU sends garbage, then it starts anew."),
    _board("dtr_reset", "F4c", "From this board on opening the port restarts the MCU."),
    _feed("image_lost", "F8", "One of the two images of this card is never taken."),
    _feed("image_extra", "F8", "The camera sends one image more than was asked for."),
    _feed(
        "image_late_one_pitch",
        "F8",
        "Until the camera restarts every image is stamped and delivered one pitch late.",
    ),
    _feed(
        "image_late_two_pitches",
        "F8",
        "Until the camera restarts every image is stamped and delivered two pitches late.",
    ),
    _feed("camera_silent", "F8", "Until the camera restarts no image comes."),
    _feed(
        "image_frozen",
        "F8",
        "Until the camera restarts it repeats its last picture with new stamps.",
    ),
    _feed("image_black", "F8", "Until the camera restarts every image is black."),
    _feed("double_feed", "F9", "The next card comes along, 15 to 45 mm behind."),
    _feed("double_feed_exact", "F9", "The next card comes along exactly on top of this one."),
    _feed("misfeed", "F10", "This card sticks in the feeder until hands free it."),
    _feed("jam_window", "F10", "This card sticks over the window."),
    _feed("card_slips", "F10", "The feeder slips on this card, which comes 9 mm late."),
    _feed("card_askew", "F10", "This card passes the window turned by six degrees."),
    _feed("jam_pocket", "F10", "The card sticks in its chute, still across the gate."),
    _feed("gate_stuck", "F11", "One gate does not move any more until it is mended."),
    _feed("gate_slow", "F11", "One gate takes three times as long until it is mended."),
    _feed("gate_coil_on", "F11", "The coil of one gate stays on until it is mended."),
    _feed("gate_weak", "F11", "The spring of one gate is weak: it shuts three times as slowly."),
    _feed("wrong_pocket", "F12", "The passing sensors of two pockets are exchanged."),
    _feed("sensor_glitch", "F13", "For two seconds the sensors show false pulses up to 2 ms."),
    _feed(
        "sensor_bounce", "F13", "From now on every edge of the passing sensors bounces for 2 ms."
    ),
    _feed("sensor_dead", "F13", "A pocket's passing sensor shows no card until it is mended."),
    _feed("sensor_stuck", "F13", "A pocket's passing sensor shows a card until it is mended."),
    _feed("board_removed", "F14", "Somebody pulls the board out while the cards run."),
    _board("wrong_board", "F14", "The board with the next higher number is put in."),
    _board("board_backwards", "F14", "The board is put in the wrong way round."),
    _board("pocket_not_empty", "F14", "One pocket of the board still holds a card."),
    _board("label_unreadable", "F14", "The label of this board cannot be read until wiped."),
    _feed("estop", "F15", "Somebody presses the emergency stop."),
    _feed(
        "estop_again", "F15", "The emergency stop is pressed, and again while the machine homes."
    ),
    _feed("lid_open", "F15", "Somebody opens the lid while the cards run."),
    _pack("duplicate_card", "F16", "This card of the pack is a copy of another one of it."),
    _pack("missing_card", "F16", "This card is missing: the pack has 51."),
    _pack("extra_card", "F16", "A copy of some card lies before this one: the pack has 53."),
    _pack("foreign_back", "F16", "This card has the back of another pack."),
    _pack("joker", "F16", "A joker lies before this card."),
    _pack("card_face_up", "F16", "This card lies face up."),
    _pack("pack_in_order", "F16", "The pack is in the order of a new one.", False),
    _pack("packs_mixed", "F16", "Five cards were exchanged with cards of another pack.", False),
    _pack("stop_card_in_pack", "F16", "A stop card lies before this card."),
    _pack("stop_card_doubled", "F16", "Two stop cards lie behind this board's pack.", False),
    _pack("stop_card_missing", "F16", "No stop card lies behind this board's pack.", False),
    _pack("unreadable_card", "F16 F23", "Both indices of this card are worn off for good."),
    _pack("dirty_corner", "F23", "The index that shows is dirty, the other one is clean."),
    _feed("strobe_dim", "F23", "The strobe gives a quarter of its light until it is mended."),
    _feed("strobe_late", "F23", "Strobe and trigger come up to 2 ms late until they are mended."),
    _feed("strobe_flickers", "F23", "The strobe gives two fifths to all of its light, in bands."),
    _feed("sun", "F23", "The sun shines on the glass until somebody shuts the blind."),
    _feed("glass_smeared", "F23", "There is a smear on the glass from now on until it is wiped."),
    _feed("glass_soils", "F23", "The glass gets dirtier with every card until it is wiped."),
    _feed("hub_lost", "F24", "The cable to the MCU and the camera drop out together."),
)

KINDS: Final[Mapping[str, FaultKind]] = {kind.name: kind for kind in _TABLE}
"""Every fault by name, in the order of the rows."""
