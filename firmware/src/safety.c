/* Safety: the latched stop, the dead-man, the emergency stop, lid and board, longest on-times. */
#include "core.h"

bool safety_active(const struct core *core)
{
    return core->state >= STATE_HOMING && core->state <= STATE_FINISHING && core->state != STATE_READY;
}

void safety_stop(struct core *core, uint8_t reason, uint16_t card, uint8_t pocket)
{
    core_low(core, (1U << OUTPUT_COUNT) - 1);
    motion_cut(core);
    if (core->state == STATE_STOPPED)
        return;
    motion_collect(core);
    feed_collect(core);
    core->state = STATE_STOPPED;
    core->safety.reason = reason;
    core->hold.on = false;
    events_stopped(core, reason, card, pocket);
}

static bool cause_gone(const struct core *core)
{
    switch (core->safety.reason) {
    case STOP_ESTOP: return inputs_released(core);
    case STOP_LID_OPEN: return inputs_high(core, IN_LID);
    case STOP_BOARD_OUT: return inputs_high(core, IN_BOARD);
    case STOP_INTERNAL: return core->keep.slots_tried < BOOT_SLOTS;
    default: return true;
    }
}

uint8_t safety_clear(struct core *core, uint8_t reason)
{
    if (core->state != STATE_STOPPED)
        return NAK_WRONG_STATE;
    if (reason != core->safety.reason)
        return NAK_WRONG_REASON;
    if (!cause_gone(core))
        return NAK_INPUTS;
    core->state = STATE_UNKNOWN;
    core->safety.reason = STOP_NONE;
    core->run = 0;
    cards_clear(core);
    feed_start_run(core);
    return 0;
}

/* The emergency stop acts on the raw level: no time to wait for it to settle. */
static uint8_t stop_input(const struct core *core)
{
    if (!(core->raw >> IN_ESTOP & 1))
        return STOP_ESTOP;
    if (!inputs_high(core, IN_LID))
        return STOP_LID_OPEN;
    if (!inputs_high(core, IN_BOARD))
        return STOP_BOARD_OUT;
    return STOP_NONE;
}

/* A strobe or gate that is on too long; on-times are counted here. */
static bool overtime(struct core *core)
{
    bool over = false;
    for (uint8_t gate = 0; gate < POCKET_TRAY; gate++) {
        uint16_t *ms = &core->gates.on_ms[gate];
        *ms = core->outputs >> (OUT_GATE_N + gate) & 1 ? (uint16_t)(*ms + 1) : 0;
        over = over || *ms >= GATE_MAX_MS;
    }
    uint8_t *ms = &core->safety.strobe_ms;
    *ms = core->outputs & (1U << OUT_STROBE | 1U << OUT_TRIGGER) ? (uint8_t)(*ms + 1) : 0;
    return over || *ms > STROBE_MAX_MS;
}

static bool dead_man(struct core *core)
{
    bool silent = core->safety.silence_ms >= SILENCE_FEEDER_MS;
    if (core->safety.silence_ms >= SILENCE_ALL_MS)
        return true;
    if (core->state != STATE_RUNNING && core->state != STATE_HOLDING)
        return false;
    if (silent && !core->motion.feeder_off)
        motion_cut_feeder(core);
    if (!silent)
        core->motion.feeder_off = false;
    return silent && core->cards.count == 0;
}

void safety_tick(struct core *core)
{
    if (core->safety.silence_ms < UINT16_MAX)
        core->safety.silence_ms++;
    if (!safety_active(core))
        return;
    uint8_t reason = stop_input(core);
    if (reason)
        safety_stop(core, reason, 0, NO_POCKET);
    else if (dead_man(core))
        safety_stop(core, STOP_DEAD_MAN, 0, NO_POCKET);
    else if (overtime(core))
        safety_stop(core, STOP_OUTPUT_OVERTIME, 0, NO_POCKET);
}
