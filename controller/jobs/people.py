"""The people around the machine, as the job sees them: staff who bring boards, an operator who
mends stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from controller.engine.stops import Stop
from deals.cards import Card

SETTLED_US: Final = 400_000
"""So long all must be right before a board starts by itself: the lid is shut, the hand is gone."""


@dataclass(frozen=True, slots=True)
class FaceSeen:
    """Somebody saw the face of a card of a live board."""

    who: str
    plays: bool
    """Whether that person will play this set: then the board needs a new deal."""


@dataclass(frozen=True, slots=True)
class Done:
    """The operator has done the steps of a remedy and wants to go on.

    `named`: what he says the set-aside cards are, in the order in which he put them into the
    hopper.
    """

    named: tuple[Card, ...] = ()
    faces: tuple[FaceSeen, ...] = ()
    """Who saw a face meanwhile."""


class People(Protocol):
    """Who loads boards and packs, and who acts on a stop."""

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Puts the emptied board with this number in, a pack and its stop card into the hopper,
        closes the lid. `follows`: another board comes after it, whose pack may be loaded meanwhile.
        """
        ...

    def act(self, stop: Stop, board: int) -> Done | None:
        """Carries out the steps of a remedy; None when nobody acts and the job has to wait."""
        ...


class Servers(People, Protocol):
    """People of a job that reads cards: they also bring what it asks for in its course."""

    def serve(self, request: Stop, board: int) -> bool:
        """Does the steps of a request (`controller.engine.stops.REQUESTS`), unseen; False when
        nobody does.
        """
        ...
