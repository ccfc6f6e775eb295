/* Generated from controller/protocol/messages.py by python -m controller.protocol.header. */
#ifndef PREDEAL_MESSAGES_H
#define PREDEAL_MESSAGES_H

enum {
    PROTOCOL_VERSION = 2,
    PAYLOAD_MAX = 48,
    EVENT_RING = 128,
    EVENT_PAUSE = 96,
};

enum state {
    STATE_UNKNOWN = 0,
    STATE_HOMING = 1,
    STATE_READY = 2,
    STATE_RUNNING = 3,
    STATE_HOLDING = 4,
    STATE_FINISHING = 5,
    STATE_STOPPED = 6,
    STATE_END = 7,
};

enum reset_cause {
    RESET_POWER_ON = 0,
    RESET_EXTERNAL = 1,
    RESET_BROWN_OUT = 2,
    RESET_WATCHDOG = 3,
    RESET_END = 4,
};

enum stop_reason {
    STOP_NONE = 0,
    STOP_HOST_STOP = 1,
    STOP_ESTOP = 2,
    STOP_LID_OPEN = 3,
    STOP_BOARD_OUT = 4,
    STOP_DEAD_MAN = 5,
    STOP_MISFEED = 6,
    STOP_JAM_WINDOW = 7,
    STOP_JAM_BELT = 8,
    STOP_JAM_POCKET = 9,
    STOP_UNEXPECTED_CARD = 10,
    STOP_WRONG_POCKET = 11,
    STOP_ROUTE_CONTRADICTION = 12,
    STOP_OUTPUT_OVERTIME = 13,
    STOP_EVENTS_FULL = 14,
    STOP_HOME_FAILED = 15,
    STOP_INTERNAL = 16,
    STOP_END = 17,
};

enum nak_reason {
    NAK_BAD_LENGTH = 1,
    NAK_UNKNOWN_TYPE = 2,
    NAK_NO_SESSION = 3,
    NAK_WRONG_STATE = 4,
    NAK_WRONG_RUN = 5,
    NAK_BAD_VALUE = 6,
    NAK_NOT_CONFIGURED = 7,
    NAK_CONFIG_CRC = 8,
    NAK_NO_SUCH_CARD = 9,
    NAK_LATE = 10,
    NAK_SUSPECT = 11,
    NAK_CONTRADICTION = 12,
    NAK_WRONG_REASON = 13,
    NAK_VERSION = 14,
    NAK_INPUTS = 15,
    NAK_END = 16,
};

enum pocket {
    POCKET_N = 0,
    POCKET_E = 1,
    POCKET_S = 2,
    POCKET_W = 3,
    POCKET_TRAY = 4,
    POCKET_END = 5,
};

enum config_key {
    KEY_BELT_SPEED = 0,
    KEY_BELT_ACCELERATION = 1,
    KEY_FEEDER_ACCELERATION = 2,
    KEY_FEEDER_THROW = 3,
    KEY_PITCH = 4,
    KEY_HOPPER_TO_WINDOW = 5,
    KEY_LOOK_1 = 6,
    KEY_LOOK_2 = 7,
    KEY_HOLD_LINE = 8,
    KEY_GATE_N = 9,
    KEY_GATE_E = 10,
    KEY_GATE_S = 11,
    KEY_GATE_W = 12,
    KEY_DROP = 13,
    KEY_TRAY = 14,
    KEY_LENGTH_MIN = 15,
    KEY_LENGTH_MAX = 16,
    KEY_THICKNESS_MAX = 17,
    KEY_GATE_MARGIN = 18,
    KEY_STROBE_1 = 19,
    KEY_STROBE_2 = 20,
    KEY_ARRIVAL_WINDOW = 21,
    KEY_HOLD_MAX = 22,
    KEY_GATE_OPEN_N = 23,
    KEY_GATE_OPEN_E = 24,
    KEY_GATE_OPEN_S = 25,
    KEY_GATE_OPEN_W = 26,
    KEY_GATE_CLOSE_N = 27,
    KEY_GATE_CLOSE_E = 28,
    KEY_GATE_CLOSE_S = 29,
    KEY_GATE_CLOSE_W = 30,
    KEY_END = 31,
};

enum leg {
    LEG_WINDOW = 0,
    LEG_POCKET_N = 1,
    LEG_POCKET_E = 2,
    LEG_POCKET_S = 3,
    LEG_POCKET_W = 4,
    LEG_TRAY = 5,
    LEG_END = 6,
};

