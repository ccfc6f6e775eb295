"""The one list of messages: names, numbers and fields, as values without any behaviour.

`python -m controller.protocol.header` writes `firmware/src/messages.h` from this list; a test
holds the two together. Fields are little-endian; FORMAT is the `struct` format of the payload in
field order. Times are microseconds of the MCU's own tick, lengths are belt steps (0.1 mm). What
each message means, when it is sent and how it is answered stands in docs/protocol.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, Final

PROTOCOL_VERSION: Final = 2
PAYLOAD_MAX: Final = 48
"""Longest payload in bytes; a frame adds type, seq and two bytes of CRC before COBS."""
EVENT_RING: Final = 128
EVENT_PAUSE: Final = 96
"""Feeding pauses while this many events (3/4 of the ring) wait for acknowledgement."""
NO_STEP: Final = 0xFFFFFFFF


class State(IntEnum):
    """What the firmware is doing. It boots UNKNOWN and only HOME leads out."""

    UNKNOWN = 0
    HOMING = 1
    READY = 2
    RUNNING = 3
    HOLDING = 4
    FINISHING = 5
    STOPPED = 6


class ResetCause(IntEnum):
    """Why the MCU last started."""

    POWER_ON = 0
    EXTERNAL = 1
    BROWN_OUT = 2
    WATCHDOG = 3


class StopReason(IntEnum):
    """Why the machine stopped; the first reason is latched until CLEAR echoes it."""

    NONE = 0
    HOST_STOP = 1
    ESTOP = 2
    LID_OPEN = 3
    BOARD_OUT = 4
    DEAD_MAN = 5
    MISFEED = 6
    JAM_WINDOW = 7
    JAM_BELT = 8
    JAM_POCKET = 9
    UNEXPECTED_CARD = 10
    WRONG_POCKET = 11
    ROUTE_CONTRADICTION = 12
    OUTPUT_OVERTIME = 13
    EVENTS_FULL = 14
    HOME_FAILED = 15
    INTERNAL = 16


class NakReason(IntEnum):
    """Why a command was refused."""

    BAD_LENGTH = 1
    UNKNOWN_TYPE = 2
    NO_SESSION = 3
    WRONG_STATE = 4
    WRONG_RUN = 5
    BAD_VALUE = 6
    NOT_CONFIGURED = 7
    CONFIG_CRC = 8
    NO_SUCH_CARD = 9
    LATE = 10
    SUSPECT = 11
    CONTRADICTION = 12
    WRONG_REASON = 13
    VERSION = 14
    INPUTS = 15


class Pocket(IntEnum):
    """Where a card can go; also the seat order of everything in the project."""

    N = 0
    E = 1
    S = 2
    W = 3
    TRAY = 4


class CardFlag(IntFlag):
    """What the sensors thought of a card; any of these sends it to the tray whatever its route."""

    NONE = 0
    TOO_LONG = 1
    TOO_SHORT = 2
    TOO_THICK = 4
    TOO_CLOSE = 8  # no gate can turn between it and the card before, which loses its route too


class Key(IntEnum):
    """Configuration keys; values are u32. Distances: belt steps, from the window if not told."""

    BELT_SPEED = 0  # steps/s
    BELT_ACCELERATION = 1  # steps/s^2
    FEEDER_ACCELERATION = 2  # steps/s^2
    FEEDER_THROW = 3  # feeder steps of one feed before it slows down
    PITCH = 4  # least belt steps between two feeds
    HOPPER_TO_WINDOW = 5  # steps from the feed's beginning to the window, belt at speed
    LOOK_1 = 6  # leading edge past the window
    LOOK_2 = 7  # leading edge past the window
    HOLD_LINE = 8  # where a card without a route stands at the latest
    GATE_N = 9  # where the gate begins
    GATE_E = 10
    GATE_S = 11
    GATE_W = 12
    DROP = 13  # gate to the pocket's passing sensor
    TRAY = 14  # where the tray's passing sensor is
    LENGTH_MIN = 15  # a card shorter than this is TOO_SHORT
    LENGTH_MAX = 16  # a longer one is TOO_LONG
    THICKNESS_MAX = 17  # counts of AN_THICKNESS
    GATE_MARGIN = 18  # steps between a gate at rest and the nearest card edge
    STROBE_1 = 19  # us
    STROBE_2 = 20  # us
    ARRIVAL_WINDOW = 21  # steps before and after the nominal place of a sensor edge
    HOLD_MAX = 22  # ms
    GATE_OPEN_N = 23  # us from the command until the gate is at rest, open
    GATE_OPEN_E = 24
    GATE_OPEN_S = 25
    GATE_OPEN_W = 26
    GATE_CLOSE_N = 27  # us from the command until the gate is at rest, shut
    GATE_CLOSE_E = 28
    GATE_CLOSE_S = 29
    GATE_CLOSE_W = 30


class Leg(IntEnum):
    """A part of a card's way, for statistics: from its feed or from the window to a sensor."""

    WINDOW = 0  # from the feed's beginning to the window
    POCKET_N = 1  # from the window to the pocket's passing sensor
    POCKET_E = 2
    POCKET_S = 3
    POCKET_W = 4
    TRAY = 5


