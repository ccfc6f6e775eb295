/* Boot number and calibration in EEPROM: each record with a CRC, written byte by byte and read back. */
#include "keep.h"

#include <string.h>

#include "board_flash.h"
#include "bytes.h"
#include "core.h"

enum {
    BOOT_SEED = 0xB007, /* of its CRC, so that neither empty EEPROM nor zeros are a record */
    CALIBRATION_SEED = 0xCA11,
    BYTE_TRIES = 2
};

struct bounds {
    uint16_t min, max;
};

/* 0 is always allowed: not measured. */
static const struct bounds BOUNDS[CALIBRATION_END] BOARD_FLASH = {
    [CALIBRATION_DATE] = {1, UINT16_MAX},
    [CALIBRATION_BELT_UM] = {8000, 12000},
    [CALIBRATION_FEEDER_SLIP] = {1, 500},
    [CALIBRATION_GATE_PLACE_N] = {100, 20000},
    [CALIBRATION_GATE_PLACE_E] = {100, 20000},
    [CALIBRATION_GATE_PLACE_S] = {100, 20000},
    [CALIBRATION_GATE_PLACE_W] = {100, 20000},
    [CALIBRATION_GATE_OPEN_N] = {500, 60000},
    [CALIBRATION_GATE_OPEN_E] = {500, 60000},
    [CALIBRATION_GATE_OPEN_S] = {500, 60000},
    [CALIBRATION_GATE_OPEN_W] = {500, 60000},
    [CALIBRATION_GATE_CLOSE_N] = {500, 60000},
    [CALIBRATION_GATE_CLOSE_E] = {500, 60000},
    [CALIBRATION_GATE_CLOSE_S] = {500, 60000},
    [CALIBRATION_GATE_CLOSE_W] = {500, 60000},
    [CALIBRATION_TRAY_PLACE] = {100, 30000},
    [CALIBRATION_THICKNESS] = {1, 1023},
    [CALIBRATION_BACK] = {1, 1023},
    [CALIBRATION_ESTOP_US] = {1, UINT16_MAX},
    [CALIBRATION_MACHINE] = {1, UINT16_MAX},
};

static bool in_bounds(uint8_t key, uint16_t value)
{
    struct bounds bounds;
    BOARD_FLASH_READ(bounds, BOUNDS[key]);
    return value == 0 || (value >= bounds.min && value <= bounds.max);
}

static void read(const struct keep *keep, uint16_t at, uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        bytes[i] = keep->read(keep->board, (uint16_t)(at + i));
}

/* Whether bytes end in their own CRC. */
static bool whole(const uint8_t *bytes, uint8_t size, uint16_t seed)
{
    return crc16(seed, bytes, (uint8_t)(size - 2)) == get16(bytes + size - 2);
}

static void write(struct keep *keep, uint16_t at, uint8_t size, uint16_t seed)
{
    put16(keep->record + size - 2, crc16(seed, keep->record, (uint8_t)(size - 2)));
    keep->at = at;
    keep->size = size;
    keep->done = keep->tries = 0;
}

static void write_boot(struct core *core)
{
    put16(core->keep.record, core->boot);
    write(&core->keep, (uint16_t)(core->keep.boot_slot * BOOT_SLOT), BOOT_SLOT, BOOT_SEED);
}

static uint8_t after(uint8_t slot)
{
    return (uint8_t)((slot + 1) % BOOT_SLOTS);
}

static void find_boot(struct core *core)
{
    struct keep *keep = &core->keep;
    bool found = false;
    for (uint8_t slot = 0; slot < BOOT_SLOTS; slot++) {
        uint8_t bytes[BOOT_SLOT];
        read(keep, (uint16_t)(slot * BOOT_SLOT), bytes, sizeof bytes);
        uint16_t boot = get16(bytes);
        if (!whole(bytes, sizeof bytes, BOOT_SEED) || (found && (int16_t)(boot - core->boot) <= 0))
            continue;
        found = true;
        core->boot = boot;
        keep->boot_slot = slot;
    }
    core->boot++;
    keep->boot_slot = found ? after(keep->boot_slot) : 0;
}