enum calibration_key {
    CALIBRATION_DATE = 0,
    CALIBRATION_BELT_UM = 1,
    CALIBRATION_FEEDER_SLIP = 2,
    CALIBRATION_GATE_PLACE_N = 3,
    CALIBRATION_GATE_PLACE_E = 4,
    CALIBRATION_GATE_PLACE_S = 5,
    CALIBRATION_GATE_PLACE_W = 6,
    CALIBRATION_GATE_OPEN_N = 7,
    CALIBRATION_GATE_OPEN_E = 8,
    CALIBRATION_GATE_OPEN_S = 9,
    CALIBRATION_GATE_OPEN_W = 10,
    CALIBRATION_GATE_CLOSE_N = 11,
    CALIBRATION_GATE_CLOSE_E = 12,
    CALIBRATION_GATE_CLOSE_S = 13,
    CALIBRATION_GATE_CLOSE_W = 14,
    CALIBRATION_TRAY_PLACE = 15,
    CALIBRATION_THICKNESS = 16,
    CALIBRATION_BACK = 17,
    CALIBRATION_ESTOP_US = 18,
    CALIBRATION_MACHINE = 19,
    CALIBRATION_END = 20,
};

enum card_flag {
    FLAG_TOO_LONG = 1,
    FLAG_TOO_SHORT = 2,
    FLAG_TOO_THICK = 4,
    FLAG_TOO_CLOSE = 8,
};

enum message {
    MSG_HELLO = 0x01,
    MSG_CONFIG = 0x02,
    MSG_COMMIT = 0x03,
    MSG_HOME = 0x04,
    MSG_START = 0x05,
    MSG_FEED = 0x06,
    MSG_ROUTE = 0x07,
    MSG_FINISH = 0x08,
    MSG_STOP = 0x09,
    MSG_CLEAR = 0x0A,
    MSG_HEARTBEAT = 0x0B,
    MSG_GET_EVENTS = 0x0C,
    MSG_CALIBRATE = 0x0D,
    MSG_KEEP = 0x0E,
    MSG_GET_CALIBRATION = 0x0F,
    MSG_GET_STATISTICS = 0x10,
    MSG_GET_TRANSIT = 0x11,
    MSG_ACK = 0x80,
    MSG_NAK = 0x81,
    MSG_IDENTITY = 0x82,
    MSG_STATUS = 0x83,
    MSG_CALIBRATION = 0x84,
    MSG_STATISTICS = 0x85,
    MSG_TRANSIT = 0x86,
    MSG_SEEN = 0xA0,
    MSG_STROBED = 0xA1,
    MSG_MEASURED = 0xA2,
    MSG_HELD = 0xA3,
    MSG_LANDED = 0xA4,
    MSG_RUN_ENDED = 0xA5,
    MSG_STOPPED = 0xA6,
    MSG_HOMED = 0xA7,
    MSG_INPUT_CHANGED = 0xA8,
};

/* Payload sizes. */
enum {
    SIZE_HELLO = 1,
    SIZE_CONFIG = 5,
    SIZE_COMMIT = 2,
    SIZE_HOME = 0,
    SIZE_START = 2,
    SIZE_FEED = 4,
    SIZE_ROUTE = 5,
    SIZE_FINISH = 2,
    SIZE_STOP = 0,
    SIZE_CLEAR = 1,
    SIZE_HEARTBEAT = 2,
    SIZE_GET_EVENTS = 2,
    SIZE_CALIBRATE = 3,
    SIZE_KEEP = 2,
    SIZE_GET_CALIBRATION = 1,
    SIZE_GET_STATISTICS = 0,
    SIZE_GET_TRANSIT = 1,
    SIZE_ACK = 4,
    SIZE_NAK = 3,
    SIZE_IDENTITY = 24,
    SIZE_STATUS = 22,
    SIZE_CALIBRATION = 4,
    SIZE_STATISTICS = 16,
    SIZE_TRANSIT = 11,
    SIZE_SEEN = 12,
    SIZE_STROBED = 13,
    SIZE_MEASURED = 19,
    SIZE_HELD = 13,
    SIZE_LANDED = 14,
    SIZE_RUN_ENDED = 12,
    SIZE_STOPPED = 14,
    SIZE_HOMED = 10,
    SIZE_INPUT_CHANGED = 12,
};

