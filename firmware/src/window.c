/* The window: a card is seen, shown to the camera twice, measured, and flagged if it is not one plain card. */
#include "core.h"

void window_start_run(struct core *core)
{
    core->window.covered = false;
    core->window.look = 0;
    core->window.samples = 0;
}

static void arm(struct core *core, uint8_t look, uint32_t place)
{
    bool one = look == 1;
    core->window.look = look;
    motion_arm_look(core, place + config_u16(core, one ? KEY_LOOK_1 : KEY_LOOK_2),
                    config_u16(core, one ? KEY_STROBE_1 : KEY_STROBE_2));
}

static void strobed(struct core *core)
{
    struct window *window = &core->window;
    uint8_t look = window->look;
    if (!core->motion.look_shown || !look)
        return;
    window->look = 0;
    events_card_value(core, MSG_STROBED, core->motion.look.tick, window->card, look);
    const struct card *card = cards_find(core, window->card);
    if (look == 1 && card && safety_active(core))
        arm(core, 2, card->place);
}

/* Follows the card before so closely that no gate can turn between: neither may keep a route. */
static uint8_t too_close(struct core *core, struct card *before, uint32_t place)
{
    if (!before || before->bits & CARD_GONE)
        return 0;
    uint32_t gap = place - before->place - before->length;
    if ((int32_t)gap >= core->config.derived.least_gap)
        return 0;
    before->bits |= CARD_SUSPECT;
    return FLAG_TOO_CLOSE;
}

static void seen(struct core *core)
{
    struct window *window = &core->window;
    uint32_t place = core->motion.window.at;
    if (!core->feed.awaiting) {
        safety_stop(core, STOP_UNEXPECTED_CARD, 0, NO_POCKET);
        return;
    }
    struct card *before = cards_newest(core);
    window->flags = too_close(core, before, place);
    struct card *card = cards_add(core, place);
    if (!card) {
        safety_stop(core, STOP_INTERNAL, core->feed.fed, NO_POCKET);
        return;
    }
    core->feed.awaiting = false;
    statistics_transit(core, LEG_WINDOW, place - core->feed.at);
    window->covered = true;
    window->samples = 0;
    window->card = card->number;
    arm(core, 1, place);
    events_card(core, MSG_SEEN, core->now, card->number);
}

/* Three samples about the middle of a card of least length. */
static void sample(struct core *core, const struct card *card)
{
    struct window *window = &core->window;
    uint16_t length = config_u16(core, KEY_LENGTH_MIN);
    uint16_t at = (uint16_t)(length / 2 - length / 8 + window->samples * (length / 8));
    if (window->samples == SAMPLES || cards_travel(core, card) < at)
        return;
    window->thickness[window->samples] = core->analog[AN_THICKNESS];
    window->back[window->samples] = core->analog[AN_BACK];
    window->samples++;
}

/* The middle one; of fewer than three the last. */
static uint16_t median(const uint16_t *value, uint8_t count)
{
    if (count < SAMPLES)
        return count ? value[count - 1] : 0;
    uint16_t a = value[0], b = value[1], c = value[2];
    if ((a <= b) == (b <= c))
        return b;
    return (b <= a) == (a <= c) ? a : c;
}

static void measured(struct core *core, struct card *card)
{
    struct window *window = &core->window;
    uint16_t values[3];
    uint8_t flags = window->flags;
    card->length = (uint16_t)(core->motion.window.at - card->place);
    values[0] = card->length;
    values[1] = median(window->thickness, window->samples);
    values[2] = median(window->back, window->samples);
    if (values[0] > config_u16(core, KEY_LENGTH_MAX))
        flags |= FLAG_TOO_LONG;
    if (values[0] < config_u16(core, KEY_LENGTH_MIN))
        flags |= FLAG_TOO_SHORT;
    if (values[1] > config_u16(core, KEY_THICKNESS_MAX))
        flags |= FLAG_TOO_THICK;
    card->bits |= CARD_MEASURED;
    if (flags)
        card->bits |= CARD_SUSPECT;
    window->covered = false;
    events_measured(core, card->number, values, flags);
}

void window_tick(struct core *core)
{
    struct window *window = &core->window;
    strobed(core);
    if (core->inputs.rose >> IN_WINDOW & 1)
        seen(core);
    struct card *card = cards_newest(core);
    if (!window->covered || !card || !safety_active(core))
        return;
    sample(core, card);
    if (core->inputs.fell >> IN_WINDOW & 1)
        measured(core, card);
    else if (cards_travel(core, card) > (uint32_t)config_u16(core, KEY_LENGTH_MAX) + STEPS_40_MM)
        safety_stop(core, STOP_JAM_WINDOW, card->number, NO_POCKET);
}