static uint16_t values_crc(const struct keep *keep)
{
    uint16_t crc = 0xFFFF;
    for (uint8_t key = 0; key < CALIBRATION_END; key++) {
        uint8_t bytes[2];
        put16(bytes, keep->calibration[key]);
        crc = crc16(crc, bytes, sizeof bytes);
    }
    return crc;
}

static void find_calibration(struct keep *keep)
{
    bool found = false;
    for (uint8_t copy = 0; copy < 2; copy++) {
        uint8_t *bytes = keep->record;
        read(keep, (uint16_t)(CALIBRATION_AT + copy * CALIBRATION_COPY), bytes, CALIBRATION_RECORD);
        uint16_t sequence = get16(bytes + 2);
        bool ours = whole(bytes, CALIBRATION_RECORD, CALIBRATION_SEED) && bytes[0] == CALIBRATION_VERSION
            && bytes[1] == CALIBRATION_END;
        if (!ours || (found && (int16_t)(sequence - keep->sequence) <= 0))
            continue;
        found = true;
        keep->copy = copy;
        keep->sequence = sequence;
        for (uint8_t key = 0; key < CALIBRATION_END; key++)
            keep->calibration[key] = get16(bytes + 4 + 2 * key);
    }
    keep->crc = found ? values_crc(keep) : 0;
    keep->changed = !found;
}

uint16_t keep_init(struct core *core, keep_read *reader, const void *board)
{
    core->keep.read = reader;
    core->keep.board = board;
    core->boot = 0;
    find_calibration(&core->keep);
    find_boot(core);
    core->keep.booting = true;
    write_boot(core);
    return core->boot;
}

/* The record is there and was read back. */
static void written(struct keep *keep)
{
    keep->size = 0;
    if (keep->booting) {
        keep->booting = false;
        return;
    }
    keep->copy ^= 1;
    keep->sequence = get16(keep->record + 2);
    keep->crc = values_crc(keep);
    keep->changed = false;
}

/* A byte does not take what is written. A boot number that may come twice would deceive the host: no motion. */
static void worn(struct core *core)
{
    struct keep *keep = &core->keep;
    count_up(&core->statistics.worn);
    keep->size = 0;
    if (!keep->booting)
        return;
    keep->boot_slot = after(keep->boot_slot);
    if (++keep->slots_tried < BOOT_SLOTS) {
        write_boot(core);
        return;
    }
    keep->booting = false;
    safety_stop(core, STOP_INTERNAL, 0, NO_POCKET);
}

bool keep_next(struct core *core, uint16_t *at, uint8_t *byte)
{
    struct keep *keep = &core->keep;
    while (keep->size) {
        *at = (uint16_t)(keep->at + keep->done);
        *byte = keep->record[keep->done];
        if (keep->read(keep->board, *at) != *byte) {
            if (keep->tries++ < BYTE_TRIES)
                return true;
            worn(core);
            continue;
        }
        keep->tries = 0;
        if (++keep->done == keep->size)
            written(keep);
    }
    return false;
}

uint8_t keep_set(struct core *core, uint8_t key, uint16_t value)
{
    struct keep *keep = &core->keep;
    if (!config_open(core) || keep->size)
        return NAK_WRONG_STATE;
    if (key >= CALIBRATION_END || !in_bounds(key, value))
        return NAK_BAD_VALUE;
    keep->changed = keep->changed || keep->calibration[key] != value;
    keep->calibration[key] = value;
    return 0;
}

uint8_t keep_calibration(struct core *core, uint16_t crc)
{
    struct keep *keep = &core->keep;
    if (!config_open(core) || keep->size)
        return NAK_WRONG_STATE;
    if (crc != values_crc(keep))
        return NAK_CONFIG_CRC;
    if (!keep->changed)
        return 0;
    keep->record[0] = CALIBRATION_VERSION;
    keep->record[1] = CALIBRATION_END;
    put16(keep->record + 2, (uint16_t)(keep->sequence + 1));
    for (uint8_t key = 0; key < CALIBRATION_END; key++)
        put16(keep->record + 4 + 2 * key, keep->calibration[key]);
    write(keep, (uint16_t)(CALIBRATION_AT + (keep->copy ^ 1) * CALIBRATION_COPY), CALIBRATION_RECORD,
          CALIBRATION_SEED);
    return 0;
}
