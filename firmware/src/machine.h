/* The parts of a run: feed, window, hold, gates, arrivals, homing, safety; one file each. */
#ifndef PREDEAL_MACHINE_H
#define PREDEAL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

struct core;

struct feed {
    uint32_t at;       /* belt step at which the last feed began */
    uint32_t due;      /* belt step at which the next may begin */
    uint16_t fed;      /* in this run */
    uint16_t credit;   /* last card that may be fed */
    bool awaiting;     /* fed and not yet seen at the window */
    bool first;        /* no feed in this run so far */
};

enum { SAMPLES = 3 };

struct window {
    uint16_t thickness[SAMPLES], back[SAMPLES];
    uint8_t samples;
    uint8_t look;    /* the look that waits for its place; 0: none */
    uint8_t flags;   /* CardFlag bits known before the trailing edge */
    bool covered;    /* by the newest card */
    uint16_t card;   /* whose looks these are */
};

struct hold {
    bool on;
    uint16_t ms, card;
};

struct gates {
    uint16_t on_ms[4];
};

struct home {
    uint8_t phase; /* gates in turn, then the belt */
    uint16_t ms;
    uint32_t from;
};

struct safety {
    uint16_t silence_ms; /* since the last valid frame */
    uint8_t strobe_ms;
    uint8_t reason;      /* of the latched stop */
};

enum {
    STEPS_40_MM = 400,
    SILENCE_FEED_MS = 200,  /* no feed begins, so that none is under way at the next */
    SILENCE_FEEDER_MS = 300,
    SILENCE_ALL_MS = 1000,
    GATE_REST_MS = 1200,    /* a gate open this long gets a rest before more cards are fed */
    GATE_MAX_MS = 3000,
    STROBE_MAX_MS = 5
};

void feed_start_run(struct core *core);
void feed_tick(struct core *core);

/* Takes over a feed that the step interrupt has begun. */
void feed_collect(struct core *core);

void window_start_run(struct core *core);
void window_tick(struct core *core);

void hold_tick(struct core *core);
void gates_tick(struct core *core);
void arrivals_tick(struct core *core);

void home_start(struct core *core);
void home_tick(struct core *core);

/* Stops everything and latches the first reason. */
void safety_stop(struct core *core, uint8_t reason, uint16_t card, uint8_t pocket);
void safety_tick(struct core *core);

/* 0 or a NAK_* reason. */
uint8_t safety_clear(struct core *core, uint8_t reason);

bool safety_active(const struct core *core);

#endif
