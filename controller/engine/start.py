"""May a board be dealt now? Everything that must be so before the first card moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.devices.happenings import Input
from controller.devices.ports import Label
from controller.engine.stops import Fault, Step, Stop, before_start
from controller.protocol.messages import Pocket

PRESENT = {
    Pocket.N: Input.PRESENT_N,
    Pocket.E: Input.PRESENT_E,
    Pocket.S: Input.PRESENT_S,
    Pocket.W: Input.PRESENT_W,
}

ALL_EMPTY: Final[Mapping[Pocket, bool]] = dict.fromkeys(PRESENT, False)
"""No pocket holds a card: so a board begins."""
ALL_FULL: Final[Mapping[Pocket, bool]] = dict.fromkeys(PRESENT, True)
"""Every pocket holds cards: so a dealt board is brought back."""


def refusal(
    is_on: Callable[[Input], bool],
    label: Label | None,
    board: int | None,
    box: str = "",
    held: Mapping[Pocket, bool] = ALL_EMPTY,
    *,
    hopper: bool = True,
) -> Stop | None:
    """Why board number `board` may not be started, the first reason found; None when it may.

    `is_on` tells the switches, `label` is what the label reader sees, `box` the only box whose boards
    may come (empty: any). A label that names no box can be of any; without a number any board will
    do. `held`: which pockets must hold cards and which must not; others may be as they are.
    `hopper`: whether cards must lie in the hopper already.
    """
    if not is_on(Input.ESTOP):
        return before_start(Fault.EMERGENCY_STOP, (Step.RELEASE_STOP,))
    if not is_on(Input.BOARD):
        return before_start(Fault.BOARD_ABSENT, (Step.PUT_BOARD_BACK,))
    if board is not None and (stop := _label_refusal(label, board, box)) is not None:
        return stop
    for pocket, wanted in held.items():
        if wanted and not is_on(PRESENT[pocket]):
            return before_start(Fault.POCKET_EMPTY, (Step.PUT_HAND_BACK,), pocket)
    for pocket, wanted in held.items():
        if is_on(PRESENT[pocket]) and not wanted:
            return before_start(Fault.POCKET_NOT_EMPTY, (Step.EMPTY_POCKETS,), pocket)
    if is_on(Input.PRESENT_TRAY):
        return before_start(Fault.TRAY_NOT_EMPTY, (Step.EMPTY_TRAY,))
    if not is_on(Input.LID):
        return before_start(Fault.LID_OPEN, (Step.CLOSE_LID,))
    if hopper and not is_on(Input.HOPPER):
        return before_start(Fault.HOPPER_EMPTY, (Step.FILL_HOPPER,))
    return None


def _label_refusal(label: Label | None, board: int, box: str) -> Stop | None:
    if label is None:
        return before_start(Fault.LABEL_UNREADABLE, (Step.WIPE_LABEL,))
    if label.board != board:
        return before_start(Fault.WRONG_BOARD, (Step.RIGHT_BOARD,))
    if box and label.box not in ("", box):
        return before_start(Fault.WRONG_BOX, (Step.RIGHT_BOARD,))
    if label.backwards:
        return before_start(Fault.BOARD_BACKWARDS, (Step.TURN_BOARD,))
    return None
