/* Events: numbered, kept until acknowledged, sent once and again when asked. */
#ifndef PREDEAL_EVENTS_H
#define PREDEAL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

struct core;

enum {
    EVENT_HEAD = 10, /* number, boot, run, tick: the same in every event */
    EVENT_BODY = SIZE_MEASURED - EVENT_HEAD
};

struct event {
    uint32_t tick;
    uint16_t run;
    uint8_t type;
    uint8_t body[EVENT_BODY];
};

struct events {
    struct event ring[EVENT_RING];
    struct event last; /* the stop that found the ring full */
    uint16_t first;    /* number of the oldest kept */
    uint16_t next;     /* number of the next to come */
    uint16_t sent;     /* number of the next to send */
};

uint16_t events_kept(const struct core *core);
void events_acknowledge(struct core *core, uint16_t seen);

/* Sends again from `first` on; false for a number that never was. */
bool events_again(struct core *core, uint16_t first);

/* Sends what waits, as far as the transmit buffer has room. */
void events_pump(struct core *core);

void events_card(struct core *core, uint8_t type, uint32_t tick, uint16_t card);
void events_card_value(struct core *core, uint8_t type, uint32_t tick, uint16_t card, uint8_t value);
void events_measured(struct core *core, uint16_t card, const uint16_t values[3], uint8_t flags);
void events_landed(struct core *core, uint16_t card, uint8_t pocket, bool expired);
void events_stopped(struct core *core, uint8_t reason, uint16_t card, uint8_t pocket);
void events_input(struct core *core, uint8_t pin, uint8_t level);
void events_homed(struct core *core);

#endif
