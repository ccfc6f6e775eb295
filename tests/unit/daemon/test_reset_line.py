"""The Pi's reset line: an MCU that is there and says nothing is started anew, one that answers never."""

from __future__ import annotations

from controller.api.models import DaemonState
from controller.daemon.parts import NoPanel
from controller.daemon.watch import RESET_AFTER, RESET_US, RETRY_US
from controller.protocol.codec import MessageDecoder
from controller.protocol.messages import GetTransit, ResetCause
from tests.unit.daemon.club import Club


class Line(NoPanel):
    """Wired to the twin's MCU; a hung one hears again after it."""

    club: Club

    def __init__(self) -> None:
        self.held: list[tuple[bool, int]] = []
        self.mends = True

    def hold_reset(self, on: bool) -> None:
        self.held.append((on, self.club.world.now_us))
        if not on:
            self.club.world.reset_mcu(ResetCause.EXTERNAL)
            if self.mends:
                self.club.port.silent = False


def with_line() -> tuple[Club, Line]:
    line = Line()
    club = Club(panel=line)
    line.club = club
    return club, line


def test_an_mcu_that_hangs_is_started_anew_after_some_patience():
    club, line = with_line()

    def script():
        yield club.is_in(DaemonState.IDLE)
        club.port.silent = True
        hung_us = club.world.now_us
        yield lambda: not club.state.machine.connected
        yield lambda: club.state.machine.connected
        assert [on for on, _ in line.held] == [True, False]
        (_, begins_us), (_, ends_us) = line.held
        assert begins_us - hung_us >= (RESET_AFTER - 1) * RETRY_US
        assert ends_us - begins_us >= RESET_US
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.DEALING)
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())
    assert len(line.held) == 2


def test_in_the_middle_of_a_board_the_line_waits_for_the_stop():
    """The dead-man has stopped the machine by then, and the board has lost its proof already."""
    club, line = with_line()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(20)
        club.port.silent = True
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop.fault == "link_lost"
        assert line.held == []
        yield lambda: not club.state.machine.connected
        yield lambda: club.state.machine.connected
        assert [on for on, _ in line.held] == [True, False]
        yield from club.seconds(5)
        assert club.state.state is DaemonState.WAITS
        yield from club.collect_all()
        club.resume()
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())


def test_an_mcu_that_stays_silent_is_tried_now_and_then_only():
    club, line = with_line()
    line.mends = False

    def script():
        yield club.is_in(DaemonState.IDLE)
        club.port.silent = True
        yield from club.seconds(30)
        club.port.silent = False
        yield lambda: club.state.machine.connected

    club.run(script())
    pulses = len(line.held) // 2
    assert 2 <= pulses <= 30_000_000 // (RESET_AFTER * RETRY_US)


def test_a_pulled_cable_is_no_reason_to_reset():
    club, line = with_line()

    def script():
        yield club.is_in(DaemonState.IDLE)
        club.world.wire.pull()
        yield from club.seconds(20)
        yield from club.do(club.world.hands.plug_cable())
        yield lambda: club.state.machine.connected

    club.run(script())
    assert line.held == []


def test_an_mcu_that_falls_silent_as_it_is_first_asked_for_its_counters_is_asked_again():
    club = Club()
    write, asked = club.port.write, []

    def falls_silent(data: bytes) -> None:
        first = not asked and any(
            isinstance(one.message, GetTransit) for one in MessageDecoder().feed(data)
        )
        if first:
            asked.append(club.world.now_us)
            club.port.silent = True
        write(data)

    def script():
        club.port.write = falls_silent
        yield lambda: bool(asked)
        yield lambda: bool(club.state.machine.problem)
        club.port.silent = False
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.machine.connected
