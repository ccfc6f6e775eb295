/* Another host, written from docs/protocol.md: one command at a time, events by number, and it gives up in time. */
#ifndef PREDEAL_OTHER_H
#define PREDEAL_OTHER_H

#include "bytes.h"
#include "cable.h"

enum { TRY_US = 30000, TRIES = 5, BEAT_US = 100000, HOME_US = 5000000, READ_US = 6000, ROUTES = 8 };

enum phase { CONNECT, CONFIGURE, COMMIT, CLEAR, HOME, HOMING, OPEN, CREDIT, DEAL, FINISH, ENDING, DONE, GAVE_UP };

/* Why it gave up, where the MCU did not say. */
enum { GIVE_UP_LINK = 100, GIVE_UP_RESTART, GIVE_UP_REFUSED, GIVE_UP_ASTRAY, GIVE_UP_TIME };

struct route {
    uint64_t due;
    uint16_t card;
    uint8_t pocket;
};

struct other {
    struct plant *plant;
    struct cable *cable;
    const uint8_t *want; /* pocket by card */
    struct frame_rx rx;
    enum phase phase;
    uint8_t why;
    uint16_t boot, run, next_event, announced, crc;
    bool gap;
    uint64_t phase_since, beat_due;
    struct route routes[ROUTES];
    unsigned route_count, landed;
    uint8_t key, stop_reason;
    uint8_t routed[PACK + 1];
    bool told[PACK + 1]; /* Landed has come */

    uint8_t frame[FRAME_ENCODED_MAX + 1], frame_size; /* the command under way; 0: none */
    uint8_t type, seq, tries;
    uint64_t deadline;
    unsigned repeats, rereads;
};

static uint64_t other_now(const struct other *other)
{
    return host_view(other->plant->host)->now_us;
}

static void enter(struct other *other, enum phase phase)
{
    other->phase = phase;
    other->phase_since = other_now(other);
}

static void give_up(struct other *other, uint8_t why)
{
    if (other->phase == DONE || other->phase == GAVE_UP)
        return;
    other->why = why;
    other->frame_size = 0;
    enter(other, GAVE_UP);
}

/* A host that begins, or begins again: it knows nothing but the run that it will not use again. */
static void other_begin(struct other *other)
{
    other->frame_size = 0;
    other->route_count = other->landed = 0;
    other->key = 0;
    other->crc = 0xFFFF;
    other->gap = false;
    memset(other->routed, NO_POCKET, sizeof other->routed);
    memset(other->told, 0, sizeof other->told);
    memset(&other->rx, 0, sizeof other->rx);
    enter(other, CONNECT);
}

static void transmit(struct other *other)
{
    other->tries++;
    other->deadline = other_now(other) + TRY_US;
    cable_send(other->cable, other_now(other), 1, other->frame, other->frame_size);
}

static void ask(struct other *other, uint8_t type, const uint8_t *payload, uint8_t size)
{
    struct frame_tx tx = {0};
    frame_send(&tx, type, ++other->seq, payload, size);
    memcpy(other->frame, tx.bytes, tx.head);
    other->frame_size = tx.head;
    other->type = type;
    other->tries = 0;
    transmit(other);
}

static void ask16(struct other *other, uint8_t type, uint16_t value)
{
    uint8_t payload[2];
    put16(payload, value);
    ask(other, type, payload, sizeof payload);
}

static void ask_config(struct other *other)
{
    uint8_t payload[SIZE_CONFIG];
    payload[AT_CONFIG_KEY] = other->key;
    put32(payload + AT_CONFIG_VALUE, other->plant->value[other->key]);
    other->crc = crc16(other->crc, payload + AT_CONFIG_VALUE, 4);
    ask(other, MSG_CONFIG, payload, sizeof payload);
}

/* True when a route was due. */
static bool ask_route(struct other *other)
{
    uint8_t payload[SIZE_ROUTE];
    struct route *route = other->routes;
    if (!other->route_count || route->due > other_now(other))
        return false;
    put16(payload + AT_ROUTE_RUN, other->run);
    put16(payload + AT_ROUTE_CARD, route->card);
    payload[AT_ROUTE_POCKET] = route->pocket;
    if (route->card <= PACK)
        other->routed[route->card] = route->pocket;
    memmove(route, route + 1, --other->route_count * sizeof *route);
    ask(other, MSG_ROUTE, payload, sizeof payload);
    return true;
}

