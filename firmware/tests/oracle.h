/* What must hold after every step, whatever came from outside. It reads the wire itself and believes the core nothing
 * about sessions, credit or silence. */
#ifndef PREDEAL_ORACLE_H
#define PREDEAL_ORACLE_H

#include "bench.h"

struct oracle {
    struct frame_rx rx;
    uint16_t boot;
    bool hello, home;        /* asked for in this life of the MCU */
    uint16_t highest_credit; /* in this life */
    uint64_t heard;          /* half us, of the last valid frame */
    uint64_t estop;          /* half us, since when it has been pressed; 0: released */
    uint8_t latched;
};

static bool moves(const struct core *core)
{
    return core->state == STATE_HOMING || core->state == STATE_RUNNING || core->state == STATE_HOLDING
        || core->state == STATE_FINISHING;
}

/* Bytes go to the MCU. Frames that it refuses count as well: each of these is necessary, none sufficient. */
static void oracle_sees(struct oracle *oracle, const struct host *host, const uint8_t *bytes, size_t count)
{
    struct frame frame;
    for (size_t i = 0; i < count; i++) {
        if (!frame_receive(&oracle->rx, bytes[i], &frame))
            continue;
        oracle->heard = host->now;
        oracle->hello = oracle->hello || frame.type == MSG_HELLO;
        oracle->home = oracle->home || (frame.type == MSG_HOME && oracle->hello);
        if (frame.type == MSG_FEED && frame.size == SIZE_FEED) {
            uint16_t up_to = get16(frame.payload + AT_FEED_UP_TO);
            if (up_to > oracle->highest_credit)
                oracle->highest_credit = up_to;
        }
    }
}

/* A new life: what the one before was told counts no more. */
static void oracle_follows(struct oracle *oracle, const struct host *host)
{
    const struct core *core = &host->core;
    bool pressed = !(host->raw >> IN_ESTOP & 1);
    if (core->boot != oracle->boot) {
        *oracle = (struct oracle){.boot = core->boot, .heard = host->now, .estop = oracle->estop};
    }
    if (!pressed)
        oracle->estop = 0;
    else if (!oracle->estop)
        oracle->estop = host->now;
}

static void oracle_checks(struct oracle *oracle, const struct host *host)
{
    const struct core *core = &host->core;
    oracle_follows(oracle, host);
    CHECK(core->state < STATE_END && core->outputs < 1 << OUTPUT_COUNT);
    CHECK(moves(core) || core->outputs == 0);
    CHECK(moves(core) || (!core->motion.belt.running && !core->motion.feeder.running));
    CHECK((core->state == STATE_STOPPED) == (core->safety.reason != STOP_NONE));
    CHECK(core->cards.count <= CARDS_MAX && core->cards.seen <= core->feed.fed);
    CHECK((uint16_t)(core->events.next - core->events.first) <= EVENT_RING + 1);
    CHECK((uint16_t)(core->events.sent - core->events.first) <= (uint16_t)(core->events.next - core->events.first));
    /* The first reason stays until CLEAR. */
    CHECK(!oracle->latched || core->safety.reason == oracle->latched || core->safety.reason == STOP_NONE);
    oracle->latched = core->safety.reason;
    CHECK(oracle->home || core->outputs == 0);
    CHECK(core->feed.fed <= oracle->highest_credit);
    CHECK(core->outputs == 0 || host->now - oracle->heard <= 1002U * TICK_UNITS);
    CHECK(core->outputs == 0 || !oracle->estop || host->now - oracle->estop <= TICK_UNITS);
}

#endif