/* Where a field lies in its payload. */
enum {
    AT_HELLO_PROTOCOL = 0,
    AT_CONFIG_KEY = 0,
    AT_CONFIG_VALUE = 1,
    AT_COMMIT_CRC = 0,
    AT_START_RUN = 0,
    AT_FEED_RUN = 0,
    AT_FEED_UP_TO = 2,
    AT_ROUTE_RUN = 0,
    AT_ROUTE_CARD = 2,
    AT_ROUTE_POCKET = 4,
    AT_FINISH_RUN = 0,
    AT_CLEAR_REASON = 0,
    AT_HEARTBEAT_EVENTS_SEEN = 0,
    AT_GET_EVENTS_FIRST = 0,
    AT_CALIBRATE_KEY = 0,
    AT_CALIBRATE_VALUE = 1,
    AT_KEEP_CRC = 0,
    AT_GET_CALIBRATION_KEY = 0,
    AT_GET_TRANSIT_LEG = 0,
    AT_ACK_COMMAND = 0,
    AT_ACK_CARD = 1,
    AT_ACK_POCKET = 3,
    AT_NAK_COMMAND = 0,
    AT_NAK_REASON = 1,
    AT_NAK_STATE = 2,
    AT_IDENTITY_PROTOCOL = 0,
    AT_IDENTITY_FIRMWARE = 1,
    AT_IDENTITY_BOOT = 5,
    AT_IDENTITY_SESSION = 7,
    AT_IDENTITY_RESET_CAUSE = 9,
    AT_IDENTITY_CONFIG_CRC = 10,
    AT_IDENTITY_STATE = 12,
    AT_IDENTITY_STOP_REASON = 13,
    AT_IDENTITY_INPUTS = 14,
    AT_IDENTITY_RUN = 16,
    AT_IDENTITY_FIRST_EVENT = 18,
    AT_IDENTITY_NEXT_EVENT = 20,
    AT_IDENTITY_CALIBRATION_CRC = 22,
    AT_STATUS_TICK = 0,
    AT_STATUS_BOOT = 4,
    AT_STATUS_STATE = 6,
    AT_STATUS_STOP_REASON = 7,
    AT_STATUS_INPUTS = 8,
    AT_STATUS_RUN = 10,
    AT_STATUS_FED = 12,
    AT_STATUS_ON_BELT = 14,
    AT_STATUS_NEXT_EVENT = 16,
    AT_STATUS_BELT = 18,
    AT_CALIBRATION_KEY = 0,
    AT_CALIBRATION_VALUE = 1,
    AT_CALIBRATION_KEPT = 3,
    AT_STATISTICS_RETRIES = 0,
    AT_STATISTICS_DROPPED = 2,
    AT_STATISTICS_GLITCHES = 4,
    AT_STATISTICS_LATE_ROUTES = 6,
    AT_STATISTICS_HELD = 8,
    AT_STATISTICS_EXPIRED = 10,
    AT_STATISTICS_REREAD = 12,
    AT_STATISTICS_WORN = 14,
    AT_TRANSIT_LEG = 0,
    AT_TRANSIT_COUNT = 1,
    AT_TRANSIT_LEAST = 3,
    AT_TRANSIT_MOST = 5,
    AT_TRANSIT_SUM = 7,
    AT_SEEN_NUMBER = 0,
    AT_SEEN_BOOT = 2,
    AT_SEEN_RUN = 4,
    AT_SEEN_TICK = 6,
    AT_SEEN_CARD = 10,
    AT_STROBED_NUMBER = 0,
    AT_STROBED_BOOT = 2,
    AT_STROBED_RUN = 4,
    AT_STROBED_TICK = 6,
    AT_STROBED_CARD = 10,
    AT_STROBED_LOOK = 12,
    AT_MEASURED_NUMBER = 0,
    AT_MEASURED_BOOT = 2,
    AT_MEASURED_RUN = 4,
    AT_MEASURED_TICK = 6,
    AT_MEASURED_CARD = 10,
    AT_MEASURED_LENGTH = 12,
    AT_MEASURED_THICKNESS = 14,
    AT_MEASURED_BACK = 16,
    AT_MEASURED_FLAGS = 18,
    AT_HELD_NUMBER = 0,
    AT_HELD_BOOT = 2,
    AT_HELD_RUN = 4,
    AT_HELD_TICK = 6,
    AT_HELD_CARD = 10,
    AT_HELD_ON = 12,
    AT_LANDED_NUMBER = 0,
    AT_LANDED_BOOT = 2,
    AT_LANDED_RUN = 4,
    AT_LANDED_TICK = 6,
    AT_LANDED_CARD = 10,
    AT_LANDED_POCKET = 12,
    AT_LANDED_EXPIRED = 13,
    AT_RUN_ENDED_NUMBER = 0,
    AT_RUN_ENDED_BOOT = 2,
    AT_RUN_ENDED_RUN = 4,
    AT_RUN_ENDED_TICK = 6,
    AT_RUN_ENDED_FED = 10,
    AT_STOPPED_NUMBER = 0,
    AT_STOPPED_BOOT = 2,
    AT_STOPPED_RUN = 4,
    AT_STOPPED_TICK = 6,
    AT_STOPPED_REASON = 10,
    AT_STOPPED_CARD = 11,
    AT_STOPPED_POCKET = 13,
    AT_HOMED_NUMBER = 0,
    AT_HOMED_BOOT = 2,
    AT_HOMED_RUN = 4,
    AT_HOMED_TICK = 6,
    AT_INPUT_CHANGED_NUMBER = 0,
    AT_INPUT_CHANGED_BOOT = 2,
    AT_INPUT_CHANGED_RUN = 4,
    AT_INPUT_CHANGED_TICK = 6,
    AT_INPUT_CHANGED_PIN = 10,
    AT_INPUT_CHANGED_LEVEL = 11,
};

