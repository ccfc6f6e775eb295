/* Feeding: one card at a time, within the credit, at an exact pitch. */
#include "core.h"

void feed_start_run(struct core *core)
{
    struct feed *feed = &core->feed;
    feed->fed = feed->credit = 0;
    feed->awaiting = false;
    feed->first = true;
}

void feed_collect(struct core *core)
{
    struct feed *feed = &core->feed;
    if (!core->motion.feed_began)
        return;
    feed->at = core->motion.feed.at;
    feed->due = feed->at + core->config.value[KEY_PITCH];
    feed->fed++;
    feed->awaiting = true;
    feed->first = false;
}

static bool gate_needs_rest(const struct core *core)
{
    for (uint8_t gate = 0; gate < POCKET_TRAY; gate++)
        if (core->gates.on_ms[gate] > GATE_REST_MS)
            return true;
    return false;
}

static bool ready(const struct core *core)
{
    const struct feed *feed = &core->feed;
    const struct motion *motion = &core->motion;
    return core->state == STATE_RUNNING && motion_at_speed(core)
        && feed->fed < feed->credit && !feed->awaiting
        && !motion->throwing && !motion->feeder.speed
        && inputs_high(core, IN_HOPPER)
        && events_kept(core) < EVENT_PAUSE
        && core->safety.silence_ms < SILENCE_FEED_MS
        && core->cards.count < CARDS_MAX
        && !gate_needs_rest(core);
}

/* A late card delays the next, so that a gate can still turn between them. */
static uint32_t due(struct core *core)
{
    const struct derived *d = &core->config.derived;
    const struct card *newest = cards_newest(core);
    if (core->feed.first)
        return core->belt;
    if ((int32_t)(core->feed.due - core->belt) < 0)
        core->feed.due = core->belt;
    uint32_t at = core->feed.due;
    if (newest) {
        uint32_t apart = newest->place + d->least_pitch - d->feed_nominal;
        if ((int32_t)(apart - at) > 0)
            at = apart;
    }
    return at;
}

static bool misfed(const struct core *core)
{
    const struct derived *d = &core->config.derived;
    uint32_t limit = (uint32_t)d->feed_latest + d->settle_steps;
    return core->feed.awaiting && !core->motion.feeder_off && core->belt - core->feed.at > limit;
}

void feed_tick(struct core *core)
{
    if (misfed(core)) {
        safety_stop(core, STOP_MISFEED, core->feed.fed, NO_POCKET);
        return;
    }
    uint32_t at = due(core);
    if (ready(core) && (int32_t)(at - core->belt) <= core->config.derived.tick_steps)
        motion_arm_feed(core, at);
    else
        motion_disarm_feed(core);
}