/* Also a host that waits for nothing keeps its heartbeat and misses no event. */
static bool ask_always(struct other *other)
{
    if (other->phase == CONNECT)
        return false;
    if (other_now(other) >= other->beat_due) {
        other->beat_due = other_now(other) + BEAT_US;
        ask16(other, MSG_HEARTBEAT, other->next_event);
    } else if (other->gap || (uint16_t)(other->announced - other->next_event - 1) < INT16_MAX) {
        other->gap = false;
        other->announced = other->next_event;
        other->rereads++;
        ask16(other, MSG_GET_EVENTS, other->next_event);
    } else {
        return false;
    }
    return true;
}

static void ask_next(struct other *other)
{
    uint8_t credit[SIZE_FEED];
    if (other->frame_size || ask_always(other))
        return;
    switch (other->phase) {
    case CONNECT: ask(other, MSG_HELLO, (const uint8_t[]){PROTOCOL_VERSION}, SIZE_HELLO); break;
    case CONFIGURE: ask_config(other); break;
    case COMMIT: ask16(other, MSG_COMMIT, other->crc); break;
    case CLEAR: ask(other, MSG_CLEAR, &other->stop_reason, SIZE_CLEAR); break;
    case HOME: ask(other, MSG_HOME, 0, 0); break;
    case OPEN: ask16(other, MSG_START, ++other->run); break;
    case CREDIT:
        put16(credit + AT_FEED_RUN, other->run);
        put16(credit + AT_FEED_UP_TO, PACK);
        ask(other, MSG_FEED, credit, sizeof credit);
        break;
    case DEAL:
        if (!ask_route(other) && other->landed == PACK)
            enter(other, FINISH);
        break;
    case FINISH: ask16(other, MSG_FINISH, other->run); break;
    default: break;
    }
}

static void acknowledged(struct other *other, uint8_t type)
{
    switch (type) {
    case MSG_CONFIG:
        if (++other->key == KEY_END)
            enter(other, COMMIT);
        break;
    case MSG_COMMIT: enter(other, other->stop_reason ? CLEAR : HOME); break;
    case MSG_CLEAR: enter(other, HOME); break;
    case MSG_HOME: enter(other, HOMING); break;
    case MSG_START: enter(other, CREDIT); break;
    case MSG_FEED: enter(other, DEAL); break;
    case MSG_FINISH: enter(other, ENDING); break;
    default: break;
    }
}

static void identified(struct other *other, const uint8_t *payload)
{
    other->boot = get16(payload + AT_IDENTITY_BOOT);
    other->next_event = other->announced = get16(payload + AT_IDENTITY_NEXT_EVENT);
    other->stop_reason = payload[AT_IDENTITY_STOP_REASON];
    other->beat_due = other_now(other);
    if (get16(payload + AT_IDENTITY_RUN) > other->run)
        other->run = get16(payload + AT_IDENTITY_RUN);
    enter(other, CONFIGURE);
}

/* Whether an answer with this seq belongs to the command under way, in kind as well. */
static bool fits(const struct other *other, const struct frame *frame)
{
    if (frame->type == MSG_ACK || frame->type == MSG_NAK)
        return frame->payload[0] == other->type;
    return frame->type == (other->type == MSG_HELLO ? MSG_IDENTITY : MSG_STATUS);
}

static void answered(struct other *other, const struct frame *frame)
{
    const uint8_t *payload = frame->payload;
    bool alive = other->phase > CONNECT;
    if (frame->type == MSG_STATUS && alive && get16(payload + AT_STATUS_BOOT) != other->boot)
        give_up(other, GIVE_UP_RESTART);
    if (frame->type == MSG_IDENTITY && alive && get16(payload + AT_IDENTITY_BOOT) != other->boot)
        give_up(other, GIVE_UP_RESTART);
    if (!other->frame_size || frame->seq != other->seq || !fits(other, frame))
        return;
    other->frame_size = 0;
    if (frame->type == MSG_IDENTITY)
        identified(other, payload);
    else if (frame->type == MSG_STATUS)
        other->announced = get16(payload + AT_STATUS_NEXT_EVENT);
    else if (frame->type == MSG_NAK)
        give_up(other, GIVE_UP_REFUSED);
    else if (other->type == MSG_ROUTE && get16(payload + AT_ACK_CARD) <= PACK
             && other->routed[get16(payload + AT_ACK_CARD)] != payload[AT_ACK_POCKET])
        give_up(other, GIVE_UP_ASTRAY);
    else
        acknowledged(other, other->type);
}

