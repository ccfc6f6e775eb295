"""Wire events to happenings: numbers become the words of the machine."""

from __future__ import annotations

from controller.devices.happenings import (
    BeltHeld,
    CardLanded,
    CardMeasured,
    CardSeen,
    Happening,
    Input,
    InputMoved,
    MachineStopped,
    RunEnded,
)
from controller.devices.happenings import Strobed as LookStrobed
from controller.geometry import STEPS_PER_MM
from controller.protocol.codec import NOWHERE
from controller.protocol.messages import (
    CardFlag,
    Event,
    Held,
    Homed,
    InputChanged,
    Landed,
    Measured,
    Pocket,
    Seen,
    Stopped,
    StopReason,
    Strobed,
)
from controller.protocol.messages import RunEnded as WireRunEnded

KNOWN_INPUTS = {switch.value: switch for switch in Input}


def happening_of(at_us: int, event: Event, run: int) -> Happening | None:
    """The happening that `event` tells; None for events of another run and for Homed."""
    if isinstance(event, InputChanged):
        switch = KNOWN_INPUTS.get(event.pin)
        return InputMoved(at_us, switch, bool(event.level)) if switch else None
    if isinstance(event, Stopped):
        return _stopped(at_us, event)
    if event.run != run or isinstance(event, Homed):
        return None
    return _in_run(at_us, event)


def _stopped(at_us: int, event: Stopped) -> MachineStopped:
    return MachineStopped(
        at_us,
        StopReason(event.reason),
        event.card or None,
        None if event.pocket == NOWHERE else Pocket(event.pocket),
    )


def _in_run(
    at_us: int, event: Seen | Strobed | Measured | Held | Landed | WireRunEnded
) -> Happening:
    match event:
        case Seen():
            return CardSeen(at_us, event.card)
        case Strobed():
            return LookStrobed(at_us, event.card, event.look)
        case Measured():
            return CardMeasured(
                at_us,
                event.card,
                event.length / STEPS_PER_MM,
                event.thickness,
                event.back,
                CardFlag(event.flags),
            )
        case Held():
            return BeltHeld(at_us, event.card, bool(event.on))
        case Landed():
            return CardLanded(at_us, event.card, Pocket(event.pocket), bool(event.expired))
        case WireRunEnded():
            return RunEnded(at_us, event.fed)
