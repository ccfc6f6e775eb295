/* Inputs: a level counts once it has been stable for three ticks; what did not last is a glitch. */
#include "inputs.h"

#include "board_atomic.h"
#include "core.h"

bool inputs_high(const struct core *core, uint8_t pin)
{
    return core->inputs.level >> pin & 1;
}

bool inputs_released(const struct core *core)
{
    return core->raw & core->inputs.level & 1U << IN_ESTOP;
}

bool inputs_safe(const struct core *core)
{
    return inputs_high(core, IN_BOARD) && inputs_high(core, IN_LID) && inputs_released(core);
}

static void keep_places(struct core *core, uint16_t changed)
{
    for (uint8_t pocket = 0; pocket < POCKET_END; pocket++)
        if (changed >> (IN_PASS_N + pocket) & 1)
            core->inputs.passed_at[pocket] = core->belt;
}

static void count_glitches(struct core *core, uint16_t pins)
{
    for (; pins; pins &= (uint16_t)(pins - 1))
        count_up(&core->statistics.glitches);
}

/* Counts stable ticks of all inputs at once; the inputs that have been stable long enough. */
static uint16_t settle(struct inputs *inputs, uint16_t raw, uint16_t changed)
{
    uint16_t stable = (uint16_t)((raw ^ inputs->level) & ~changed);
    uint16_t low = (uint16_t)(~inputs->low & stable);
    uint16_t high = (uint16_t)((inputs->high ^ inputs->low) & stable);
    uint16_t settled = low & high;
    inputs->low = (uint16_t)(low & ~settled);
    inputs->high = (uint16_t)(high & ~settled);
    return settled;
}

static void report(struct core *core, uint16_t settled)
{
    for (uint8_t pin = 0; pin < INPUT_COUNT; pin++)
        if (settled >> pin & 1)
            events_input(core, pin, inputs_high(core, pin));
}

/* A change shorter than a tick is seen only by the window, which is watched at every belt step. */
static uint16_t window_changes(struct core *core)
{
    struct window_edges *window = &core->motion.window;
    BOARD_LOCK();
    uint8_t count = window->count;
    window->count = 0;
    BOARD_UNLOCK();
    return count ? 1U << IN_WINDOW : 0;
}

void inputs_tick(struct core *core)
{
    struct inputs *inputs = &core->inputs;
    uint16_t raw = core->raw;
    inputs->rose = inputs->fell = 0;
    if (!inputs->known) {
        inputs->known = true;
        inputs->level = inputs->last = raw;
    }
    uint16_t changed = (uint16_t)((raw ^ inputs->last) | window_changes(core));
    inputs->last = raw;
    if (!changed && raw == inputs->level)
        return;
    keep_places(core, changed);
    count_glitches(core, (uint16_t)(changed & ~(raw ^ inputs->level)));
    uint16_t settled = settle(inputs, raw, changed);
    if (!settled)
        return;
    inputs->level ^= settled;
    inputs->rose = settled & inputs->level;
    inputs->fell = (uint16_t)(settled & ~inputs->level);
    report(core, (uint16_t)(settled & ~(unsigned)INPUTS_SENSORS));
}