class CalibrationKey(IntEnum):
    """What was measured on this one machine and stays with it, in the MCU's EEPROM; u16."""

    DATE = 0  # days since 1970-01-01; 0: never
    BELT_UM = 1  # of belt in 100 steps
    FEEDER_SLIP = 2  # thousandths of the feeder's way that a card does not follow
    GATE_PLACE_N = 3  # belt steps from the window
    GATE_PLACE_E = 4
    GATE_PLACE_S = 5
    GATE_PLACE_W = 6
    GATE_OPEN_N = 7  # us from the command until it is at rest, open
    GATE_OPEN_E = 8
    GATE_OPEN_S = 9
    GATE_OPEN_W = 10
    GATE_CLOSE_N = 11  # us from the command until it is at rest, shut; at most
    GATE_CLOSE_E = 12
    GATE_CLOSE_S = 13
    GATE_CLOSE_W = 14
    TRAY_PLACE = 15  # belt steps from the window
    THICKNESS = 16  # of one card, counts of AN_THICKNESS
    BACK = 17  # of the packs in use, counts of AN_BACK
    ESTOP_US = 18  # from the emergency stop to motors without current, as measured
    MACHINE = 19  # CRC-16 of the machine's name, as its host is configured; 0: not told


# --- host to MCU: each answered with its seq; STOP and HEARTBEAT work without a session ---


@dataclass(frozen=True, slots=True)
class Hello:
    """Opens a session: asks who is there and clears the sequence memory. Answered by Identity."""

    TYPE: ClassVar[int] = 0x01
    FORMAT: ClassVar[str] = "<B"
    protocol: int


@dataclass(frozen=True, slots=True)
class Config:
    """Sets one configuration value; accepted only while no run is open."""

    TYPE: ClassVar[int] = 0x02
    FORMAT: ClassVar[str] = "<BI"
    key: int
    value: int


@dataclass(frozen=True, slots=True)
class Commit:
    """Ends configuring: CRC-16 over all values in key order, each u32 little-endian."""

    TYPE: ClassVar[int] = 0x03
    FORMAT: ClassVar[str] = "<H"
    crc: int


@dataclass(frozen=True, slots=True)
class Home:
    """Self-test: gates pulsed, belt run empty, sensors idle. Answered at once; Homed follows."""

    TYPE: ClassVar[int] = 0x04
    FORMAT: ClassVar[str] = "<"


@dataclass(frozen=True, slots=True)
class Start:
    """Opens run `run` (never 0): belt to speed, feed numbers from 1, no credit yet."""

    TYPE: ClassVar[int] = 0x05
    FORMAT: ClassVar[str] = "<H"
    run: int


@dataclass(frozen=True, slots=True)
class Feed:
    """Credit: cards up to number `up_to` may be fed. May be lowered; never un-feeds."""

    TYPE: ClassVar[int] = 0x06
    FORMAT: ClassVar[str] = "<HH"
    run: int
    up_to: int


@dataclass(frozen=True, slots=True)
class Route:
    """Card `card` goes to `pocket`; the same again is fine, a contradiction stops the machine."""

    TYPE: ClassVar[int] = 0x07
    FORMAT: ClassVar[str] = "<HHB"
    run: int
    card: int
    pocket: int


@dataclass(frozen=True, slots=True)
class Finish:
    """No more cards in this run: the belt runs empty and stops, RunEnded follows."""

    TYPE: ClassVar[int] = 0x08
    FORMAT: ClassVar[str] = "<H"
    run: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Stops everything now; accepted in every state, with any seq, without a session."""

    TYPE: ClassVar[int] = 0x09
    FORMAT: ClassVar[str] = "<"


@dataclass(frozen=True, slots=True)
class Clear:
    """Unlatches a stop whose cause is gone and echoes its reason. Leads to UNKNOWN."""

    TYPE: ClassVar[int] = 0x0A
    FORMAT: ClassVar[str] = "<B"
    reason: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Every 100 ms: `events_seen` acknowledges events. Answered by Status."""

    TYPE: ClassVar[int] = 0x0B
    FORMAT: ClassVar[str] = "<H"
    events_seen: int


