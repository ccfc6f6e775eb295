/* Frames: COBS and CRC-16/CCITT-FALSE, byte by byte and without tables. */
#include "frame.h"

#include <string.h>

uint16_t crc16(uint16_t crc, const uint8_t *bytes, uint8_t count)
{
    while (count--) {
        uint16_t x = (uint16_t)((crc >> 8) ^ *bytes++);
        x = (uint16_t)(x ^ (x >> 4));
        crc = (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)(x << 12) ^ (uint16_t)(x << 5) ^ x);
    }
    return crc;
}

/* Decodes in place; the size, or 0 when the bytes are no COBS. */
static uint8_t cobs_decode(uint8_t *bytes, uint8_t count)
{
    uint8_t in = 0, out = 0;
    while (in < count) {
        uint8_t code = bytes[in++];
        uint8_t run = (uint8_t)(code - 1);
        if (run > count - in)
            return 0;
        memmove(bytes + out, bytes + in, run);
        in = (uint8_t)(in + run);
        out = (uint8_t)(out + run);
        if (in < count)
            bytes[out++] = 0;
    }
    return out;
}

static bool take(struct frame_rx *rx, struct frame *frame)
{
    uint8_t size = cobs_decode(rx->bytes, rx->count);
    if (size < FRAME_RAW_MIN)
        return false;
    uint8_t body = (uint8_t)(size - 2);
    uint16_t sent = (uint16_t)(rx->bytes[body] | (uint16_t)rx->bytes[body + 1] << 8);
    if (crc16(0xFFFF, rx->bytes, body) != sent)
        return false;
    frame->type = rx->bytes[0];
    frame->seq = rx->bytes[1];
    frame->payload = rx->bytes + 2;
    frame->size = (uint8_t)(body - 2);
    return true;
}

bool frame_receive(struct frame_rx *rx, uint8_t byte, struct frame *frame)
{
    if (byte != 0) {
        if (rx->count < FRAME_ENCODED_MAX)
            rx->bytes[rx->count++] = byte;
        else
            rx->overlong = true;
        return false;
    }
    bool empty = rx->count == 0;
    bool good = !empty && !rx->overlong && take(rx, frame);
    if (!empty && !good && rx->dropped < UINT16_MAX)
        rx->dropped++;
    rx->count = 0;
    rx->overlong = false;
    return good;
}

uint8_t frame_room(const struct frame_tx *tx)
{
    return (uint8_t)(tx->tail - tx->head - 1);
}

/* COBS of `count` bytes; the size without delimiter. Never more than 254 bytes, so no long code. */
static uint8_t cobs_encode(const uint8_t *bytes, uint8_t count, uint8_t *out)
{
    uint8_t code_at = 0, size = 1;
    for (uint8_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            out[size++] = bytes[i];
            continue;
        }
        out[code_at] = (uint8_t)(size - code_at);
        code_at = size++;
    }
    out[code_at] = (uint8_t)(size - code_at);
    return size;
}

bool frame_send(struct frame_tx *tx, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size)
{
    uint8_t raw[FRAME_RAW_MAX], encoded[FRAME_ENCODED_MAX + 1];
    raw[0] = type;
    raw[1] = seq;
    if (size)
        memcpy(raw + 2, payload, size);
    uint8_t body = (uint8_t)(size + 2);
    uint16_t crc = crc16(0xFFFF, raw, body);
    raw[body] = (uint8_t)crc;
    raw[body + 1] = (uint8_t)(crc >> 8);
    uint8_t count = cobs_encode(raw, (uint8_t)(body + 2), encoded);
    encoded[count++] = 0;
    if (frame_room(tx) < count)
        return false;
    for (uint8_t i = 0; i < count; i++)
        tx->bytes[tx->head++] = encoded[i];
    return true;
}
