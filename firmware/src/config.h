/* Configuration: values by key, their bounds, and what follows from them. */
#ifndef PREDEAL_CONFIG_H
#define PREDEAL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

struct core;

/* Steps that follow from the values; computed once, at COMMIT. */
struct derived {
    uint16_t tick_steps;    /* most belt steps in one tick */
    uint16_t settle_steps;  /* most belt steps while an input settles */
    uint16_t gate_open[4];  /* belt steps while a gate opens */
    uint16_t gate_close[4]; /* and while it closes */
    uint16_t gate_margin;
    uint16_t hold_zone;     /* an unrouted card this near to the hold line must brake */
    uint16_t feed_nominal;  /* belt steps from a feed's start to the window */
    uint16_t feed_latest;   /* as above, at most: beyond is a misfeed */
    uint16_t least_pitch;   /* leading edge to leading edge so that a gate can turn between */
    uint16_t least_gap;     /* trailing to leading edge, likewise */
};

struct config {
    uint32_t value[KEY_END];
    uint16_t crc; /* 0 until committed */
    bool committed;
    struct derived derived;
};

/* No run is open and nothing moves: values may be set. */
bool config_open(const struct core *core);

/* Both give 0 or a NAK_* reason. */
uint8_t config_set(struct core *core, uint8_t key, uint32_t value);
uint8_t config_commit(struct core *core, uint16_t crc);

/* A value that its bounds keep within 16 bits. */
uint16_t config_u16(const struct core *core, uint8_t key);

/* Belt steps from the window to where a card for `pocket` is seen by its passing sensor. */
uint16_t config_due(const struct core *core, uint8_t pocket);

#endif
