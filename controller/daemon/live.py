"""What the world hears of the machine: one state, always whole, and events as things happen."""

from __future__ import annotations

from typing import Final

from controller import geometry
from controller.api.desk import Desk
from controller.api.events import EventRing
from controller.api.models import (
    CardEvent,
    DaemonState,
    InterruptedView,
    JobView,
    MachineView,
    Model,
    StateView,
    StopView,
    WantsView,
)
from controller.daemon.views import POCKETS, pocket_name
from controller.devices.happenings import BeltHeld, CardLanded, CardSeen, Happening
from controller.geometry import Profile
from controller.protocol.messages import Pocket
from deals.words import text

NO_MACHINE: Final = MachineView(
    connected=False, state="UNKNOWN", firmware="", profile="", switches={}, label=None, problem=""
)


def first_state(events: EventRing) -> StateView:
    """Before anything is known."""
    return StateView(
        event=events.last_id,
        state=DaemonState.UNKNOWN,
        words=text("daemon.state_unknown"),
        machine=NO_MACHINE,
        job=None,
        wants=None,
        stop=None,
        pockets=dict.fromkeys(POCKETS, 0),
        fed=0,
        held=False,
        interrupted=[],
    )


class Live:
    """Belongs to the control loop."""

    def __init__(self, desk: Desk, profile: Profile) -> None:
        self._desk = desk
        self._view = desk.state
        to_window_mm = geometry.HOPPER_TO_WINDOW_MM
        self._to_window_us = round(to_window_mm * 1_000_000 / profile.belt_mm_s)
        self._first_us: int | None = None
        self._last_us = 0
        self._fresh = True

    @property
    def view(self) -> StateView:
        """The state as published."""
        return self._view

    @property
    def machine_us(self) -> int | None:
        """From the first card's feed to the last landing of the attempt, as the sensors tell it."""
        return None if self._first_us is None else self._last_us - self._first_us

    def state(
        self,
        state: DaemonState,
        words: str,
        *,
        job: JobView | None,
        wants: WantsView | None = None,
        stop: StopView | None = None,
        interrupted: list[InterruptedView] | None = None,
    ) -> None:
        """Something other than a card has changed: publishes the whole state."""
        changed: dict[str, object] = {
            "state": state,
            "words": words,
            "job": job,
            "wants": wants,
            "stop": stop,
            "interrupted": interrupted or [],
        }
        if any(getattr(self._view, name) != value for name, value in changed.items()):
            self._publish(changed)

    def stops_asked(self, count: int) -> None:
        """Somebody has asked to stop once more."""
        self._publish({"stops_asked": count})

    def machine(self, view: MachineView) -> None:
        """The machine as last heard."""
        if view != self._view.machine:
            self._publish({"machine": view})

    def tell(self, kind: str, model: Model) -> None:
        """An event beside the state."""
        self._desk.events.add(kind, model.model_dump_json())
        self._keep({})

    def begin_attempt(self) -> None:
        """The pockets count anew from the next card on."""
        self._fresh = True

    def happened(self, happening: Happening) -> None:
        """Counts what is fed and lands; tells it as it happens."""
        match happening:
            case CardSeen():
                self._seen(happening)
            case CardLanded():
                if happening.pocket is not Pocket.TRAY:  # the stop card's way is no part of a board
                    self._last_us = happening.at_us
                name = pocket_name(happening.pocket)
                pockets = {**self._view.pockets, name: self._view.pockets[name] + 1}
                self._card(
                    CardEvent(what="landed", feed=happening.feed, pocket=name), {"pockets": pockets}
                )
            case BeltHeld():
                event = CardEvent(what="hold", feed=happening.feed, on=happening.on)
                self._card(event, {"held": happening.on})

    def _seen(self, happening: CardSeen) -> None:
        changed: dict[str, object] = {"fed": happening.feed}
        if self._fresh:
            self._fresh = False
            self._first_us = happening.at_us - self._to_window_us
            changed["pockets"] = dict.fromkeys(POCKETS, 0)
        self._card(CardEvent(what="seen", feed=happening.feed), changed)

    def _card(self, event: CardEvent, changed: dict[str, object]) -> None:
        self._desk.events.add("card", event.model_dump_json(exclude_none=True))
        self._keep(changed)

    def _publish(self, changed: dict[str, object]) -> None:
        # The event's own document does not know its number yet; whoever starts there begins before.
        self._view = self._view.model_copy(update=changed)
        self._desk.events.add("state", self._view.model_dump_json())
        self._keep({})

    def _keep(self, changed: dict[str, object]) -> None:
        update = {**changed, "event": self._desk.events.last_id}
        self._view = self._view.model_copy(update=update)
        self._desk.publish(self._view)
