/* The session: every command is answered, none is carried out twice. */
#include "session.h"

#include <string.h>

#include "bytes.h"
#include "core.h"

static void ack(struct core *core, const struct frame *frame)
{
    uint8_t *answer = core->session.answer;
    bool route = frame->type == MSG_ROUTE;
    answer[AT_ACK_COMMAND] = frame->type;
    put16(answer + AT_ACK_CARD, route ? get16(frame->payload + AT_ROUTE_CARD) : 0);
    answer[AT_ACK_POCKET] = route ? frame->payload[AT_ROUTE_POCKET] : NO_POCKET;
    core->session.answer_type = MSG_ACK;
}

static void nak(struct core *core, const struct frame *frame, uint8_t reason)
{
    uint8_t *answer = core->session.answer;
    answer[AT_NAK_COMMAND] = frame->type;
    answer[AT_NAK_REASON] = reason;
    answer[AT_NAK_STATE] = core->state;
    core->session.answer_type = MSG_NAK;
}

static void send_answer(struct core *core, uint8_t seq)
{
    const struct session *session = &core->session;
    uint8_t size = session->answer_type == MSG_ACK ? SIZE_ACK : SIZE_NAK;
    frame_send(&core->tx, session->answer_type, seq, session->answer, size);
}

/* Nothing moves while so many events wait that the next might not be kept. */
static uint8_t home(struct core *core)
{
    bool idle = core->state == STATE_UNKNOWN || core->state == STATE_READY;
    if (!idle || events_kept(core) >= EVENT_PAUSE)
        return NAK_WRONG_STATE;
    if (!core->config.committed)
        return NAK_NOT_CONFIGURED;
    if (!inputs_safe(core))
        return NAK_INPUTS;
    home_start(core);
    return 0;
}

static uint8_t start(struct core *core, uint16_t run)
{
    if (core->state != STATE_READY || events_kept(core) >= EVENT_PAUSE)
        return NAK_WRONG_STATE;
    if (!core->config.committed)
        return NAK_NOT_CONFIGURED;
    if (run == 0)
        return NAK_BAD_VALUE;
    if (run == core->last_run)
        return NAK_WRONG_RUN; /* a replay: no run is opened twice in a session */
    if (!inputs_safe(core) || core->inputs.level & INPUTS_SENSORS)
        return NAK_INPUTS;
    core->run = core->last_run = run;
    cards_clear(core);
    statistics_start_run(core);
    feed_start_run(core);
    window_start_run(core);
    core->state = STATE_RUNNING;
    core->motion.belt_target = config_u16(core, KEY_BELT_SPEED);
    core_high(core, 1 << OUT_ENABLE);
    return 0;
}

/* The checks that FEED, ROUTE and FINISH share. */
static uint8_t in_run(const struct core *core, uint16_t run, bool finishing_too)
{
    bool open = core->state == STATE_RUNNING || core->state == STATE_HOLDING
        || (finishing_too && core->state == STATE_FINISHING);
    if (!open)
        return NAK_WRONG_STATE;
    return run == core->run ? 0 : NAK_WRONG_RUN;
}

static uint8_t feed(struct core *core, uint16_t run, uint16_t up_to)
{
    uint8_t reason = in_run(core, run, false);
    if (reason)
        return reason;
    motion_disarm_feed(core);
    core->feed.credit = up_to;
    return 0;
}

static uint8_t route(struct core *core, uint16_t run, uint16_t card, uint8_t pocket)
{
    uint8_t reason = in_run(core, run, true);
    if (!reason)
        reason = cards_route(core, card, pocket);
    if (reason == NAK_LATE)
        count_up(&core->statistics.late_routes);
    return reason;
}

static uint8_t finish(struct core *core, uint16_t run)
{
    uint8_t reason = in_run(core, run, false);
    if (reason)
        return reason;
    motion_disarm_feed(core);
    core->state = STATE_FINISHING;
    return 0;
}

/* The payload size of a command of the sequence memory; 255 for anything else. */
static uint8_t command_size(uint8_t type)
{
    switch (type) {
    case MSG_CONFIG: return SIZE_CONFIG;
    case MSG_COMMIT: return SIZE_COMMIT;
    case MSG_HOME: return SIZE_HOME;
    case MSG_START: return SIZE_START;
    case MSG_FEED: return SIZE_FEED;
    case MSG_ROUTE: return SIZE_ROUTE;
    case MSG_FINISH: return SIZE_FINISH;
    case MSG_CLEAR: return SIZE_CLEAR;
    case MSG_GET_EVENTS: return SIZE_GET_EVENTS;
    case MSG_CALIBRATE: return SIZE_CALIBRATE;
    case MSG_KEEP: return SIZE_KEEP;
    default: return 255;
    }
}

