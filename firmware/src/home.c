/* HOME: every gate opens and closes once, the belt runs empty, every sensor must be idle at the end. */
#include "core.h"

enum {
    PHASE_BELT = 8, /* before it: open and close gate N, E, S, W */
    PHASE_STAND = 9,
    GATE_REST_TICKS = 5,
    SETTLE_TICKS = 10
};

void home_start(struct core *core)
{
    core->home.phase = 0;
    core->home.ms = 0;
    core->state = STATE_HOMING;
    core_high(core, 1 << OUT_ENABLE);
}

static void next_phase(struct core *core)
{
    core->home.phase++;
    core->home.ms = 0;
    core->home.from = core->belt;
}

static void pulse_gate(struct core *core)
{
    uint8_t gate = core->home.phase / 2;
    bool shut = core->home.phase & 1;
    uint16_t mask = (uint16_t)(1U << (OUT_GATE_N + gate));
    if (shut)
        core_low(core, mask);
    else
        core_high(core, mask);
    uint32_t travel_us = core->config.value[(shut ? KEY_GATE_CLOSE_N : KEY_GATE_OPEN_N) + gate];
    if (core->home.ms++ > travel_us / 1000 + GATE_REST_TICKS)
        next_phase(core);
}

static void run_belt(struct core *core)
{
    uint32_t length = core->config.value[KEY_TRAY] + 2 * core->config.value[KEY_LENGTH_MAX];
    bool done = core->belt - core->home.from >= length;
    core->motion.belt_target = done ? 0 : config_u16(core, KEY_BELT_SPEED);
    if (done)
        next_phase(core);
}

static void finish(struct core *core)
{
    uint16_t busy = core->inputs.level & INPUTS_SENSORS;
    if (core->motion.belt.speed || core->home.ms++ < SETTLE_TICKS)
        return;
    if (!busy) {
        events_homed(core);
        if (core->state == STATE_STOPPED)
            return;
        core_low(core, 1 << OUT_ENABLE);
        core->state = STATE_READY;
        return;
    }
    uint8_t pocket = 0;
    while (pocket < POCKET_END && !(busy >> (IN_PASS_N + pocket) & 1))
        pocket++;
    safety_stop(core, STOP_HOME_FAILED, 0, pocket < POCKET_END ? pocket : NO_POCKET);
}

void home_tick(struct core *core)
{
    if (core->home.phase < PHASE_BELT)
        pulse_gate(core);
    else if (core->home.phase == PHASE_BELT)
        run_belt(core);
    else
        finish(core);
}
