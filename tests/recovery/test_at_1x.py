"""A board through port, eye process and sockets at 1x; what breaks ends in its stop, and is mended."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.devices.happenings import CardLanded, CardSeen, Happening
from controller.devices.proving import answers_hello
from controller.engine.stops import Fault
from controller.jobs.results import BoardResult
from controller.pins.table import Pin
from controller.pins.unix import UnixPins
from tests.recovery.host import Host, ServedTwin, at_the_machine, demo_boards, hands_of

QUICK = ("--profile", "fast", "--haste", "10")
BOARD = demo_boards(1)[0]


def after(cards: int, act: Callable[[], object]) -> Callable[[Happening], None]:
    """Acts once, when so many cards have landed; with 0 when the first one is seen."""
    landed = -1

    def happened(happening: Happening) -> None:
        nonlocal landed
        first = landed < 0 and isinstance(happening, CardSeen)
        if first or isinstance(happening, CardLanded):
            landed += 1
            if landed == cards:
                act()

    return happened


def deal_and_break(host: Host, act: Callable[[], object], cards: int = 5) -> BoardResult:
    return host.deal([BOARD], after(cards, act))[0]


def faults(result: BoardResult) -> set[Fault]:
    """All that stopped the board; on a busy computer an image may be late as well."""
    return {stop.fault for stop in result.stops}


def assert_proven_and_true(host: Host, result: BoardResult) -> None:
    assert result.proven
    held = host.hands.contents()
    assert {seat: held[seat] for seat in "NESW"} == hands_of(BOARD)
    assert held["tray"] == held["belt"] == held["table"] == []


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServedTwin, Host]]:
    """One machine for the tests that leave it whole."""
    folder = tmp_path_factory.mktemp("twin")
    with at_the_machine(folder, *QUICK, operator=True) as pair:
        yield pair


def test_a_board_is_proven_and_true(machine: tuple[ServedTwin, Host]):
    _, host = machine
    result = host.deal([BOARD])[0]
    assert_proven_and_true(host, result)
    assert (result.cards, result.named, host.hands.faces_seen) == (52, 0, 0)
    assert (host.port.statistics.opened, host.port.statistics.lost) == (1, 0)
    assert host.eye.statistics.starts == 1


def test_a_killed_eye_comes_back(machine: tuple[ServedTwin, Host]):
    _, host = machine
    before = host.eye.statistics.starts
    result = deal_and_break(host, lambda: os.kill(host.eye.pid or 0, signal.SIGKILL))
    assert Fault.IMAGE_LOST in faults(result)
    assert_proven_and_true(host, result)
    assert (host.eye.statistics.deaths, host.eye.statistics.starts) == (1, before + 1)


@pytest.mark.long  # the quick run has it with a daemon: test_daemon_dies.py
def test_a_frozen_machine_is_a_lost_link(machine: tuple[ServedTwin, Host]):
    """A stopped process gives no error, only silence: the missing heartbeat tells."""
    twin, host = machine

    def progress(result: BoardResult) -> None:
        if result.stops:
            twin.signal(signal.SIGCONT)

    result = host.deal([BOARD], after(5, lambda: twin.signal(signal.SIGSTOP)), progress)[0]
    assert Fault.LINK_LOST in faults(result)
    assert_proven_and_true(host, result)
    assert host.hands.ask("stood_us") > 0


@pytest.mark.long  # likewise
def test_a_reset_mcu_is_known_by_its_boot_number(machine: tuple[ServedTwin, Host]):
    twin, host = machine
    pins = UnixPins(twin.places["pins"], host.time)
    pins.write(Pin.MOTOR_RELAY, True)

    def pulse() -> None:
        pins.write(Pin.MCU_RESET, True)
        pins.write(Pin.MCU_RESET, False)

    result = deal_and_break(host, pulse)
    pins.close()
    assert Fault.MCU_RESTARTED in faults(result)
    assert_proven_and_true(host, result)


def test_a_killed_machine_is_a_gone_port(tmp_path: Path):
    """Its end closes the port at once: no time-out is waited for."""
    with at_the_machine(tmp_path, *QUICK) as (twin, host):
        result = deal_and_break(host, twin.kill, 0)
        assert (result.proven, result.waiting) == (False, True)
        assert result.stops[0].fault is Fault.LINK_LOST
        assert not host.port.is_open
        assert host.port.statistics.lost == 1
        twin.start()  # with another port behind the same name
        host.port.reopen()
        assert answers_hello(host.link, host.time)()
        host.wait_for(lambda: host.eye.problem is None, 5)  # the same process found the new camera
        assert host.eye.statistics.starts == 1


@pytest.mark.long
def test_a_pulled_cable_is_plugged_in_again(tmp_path: Path):
    with at_the_machine(tmp_path, *QUICK, operator=True) as (_, host):
        result = deal_and_break(host, host.hands.pull_cable)
        assert Fault.LINK_LOST in faults(result)
        assert_proven_and_true(host, result)
        assert host.port.statistics.opened >= 2


@pytest.mark.long
@pytest.mark.parametrize("cards", [1, 3, 17, 36, 51, 52])
@pytest.mark.parametrize("what", ["eye", "freeze", "cable"])
def test_whatever_breaks_at_whichever_card(tmp_path: Path, what: str, cards: int):
    with at_the_machine(tmp_path, *QUICK, operator=True) as (twin, host):
        acts: dict[str, Callable[[], object]] = {
            "eye": lambda: os.kill(host.eye.pid or 0, signal.SIGKILL),
            "freeze": lambda: freeze_for_a_moment(twin, host),
            "cable": host.hands.pull_cable,
        }
        assert_proven_and_true(host, deal_and_break(host, acts[what], cards))


def freeze_for_a_moment(twin: ServedTwin, host: Host) -> None:
    twin.signal(signal.SIGSTOP)
    host.time.wait(host.time.now_us() + 400_000)
    twin.signal(signal.SIGCONT)
