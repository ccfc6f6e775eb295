/* A machine for the firmware on the host board: hopper, feeder, belt, gates, sensors, event by event in belt steps.
 *
 * A place is that of a leading edge, in steps from the hopper's exit. The plant alone knows which card is where.
 */
#ifndef PREDEAL_PLANT_H
#define PREDEAL_PLANT_H

#include "../board/host/host.c"
#include "test.h"

enum {
    PACK = 52,
    HOPPER_CARDS = 60,
    CARD = 570,
    GRIP = 250, /* from here on the belt moves a card, before it the feeder */
    SLIP = 15,
    WINDOW_AT = 400,
    TRAVEL_US = 12000,
    WAYS = 16,
    STROBES = 512,
    NOBODY = 0
};

enum what { WINDOW_ON, LEFT_FEEDER, WINDOW_OFF, AT_GATE, OFF_GATE, PASS_ON, LANDED_THERE };

struct waypoint {
    uint16_t at;
    uint8_t what, gate;
};

struct pasteboard {
    const struct waypoint *way; /* its next */
    uint32_t offset;            /* belt step at which it was at the hopper's exit */
    uint8_t who;                /* 1 to 60 by its place in the hopper */
    uint8_t chute;              /* where it fell; POCKET_TRAY: nowhere yet */
    uint8_t over;               /* gates that it lies over, a bit each */
    bool stands;
};

struct flap {
    bool driven, stuck;
    uint64_t since;  /* us */
    uint32_t from;   /* us of travel done when it was driven last */
};

struct plant {
    struct host *host;
    const uint32_t *value; /* CONFIG of the machine as it is built */
    struct waypoint straight[WAYS], chute[4][4];
    struct pasteboard cards[CARDS_MAX];
    unsigned count, fed, under_feeder;
    uint32_t grip_at;
    bool no_grip;              /* the front card does not follow */
    uint32_t missed_at;        /* belt step at which it should have been gripped; 0: not so far */
    struct flap gate[4];
    uint16_t outputs;
    uint8_t covers[INPUT_COUNT];
    uint8_t landed[HOPPER_CARDS + 1]; /* by card; NO_POCKET: not yet */
    uint8_t lies[HOPPER_CARDS + 1];   /* how many steps behind the one before it comes along; 0: by itself */
    struct { uint64_t us; uint8_t who; } strobe[STROBES];
    unsigned strobes, jams;
    uint64_t off_at;           /* us, when the motors last lost their enable */
    uint32_t off_belt;
    /* Faults; the number of the card, 0: none. */
    uint8_t sticks_at_window, sticks_in_chute;
    uint8_t pass_pin[POCKET_END]; /* where each pocket's sensor is plugged in */
    uint32_t random;
};

/* Seeds that are near to each other give sequences that are not (splitmix32). */
static uint32_t chance(uint32_t *state)
{
    uint32_t mixed = *state += 0x9E3779B9U;
    mixed = (mixed ^ mixed >> 16) * 0x21F0AAADU;
    mixed = (mixed ^ mixed >> 15) * 0x735A2D97U;
    return mixed ^ mixed >> 15;
}

static int by_place(const void *a, const void *b)
{
    return (int)((const struct waypoint *)a)->at - (int)((const struct waypoint *)b)->at;
}

static uint16_t gate_place(const struct plant *plant, uint8_t gate)
{
    return (uint16_t)(WINDOW_AT + plant->value[KEY_GATE_N + gate]);
}

