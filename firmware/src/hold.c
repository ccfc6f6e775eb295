/* The hold: belt and feeder pause together for a card without a route, at most HOLD_MAX. */
#include "core.h"

static bool in_zone(struct core *core, const struct card *card)
{
    uint16_t begins = (uint16_t)(config_u16(core, KEY_HOLD_LINE) - core->config.derived.hold_zone);
    return cards_undecided(card) && cards_travel(core, card) >= begins;
}

static struct card *waiting(struct core *core)
{
    for (uint8_t i = 0; i < core->cards.count; i++)
        if (in_zone(core, cards_at(core, i)))
            return cards_at(core, i);
    return 0;
}

static void expire(struct core *core)
{
    for (uint8_t i = 0; i < core->cards.count; i++)
        if (in_zone(core, cards_at(core, i))) {
            cards_at(core, i)->bits |= CARD_EXPIRED;
            count_up(&core->statistics.expired);
        }
}

static void begin(struct core *core, uint16_t card)
{
    count_up(&core->statistics.held);
    core->hold.on = true;
    core->hold.ms = 0;
    core->hold.card = card;
    core->motion.belt_target = 0;
    if (core->state == STATE_RUNNING)
        core->state = STATE_HOLDING;
    events_card_value(core, MSG_HELD, core->now, card, 1);
}

static void end(struct core *core)
{
    core->hold.on = false;
    core->motion.belt_target = config_u16(core, KEY_BELT_SPEED);
    if (core->state == STATE_HOLDING)
        core->state = STATE_RUNNING;
    events_card_value(core, MSG_HELD, core->now, core->hold.card, 0);
}

/* In silence nobody will route the card any more, so it goes at once. */
void hold_tick(struct core *core)
{
    struct hold *hold = &core->hold;
    bool silent = core->safety.silence_ms >= SILENCE_FEEDER_MS;
    if (hold->on)
        hold->ms++;
    if (silent || (hold->on && hold->ms >= config_u16(core, KEY_HOLD_MAX)))
        expire(core);
    const struct card *card = waiting(core);
    if (hold->on && !card)
        end(core);
    else if (!hold->on && card)
        begin(core, card->number);
}