#ifdef PREDEAL_FIELD_LIST
/* X(message) for every message; X(message, field, offset, size) for every field. */
#define MESSAGE_LIST(X) \
    X(HELLO) \
    X(CONFIG) \
    X(COMMIT) \
    X(HOME) \
    X(START) \
    X(FEED) \
    X(ROUTE) \
    X(FINISH) \
    X(STOP) \
    X(CLEAR) \
    X(HEARTBEAT) \
    X(GET_EVENTS) \
    X(CALIBRATE) \
    X(KEEP) \
    X(GET_CALIBRATION) \
    X(GET_STATISTICS) \
    X(GET_TRANSIT) \
    X(ACK) \
    X(NAK) \
    X(IDENTITY) \
    X(STATUS) \
    X(CALIBRATION) \
    X(STATISTICS) \
    X(TRANSIT) \
    X(SEEN) \
    X(STROBED) \
    X(MEASURED) \
    X(HELD) \
    X(LANDED) \
    X(RUN_ENDED) \
    X(STOPPED) \
    X(HOMED) \
    X(INPUT_CHANGED)
#define MESSAGE_FIELDS(X) \
    X(HELLO, protocol, 0, 1) \
    X(CONFIG, key, 0, 1) \
    X(CONFIG, value, 1, 4) \
    X(COMMIT, crc, 0, 2) \
    X(START, run, 0, 2) \
    X(FEED, run, 0, 2) \
    X(FEED, up_to, 2, 2) \
    X(ROUTE, run, 0, 2) \
    X(ROUTE, card, 2, 2) \
    X(ROUTE, pocket, 4, 1) \
    X(FINISH, run, 0, 2) \
    X(CLEAR, reason, 0, 1) \
    X(HEARTBEAT, events_seen, 0, 2) \
    X(GET_EVENTS, first, 0, 2) \
    X(CALIBRATE, key, 0, 1) \
    X(CALIBRATE, value, 1, 2) \
    X(KEEP, crc, 0, 2) \
    X(GET_CALIBRATION, key, 0, 1) \
    X(GET_TRANSIT, leg, 0, 1) \
    X(ACK, command, 0, 1) \
    X(ACK, card, 1, 2) \
    X(ACK, pocket, 3, 1) \
    X(NAK, command, 0, 1) \
    X(NAK, reason, 1, 1) \
    X(NAK, state, 2, 1) \
    X(IDENTITY, protocol, 0, 1) \
    X(IDENTITY, firmware, 1, 4) \
    X(IDENTITY, boot, 5, 2) \
    X(IDENTITY, session, 7, 2) \
    X(IDENTITY, reset_cause, 9, 1) \
    X(IDENTITY, config_crc, 10, 2) \
    X(IDENTITY, state, 12, 1) \
    X(IDENTITY, stop_reason, 13, 1) \
    X(IDENTITY, inputs, 14, 2) \
    X(IDENTITY, run, 16, 2) \
    X(IDENTITY, first_event, 18, 2) \
    X(IDENTITY, next_event, 20, 2) \
    X(IDENTITY, calibration_crc, 22, 2) \
    X(STATUS, tick, 0, 4) \
    X(STATUS, boot, 4, 2) \
    X(STATUS, state, 6, 1) \
    X(STATUS, stop_reason, 7, 1) \
    X(STATUS, inputs, 8, 2) \
    X(STATUS, run, 10, 2) \
    X(STATUS, fed, 12, 2) \
    X(STATUS, on_belt, 14, 2) \
    X(STATUS, next_event, 16, 2) \
    X(STATUS, belt, 18, 4) \
    X(CALIBRATION, key, 0, 1) \
    X(CALIBRATION, value, 1, 2) \
    X(CALIBRATION, kept, 3, 1) \
    X(STATISTICS, retries, 0, 2) \
    X(STATISTICS, dropped, 2, 2) \
    X(STATISTICS, glitches, 4, 2) \
    X(STATISTICS, late_routes, 6, 2) \
    X(STATISTICS, held, 8, 2) \
    X(STATISTICS, expired, 10, 2) \
    X(STATISTICS, reread, 12, 2) \
    X(STATISTICS, worn, 14, 2) \
    X(TRANSIT, leg, 0, 1) \
    X(TRANSIT, count, 1, 2) \
    X(TRANSIT, least, 3, 2) \
    X(TRANSIT, most, 5, 2) \
    X(TRANSIT, sum, 7, 4) \
    X(SEEN, number, 0, 2) \
    X(SEEN, boot, 2, 2) \
    X(SEEN, run, 4, 2) \
    X(SEEN, tick, 6, 4) \
    X(SEEN, card, 10, 2) \
    X(STROBED, number, 0, 2) \
    X(STROBED, boot, 2, 2) \
    X(STROBED, run, 4, 2) \
    X(STROBED, tick, 6, 4) \
    X(STROBED, card, 10, 2) \
    X(STROBED, look, 12, 1) \
    X(MEASURED, number, 0, 2) \
    X(MEASURED, boot, 2, 2) \
    X(MEASURED, run, 4, 2) \
    X(MEASURED, tick, 6, 4) \
    X(MEASURED, card, 10, 2) \
    X(MEASURED, length, 12, 2) \
    X(MEASURED, thickness, 14, 2) \
    X(MEASURED, back, 16, 2) \
    X(MEASURED, flags, 18, 1) \
    X(HELD, number, 0, 2) \
    X(HELD, boot, 2, 2) \
    X(HELD, run, 4, 2) \
    X(HELD, tick, 6, 4) \
    X(HELD, card, 10, 2) \
    X(HELD, on, 12, 1) \
    X(LANDED, number, 0, 2) \
    X(LANDED, boot, 2, 2) \
    X(LANDED, run, 4, 2) \
    X(LANDED, tick, 6, 4) \
    X(LANDED, card, 10, 2) \
    X(LANDED, pocket, 12, 1) \
    X(LANDED, expired, 13, 1) \
    X(RUN_ENDED, number, 0, 2) \
    X(RUN_ENDED, boot, 2, 2) \
    X(RUN_ENDED, run, 4, 2) \
    X(RUN_ENDED, tick, 6, 4) \
    X(RUN_ENDED, fed, 10, 2) \
    X(STOPPED, number, 0, 2) \
    X(STOPPED, boot, 2, 2) \
    X(STOPPED, run, 4, 2) \
    X(STOPPED, tick, 6, 4) \
    X(STOPPED, reason, 10, 1) \
    X(STOPPED, card, 11, 2) \
    X(STOPPED, pocket, 13, 1) \
    X(HOMED, number, 0, 2) \
    X(HOMED, boot, 2, 2) \
    X(HOMED, run, 4, 2) \
    X(HOMED, tick, 6, 4) \
    X(INPUT_CHANGED, number, 0, 2) \
    X(INPUT_CHANGED, boot, 2, 2) \
    X(INPUT_CHANGED, run, 4, 2) \
    X(INPUT_CHANGED, tick, 6, 4) \
    X(INPUT_CHANGED, pin, 10, 1) \
    X(INPUT_CHANGED, level, 11, 1)
#endif

#endif
