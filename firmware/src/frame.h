/* Frames: COBS( type | seq | payload | CRC-16 ) 00, in and out. */
#ifndef PREDEAL_FRAME_H
#define PREDEAL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

enum {
    FRAME_RAW_MIN = 4,                         /* type, seq, CRC */
    FRAME_RAW_MAX = PAYLOAD_MAX + 4,
    FRAME_ENCODED_MAX = FRAME_RAW_MAX + 1,     /* without the delimiter */
    TX_SIZE = 256                              /* indices are bytes and wrap by themselves */
};

struct frame {
    uint8_t type, seq, size; /* size of the payload */
    const uint8_t *payload;
};

struct frame_rx {
    uint8_t bytes[FRAME_ENCODED_MAX];
    uint8_t count;
    bool overlong;
    uint16_t dropped; /* pieces between delimiters that were no frame */
};

struct frame_tx {
    uint8_t bytes[TX_SIZE];
    uint8_t head, tail; /* written at head, read at tail */
};

uint16_t crc16(uint16_t crc, const uint8_t *bytes, uint8_t count);

/* Takes one byte; true when it completed a frame, whose payload stays valid until the next call. */
bool frame_receive(struct frame_rx *rx, uint8_t byte, struct frame *frame);

/* Queues a frame; false, and nothing queued, when there is no room. */
bool frame_send(struct frame_tx *tx, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size);

uint8_t frame_room(const struct frame_tx *tx);

#endif
