/* What outlives a reset in the board's EEPROM: the boot number and the calibration. */
#ifndef PREDEAL_KEEP_H
#define PREDEAL_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

struct core;

/* Reads a byte of the board's EEPROM. */
typedef uint8_t keep_read(const void *board, uint16_t at);

enum {
    BOOT_SLOTS = 64, /* boots go round, so that no byte is written at every boot */
    BOOT_SLOT = 4,
    CALIBRATION_AT = BOOT_SLOTS * BOOT_SLOT,
    CALIBRATION_COPY = 64, /* two copies take turns: a torn write leaves the other */
    CALIBRATION_VERSION = 1,
    KEEP_SIZE = CALIBRATION_AT + 2 * CALIBRATION_COPY,
    CALIBRATION_RECORD = 4 + 2 * CALIBRATION_END + 2 /* version, count, sequence, values, CRC */
};

struct keep {
    keep_read *read;
    const void *board;
    uint16_t calibration[CALIBRATION_END];
    uint16_t crc;      /* of the values in EEPROM; 0: there are none */
    uint16_t sequence; /* of the newest copy */
    uint8_t copy;      /* which that is */
    uint8_t boot_slot;
    bool changed;      /* calibration[] is not what EEPROM holds */
    bool booting;      /* the boot number is not in EEPROM yet: nothing may be sent */

    /* The record on its way to EEPROM. */
    uint8_t record[CALIBRATION_RECORD];
    uint16_t at;
    uint8_t size, done, tries, slots_tried;
};

/* Finds what is there, and begins to write the number of this boot, which it gives. */
uint16_t keep_init(struct core *core, keep_read *read, const void *board);

/* The next byte for EEPROM; false when there is none. See core_keep. */
bool keep_next(struct core *core, uint16_t *at, uint8_t *byte);

/* Both give 0 or a NAK_* reason. */
uint8_t keep_set(struct core *core, uint8_t key, uint16_t value);
uint8_t keep_calibration(struct core *core, uint16_t crc);

#endif