static void plant_build(struct plant *plant)
{
    struct waypoint *way = plant->straight;
    uint16_t tray = (uint16_t)(WINDOW_AT + plant->value[KEY_TRAY]);
    *way++ = (struct waypoint){WINDOW_AT, WINDOW_ON, 0};
    *way++ = (struct waypoint){CARD, LEFT_FEEDER, 0};
    *way++ = (struct waypoint){WINDOW_AT + CARD, WINDOW_OFF, 0};
    *way++ = (struct waypoint){tray, PASS_ON, POCKET_TRAY};
    *way++ = (struct waypoint){(uint16_t)(tray + CARD), LANDED_THERE, POCKET_TRAY};
    for (uint8_t gate = 0; gate < 4; gate++) {
        uint16_t at = gate_place(plant, gate), pass = (uint16_t)(at + plant->value[KEY_DROP]);
        *way++ = (struct waypoint){at, AT_GATE, gate};
        *way++ = (struct waypoint){(uint16_t)(at + CARD), OFF_GATE, gate};
        struct waypoint *chute = plant->chute[gate];
        chute[0] = (struct waypoint){(uint16_t)(at + CARD), OFF_GATE, gate};
        chute[1] = (struct waypoint){pass, PASS_ON, gate};
        chute[2] = (struct waypoint){(uint16_t)(pass + CARD), LANDED_THERE, gate};
        qsort(chute, 3, sizeof *chute, by_place);
    }
    qsort(plant->straight, (size_t)(way - plant->straight), sizeof *way, by_place);
}

/* A person: belt and pockets empty, the same pack in the hopper again, everything plugged in and free to move. */
static void plant_refill(struct plant *plant)
{
    plant->count = plant->fed = plant->under_feeder = 0;
    plant->no_grip = false;
    plant->missed_at = 0;
    plant->sticks_at_window = plant->sticks_in_chute = NOBODY;
    plant->grip_at = host_view(plant->host)->feeder + GRIP;
    memset(plant->landed, NO_POCKET, sizeof plant->landed);
    memset(plant->lies, 0, sizeof plant->lies);
    memset(plant->covers, 0, sizeof plant->covers);
    for (uint8_t pin = 0; pin < INPUT_COUNT; pin++)
        host_input(plant->host, pin, pin == IN_HOPPER || pin >= IN_BOARD);
    for (uint8_t pocket = 0; pocket < POCKET_END; pocket++)
        plant->pass_pin[pocket] = (uint8_t)(IN_PASS_N + pocket);
    for (uint8_t gate = 0; gate < 4; gate++)
        plant->gate[gate].stuck = false;
}

static uint32_t opened_us(const struct flap *flap, uint64_t now)
{
    uint64_t gone = now - flap->since;
    if (flap->stuck)
        return flap->from;
    if (flap->driven)
        return flap->from + gone < TRAVEL_US ? (uint32_t)(flap->from + gone) : TRAVEL_US;
    return gone < flap->from ? (uint32_t)(flap->from - gone) : 0;
}

static void cover(struct plant *plant, uint8_t pin, int by)
{
    plant->covers[pin] = (uint8_t)(plant->covers[pin] + by);
    host_input(plant->host, pin, plant->covers[pin] != 0);
    if (pin == IN_WINDOW)
        host_analog(plant->host, AN_THICKNESS, (uint16_t)(300 * plant->covers[pin]));
}

static void jam(struct plant *plant, struct pasteboard *card)
{
    card->stands = true;
    plant->jams++;
}

static void turn_gate(struct plant *plant, uint8_t gate, bool on, uint64_t now)
{
    struct flap *flap = &plant->gate[gate];
    flap->from = opened_us(flap, now);
    flap->since = now;
    flap->driven = on;
    for (unsigned i = 0; i < plant->count && !flap->stuck; i++)
        if (plant->cards[i].over >> gate & 1)
            jam(plant, &plant->cards[i]);
}

/* The card over the window; of two the one that came first. */
static uint8_t over_window(const struct plant *plant, uint32_t belt)
{
    for (unsigned i = 0; i < plant->count; i++) {
        uint32_t lead = belt - plant->cards[i].offset;
        if (lead >= WINDOW_AT && lead < WINDOW_AT + CARD)
            return plant->cards[i].who;
    }
    return NOBODY;
}

static void outputs_moved(struct plant *plant)
{
    const struct host_view *view = host_view(plant->host);
    uint16_t changed = plant->outputs ^ view->outputs;
    plant->outputs = view->outputs;
    for (uint8_t gate = 0; gate < 4; gate++)
        if (changed >> (OUT_GATE_N + gate) & 1)
            turn_gate(plant, gate, view->outputs >> (OUT_GATE_N + gate) & 1, view->now_us);
    if (changed >> OUT_TRIGGER & view->outputs >> OUT_TRIGGER & 1) {
        plant->strobe[plant->strobes % STROBES].us = view->now_us;
        plant->strobe[plant->strobes++ % STROBES].who = over_window(plant, view->belt);
    }
    if (changed & ~view->outputs & 1 << OUT_ENABLE) {
        plant->off_at = view->now_us;
        plant->off_belt = view->belt;
    }
}