@dataclass(frozen=True, slots=True)
class GetEvents:
    """Asks for all events from number `first` on again."""

    TYPE: ClassVar[int] = 0x0C
    FORMAT: ClassVar[str] = "<H"
    first: int


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Sets one calibration value, not yet kept; accepted only while no run is open."""

    TYPE: ClassVar[int] = 0x0D
    FORMAT: ClassVar[str] = "<BH"
    key: int
    value: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps all calibration values in EEPROM: CRC-16 over them in key order, u16 little-endian."""

    TYPE: ClassVar[int] = 0x0E
    FORMAT: ClassVar[str] = "<H"
    crc: int


@dataclass(frozen=True, slots=True)
class GetCalibration:
    """Asks for one calibration value. Answered by Calibration."""

    TYPE: ClassVar[int] = 0x0F
    FORMAT: ClassVar[str] = "<B"
    key: int


@dataclass(frozen=True, slots=True)
class GetStatistics:
    """Asks what has gone less than well since boot. Answered by Statistics."""

    TYPE: ClassVar[int] = 0x10
    FORMAT: ClassVar[str] = "<"


@dataclass(frozen=True, slots=True)
class GetTransit:
    """Asks how far cards travelled on leg `leg` in the last run. Answered by Transit."""

    TYPE: ClassVar[int] = 0x11
    FORMAT: ClassVar[str] = "<B"
    leg: int


# --- MCU to host: answers ---


@dataclass(frozen=True, slots=True)
class Ack:
    """Command `seq` was carried out; `card` and `pocket` echo a Route (0 and 255 otherwise)."""

    TYPE: ClassVar[int] = 0x80
    FORMAT: ClassVar[str] = "<BHB"
    command: int
    card: int
    pocket: int


@dataclass(frozen=True, slots=True)
class Nak:
    """Command `seq` was refused for `reason` (NakReason) in `state`."""

    TYPE: ClassVar[int] = 0x81
    FORMAT: ClassVar[str] = "<BBB"
    command: int
    reason: int
    state: int


@dataclass(frozen=True, slots=True)
class Identity:
    """Answer to Hello: who is there, in what state. `first_event` is the oldest event held."""

    TYPE: ClassVar[int] = 0x82
    FORMAT: ClassVar[str] = "<BIHHBHBBHHHHH"
    protocol: int
    firmware: int
    """Firmware identification: its version as 0xMMmmpppp."""
    boot: int
    session: int
    reset_cause: int
    config_crc: int
    """0 while nothing is committed."""
    state: int
    stop_reason: int
    inputs: int
    run: int
    first_event: int
    next_event: int
    calibration_crc: int
    """Of the values that EEPROM keeps; 0 while there are none."""


