/* Answers that only tell: what is asked is put together at this moment. */
#include "query.h"

#include "bytes.h"
#include "core.h"

void query_identity(struct core *core, uint8_t seq)
{
    uint8_t payload[SIZE_IDENTITY];
    payload[AT_IDENTITY_PROTOCOL] = PROTOCOL_VERSION;
    put32(payload + AT_IDENTITY_FIRMWARE, FIRMWARE_VERSION);
    put16(payload + AT_IDENTITY_BOOT, core->boot);
    put16(payload + AT_IDENTITY_SESSION, core->session.number);
    payload[AT_IDENTITY_RESET_CAUSE] = core->reset_cause;
    put16(payload + AT_IDENTITY_CONFIG_CRC, core->config.crc);
    payload[AT_IDENTITY_STATE] = core->state;
    payload[AT_IDENTITY_STOP_REASON] = core->safety.reason;
    put16(payload + AT_IDENTITY_INPUTS, core->inputs.level);
    put16(payload + AT_IDENTITY_RUN, core->run);
    put16(payload + AT_IDENTITY_FIRST_EVENT, core->events.first);
    put16(payload + AT_IDENTITY_NEXT_EVENT, core->events.next);
    put16(payload + AT_IDENTITY_CALIBRATION_CRC, core->keep.crc);
    frame_send(&core->tx, MSG_IDENTITY, seq, payload, sizeof payload);
}

void query_status(struct core *core, uint8_t seq)
{
    uint8_t payload[SIZE_STATUS];
    put32(payload + AT_STATUS_TICK, core->now);
    put16(payload + AT_STATUS_BOOT, core->boot);
    payload[AT_STATUS_STATE] = core->state;
    payload[AT_STATUS_STOP_REASON] = core->safety.reason;
    put16(payload + AT_STATUS_INPUTS, core->inputs.level);
    put16(payload + AT_STATUS_RUN, core->run);
    put16(payload + AT_STATUS_FED, core->feed.fed);
    put16(payload + AT_STATUS_ON_BELT, (uint16_t)(core->cards.count + core->feed.awaiting));
    put16(payload + AT_STATUS_NEXT_EVENT, core->events.next);
    put32(payload + AT_STATUS_BELT, motion_belt(core));
    frame_send(&core->tx, MSG_STATUS, seq, payload, sizeof payload);
}

static uint8_t send_calibration(struct core *core, const struct frame *frame)
{
    if (frame->size != SIZE_GET_CALIBRATION)
        return NAK_BAD_LENGTH;
    uint8_t key = frame->payload[AT_GET_CALIBRATION_KEY];
    if (key >= CALIBRATION_END)
        return NAK_BAD_VALUE;
    uint8_t payload[SIZE_CALIBRATION];
    payload[AT_CALIBRATION_KEY] = key;
    put16(payload + AT_CALIBRATION_VALUE, core->keep.calibration[key]);
    payload[AT_CALIBRATION_KEPT] = !core->keep.changed;
    frame_send(&core->tx, MSG_CALIBRATION, frame->seq, payload, sizeof payload);
    return 0;
}

static uint8_t send_statistics(struct core *core, const struct frame *frame)
{
    if (frame->size != SIZE_GET_STATISTICS)
        return NAK_BAD_LENGTH;
    const struct statistics *statistics = &core->statistics;
    uint8_t payload[SIZE_STATISTICS];
    put16(payload + AT_STATISTICS_RETRIES, statistics->retries);
    put16(payload + AT_STATISTICS_DROPPED, core->rx.dropped);
    put16(payload + AT_STATISTICS_GLITCHES, statistics->glitches);
    put16(payload + AT_STATISTICS_LATE_ROUTES, statistics->late_routes);
    put16(payload + AT_STATISTICS_HELD, statistics->held);
    put16(payload + AT_STATISTICS_EXPIRED, statistics->expired);
    put16(payload + AT_STATISTICS_REREAD, statistics->reread);
    put16(payload + AT_STATISTICS_WORN, statistics->worn);
    frame_send(&core->tx, MSG_STATISTICS, frame->seq, payload, sizeof payload);
    return 0;
}

static uint8_t send_transit(struct core *core, const struct frame *frame)
{
    if (frame->size != SIZE_GET_TRANSIT)
        return NAK_BAD_LENGTH;
    uint8_t leg = frame->payload[AT_GET_TRANSIT_LEG];
    if (leg >= LEG_END)
        return NAK_BAD_VALUE;
    const struct transit *transit = &core->statistics.transit[leg];
    uint8_t payload[SIZE_TRANSIT];
    payload[AT_TRANSIT_LEG] = leg;
    put16(payload + AT_TRANSIT_COUNT, transit->count);
    put16(payload + AT_TRANSIT_LEAST, transit->least);
    put16(payload + AT_TRANSIT_MOST, transit->most);
    put32(payload + AT_TRANSIT_SUM, transit->sum);
    frame_send(&core->tx, MSG_TRANSIT, frame->seq, payload, sizeof payload);
    return 0;
}

uint8_t query_frame(struct core *core, const struct frame *frame)
{
    switch (frame->type) {
    case MSG_GET_CALIBRATION: return send_calibration(core, frame);
    case MSG_GET_STATISTICS: return send_statistics(core, frame);
    case MSG_GET_TRANSIT: return send_transit(core, frame);
    default: return NAK_UNKNOWN_TYPE;
    }
}