/* The picture of that strobe, read: the plant knows by its time which card lay there. */
static uint8_t pictured(const struct other *other, uint32_t tick)
{
    const struct plant *plant = other->plant;
    uint64_t boot_at = plant->host->boot_at / HALF_US;
    for (unsigned i = 0; i < plant->strobes && i < STROBES; i++)
        if ((uint32_t)(plant->strobe[i].us - boot_at) == tick)
            return plant->strobe[i].who;
    return NOBODY;
}

static void strobed_told(struct other *other, const uint8_t *payload)
{
    uint16_t card = get16(payload + AT_STROBED_CARD);
    uint8_t who = pictured(other, get32(payload + AT_STROBED_TICK));
    if (payload[AT_STROBED_LOOK] != 1 || other->route_count == ROUTES)
        return;
    uint8_t pocket = who == NOBODY || who > PACK ? POCKET_TRAY : other->want[who];
    other->routes[other->route_count++] = (struct route){other_now(other) + READ_US, card, pocket};
}

static void landed_told(struct other *other, const uint8_t *payload)
{
    uint16_t card = get16(payload + AT_LANDED_CARD);
    if (card == 0 || card > PACK || other->told[card] || other->routed[card] != payload[AT_LANDED_POCKET]
        || payload[AT_LANDED_POCKET] == POCKET_TRAY) {
        give_up(other, GIVE_UP_ASTRAY);
        return;
    }
    other->told[card] = true;
    other->landed++;
}

static void happened(struct other *other, const struct frame *frame)
{
    const uint8_t *payload = frame->payload;
    bool ours = get16(payload + AT_SEEN_RUN) == other->run;
    switch (frame->type) {
    case MSG_HOMED:
        if (other->phase == HOMING)
            enter(other, OPEN);
        break;
    case MSG_STROBED:
        if (ours)
            strobed_told(other, payload);
        break;
    case MSG_MEASURED:
        if (ours && payload[AT_MEASURED_FLAGS])
            give_up(other, GIVE_UP_ASTRAY);
        break;
    case MSG_LANDED:
        if (ours)
            landed_told(other, payload);
        break;
    case MSG_RUN_ENDED:
        if (ours && other->phase >= FINISH)
            enter(other, DONE);
        break;
    case MSG_STOPPED: give_up(other, payload[AT_STOPPED_REASON]); break;
    default: break;
    }
}

static void event_told(struct other *other, const struct frame *frame)
{
    if (other->phase == CONNECT || other->phase == GAVE_UP)
        return;
    if (get16(frame->payload + AT_SEEN_BOOT) != other->boot) {
        give_up(other, GIVE_UP_RESTART);
        return;
    }
    uint16_t ahead = (uint16_t)(get16(frame->payload + AT_SEEN_NUMBER) - other->next_event);
    if (ahead == 0) {
        other->next_event++;
        happened(other, frame);
    } else if (ahead <= INT16_MAX) {
        other->gap = true;
    }
}

static void other_hears(struct other *other, const uint8_t *bytes, uint8_t count)
{
    struct frame frame;
    for (uint8_t i = 0; i < count; i++) {
        if (!frame_receive(&other->rx, bytes[i], &frame))
            continue;
        if (frame.type >= MSG_SEEN)
            event_told(other, &frame);
        else if (frame.type >= MSG_ACK)
            answered(other, &frame);
    }
}

/* What is due now: the next command, the same again, or giving up. */
static void other_acts(struct other *other)
{
    uint64_t now = other_now(other);
    if (other->phase >= DONE)
        return;
    if (other->phase == HOMING && now - other->phase_since > HOME_US)
        give_up(other, GIVE_UP_TIME);
    else if (other->phase == DEAL && now - other->phase_since > 2 * HOME_US)
        give_up(other, GIVE_UP_TIME);
    else if (!other->frame_size)
        ask_next(other);
    else if (now >= other->deadline && other->tries == TRIES)
        give_up(other, GIVE_UP_LINK);
    else if (now >= other->deadline) {
        other->repeats++;
        transmit(other);
    }
}

static uint64_t other_due(const struct other *other)
{
    uint64_t due = other->phase >= DONE ? UINT64_MAX : other->frame_size ? other->deadline : other->beat_due;
    if (other->phase == DEAL && other->route_count && !other->frame_size && other->routes[0].due < due)
        due = other->routes[0].due;
    return due;
}

#endif
