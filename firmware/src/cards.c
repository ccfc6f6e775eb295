/* Cards on the belt: a ring, oldest first, and the one rule of where a card goes. */
#include "cards.h"

#include "core.h"

void cards_clear(struct core *core)
{
    core->cards.head = core->cards.count = 0;
    core->cards.seen = 0;
}

struct card *cards_at(struct core *core, uint8_t i)
{
    return &core->cards.ring[(core->cards.head + i) % CARDS_MAX];
}

struct card *cards_newest(struct core *core)
{
    return core->cards.count ? cards_at(core, (uint8_t)(core->cards.count - 1)) : 0;
}

struct card *cards_find(struct core *core, uint16_t number)
{
    for (uint8_t i = 0; i < core->cards.count; i++) {
        struct card *card = cards_at(core, i);
        if (card->number == number)
            return card->bits & CARD_GONE ? 0 : card;
    }
    return 0;
}

struct card *cards_add(struct core *core, uint32_t place)
{
    struct cards *cards = &core->cards;
    if (cards->count == CARDS_MAX)
        return 0;
    struct card *card = cards_at(core, cards->count++);
    card->place = place;
    card->number = ++cards->seen;
    card->length = config_u16(core, KEY_LENGTH_MAX);
    card->route = NO_POCKET;
    card->bits = 0;
    return card;
}

void cards_forget(struct core *core)
{
    struct cards *cards = &core->cards;
    while (cards->count && cards_at(core, 0)->bits & CARD_GONE) {
        cards->head = (uint8_t)((cards->head + 1) % CARDS_MAX);
        cards->count--;
    }
}

uint32_t cards_travel(const struct core *core, const struct card *card)
{
    return core->belt - card->place;
}

uint8_t cards_destination(const struct card *card)
{
    if (card->route == NO_POCKET || card->bits & (CARD_SUSPECT | CARD_EXPIRED | CARD_LOST))
        return POCKET_TRAY;
    return card->route;
}

bool cards_undecided(const struct card *card)
{
    return card->route == NO_POCKET && !(card->bits & (CARD_SUSPECT | CARD_EXPIRED | CARD_GONE));
}

/* A suspect may only be told what it does anyway. */
static uint8_t route_suspect(struct card *card, uint8_t pocket)
{
    if (pocket != POCKET_TRAY)
        return NAK_SUSPECT;
    card->route = POCKET_TRAY;
    return 0;
}

uint8_t cards_route(struct core *core, uint16_t number, uint8_t pocket)
{
    if (pocket >= POCKET_END)
        return NAK_BAD_VALUE;
    if (number == 0 || number > core->cards.seen)
        return NAK_NO_SUCH_CARD;
    struct card *card = cards_find(core, number);
    if (!card || card->bits & (CARD_EXPIRED | CARD_LOST))
        return NAK_LATE;
    if (card->bits & CARD_SUSPECT)
        return route_suspect(card, pocket);
    if (card->route == NO_POCKET)
        card->route = pocket;
    if (card->route == pocket)
        return 0;
    safety_stop(core, STOP_ROUTE_CONTRADICTION, number, pocket);
    return NAK_CONTRADICTION;
}
