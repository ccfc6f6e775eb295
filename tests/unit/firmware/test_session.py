"""Sessions, the sequence memory, and what each command needs before it is taken."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Callable
from struct import calcsize, pack

import pytest

from controller.protocol.codec import encode_message
from controller.protocol.frame import encode
from controller.protocol.messages import (
    COMMANDS,
    PROTOCOL_VERSION,
    Ack,
    Calibrate,
    Calibration,
    CalibrationKey,
    Commit,
    Config,
    Feed,
    Finish,
    GetCalibration,
    GetEvents,
    GetStatistics,
    GetTransit,
    Heartbeat,
    Hello,
    Home,
    Identity,
    Keep,
    Key,
    Landed,
    Leg,
    Message,
    Nak,
    NakReason,
    ResetCause,
    Route,
    Seen,
    Start,
    State,
    Status,
    Stop,
    Transit,
)
from tests.unit.firmware.library import config
from tests.unit.firmware.rig import RUN, Rig

Bench = Callable[..., Rig]


def test_hello_is_answered_by_identity(rig: Rig) -> None:
    rig.run(1_000)
    first = rig.ask(Hello(PROTOCOL_VERSION))
    assert isinstance(first, Identity)
    assert (first.protocol, first.firmware, first.boot, first.session) == (
        PROTOCOL_VERSION, 0x20000, 1, 1,
    )  # fmt: skip
    assert (first.reset_cause, first.config_crc, first.run) == (ResetCause.POWER_ON, 0, 0)
    assert (first.state, first.stop_reason, first.inputs) == (State.UNKNOWN, 0, 0x7001)
    assert (first.first_event, first.next_event, first.calibration_crc) == (0, 0, 0)
    assert rig.ask(Hello(PROTOCOL_VERSION)).session == 2


def test_another_protocol_version_opens_no_session(rig: Rig) -> None:
    assert rig.refused(Hello(PROTOCOL_VERSION + 1)) == NakReason.VERSION
    assert rig.refused(Home()) == NakReason.NO_SESSION


@pytest.mark.parametrize(
    "message",
    [
        Config(0, 9_000),
        Commit(0),
        Home(),
        Start(1),
        Feed(1, 1),
        Route(1, 1, 0),
        Finish(1),
        GetEvents(0),
        Calibrate(0, 1),
        Keep(0),
        GetCalibration(0),
        GetStatistics(),
        GetTransit(0),
    ],
    ids=lambda message: type(message).__name__,
)
def test_before_hello_only_stop_and_heartbeat_work(rig: Rig, message: Message) -> None:
    assert rig.refused(message) == NakReason.NO_SESSION
    assert isinstance(rig.ask(Heartbeat(0)), Status)
    assert isinstance(rig.ask(Stop()), Ack)
    assert rig.state == State.STOPPED


def test_an_unknown_type_and_a_wrong_length_are_refused(rig: Rig) -> None:
    rig.configure()
    assert rig.refused_raw(0x7F, b"") == NakReason.UNKNOWN_TYPE
    assert rig.refused_raw(Landed.TYPE, b"\0" * 14) == NakReason.UNKNOWN_TYPE
    for command in COMMANDS:
        if command is not Stop:
            assert rig.refused_raw(command.TYPE, b"\1" * 9) == NakReason.BAD_LENGTH, command
    rig.raw(encode(Stop.TYPE, 3, b"\1\2"))  # never refused
    assert rig.state == State.STOPPED


@pytest.mark.parametrize("command", [GetCalibration, GetStatistics, GetTransit])
def test_a_question_of_another_length_is_refused_whatever_it_asks(
    rig: Rig, command: type[GetCalibration | GetStatistics | GetTransit]
) -> None:
    rig.configure()
    for size in {0, 1, 2, 3} - {calcsize(command.FORMAT)}:
        for byte in (b"\0", b"\xff"):
            assert rig.refused_raw(command.TYPE, byte * size) == NakReason.BAD_LENGTH


@pytest.mark.parametrize(
    ("command", "end"), [(GetCalibration, len(CalibrationKey)), (GetTransit, len(Leg))]
)
def test_a_question_is_answered_within_its_own_range_alone(
    rig: Rig, command: type[GetCalibration | GetTransit], end: int
) -> None:
    rig.configure()
    for value in range(end):
        answer = rig.ask(command(value))
        assert isinstance(answer, Calibration | Transit)
        assert (answer.key if isinstance(answer, Calibration) else answer.leg) == value
    for value in range(end, 256):
        assert rig.refused_raw(command.TYPE, bytes([value])) == NakReason.BAD_VALUE


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (Start(1), NakReason.WRONG_STATE),
        (Feed(1, 1), NakReason.WRONG_STATE),
        (Route(1, 1, 0), NakReason.WRONG_STATE),
        (Finish(1), NakReason.WRONG_STATE),
        (Home(), NakReason.NOT_CONFIGURED),
    ],
    ids=lambda value: str(value),
)
def test_nothing_moves_before_configuration_and_home(
    rig: Rig, message: Message, reason: NakReason
) -> None:
    rig.run(1_000)
    rig.ask(Hello(PROTOCOL_VERSION))
    assert rig.refused(message) == reason
    rig.run(100_000)
    assert rig.view.outputs == rig.view.belt == 0


def test_commands_of_another_run_are_refused(rig: Rig) -> None:
    rig.feed([0, 1])
    rig.run(200_000)
    for message in (Feed(RUN + 1, 5), Route(RUN + 1, 1, 0), Finish(RUN + 1)):
        assert rig.refused(message) == NakReason.WRONG_RUN
    assert rig.refused(Start(RUN)) == NakReason.WRONG_STATE
    rig.land_all()
    assert rig.landed == rig.routes


def test_a_route_to_no_pocket_is_refused(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 1))
    assert rig.run(1_000_000, lambda: bool(rig.of(Seen)))
    assert rig.refused_raw(Route.TYPE, pack("<HHB", RUN, 1, 5)) == NakReason.BAD_VALUE
    rig.ok(Route(RUN, 1, 4))


def test_no_run_is_opened_twice_in_a_session(rig: Rig) -> None:
    rig.feed([0])
    rig.land_all()
    assert rig.refused(Start(RUN)) == NakReason.WRONG_RUN
    assert rig.refused_raw(Start.TYPE, b"\0\0") == NakReason.BAD_VALUE
    rig.ask(Hello(PROTOCOL_VERSION))
    rig.ok(Start(RUN))


# --- the sequence memory ---


def test_the_same_frame_again_gets_the_same_answer_and_does_nothing(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 1))
    assert rig.run(1_000_000, lambda: bool(rig.of(Seen)))
    frame = encode_message(Route(RUN, 9, 0), 77)
    rig.raw(frame)
    refused = rig.answers[-1]
    assert refused == (77, Nak(Route.TYPE, NakReason.NO_SUCH_CARD, State.RUNNING))
    rig.ok(Route(RUN, 1, 2))
    frame = encode_message(Finish(RUN), 78)
    rig.raw(frame)
    assert rig.answers[-1] == (78, Ack(Finish.TYPE, 0, 255))
    assert rig.run(2_000_000, lambda: rig.state == State.READY)
    rig.raw(frame)  # would be refused in READY if it were carried out
    assert rig.answers[-1] == (78, Ack(Finish.TYPE, 0, 255))


def test_heartbeats_and_stop_do_not_enter_the_memory(rig: Rig) -> None:
    rig.configure()
    frame = encode_message(Home(), 50)
    rig.raw(frame)
    assert isinstance(rig.answers[-1][1], Ack)
    rig.raw(encode_message(Heartbeat(0), 50))
    rig.raw(encode_message(Stop(), 51))
    rig.raw(frame)
    assert rig.answers[-1] == (50, Ack(Home.TYPE, 0, 255))
    assert rig.state == State.STOPPED


def test_the_same_seq_with_other_bytes_is_a_new_command(rig: Rig) -> None:
    rig.configure()
    rig.raw(encode_message(Config(Key.PITCH, 900), 9))
    rig.raw(encode_message(Config(Key.PITCH, 901), 9))
    values = rig.config | {Key.PITCH: 901}
    packed = b"".join(values[key].to_bytes(4, "little") for key in Key)
    rig.ok(Commit(crc_hqx(packed, 0xFFFF)))


def test_hello_clears_the_memory(rig: Rig) -> None:
    rig.configure()
    rig.home()
    frame = encode_message(Start(RUN), 9)
    rig.raw(frame)
    assert isinstance(rig.answers[-1][1], Ack)
    rig.ask(Hello(PROTOCOL_VERSION))
    rig.raw(frame)
    assert rig.answers[-1] == (9, Nak(Start.TYPE, NakReason.WRONG_STATE, State.RUNNING))


# --- resets ---


@pytest.mark.parametrize("cause", ResetCause)
@pytest.mark.parametrize("at_us", [0, 130_000, 405_000, 2_000_000])
def test_a_reset_gives_a_new_boot_and_everything_low(
    rig: Rig, cause: ResetCause, at_us: int
) -> None:
    rig.feed([0, 1, 2, 3] * 3)
    rig.run(at_us)
    belt, feeder = rig.view.belt, rig.view.feeder
    rig.reset(cause)
    assert rig.view.outputs == 0
    rig.plant.resting_until = rig.view.now_us + 10**9
    rig._at_belt.clear()
    rig._at_time.clear()
    rig.run(50_000)
    assert (rig.view.outputs, rig.view.belt, rig.view.feeder) == (0, belt, feeder)
    assert rig.refused(Home()) == NakReason.NO_SESSION
    identity = rig.ask(Hello(PROTOCOL_VERSION))
    assert (identity.boot, identity.session, identity.reset_cause) == (2, 1, cause)
    assert (identity.state, identity.config_crc, identity.next_event) == (State.UNKNOWN, 0, 0)
    assert rig.refused(Home()) == NakReason.NOT_CONFIGURED


# --- configuration ---


def test_a_commit_with_another_crc_is_refused(rig: Rig) -> None:
    rig.configure()
    crc = rig.ask(Hello(PROTOCOL_VERSION)).config_crc
    rig.ok(Config(Key.PITCH, 900))
    assert rig.ask(Hello(PROTOCOL_VERSION)).config_crc == 0
    assert rig.refused(Commit(crc)) == NakReason.CONFIG_CRC
    assert rig.refused(Home()) == NakReason.NOT_CONFIGURED
    rig.ok(Config(Key.PITCH, rig.config[Key.PITCH]))
    rig.ok(Commit(crc))
    assert rig.ask(Hello(PROTOCOL_VERSION)).config_crc == crc


def test_a_set_that_was_opened_again_starts_nothing(rig: Rig) -> None:
    rig.configure()
    rig.home()
    crc = rig.ask(Hello(PROTOCOL_VERSION)).config_crc
    rig.ok(Config(Key.PITCH, rig.config[Key.PITCH]))
    assert rig.refused(Start(RUN)) == NakReason.NOT_CONFIGURED
    rig.ok(Commit(crc))
    rig.ok(Start(RUN))
    assert rig.refused(Commit(crc)) == NakReason.WRONG_STATE


def test_every_value_has_bounds(rig: Rig) -> None:
    rig.configure()
    for key in Key:
        for value in (1_000_000_000, 0 if key not in (Key.DROP, Key.GATE_MARGIN) else 1_000_000):
            assert rig.refused(Config(key, value)) == NakReason.BAD_VALUE
    assert rig.refused(Config(len(Key), 5)) == NakReason.BAD_VALUE


@pytest.mark.parametrize("missing", Key)
def test_a_set_with_a_value_missing_is_refused(rig: Rig, missing: Key) -> None:
    rig.run(1_000)
    rig.ask(Hello(PROTOCOL_VERSION))
    packed = b""
    for key, value in sorted(config("standard").items()):
        value = 0 if key == missing else value
        if key != missing:
            rig.ok(Config(key, value))
        packed += value.to_bytes(4, "little")
    if missing in (Key.DROP, Key.GATE_MARGIN):
        rig.ok(Commit(crc_hqx(packed, 0xFFFF)))
    else:
        assert rig.refused(Commit(crc_hqx(packed, 0xFFFF))) == NakReason.BAD_VALUE


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Key.LENGTH_MAX, 500),
        (Key.LOOK_1, 300),
        (Key.LOOK_2, 560),
        (Key.HOLD_LINE, 220),
        (Key.HOLD_LINE, 1_700),
        (Key.GATE_E, 1_100),
        (Key.GATE_N, 1_340),
        (Key.TRAY, 3_000),
    ],
)
def test_values_that_do_not_fit_together_are_refused(rig: Rig, key: Key, value: int) -> None:
    rig.config[key] = value
    with pytest.raises(AssertionError, match="reason=6"):
        rig.configure()
