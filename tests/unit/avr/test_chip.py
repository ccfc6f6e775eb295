"""What only a chip can do: resets and their causes, EEPROM, stack, UART, watchdog, pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.link.errors import LinkError
from controller.protocol.codec import encode_message
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Clear,
    Heartbeat,
    Hello,
    ResetCause,
    State,
    StopReason,
)
from controller.twin.firmware import WHY_TIME, FirmwareMissingError
from controller.twin.simavr import ChipLostError, SimavrFirmware
from controller.twin.world.pins import Analog, In, Out
from tests.unit.avr.bench import Bench, symbol
from tests.unit.avr.conftest import RAM_END
from tests.unit.project.source import ROOT

BOOT_US = 30_000
"""A start and the writing of its number."""
TIMSK2, UCSR0B = 0x70, 0xC1
WATCHDOG_US = 60_000
BOARD_H = ROOT / "firmware" / "board" / "avr" / "board.h"


def stack_bytes() -> int:
    """The stack's budget, as board.h says."""
    (line,) = [line for line in BOARD_H.read_text().splitlines() if "define STACK_BYTES" in line]
    return int(line.split()[2])


@pytest.mark.parametrize("cause", list(ResetCause))
def test_the_cause_of_a_reset_is_told(bench: Bench, cause: ResetCause) -> None:
    first = bench.connect()
    bench.home()
    bench.chip.reset(cause)
    bench.chip.run(bench.chip.now_us + BOOT_US)
    assert bench.chip.outputs == 0
    again = bench.link.hello(Hello(PROTOCOL_VERSION))
    assert again.reset_cause == cause
    assert again.boot == first.boot + 1
    assert (again.state, again.config_crc) == (State.UNKNOWN, 0)


def test_every_start_has_a_number_of_its_own_also_when_the_cells_come_round(bench: Bench) -> None:
    boots = []
    for _ in range(70):
        bench.chip.reset(ResetCause.EXTERNAL)
        bench.chip.run(bench.chip.now_us + BOOT_US)
        boots.append(bench.link.hello(Hello(PROTOCOL_VERSION)).boot)
    assert boots == list(range(boots[0], boots[0] + 70))


def test_a_reset_while_the_number_is_written_uses_none_twice(bench: Bench) -> None:
    told = [bench.link.hello(Hello(PROTOCOL_VERSION)).boot]
    for after_us in range(500, 15_000, 900):
        bench.chip.reset(ResetCause.BROWN_OUT)
        bench.chip.run(bench.chip.now_us + after_us)
        bench.chip.reset(ResetCause.BROWN_OUT)
        bench.chip.run(bench.chip.now_us + BOOT_US)
        told.append(bench.link.hello(Hello(PROTOCOL_VERSION)).boot)
    assert len(set(told)) == len(told)
    assert told == sorted(told)


def test_when_ticks_stop_the_watchdog_restarts_the_chip_with_motors_off(bench: Bench) -> None:
    first = bench.connect()
    bench.home()
    bench.stay(700_000)
    assert bench.high(Out.ENABLE)
    bench.chip.overwrite(TIMSK2, b"\0")
    broken_us = bench.chip.now_us
    while bench.high(Out.ENABLE):
        bench.chip.run(broken_us + 2 * WATCHDOG_US)
        assert bench.chip.now_us < broken_us + 2 * WATCHDOG_US, "no watchdog"
    assert bench.chip.now_us - broken_us <= WATCHDOG_US + 10_000
    assert bench.chip.figures()["watchdog_resets"] == 1
    bench.chip.run(bench.chip.now_us + BOOT_US)
    again = bench.connect()
    assert (again.reset_cause, again.boot) == (ResetCause.WATCHDOG, first.boot + 1)
    bench.home()  # and it is as good as new
    bench.stay(500_000)
    assert bench.high(Out.ENABLE)
    assert bench.chip.figures()["watchdog_resets"] == 1


def test_a_stack_that_reaches_its_canary_stops_the_machine_for_good(bench: Bench) -> None:
    bench.connect()
    bench.home()
    bench.stay(50_000)
    bench.chip.overwrite(RAM_END - stack_bytes() - 1, b"\0")
    bench.chip.run(bench.chip.now_us + 2_000)
    assert bench.chip.outputs == 0
    for _ in range(2):
        bench.link.beat(force=True)
        assert bench.link.status is not None
        assert bench.link.status.stop_reason == StopReason.INTERNAL
        bench.link.request(Clear(StopReason.INTERNAL))
        bench.stay(5_000)


