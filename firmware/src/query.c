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

static void send_calibration(struct core *core, uint8_t seq, uint8_t key)
{
    uint8_t payload[SIZE_CALIBRATION];
    payload[AT_CALIBRATION_KEY] = key;
    put16(payload + AT_CALIBRATION_VALUE, core->keep.calibration[key]);
    payload[AT_CALIBRATION_KEPT] = !core->keep.changed;
    frame_send(&core->tx, MSG_CALIBRATION, seq, payload, sizeof payload);
}

static void send_statistics(struct core *core, uint8_t seq)
{
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
    frame_send(&core->tx, MSG_STATISTICS, seq, payload, sizeof payload);
}

static void send_transit(struct core *core, uint8_t seq, uint8_t leg)
{
    const struct transit *transit = &core->statistics.transit[leg];
    uint8_t payload[SIZE_TRANSIT];
    payload[AT_TRANSIT_LEG] = leg;
    put16(payload + AT_TRANSIT_COUNT, transit->count);
    put16(payload + AT_TRANSIT_LEAST, transit->least);
    put16(payload + AT_TRANSIT_MOST, transit->most);
    put32(payload + AT_TRANSIT_SUM, transit->sum);
    frame_send(&core->tx, MSG_TRANSIT, seq, payload, sizeof payload);
}

uint8_t query_frame(struct core *core, const struct frame *frame)
{
    bool number = frame->type == MSG_GET_CALIBRATION || frame->type == MSG_GET_TRANSIT;
    if (!number && frame->type != MSG_GET_STATISTICS)
        return NAK_UNKNOWN_TYPE;
    if (frame->size != (number ? SIZE_GET_TRANSIT : SIZE_GET_STATISTICS))
        return NAK_BAD_LENGTH;
    if (!number) {
        send_statistics(core, frame->seq);
        return 0;
    }
    uint8_t which = frame->payload[0];
    if (frame->type == MSG_GET_TRANSIT) {
        if (which >= LEG_END)
            return NAK_BAD_VALUE;
        send_transit(core, frame->seq, which);
        return 0;
    }
    if (which >= CALIBRATION_END)
        return NAK_BAD_VALUE;
    send_calibration(core, frame->seq, which);
    return 0;
}