static void meet_gate(struct plant *plant, struct pasteboard *card, uint8_t gate)
{
    uint32_t opened = opened_us(&plant->gate[gate], host_view(plant->host)->now_us);
    card->over |= (uint8_t)(1U << gate);
    if (opened && opened < TRAVEL_US)
        jam(plant, card);
    if (opened < TRAVEL_US)
        return;
    card->chute = gate;
    card->way = plant->chute[gate];
    card->stands = card->stands || plant->sticks_in_chute == card->who;
}

static void arrive(struct plant *plant, struct pasteboard *card)
{
    struct waypoint at = *card->way++;
    switch (at.what) {
    case WINDOW_ON:
        cover(plant, IN_WINDOW, 1);
        card->stands = plant->sticks_at_window == card->who;
        break;
    case LEFT_FEEDER:
        if (--plant->under_feeder == 0)
            plant->grip_at = host_view(plant->host)->feeder + GRIP - SLIP + chance(&plant->random) % (2 * SLIP + 1);
        break;
    case WINDOW_OFF: cover(plant, IN_WINDOW, -1); break;
    case AT_GATE: meet_gate(plant, card, at.gate); break;
    case OFF_GATE: card->over &= (uint8_t)~(1U << at.gate); break;
    case PASS_ON: cover(plant, plant->pass_pin[at.gate], 1); break;
    default:
        cover(plant, plant->pass_pin[at.gate], -1);
        host_input(plant->host, (uint8_t)(IN_PRESENT_N + at.gate), 1);
        plant->landed[card->who] = at.gate;
        *card = plant->cards[--plant->count];
    }
}

/* The belt grips the front card, and those that stick to it come along. */
static void grip(struct plant *plant, uint32_t belt)
{
    uint32_t behind = 0;
    do {
        if (plant->count == CARDS_MAX || plant->fed == HOPPER_CARDS)
            break;
        plant->cards[plant->count++] = (struct pasteboard){
            .way = plant->straight, .offset = belt - GRIP + behind, .who = (uint8_t)++plant->fed, .chute = POCKET_TRAY,
        };
        plant->under_feeder++;
        behind = plant->fed < HOPPER_CARDS ? plant->lies[plant->fed + 1] : 0;
    } while (behind);
    host_input(plant->host, IN_HOPPER, plant->fed < HOPPER_CARDS);
}

/* Lets time pass until `until` us or until bytes for the host wait; what the plant does happens meanwhile. */
static void plant_run(struct plant *plant, uint64_t until)
{
    const struct host_view *view = host_view(plant->host);
    uint32_t why;
    do {
        bool feeds = !plant->no_grip && !plant->under_feeder && plant->fed < HOPPER_CARDS;
        uint32_t belt = UINT32_MAX, nearest = UINT32_MAX;
        for (unsigned i = 0; i < plant->count; i++) {
            const struct pasteboard *card = &plant->cards[i];
            uint32_t left = card->offset + card->way->at - view->belt;
            if (!card->stands && left < nearest) {
                nearest = left;
                belt = card->offset + card->way->at;
            }
        }
        why = host_run(plant->host, until, belt, feeds || (plant->no_grip && !plant->missed_at) ? plant->grip_at : UINT32_MAX);
        if (why & HOST_WHY_OUTPUT)
            outputs_moved(plant);
        for (unsigned i = 0; i < plant->count; i++) {
            struct pasteboard *card = &plant->cards[i];
            if (!card->stands && (int32_t)(view->belt - card->offset - card->way->at) >= 0) {
                arrive(plant, card);
                i = UINT32_MAX; /* the list may have changed: from the beginning */
            }
        }
        if (plant->no_grip && !plant->missed_at && (int32_t)(view->feeder - plant->grip_at) >= 0)
            plant->missed_at = view->belt;
        if (feeds && (int32_t)(view->feeder - plant->grip_at) >= 0)
            grip(plant, view->belt);
    } while (!(why & (HOST_WHY_TIME | HOST_WHY_TX)));
}

#endif
