/* Gates: open in time for a card, closed in time after it, never moving with a card in them. */
#include "core.h"

static int32_t to_gate(struct core *core, const struct card *card, uint8_t gate)
{
    return (int32_t)(core->config.value[KEY_GATE_N + gate] - cards_travel(core, card));
}

/* The trailing edge has left the gate by the margin. */
static bool behind(struct core *core, const struct card *card, uint8_t gate)
{
    return to_gate(core, card, gate) < -(int32_t)(card->length + core->config.value[KEY_GATE_MARGIN]);
}

/* It falls at another gate before this one. */
static bool falls_before(const struct core *core, const struct card *card, uint8_t gate)
{
    uint8_t pocket = cards_destination(card);
    const uint32_t *place = &core->config.value[KEY_GATE_N];
    return pocket != POCKET_TRAY && place[pocket] < place[gate];
}

/* The first card that has still to pass this gate. */
static struct card *next_at(struct core *core, uint8_t gate)
{
    for (uint8_t i = 0; i < core->cards.count; i++) {
        struct card *card = cards_at(core, i);
        if (!(card->bits & CARD_GONE) && !falls_before(core, card, gate) && !behind(core, card, gate))
            return card;
    }
    return 0;
}

static void open(struct core *core, uint8_t gate)
{
    core_high(core, (uint16_t)(1U << (OUT_GATE_N + gate)));
}

static void close(struct core *core, uint8_t gate)
{
    core_low(core, (uint16_t)(1U << (OUT_GATE_N + gate)));
}

static void turn(struct core *core, uint8_t gate)
{
    const struct derived *d = &core->config.derived;
    bool is_open = core->outputs >> (OUT_GATE_N + gate) & 1;
    struct card *card = next_at(core, gate);
    if (!card || cards_destination(card) != gate) {
        close(core, gate);
        return;
    }
    int32_t left = to_gate(core, card, gate);
    if (is_open) {
        /* Not worth closing before a card that is this near. */
        if (left > 2 * d->gate_open[gate] + d->gate_close[gate] + d->gate_margin)
            close(core, gate);
        return;
    }
    if (left < d->gate_open[gate])
        card->bits |= CARD_LOST;
    else if (left <= d->gate_open[gate] + d->gate_margin + d->tick_steps)
        open(core, gate);
}

void gates_tick(struct core *core)
{
    for (uint8_t gate = 0; gate < POCKET_TRAY; gate++)
        turn(core, gate);
}
