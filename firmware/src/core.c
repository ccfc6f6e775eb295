/* The entry points: what happens in which order. */
#include "core.h"

#include <string.h>

#include "board_atomic.h"

void core_init(struct core *core, uint8_t reset_cause, keep_read *read, const void *board)
{
    memset(core, 0, sizeof *core);
    core->reset_cause = reset_cause;
    core->state = STATE_UNKNOWN;
    core->boot = keep_init(core, read, board);
}

void core_high(struct core *core, uint16_t mask)
{
    BOARD_LOCK();
    core->outputs = (uint16_t)(core->outputs | mask);
    BOARD_UNLOCK();
}

void core_low(struct core *core, uint16_t mask)
{
    BOARD_LOCK();
    core->outputs = (uint16_t)(core->outputs & ~mask);
    BOARD_UNLOCK();
}

void core_rx(struct core *core, uint8_t byte, uint32_t now)
{
    struct frame frame;
    core->now = now;
    if (!frame_receive(&core->rx, byte, &frame))
        return;
    session_frame(core, &frame);
    events_pump(core);
}

/* FINISH: the belt is empty and clear, so it stops, and the run ends when it stands. */
static void finish_tick(struct core *core)
{
    bool clear = !((core->inputs.level | core->inputs.last) & INPUTS_SENSORS);
    if (core->state != STATE_FINISHING || core->cards.count || core->feed.awaiting || !clear)
        return;
    core->motion.belt_target = 0;
    if (core->motion.belt.speed || core->motion.feeder.speed)
        return;
    events_card(core, MSG_RUN_ENDED, core->now, core->feed.fed);
    if (core->state == STATE_STOPPED)
        return;
    core_low(core, 1 << OUT_ENABLE);
    core->state = STATE_READY;
    core->run = 0;
}

/* Any of these may stop the machine; after that none may touch an output again. */
static void (*const PARTS[])(struct core *) = {
    window_tick, arrivals_tick, gates_tick, hold_tick, feed_tick, finish_tick,
};

static void run_tick(struct core *core)
{
    for (uint8_t i = 0; i < sizeof PARTS / sizeof PARTS[0] && safety_active(core); i++)
        PARTS[i](core);
}

void core_tick(struct core *core, uint32_t now)
{
    core->now = now;
    motion_collect(core);
    feed_collect(core);
    inputs_tick(core);
    safety_tick(core);
    if (core->state == STATE_HOMING)
        home_tick(core);
    else if (safety_active(core))
        run_tick(core);
    motion_tick(core);
    events_pump(core);
}

bool core_tx(struct core *core, uint8_t *byte)
{
    struct frame_tx *tx = &core->tx;
    if (core->keep.booting || tx->head == tx->tail)
        return false;
    *byte = tx->bytes[tx->tail++];
    return true;
}

bool core_keep(struct core *core, uint16_t *at, uint8_t *byte)
{
    return keep_next(core, at, byte);
}