def test_the_stack_stays_within_half_its_budget(recorded) -> None:  # type: ignore[no-untyped-def]
    assert 100 < recorded("stress").stack <= stack_bytes() / 2


def test_bytes_that_nobody_reads_are_lost_as_in_the_chip(bench: Bench) -> None:
    bench.connect()
    bench.chip.overwrite(UCSR0B, bytes([0x18]))  # receiver on, its interrupt off
    with pytest.raises(LinkError):
        bench.link.beat(force=True)
    assert bench.chip.figures()["lost"] > 20


def test_noise_on_the_line_is_survived(bench: Bench) -> None:
    bench.connect()
    bench.chip.rx(bytes(range(1, 256)) * 8)
    bench.chip.run(bench.chip.now_us + 60_000)
    bench.link.beat(force=True)
    assert bench.chip.figures()["lost"] == 0


@pytest.mark.parametrize("shortest", [True, False])
def test_a_flooded_line_keeps_no_tick_waiting(bench: Bench, shortest: bool) -> None:
    """Half a second of valid frames, or of the shortest pieces, without a gap, while the belt runs."""
    bench.connect()
    bench.home()
    bench.stay(200_000)
    frame = b"\1\0" if shortest else encode_message(Heartbeat(0), 9)
    flood = frame * (25_000 // len(frame))
    waiting = 0
    while flood:
        bench.chip.rx(flood[:500])
        flood = flood[500:]
        end_us = bench.chip.now_us + 10_000
        while bench.chip.now_us < end_us:
            bench.chip.run(end_us)
            bench.chip.tx()
            waiting = max(waiting, bench.chip.memory(symbol("ticks"), 1)[0])
        assert bench.high(Out.ENABLE)
    assert waiting <= 2
    bench.stay(1_000_000)
    assert bench.link.status is not None
    assert bench.link.status.state == State.READY
    assert bench.chip.figures()["watchdog_resets"] == 0


@pytest.mark.parametrize("pin", list(In), ids=lambda pin: pin.name)
def test_each_input_hangs_on_its_own_pin(bench: Bench, pin: In) -> None:
    for other in In:
        bench.chip.input(other, other == pin)
    bench.chip.run(BOOT_US + 10_000)
    assert bench.link.hello(Hello(PROTOCOL_VERSION)).inputs == 1 << pin


def test_the_converter_gives_the_counts_that_the_world_means(bench: Bench) -> None:
    bench.connect()
    at = symbol("board_core") + 2
    for value in (0, 1, 2, 299, 300, 301, 450, 511, 600, 1022, 1023):
        bench.chip.analog(Analog.THICKNESS, value)
        bench.chip.analog(Analog.BACK, 1023 - value)
        bench.chip.run(bench.chip.now_us + 3_000)
        found = bench.chip.memory(at, 4)
        assert int.from_bytes(found[:2], "little") == value
        assert int.from_bytes(found[2:], "little") == 1023 - value


def test_two_chips_do_the_same_to_the_cycle(tmp_path: Path) -> None:
    told = []
    for name in "ab":
        made = Bench(trace=tmp_path / name)
        made.connect()
        made.home()
        made.stay(900_000)
        made.close()
        told.append((tmp_path / name).read_bytes())
    assert told[0] == told[1]
    assert told[0].count(b"step") > 500


def test_time_stands_still_when_nobody_asks(bench: Bench) -> None:
    assert bench.chip.run(5_000) == WHY_TIME
    assert bench.chip.run(5_000) == WHY_TIME
    assert bench.chip.now_us == 5_000


def test_what_is_not_built_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREDEAL_AVR_FIRMWARE", "/nowhere/predeal.elf")
    with pytest.raises(FirmwareMissingError) as error:
        SimavrFirmware()
    assert "predeal.elf" in str(error.value)
    assert "make firmware" in str(error.value)
    assert "--firmware host" in str(error.value)


def test_a_simulator_that_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREDEAL_AVR_FIRMWARE", str(ROOT / "README.md"))
    chip = SimavrFirmware()
    with pytest.raises(ChipLostError) as error:
        chip.run(1_000)
    assert "exit code 1" in str(error.value)
    chip.close()
