"""What a deed is: how long it takes, what comes of it, and the cards in a hand meanwhile."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from controller.twin.world.things import PhysicalCard

T = TypeVar("T")

SECONDS: Final = {
    "load_pack": 3.0,
    "put_board": 1.2,
    "take_board": 0.8,
    "lid": 0.4,
    "take_tray": 1.0,
    "clear_belt": 4.0,
    "take_table": 3.0,
    "empty_pocket": 1.5,
    "put_into_pocket": 1.0,
    "load_camera_cards": 2.5,
    "put_in_front": 2.5,
    "replace_pack": 6.0,
    "shuffle_pack": 15.0,
    "free_feeder": 3.0,
    "wipe": 4.0,
    "replace_card": 5.0,
    "wipe_label": 3.0,
    "clean_glass": 8.0,
    "press_estop": 0.3,
    "release_estop": 1.0,
    "plug_cable": 3.0,
    "restart_power": 4.0,
    "mend": 60.0,
}
"""How long each deed takes a practised person."""


class Held:
    """A card in a person's hand, face down until `Hands.look`."""

    __slots__ = ("_card",)

    def __init__(self, card: PhysicalCard) -> None:
        self._card = card


class Deed(Generic[T]):
    """One thing that a person does: `done` when its time is over, with a result or a `problem`."""

    def __init__(self, what: str, done_us: int) -> None:
        self.what = what
        self.done_us = done_us
        """When it is or will be done."""
        self.done = False
        self.problem: str | None = None
        """Why it could not be done, such as that no board was there to take."""
        self._result: T | None = None

    @property
    def result(self) -> T:
        """What came of it; only when it is done and there was no problem."""
        if not self.done or self._result is None:
            raise ValueError(
                f"{self.what}: no result" + (f", {self.problem}" if self.problem else "")
            )
        return self._result

    def finish(self, result: T | None, problem: str | None) -> None:
        """The world ends the deed."""
        self.done, self._result, self.problem = True, result, problem


class CannotError(Exception):
    """A deed that the things at hand do not allow."""
