/* The machine's pins by name: the one table that boards, twin, tests and docs share. */
#ifndef PREDEAL_PINS_H
#define PREDEAL_PINS_H

enum output_pin { /* bit numbers; the two STEP outputs are counters, not bits */
    OUT_ENABLE = 0, /* motor enable */
    OUT_GATE_N = 1, /* high: the gate opens */
    OUT_GATE_E = 2,
    OUT_GATE_S = 3,
    OUT_GATE_W = 4,
    OUT_STROBE = 5,  /* light; high for the exposure of the look */
    OUT_TRIGGER = 6, /* camera trigger; rises with the strobe */
    OUTPUT_COUNT = 7
};

enum input_pin {
    IN_HOPPER = 0, /* high: cards in the hopper */
    IN_WINDOW = 1, /* high: a card covers the window sensor */
    IN_PASS_N = 2, /* high: a card covers the passing sensor of the pocket */
    IN_PASS_E = 3,
    IN_PASS_S = 4,
    IN_PASS_W = 5,
    IN_PASS_TRAY = 6,
    IN_PRESENT_N = 7, /* high: at least one card lies in the pocket */
    IN_PRESENT_E = 8,
    IN_PRESENT_S = 9,
    IN_PRESENT_W = 10,
    IN_PRESENT_TRAY = 11,
    IN_BOARD = 12, /* high: a board is in the slot */
    IN_LID = 13,   /* high: the lid is closed */
    IN_ESTOP = 14, /* high: the emergency stop is released (a broken wire stops) */
    INPUT_COUNT = 15
};

enum analog_pin {
    AN_THICKNESS = 0, /* counts are micrometres */
    AN_BACK = 1,      /* colour class of the card's back; 0 = no card */
    ANALOG_COUNT = 2
};

#endif
