/* Events: a ring by number; `sent` runs through it and goes back when the host asks. */
#include "events.h"

#include <string.h>

#include "bytes.h"
#include "core.h"

enum { ROOM_FOR_ANSWERS = 64 }; /* of the transmit buffer; more than an answer and an event */

uint16_t events_kept(const struct core *core)
{
    return (uint16_t)(core->events.next - core->events.first);
}

static struct event *slot(struct events *events, uint16_t number)
{
    if ((uint16_t)(number - events->first) >= EVENT_RING)
        return &events->last;
    return &events->ring[number % EVENT_RING];
}

void events_acknowledge(struct core *core, uint16_t seen)
{
    struct events *events = &core->events;
    uint16_t count = (uint16_t)(seen - events->first), kept = events_kept(core);
    if (count == 0 || count > kept)
        return;
    if (kept > EVENT_RING)
        events->ring[(uint16_t)(events->next - 1) % EVENT_RING] = events->last;
    if ((uint16_t)(events->sent - events->first) < count)
        events->sent = seen;
    events->first = seen;
}

bool events_again(struct core *core, uint16_t first)
{
    struct events *events = &core->events;
    if ((uint16_t)(first - events->first) <= events_kept(core))
        events->sent = first;
    else if ((uint16_t)(events->first - first) <= INT16_MAX)
        events->sent = events->first;
    else
        return false;
    count_up(&core->statistics.reread);
    return true;
}

static uint8_t body_size(uint8_t type)
{
    switch (type) {
    case MSG_SEEN: return SIZE_SEEN - EVENT_HEAD;
    case MSG_STROBED: return SIZE_STROBED - EVENT_HEAD;
    case MSG_MEASURED: return SIZE_MEASURED - EVENT_HEAD;
    case MSG_HELD: return SIZE_HELD - EVENT_HEAD;
    case MSG_LANDED: return SIZE_LANDED - EVENT_HEAD;
    case MSG_RUN_ENDED: return SIZE_RUN_ENDED - EVENT_HEAD;
    case MSG_STOPPED: return SIZE_STOPPED - EVENT_HEAD;
    case MSG_INPUT_CHANGED: return SIZE_INPUT_CHANGED - EVENT_HEAD;
    default: return SIZE_HOMED - EVENT_HEAD;
    }
}

static void send(struct core *core, uint16_t number)
{
    const struct event *event = slot(&core->events, number);
    uint8_t payload[SIZE_MEASURED], size = body_size(event->type);
    put16(payload + AT_SEEN_NUMBER, number);
    put16(payload + AT_SEEN_BOOT, core->boot);
    put16(payload + AT_SEEN_RUN, event->run);
    put32(payload + AT_SEEN_TICK, event->tick);
    memcpy(payload + EVENT_HEAD, event->body, size);
    frame_send(&core->tx, event->type, 0, payload, (uint8_t)(EVENT_HEAD + size));
}

void events_pump(struct core *core)
{
    struct events *events = &core->events;
    while (events->sent != events->next && frame_room(&core->tx) >= ROOM_FOR_ANSWERS)
        send(core, events->sent++);
}

/* The body is the caller's to fill; 0 when nothing more can be kept. */
static uint8_t *add(struct core *core, uint8_t type, uint32_t tick)
{
    struct events *events = &core->events;
    uint16_t kept = events_kept(core);
    if (kept > EVENT_RING || (kept == EVENT_RING && type != MSG_STOPPED))
        return 0; /* only in a state without motion: see stop_when_full */
    struct event *event = slot(events, events->next);
    events->next++;
    event->type = type;
    event->run = core->run;
    event->tick = tick;
    return event->body;
}

/* The event that fills the ring is kept and stops a machine that moves. */
static void stop_when_full(struct core *core)
{
    if (events_kept(core) >= EVENT_RING && safety_active(core))
        safety_stop(core, STOP_EVENTS_FULL, 0, NO_POCKET);
}

void events_card_value(struct core *core, uint8_t type, uint32_t tick, uint16_t card, uint8_t value)
{
    uint8_t *body = add(core, type, tick);
    if (!body)
        return;
    put16(body, card);
    body[2] = value;
    stop_when_full(core);
}

void events_card(struct core *core, uint8_t type, uint32_t tick, uint16_t card)
{
    events_card_value(core, type, tick, card, 0);
}

void events_measured(struct core *core, uint16_t card, const uint16_t values[3], uint8_t flags)
{
    uint8_t *body = add(core, MSG_MEASURED, core->now);
    if (!body)
        return;
    put16(body + AT_MEASURED_CARD - EVENT_HEAD, card);
    put16(body + AT_MEASURED_LENGTH - EVENT_HEAD, values[0]);
    put16(body + AT_MEASURED_THICKNESS - EVENT_HEAD, values[1]);
    put16(body + AT_MEASURED_BACK - EVENT_HEAD, values[2]);
    body[AT_MEASURED_FLAGS - EVENT_HEAD] = flags;
    stop_when_full(core);
}

void events_landed(struct core *core, uint16_t card, uint8_t pocket, bool expired)
{
    uint8_t *body = add(core, MSG_LANDED, core->now);
    if (!body)
        return;
    put16(body + AT_LANDED_CARD - EVENT_HEAD, card);
    body[AT_LANDED_POCKET - EVENT_HEAD] = pocket;
    body[AT_LANDED_EXPIRED - EVENT_HEAD] = expired;
    stop_when_full(core);
}

void events_stopped(struct core *core, uint8_t reason, uint16_t card, uint8_t pocket)
{
    uint8_t *body = add(core, MSG_STOPPED, core->now);
    if (!body)
        return;
    body[AT_STOPPED_REASON - EVENT_HEAD] = reason;
    put16(body + AT_STOPPED_CARD - EVENT_HEAD, card);
    body[AT_STOPPED_POCKET - EVENT_HEAD] = pocket;
}

void events_input(struct core *core, uint8_t pin, uint8_t level)
{
    uint8_t *body = add(core, MSG_INPUT_CHANGED, core->now);
    if (!body)
        return;
    body[AT_INPUT_CHANGED_PIN - EVENT_HEAD] = pin;
    body[AT_INPUT_CHANGED_LEVEL - EVENT_HEAD] = level;
    stop_when_full(core);
}

void events_homed(struct core *core)
{
    if (add(core, MSG_HOMED, core->now))
        stop_when_full(core);
}
