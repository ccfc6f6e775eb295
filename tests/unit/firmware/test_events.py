"""Events: numbered, kept, sent again when asked, never lost; and the inputs that they tell of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.protocol.messages import (
    EVENT_PAUSE,
    EVENT_RING,
    PROTOCOL_VERSION,
    Feed,
    GetEvents,
    Heartbeat,
    Held,
    Hello,
    Homed,
    InputChanged,
    Landed,
    Measured,
    NakReason,
    RunEnded,
    Seen,
    Start,
    State,
    Stopped,
    StopReason,
    Strobed,
)
from tests.unit.firmware.library import BOARD, ESTOP, HOPPER, LID, PASS_N, PRESENT_N, WINDOW
from tests.unit.firmware.rig import RUN, Rig, bring

Bench = Callable[..., Rig]


def test_events_are_numbered_without_a_gap(rig: Rig) -> None:
    rig.feed([0, 1, 2, 3] * 4)
    rig.land_all()
    assert [event.number for event in rig.events] == list(range(len(rig.events)))
    assert {event.boot for event in rig.events} == {1}
    ticks = [event.tick for event in rig.events if not isinstance(event, Strobed)]
    assert ticks == sorted(ticks)


def test_feeding_pauses_while_three_quarters_of_the_ring_are_unacknowledged(rig: Rig) -> None:
    rig.acknowledging = False
    rig.feed([0, 1, 2, 3] * 8)
    rig.run(6_000_000)
    assert not rig.of(Stopped)
    waiting = rig.status.next_event
    assert EVENT_PAUSE <= waiting < EVENT_RING
    fed = rig.status.fed
    assert fed < 32
    rig.ask(Heartbeat(waiting - EVENT_PAUSE + 20))
    rig.run(2_000_000)
    assert fed < rig.status.fed < 32
    rig.acknowledging = True
    rig.land_all()
    assert rig.landed == rig.routes
    assert [event.number for event in rig.events] == list(range(len(rig.events)))


def test_events_can_be_read_again_from_any_that_is_held(rig: Rig) -> None:
    rig.acknowledging = False
    rig.feed([0, 1, 2, 3] * 3)
    rig.run(3_000_000)
    kept = list(rig.events)
    assert len(kept) > 40
    for first in (0, 1, 17, len(kept) - 1, len(kept)):
        rig.events.clear()
        rig.next_event = first
        rig.ok(GetEvents(first))
        rig.run(50_000)
        assert rig.events == kept[first:]
    assert rig.decoder.dropped == 0


def test_an_acknowledgement_overtakes_what_is_being_sent_again(rig: Rig) -> None:
    rig.acknowledging = False
    rig.feed([0, 1, 2, 3] * 3)
    rig.run(3_000_000)
    count = len(rig.events)
    rig.events.clear()
    rig.next_event = count - 2
    rig.ok(GetEvents(0))
    rig.ask(Heartbeat(count - 2))
    rig.run(50_000)
    assert [event.number for event in rig.events] == [count - 2, count - 1]


def test_events_that_were_acknowledged_are_gone(rig: Rig) -> None:
    rig.acknowledging = False
    rig.feed([0, 1])
    rig.run(1_500_000)
    kept = list(rig.events)
    rig.ask(Heartbeat(5))
    assert rig.ask(Hello(PROTOCOL_VERSION)).first_event == 5
    rig.events.clear()
    rig.next_event = 5
    rig.ok(GetEvents(2))
    rig.run(50_000)
    assert rig.events == kept[5:]
    assert rig.refused(GetEvents(len(kept) + 1)) == NakReason.BAD_VALUE
    rig.ask(Heartbeat(4))  # an old acknowledgement changes nothing
    rig.ask(Heartbeat(len(kept) + 9))  # nor does one of events that never were
    assert rig.ask(Hello(PROTOCOL_VERSION)).first_event == 5


def test_a_full_ring_stops_and_keeps_everything(rig: Rig) -> None:
    rig.acknowledging = False
    rig.feed([0, 1, 2, 3] * 8)
    rig.run(6_000_000)
    for flip in range(EVENT_RING):
        rig.input(PRESENT_N, flip & 1)
        rig.run(5_000)
    assert rig.state == State.STOPPED
    assert rig.stopped.reason == StopReason.EVENTS_FULL
    kept = list(rig.events)
    assert [event.number for event in kept] == list(range(EVENT_RING + 1))
    rig.input(LID, 0)  # nothing more is kept, nothing is lost
    rig.run(5_000)
    rig.events.clear()
    rig.next_event = 0
    rig.ok(GetEvents(0))
    rig.run(100_000)
    assert rig.events == kept
    for seen in (1, 60, EVENT_RING + 1):
        rig.ask(Heartbeat(seen))
        rig.events.clear()
        rig.next_event = seen
        rig.ok(GetEvents(0))
        rig.run(100_000)
        assert rig.events == kept[seen:]
    rig.input(LID, 1)
    rig.run(5_000)
    assert rig.events[-1].number == EVENT_RING + 1


def test_nothing_starts_while_too_many_events_wait(rig: Rig) -> None:
    rig.configure()
    rig.home()
    rig.acknowledging = False
    for flip in range(EVENT_PAUSE):
        rig.input(PRESENT_N, ~flip & 1)
        rig.run(5_000)
    assert rig.refused(Start(RUN)) == NakReason.WRONG_STATE
    rig.acknowledging = True
    assert rig.state == State.READY
    rig.ok(Start(RUN))


def test_heartbeats_without_a_session_acknowledge_nothing(rig: Rig) -> None:
    for level in (0, 1, 0):
        rig.run(5_000)
        rig.input(HOPPER, level)
    rig.run(5_000)
    assert rig.status.next_event == 3
    assert rig.ask(Hello(PROTOCOL_VERSION)).first_event == 0
    assert rig.status.next_event == 3
    assert rig.ask(Hello(PROTOCOL_VERSION)).first_event == 3


# --- inputs ---

TOLD = [HOPPER, *range(PRESENT_N, PRESENT_N + 5), BOARD, LID, ESTOP]


@pytest.mark.parametrize("pin", TOLD)
def test_a_settled_input_is_told(rig: Rig, pin: int) -> None:
    rig.configure()
    level = rig.status.inputs >> pin & 1
    rig.input(pin, 1 - level)
    begun = rig.view.now_us
    rig.run(10_000, lambda: bool(rig.of(InputChanged)))
    (event,) = rig.of(InputChanged)
    assert (event.pin, event.level) == (pin, 1 - level)
    assert 3_000 <= event.tick - begun <= 4_000
    assert rig.status.inputs >> pin & 1 == 1 - level


@pytest.mark.parametrize("width_us", [10, 500, 1_000, 2_000, 2_900])
def test_a_glitch_is_not_an_event(rig: Rig, width_us: int) -> None:
    rig.start()
    rig.run(100_000)
    for pin in (WINDOW, HOPPER, LID, BOARD, PASS_N, PASS_N + 4):
        level = rig.status.inputs >> pin & 1
        for offset in (0, 300, 700):
            rig.run(10_000 + offset)
            rig.input(pin, 1 - level)
            rig.run(width_us)
            rig.input(pin, level)
    rig.run(20_000)
    assert rig.of(InputChanged) == rig.of(Stopped) == rig.of(Seen) == []


def test_a_sensor_that_bounces_costs_neither_card_nor_place(bench: Bench) -> None:
    rig = bench()
    plain = rig.plant._window

    def bounce(card: object, covered: bool) -> None:
        plain(card, covered)
        now = rig.view.now_us
        for after, level in ((200, 0), (400, 1)):
            rig.at_time(now + after, lambda level=level: rig.input(WINDOW, level == covered))

    rig.plant._window = bounce
    rig.feed([0, 1, 2, 3] * 2)
    rig.land_all()
    assert rig.landed == rig.routes
    for event, card in zip(rig.of(Strobed)[::2], rig.plant.cards, strict=False):
        (belt,) = [belt for us, belt, _ in rig.edges if us == event.tick]
        assert 0 <= belt - (card.place + 80) <= 4  # the stable level began 0.4 ms late


def test_the_levels_at_boot_are_no_changes(rig: Rig) -> None:
    rig.input(LID, 0)
    rig.run(20_000)
    assert rig.events == []
    assert rig.status.inputs == 0x5001


def test_landing_events_name_card_and_pocket_once(rig: Rig) -> None:
    rig.feed([3, 2, 1, 0] * 3)
    rig.land_all()
    assert sorted(event.card for event in rig.of(Landed)) == list(range(1, 13))
    assert rig.ask(Feed(RUN, 60)).reason == NakReason.WRONG_STATE


PRESENT = range(PRESENT_N, PRESENT_N + 5)


def fill(rig: Rig, events: int) -> None:
    """Switches at the pockets move until `events` events are kept, or more by the machine's own."""
    while (left := events - rig.status.next_event) > 0:
        for pin in list(PRESENT)[:left]:
            rig.input(pin, 1 - (rig.status.inputs >> pin & 1))
        rig.run(4_500)