/* 0 or a NAK_* reason. */
static uint8_t carry_out(struct core *core, const struct frame *frame)
{
    const uint8_t *p = frame->payload;
    switch (frame->type) {
    case MSG_CONFIG: return config_set(core, p[AT_CONFIG_KEY], get32(p + AT_CONFIG_VALUE));
    case MSG_COMMIT: return config_commit(core, get16(p + AT_COMMIT_CRC));
    case MSG_HOME: return home(core);
    case MSG_START: return start(core, get16(p + AT_START_RUN));
    case MSG_FEED: return feed(core, get16(p + AT_FEED_RUN), get16(p + AT_FEED_UP_TO));
    case MSG_ROUTE:
        return route(core, get16(p + AT_ROUTE_RUN), get16(p + AT_ROUTE_CARD), p[AT_ROUTE_POCKET]);
    case MSG_FINISH: return finish(core, get16(p + AT_FINISH_RUN));
    case MSG_CLEAR: return safety_clear(core, p[AT_CLEAR_REASON]);
    case MSG_CALIBRATE: return keep_set(core, p[AT_CALIBRATE_KEY], get16(p + AT_CALIBRATE_VALUE));
    case MSG_KEEP: return keep_calibration(core, get16(p + AT_KEEP_CRC));
    default: return events_again(core, get16(p + AT_GET_EVENTS_FIRST)) ? 0 : NAK_BAD_VALUE;
    }
}

static bool same_as_last(const struct session *session, const struct frame *frame)
{
    return session->remembered && session->type == frame->type && session->seq == frame->seq
        && session->size == frame->size && memcmp(session->payload, frame->payload, frame->size) == 0;
}

static void remember(struct session *session, const struct frame *frame)
{
    session->type = frame->type;
    session->seq = frame->seq;
    session->size = frame->size;
    session->remembered = frame->size <= COMMAND_MAX;
    if (session->remembered)
        memcpy(session->payload, frame->payload, frame->size);
}

static void command(struct core *core, const struct frame *frame)
{
    struct session *session = &core->session;
    if (same_as_last(session, frame)) {
        count_up(&core->statistics.retries);
        send_answer(core, frame->seq);
        return;
    }
    uint8_t size = command_size(frame->type), reason;
    if (size == 255)
        reason = NAK_UNKNOWN_TYPE;
    else if (size != frame->size)
        reason = NAK_BAD_LENGTH;
    else
        reason = carry_out(core, frame);
    if (reason)
        nak(core, frame, reason);
    else
        ack(core, frame);
    remember(session, frame);
    send_answer(core, frame->seq);
}

/* Not through the answer in the sequence memory, which a command under way may still need. */
static void refuse(struct core *core, const struct frame *frame, uint8_t reason)
{
    uint8_t payload[SIZE_NAK] = {frame->type, reason, core->state};
    frame_send(&core->tx, MSG_NAK, frame->seq, payload, sizeof payload);
}

static void hello(struct core *core, const struct frame *frame)
{
    if (frame->size != SIZE_HELLO) {
        refuse(core, frame, NAK_BAD_LENGTH);
        return;
    }
    if (frame->payload[AT_HELLO_PROTOCOL] != PROTOCOL_VERSION) {
        refuse(core, frame, NAK_VERSION);
        return;
    }
    core->session.number++;
    core->session.open = true;
    core->session.remembered = false;
    core->last_run = core->run;
    query_identity(core, frame->seq);
}

static void heartbeat(struct core *core, const struct frame *frame)
{
    if (frame->size != SIZE_HEARTBEAT) {
        refuse(core, frame, NAK_BAD_LENGTH);
        return;
    }
    if (core->session.open)
        events_acknowledge(core, get16(frame->payload + AT_HEARTBEAT_EVENTS_SEEN));
    query_status(core, frame->seq);
}

static void stop(struct core *core, const struct frame *frame)
{
    uint8_t payload[SIZE_ACK] = {MSG_STOP, 0, 0, NO_POCKET};
    frame_send(&core->tx, MSG_ACK, frame->seq, payload, sizeof payload);
    safety_stop(core, STOP_HOST_STOP, 0, NO_POCKET);
}

static void in_session(struct core *core, const struct frame *frame)
{
    uint8_t reason = query_frame(core, frame);
    if (reason == NAK_UNKNOWN_TYPE)
        command(core, frame);
    else if (reason)
        refuse(core, frame, reason);
}

void session_frame(struct core *core, const struct frame *frame)
{
    core->safety.silence_ms = 0;
    switch (frame->type) {
    case MSG_STOP: stop(core, frame); break;
    case MSG_HELLO: hello(core, frame); break;
    case MSG_HEARTBEAT: heartbeat(core, frame); break;
    default:
        if (core->session.open)
            in_session(core, frame);
        else
            refuse(core, frame, NAK_NO_SESSION);
    }
}
