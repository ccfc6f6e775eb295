"""What the chip keeps in its EEPROM while it works: byte by byte, 3.4 ms each, and torn by resets."""

from __future__ import annotations

from binascii import crc_hqx
from struct import pack

import pytest

from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Calibrate,
    CalibrationKey,
    Hello,
    Keep,
    ResetCause,
)
from tests.unit.avr.bench import Bench

RECORD_US = 250_000
"""More than a record takes."""
WRITTEN_US = 170_000
"""46 bytes of 3.4 ms, and the looks between them: just enough."""
ONE = dict.fromkeys(CalibrationKey, 1000) | {
    CalibrationKey.BELT_UM: 9_900,
    CalibrationKey.FEEDER_SLIP: 30,
}
OTHER = ONE | {CalibrationKey.DATE: 20_001, CalibrationKey.FEEDER_SLIP: 45}


def crc(values: dict[CalibrationKey, int]) -> int:
    """As KEEP carries it."""
    return crc_hqx(b"".join(pack("<H", values[key]) for key in CalibrationKey), 0xFFFF)


def keep(bench: Bench, values: dict[CalibrationKey, int]) -> None:
    for key, value in values.items():
        bench.link.request(Calibrate(key, value))
    bench.link.request(Keep(crc(values)))


def restarted(bench: Bench) -> int:
    """The CRC of what is kept, asked in the next life."""
    bench.chip.reset(ResetCause.POWER_ON)
    bench.chip.run(bench.chip.now_us + 30_000)
    return bench.link.hello(Hello(PROTOCOL_VERSION)).calibration_crc


def test_a_calibration_outlives_the_chip(bench: Bench) -> None:
    assert bench.link.hello(Hello(PROTOCOL_VERSION)).calibration_crc == 0
    keep(bench, ONE)
    bench.stay(RECORD_US)
    assert restarted(bench) == crc(ONE)
    keep(bench, OTHER)
    bench.stay(RECORD_US)
    assert [restarted(bench) for _ in range(2)] == [crc(OTHER)] * 2


@pytest.mark.parametrize("after_us", [*range(0, 140_000, 9_300), WRITTEN_US])
def test_a_torn_calibration_leaves_the_one_before(bench: Bench, after_us: int) -> None:
    """44 bytes of 3.4 ms."""
    bench.link.hello(Hello(PROTOCOL_VERSION))
    keep(bench, ONE)
    bench.stay(RECORD_US)
    keep(bench, OTHER)
    bench.chip.run(bench.chip.now_us + after_us)
    assert restarted(bench) == crc(OTHER if after_us == WRITTEN_US else ONE)


def test_the_link_lives_while_bytes_are_written(bench: Bench) -> None:
    bench.link.hello(Hello(PROTOCOL_VERSION))
    keep(bench, ONE)
    retries = bench.link.statistics.retries
    for _ in range(20):
        bench.link.beat(force=True)
    assert bench.link.statistics.retries == retries
