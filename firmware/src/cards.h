/* Cards on the belt, oldest first: where each is, by belt steps since its raw window edge. */
#ifndef PREDEAL_CARDS_H
#define PREDEAL_CARDS_H

#include <stdbool.h>
#include <stdint.h>

struct core;

enum { CARDS_MAX = 16, NO_POCKET = 255 };

enum card_bit {
    CARD_MEASURED = 1, /* its trailing edge has passed the window */
    CARD_SUSPECT = 2,  /* flagged: only the tray is left */
    CARD_EXPIRED = 4,  /* no route came in time */
    CARD_LANDED = 8,   /* seen by a passing sensor that it still covers */
    CARD_GONE = 16,    /* has cleared the sensor */
    CARD_LOST = 32     /* its gate could not turn in time */
};

struct card {
    uint32_t place; /* belt step of its leading edge at the window */
    uint16_t number;
    uint16_t length; /* LENGTH_MAX until measured */
    uint8_t route;   /* the pocket the host named; NO_POCKET before */
    uint8_t bits;
};

struct cards {
    struct card ring[CARDS_MAX];
    uint8_t head, count;
    uint16_t seen; /* number of the last card seen at the window */
};

void cards_clear(struct core *core);

/* Card `i` from the oldest. */
struct card *cards_at(struct core *core, uint8_t i);
struct card *cards_newest(struct core *core);
struct card *cards_find(struct core *core, uint16_t number);
struct card *cards_add(struct core *core, uint32_t place);

/* Forgets the cards that have cleared their sensors. */
void cards_forget(struct core *core);

/* Belt steps that the leading edge has made since the window. */
uint32_t cards_travel(const struct core *core, const struct card *card);

/* Where it will go as things stand. */
uint8_t cards_destination(const struct card *card);

/* Neither routed nor bound for the tray. */
bool cards_undecided(const struct card *card);

/* Carries out ROUTE: 0 or a NAK_* reason. */
uint8_t cards_route(struct core *core, uint16_t number, uint8_t pocket);

#endif
