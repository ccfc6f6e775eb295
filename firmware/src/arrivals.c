/* Arrivals: passing sensors against the cards that are due; what does not fit stops the machine. */
#include "core.h"

static int32_t past(struct core *core, const struct card *card, uint8_t pocket, uint32_t belt)
{
    return (int32_t)(belt - card->place - config_due(core, pocket));
}

static bool near(struct core *core, const struct card *card, uint8_t pocket, uint32_t belt)
{
    int32_t steps = past(core, card, pocket, belt);
    int32_t window = (int32_t)core->config.value[KEY_ARRIVAL_WINDOW];
    return steps >= -window && steps <= window;
}

static bool under_way(const struct card *card)
{
    return !(card->bits & (CARD_LANDED | CARD_GONE));
}

/* The oldest card due at this sensor now. */
static struct card *due_here(struct core *core, uint8_t pocket, uint32_t belt)
{
    for (uint8_t i = 0; i < core->cards.count; i++) {
        struct card *card = cards_at(core, i);
        if (under_way(card) && cards_destination(card) == pocket && near(core, card, pocket, belt))
            return card;
    }
    return 0;
}

/* The card that must have made a wrong edge: one that could be here, else one due elsewhere. */
static struct card *astray(struct core *core, uint8_t pocket, uint32_t belt)
{
    struct card *elsewhere = 0;
    for (uint8_t i = 0; i < core->cards.count; i++) {
        struct card *card = cards_at(core, i);
        if (!under_way(card))
            continue;
        if (near(core, card, pocket, belt))
            return card;
        if (!elsewhere && near(core, card, cards_destination(card), belt))
            elsewhere = card;
    }
    return elsewhere;
}

static void covered(struct core *core, uint8_t pocket)
{
    uint32_t belt = core->inputs.passed_at[pocket];
    struct card *card = due_here(core, pocket, belt);
    if (card) {
        card->bits |= CARD_LANDED;
        statistics_transit(core, (uint8_t)(LEG_POCKET_N + pocket), belt - card->place);
        events_landed(core, card->number, pocket, card->bits & CARD_EXPIRED);
        return;
    }
    card = astray(core, pocket, belt);
    if (card)
        safety_stop(core, STOP_WRONG_POCKET, card->number, pocket);
    else
        safety_stop(core, STOP_UNEXPECTED_CARD, 0, pocket);
}

static void cleared(struct core *core, uint8_t pocket)
{
    for (uint8_t i = 0; i < core->cards.count; i++) {
        struct card *card = cards_at(core, i);
        if (card->bits & CARD_LANDED && cards_destination(card) == pocket)
            card->bits |= CARD_GONE;
    }
}

/* Overdue: not seen, or seen and stuck in the sensor. */
static void watch(struct core *core, const struct card *card)
{
    uint8_t pocket = cards_destination(card);
    int32_t limit = (int32_t)(core->config.value[KEY_ARRIVAL_WINDOW] + core->config.derived.settle_steps);
    if (card->bits & CARD_GONE)
        return;
    if (card->bits & CARD_LANDED)
        limit += card->length;
    if (past(core, card, pocket, core->belt) > limit)
        safety_stop(core, pocket == POCKET_TRAY ? STOP_JAM_BELT : STOP_JAM_POCKET, card->number, pocket);
}

void arrivals_tick(struct core *core)
{
    uint16_t moved = (core->inputs.rose | core->inputs.fell) & INPUTS_PASSING;
    for (uint8_t pocket = 0; moved && pocket < POCKET_END; pocket++) {
        if (core->inputs.fell >> (IN_PASS_N + pocket) & 1)
            cleared(core, pocket);
        if (core->inputs.rose >> (IN_PASS_N + pocket) & 1)
            covered(core, pocket);
        if (!safety_active(core))
            return;
    }
    cards_forget(core);
    for (uint8_t i = 0; i < core->cards.count && safety_active(core); i++)
        watch(core, cards_at(core, i));
}
