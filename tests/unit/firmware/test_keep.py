"""What stays in EEPROM: the boot number and the calibration, torn writes and worn bytes included."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Callable
from itertools import pairwise
from struct import pack

import pytest

from controller.protocol.codec import encode_message
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    Calibrate,
    CalibrationKey,
    Clear,
    GetCalibration,
    Hello,
    Home,
    Identity,
    Keep,
    Nak,
    NakReason,
    ResetCause,
    State,
    StopReason,
)
from tests.unit.firmware.rig import Rig, bring

Bench = Callable[..., Rig]
BOOT_SLOTS, BOOT_SLOT = 64, 4
CALIBRATION_AT, COPY = 256, 64
RECORD = 4 + 2 * len(CalibrationKey) + 2
ONE = dict.fromkeys(CalibrationKey, 1000) | {
    CalibrationKey.BELT_UM: 9_900,
    CalibrationKey.FEEDER_SLIP: 30,
}
OTHER = ONE | {CalibrationKey.DATE: 20_001, CalibrationKey.FEEDER_SLIP: 45}


def crc(values: dict[CalibrationKey, int]) -> int:
    """As KEEP carries it."""
    return crc_hqx(b"".join(pack("<H", values[key]) for key in CalibrationKey), 0xFFFF)


def identity(rig: Rig) -> Identity:
    """A session."""
    found = rig.ask(Hello(PROTOCOL_VERSION))
    assert isinstance(found, Identity)
    return found


def keep(rig: Rig, values: dict[CalibrationKey, int]) -> None:
    """Sets and keeps all values; the supply may fail meanwhile."""
    for key, value in values.items():
        rig.ok(Calibrate(key, value))
    rig.send(Keep(crc(values)))


def kept(rig: Rig) -> dict[CalibrationKey, int]:
    """The values after a restart; a session is opened."""
    rig.reset(ResetCause.POWER_ON)
    found = identity(rig)
    values = {}
    for key in CalibrationKey:
        answer = rig.ask(GetCalibration(key))
        assert (answer.key, bool(answer.kept)) == (key, found.calibration_crc != 0)
        values[key] = answer.value
    assert found.calibration_crc in (0, crc(values))
    return values


def test_boots_are_counted_for_ever_and_the_cause_is_told(rig: Rig) -> None:
    assert identity(rig).boot == 1
    for boot in range(2, 3 * BOOT_SLOTS):
        cause = ResetCause(boot % len(ResetCause))
        rig.reset(cause)
        found = identity(rig)
        assert (found.boot, found.reset_cause) == (boot, cause)


def test_the_boot_number_goes_round_the_slots_and_wraps(rig: Rig) -> None:
    eeprom = rig.lib.host_eeprom(rig.host)
    written = []
    for _ in range(2 * BOOT_SLOTS):
        before = bytes(eeprom[: BOOT_SLOTS * BOOT_SLOT])
        rig.reset(ResetCause.POWER_ON)
        after = bytes(eeprom[: BOOT_SLOTS * BOOT_SLOT])
        (slot,) = {i // BOOT_SLOT for i in range(len(before)) if before[i] != after[i]}
        written.append(slot)
    assert written == [i % BOOT_SLOTS for i in range(1, 2 * BOOT_SLOTS + 1)]
    for slot in range(BOOT_SLOTS):
        number = 0xFFFF - BOOT_SLOTS + 1 + slot
        record = pack("<H", number) + pack("<H", crc_hqx(pack("<H", number), 0xB007))
        for i, byte in enumerate(record):
            eeprom[slot * BOOT_SLOT + i] = byte
    for boot in (0, 1, 2):
        rig.reset(ResetCause.POWER_ON)
        assert identity(rig).boot == boot


@pytest.mark.parametrize("filler", [0x00, 0xFF, 0x55])
def test_an_eeprom_that_was_never_ours_is_a_first_boot_without_calibration(
    rig: Rig, filler: int
) -> None:
    eeprom = rig.lib.host_eeprom(rig.host)
    for at in range(CALIBRATION_AT + 2 * COPY):
        eeprom[at] = filler
    rig.reset(ResetCause.POWER_ON)
    assert (found := identity(rig)).boot == 1
    assert found.calibration_crc == 0
    assert set(kept(rig).values()) == {0}


@pytest.mark.parametrize("after", range(BOOT_SLOT))
def test_no_two_lives_share_a_boot_number_although_the_supply_fails_at_boot(
    rig: Rig, after: int
) -> None:
    """Nothing is sent before the number is kept, so a number that was torn may come again."""
    told = [identity(rig).boot]
    for _ in range(2 * BOOT_SLOTS):
        rig.lib.host_tear(rig.host, after)
        rig.reset(ResetCause.BROWN_OUT)
        told.append(identity(rig).boot)
    assert all(one < other for one, other in pairwise(told))


def test_calibration_outlives_resets(rig: Rig) -> None:
    identity(rig)
    assert rig.ask(GetCalibration(CalibrationKey.DATE)).kept == 0
    keep(rig, ONE)
    assert rig.ask(GetCalibration(CalibrationKey.DATE)).kept == 1
    assert kept(rig) == ONE
    rig.ok(Calibrate(CalibrationKey.DATE, 20_001))
    answer = rig.ask(GetCalibration(CalibrationKey.DATE))
    assert (answer.value, answer.kept) == (20_001, 0)
    assert kept(rig) == ONE
    keep(rig, OTHER)
    assert kept(rig) == OTHER


def test_what_is_kept_already_is_not_written_again(rig: Rig) -> None:
    identity(rig)
    keep(rig, ONE)
    before = bytes(rig.lib.host_eeprom(rig.host)[CALIBRATION_AT : CALIBRATION_AT + 2 * COPY])
    keep(rig, ONE)
    assert before == bytes(
        rig.lib.host_eeprom(rig.host)[CALIBRATION_AT : CALIBRATION_AT + 2 * COPY]
    )


@pytest.mark.parametrize("first", [ONE, OTHER])
def test_a_supply_that_fails_in_any_write_leaves_one_whole_set(
    bench: Bench, first: dict[CalibrationKey, int]
) -> None:
    second = OTHER if first is ONE else ONE
    outcomes = set()
    for after in range(RECORD + 1):
        rig = bench()
        identity(rig)
        keep(rig, ONE | {CalibrationKey.DATE: 7})
        keep(rig, first)
        for key, value in second.items():
            rig.ok(Calibrate(key, value))
        rig.lib.host_tear(rig.host, after)
        rig.send(Keep(crc(second)))
        rig.lib.host_tear(rig.host, 1_000)  # a write that was not needed: no harm any more
        values = kept(rig)
        assert values in (first, second), after
        outcomes.add(values == second)
    assert outcomes == {True, False}


@pytest.mark.parametrize("at", [0, 1, 2, 3, 10, RECORD - 1])
def test_a_damaged_set_gives_way_to_the_one_before_or_to_none(rig: Rig, at: int) -> None:
    identity(rig)
    eeprom = rig.lib.host_eeprom(rig.host)
    keep(rig, ONE)
    keep(rig, OTHER)
    eeprom[CALIBRATION_AT + at] ^= 0x10  # the second set is in the first copy
    assert kept(rig) == ONE
    eeprom[CALIBRATION_AT + COPY + at] ^= 0x10
    assert set(kept(rig).values()) == {0}
    keep(rig, OTHER)
    assert kept(rig) == OTHER


def test_values_and_sets_that_cannot_be_are_refused(rig: Rig) -> None:
    identity(rig)
    for key, value in (
        (CalibrationKey.BELT_UM, 7_999),
        (CalibrationKey.BELT_UM, 12_001),
        (CalibrationKey.GATE_OPEN_W, 499),
        (CalibrationKey.THICKNESS, 1_024),
        (len(CalibrationKey), 1),
    ):
        assert rig.refused(Calibrate(key, value)) == NakReason.BAD_VALUE
    assert isinstance(rig.ask(Calibrate(CalibrationKey.BELT_UM, 0)), Ack)
    assert rig.refused(Keep(crc(ONE))) == NakReason.CONFIG_CRC
    assert rig.refused_raw(GetCalibration.TYPE, bytes([len(CalibrationKey)])) == NakReason.BAD_VALUE


@pytest.mark.parametrize("state", [State.HOMING, State.RUNNING, State.HOLDING, State.FINISHING])
def test_nothing_is_kept_while_the_machine_moves(rig: Rig, state: State) -> None:
    bring(rig, state)
    assert rig.refused(Calibrate(CalibrationKey.DATE, 1)) == NakReason.WRONG_STATE
    assert rig.refused(Keep(0)) == NakReason.WRONG_STATE


def test_worn_bytes_are_gone_round_and_counted(rig: Rig) -> None:
    rig.lib.host_wear(rig.host, BOOT_SLOT, 10 * BOOT_SLOT)
    rig.reset(ResetCause.POWER_ON)
    assert identity(rig).boot == 2
    rig.reset(ResetCause.POWER_ON)
    assert identity(rig).boot == 3


def test_without_any_slot_for_the_boot_number_nothing_can_move(rig: Rig) -> None:
    rig.lib.host_wear(rig.host, 0, BOOT_SLOTS * BOOT_SLOT)
    rig.reset(ResetCause.POWER_ON)
    found = identity(rig)
    assert (found.state, found.stop_reason) == (State.STOPPED, StopReason.INTERNAL)
    assert rig.refused(Clear(StopReason.INTERNAL)) == NakReason.INPUTS
    assert rig.refused(Home()) == NakReason.WRONG_STATE
    rig.raw(encode_message(Hello(PROTOCOL_VERSION), 9))
    assert not any(isinstance(answer, Nak) for _, answer in rig.answers[-1:])


def test_a_worn_copy_leaves_the_set_that_was_kept(rig: Rig) -> None:
    identity(rig)
    keep(rig, ONE)
    rig.lib.host_wear(rig.host, CALIBRATION_AT, CALIBRATION_AT + COPY)
    keep(rig, OTHER)
    assert rig.ask(GetCalibration(CalibrationKey.DATE)).kept == 0
    assert kept(rig) == ONE


BYTE_US = 3_400
"""What a byte takes on the ATmega2560."""


def test_nothing_is_sent_before_the_boot_number_is_kept(rig: Rig) -> None:
    rig.lib.host_eeprom_pace(rig.host, BYTE_US)
    rig._next_beat = 10_000_000
    rig.reset(ResetCause.POWER_ON)
    begun = rig.view.now_us
    rig.raw(encode_message(Hello(PROTOCOL_VERSION), 77))
    assert rig.run(50_000, lambda: any(seq == 77 for seq, _ in rig.answers))
    assert rig.answers[-1][1].boot == 2
    # Number and CRC: four bytes, of which the last ones may be as they should be already.
    assert 2 * BYTE_US <= rig.view.now_us - begun <= 5 * BYTE_US + 1_000


def test_a_set_on_its_way_to_eeprom_is_not_disturbed(rig: Rig) -> None:
    identity(rig)
    rig.lib.host_eeprom_pace(rig.host, BYTE_US)
    keep(rig, ONE)
    assert rig.refused(Calibrate(CalibrationKey.DATE, 1)) == NakReason.WRONG_STATE
    assert rig.refused(Keep(crc(ONE))) == NakReason.WRONG_STATE
    assert rig.ask(GetCalibration(CalibrationKey.DATE)).kept == 0
    assert rig.run(RECORD * (BYTE_US + 1_000), lambda: _is_kept(rig))
    rig.lib.host_eeprom_pace(rig.host, 0)
    assert kept(rig) == ONE


def _is_kept(rig: Rig) -> bool:
    return bool(rig.ask(GetCalibration(CalibrationKey.DATE)).kept)


@pytest.mark.parametrize("place", [0, 1])
def test_a_set_of_another_layout_is_none(rig: Rig, place: int) -> None:
    """Byte 0 is the version of the layout, byte 1 the number of values; the CRC is right."""
    identity(rig)
    keep(rig, ONE)
    eeprom = rig.lib.host_eeprom(rig.host)
    record = bytearray(eeprom[CALIBRATION_AT + COPY : CALIBRATION_AT + COPY + RECORD])
    record[place] += 1
    record[-2:] = pack("<H", crc_hqx(bytes(record[:-2]), 0xCA11))
    for i, byte in enumerate(record):
        eeprom[CALIBRATION_AT + COPY + i] = byte
    assert set(kept(rig).values()) == {0}