def stopped_by_the_ring(rig: Rig) -> type:
    """The kind of event that filled the ring, when it stopped the machine as it must."""
    assert rig.run_until_stopped().reason == StopReason.EVENTS_FULL
    assert rig.view.outputs == 0
    assert [event.number for event in rig.events] == list(range(EVENT_RING + 1))
    return type(rig.events[EVENT_RING - 1])


def test_whatever_event_fills_the_ring_it_is_kept_and_the_machine_stands(bench: Bench) -> None:
    found = set()
    for kept in range(EVENT_RING - 7, EVENT_RING):
        rig = bench()
        rig.acknowledging = False
        rig.start()
        rig.run(200_000)
        fill(rig, EVENT_PAUSE - 1)
        rig.ok(Feed(RUN, 1))
        while not rig.status.fed:
            rig.run(1_000)
        fill(rig, kept)
        found.add(stopped_by_the_ring(rig))
    assert found >= {Seen, Strobed, Measured, Held, Landed}


@pytest.mark.parametrize(("state", "kind"), [(State.HOMING, Homed), (State.FINISHING, RunEnded)])
def test_the_event_that_ends_a_motion_can_fill_the_ring(rig: Rig, state: State, kind: type) -> None:
    rig.acknowledging = False
    bring(rig, state)
    if state == State.FINISHING:
        fill(rig, EVENT_RING - 25)
        while rig.status.on_belt:
            rig.run(1_000)
    fill(rig, EVENT_RING - 1)
    assert rig.state == state
    assert stopped_by_the_ring(rig) is kind