@dataclass(frozen=True, slots=True)
class Status:
    """Answer to Heartbeat: the MCU's tick for clock matching, its state and inputs."""

    TYPE: ClassVar[int] = 0x83
    FORMAT: ClassVar[str] = "<IHBBHHHHHI"
    tick: int
    boot: int
    state: int
    stop_reason: int
    inputs: int
    run: int
    fed: int
    """Cards fed in this run so far."""
    on_belt: int
    next_event: int
    belt: int
    """Belt steps since boot."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Answer to GetCalibration. `kept` 1: the set is in EEPROM as it is here."""

    TYPE: ClassVar[int] = 0x84
    FORMAT: ClassVar[str] = "<BHB"
    key: int
    value: int
    kept: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Answer to GetStatistics: counts since boot; each stays at 65535 once it is there."""

    TYPE: ClassVar[int] = 0x85
    FORMAT: ClassVar[str] = "<HHHHHHHH"
    retries: int
    """Commands that came again and were answered from memory."""
    dropped: int
    """Pieces on the wire that were no frame."""
    glitches: int
    """Changes of an input that did not last."""
    late_routes: int
    """Routes refused as LATE."""
    held: int
    """Times the belt stood for a card without a route."""
    expired: int
    """Cards whose hold ended without a route."""
    reread: int
    """Times the host asked for events again."""
    worn: int
    """EEPROM bytes that did not take what was written."""


@dataclass(frozen=True, slots=True)
class Transit:
    """Answer to GetTransit: of `count` cards since the last START, in belt steps."""

    TYPE: ClassVar[int] = 0x86
    FORMAT: ClassVar[str] = "<BHHHI"
    leg: int
    count: int
    least: int
    most: int
    sum: int


# --- MCU to host: numbered events. All begin with the same five fields. ---


@dataclass(frozen=True, slots=True)
class Seen:
    """Card `card` reached the window sensor."""

    TYPE: ClassVar[int] = 0xA0
    FORMAT: ClassVar[str] = "<HHHIH"
    number: int
    boot: int
    run: int
    tick: int
    card: int


@dataclass(frozen=True, slots=True)
class Strobed:
    """The strobe fired for look `look` (1 or 2) of card `card` at `tick`."""

    TYPE: ClassVar[int] = 0xA1
    FORMAT: ClassVar[str] = "<HHHIHB"
    number: int
    boot: int
    run: int
    tick: int
    card: int
    look: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Card `card` has passed the window: length in belt steps, thickness, back, CardFlag bits."""

    TYPE: ClassVar[int] = 0xA2
    FORMAT: ClassVar[str] = "<HHHIHHHHB"
    number: int
    boot: int
    run: int
    tick: int
    card: int
    length: int
    thickness: int
    back: int
    flags: int


@dataclass(frozen=True, slots=True)
class Held:
    """The belt began to hold for card `card`, which has no route (`on` 1), or goes on (`on` 0)."""

    TYPE: ClassVar[int] = 0xA3
    FORMAT: ClassVar[str] = "<HHHIHB"
    number: int
    boot: int
    run: int
    tick: int
    card: int
    on: int


@dataclass(frozen=True, slots=True)
class Landed:
    """Card `card` passed the sensor of `pocket`; `expired` 1: no route came in time."""

    TYPE: ClassVar[int] = 0xA4
    FORMAT: ClassVar[str] = "<HHHIHBB"
    number: int
    boot: int
    run: int
    tick: int
    card: int
    pocket: int
    expired: int


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over: belt empty and still, `fed` cards went through. State READY."""

    TYPE: ClassVar[int] = 0xA5
    FORMAT: ClassVar[str] = "<HHHIH"
    number: int
    boot: int
    run: int
    tick: int
    fed: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The machine stopped for `reason`; `card` and `pocket` say where, 0 and 255 if nowhere."""

    TYPE: ClassVar[int] = 0xA6
    FORMAT: ClassVar[str] = "<HHHIBHB"
    number: int
    boot: int
    run: int
    tick: int
    reason: int
    card: int
    pocket: int


@dataclass(frozen=True, slots=True)
class Homed:
    """HOME ended; state READY. (A failed HOME is Stopped with HOME_FAILED.)"""

    TYPE: ClassVar[int] = 0xA7
    FORMAT: ClassVar[str] = "<HHHI"
    number: int
    boot: int
    run: int
    tick: int


@dataclass(frozen=True, slots=True)
class InputChanged:
    """A debounced input other than window and passing sensors changed to `level`."""

    TYPE: ClassVar[int] = 0xA8
    FORMAT: ClassVar[str] = "<HHHIBB"
    number: int
    boot: int
    run: int
    tick: int
    pin: int
    level: int


Command = (
    Hello | Config | Commit | Home | Start | Feed
    | Route | Finish | Stop | Clear | Heartbeat | GetEvents
    | Calibrate | Keep | GetCalibration | GetStatistics | GetTransit
)  # fmt: skip
Answer = Ack | Nak | Identity | Status | Calibration | Statistics | Transit
Event = Seen | Strobed | Measured | Held | Landed | RunEnded | Stopped | Homed | InputChanged
Message = Command | Answer | Event

COMMANDS: Final[tuple[type[Command], ...]] = (
    Hello, Config, Commit, Home, Start, Feed, Route, Finish, Stop, Clear, Heartbeat, GetEvents,
    Calibrate, Keep, GetCalibration, GetStatistics, GetTransit,
)  # fmt: skip
ANSWERS: Final[tuple[type[Answer], ...]] = (
    Ack, Nak, Identity, Status, Calibration, Statistics, Transit,
)  # fmt: skip
EVENTS: Final[tuple[type[Event], ...]] = (
    Seen, Strobed, Measured, Held, Landed, RunEnded, Stopped, Homed, InputChanged,
)  # fmt: skip
