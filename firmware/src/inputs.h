/* Inputs: debounced by time stable; the place of a passing edge is kept. */
#ifndef PREDEAL_INPUTS_H
#define PREDEAL_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"
#include "pins.h"

struct core;

enum {
    DEBOUNCE_TICKS = 3,
    INPUTS_PASSING = 0x1F << IN_PASS_N,
    INPUTS_SENSORS = INPUTS_PASSING | 1 << IN_WINDOW
};

struct inputs {
    uint16_t level;      /* debounced */
    uint16_t last;       /* raw, one tick ago */
    uint16_t low, high;  /* two-bit counter of stable ticks for every input */
    uint16_t rose, fell; /* debounced edges of this tick */
    uint32_t passed_at[POCKET_END]; /* belt step of the last raw edge of each passing sensor */
    bool known;          /* false until the first tick */
};

void inputs_tick(struct core *core);

/* The level of a debounced input. */
bool inputs_high(const struct core *core, uint8_t pin);

/* The emergency stop is released, and has been for as long as an input takes to settle. */
bool inputs_released(const struct core *core);

/* Board in, lid closed, emergency stop released. */
bool inputs_safe(const struct core *core);

#endif
