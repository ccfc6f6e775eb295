/* The cable between host and MCU, both ways, frame by frame: latency, and what a cable can do to frames. */
#ifndef PREDEAL_CABLE_H
#define PREDEAL_CABLE_H

#include "plant.h"

enum { PIECES = 96, PIECE_MAX = 128, LATENCY_US = 1000, BYTE_US = 20, BOTH_WAYS = 3 };

/* Shares in thousandths of the frames; `ways` 1: to the MCU, 2: to the host. */
struct harm {
    uint16_t corrupt, lose, twice, overtake, cut, glue;
    uint8_t ways;
};

struct piece {
    uint64_t due;
    uint8_t bytes[PIECE_MAX];
    uint8_t count, way;
};

struct cable {
    struct piece pieces[PIECES];
    unsigned count;
    struct harm harm;
    uint64_t free[2];      /* us, when each way has carried what it has */
    uint64_t stalled;      /* us, until then nothing comes through */
    uint8_t held[2][PIECE_MAX]; /* of a frame without its delimiter, so far */
    uint8_t held_count[2];
    unsigned lost_for_room;
    uint32_t random;
};

static bool struck(struct cable *cable, uint16_t share)
{
    return share && chance(&cable->random) % 1000 < share;
}

static void carry(struct cable *cable, uint64_t now, uint8_t way, const uint8_t *bytes, uint8_t count)
{
    uint64_t due = now + LATENCY_US + chance(&cable->random) % 500, *free = &cable->free[way - 1];
    if (cable->count == PIECES) {
        cable->lost_for_room++;
        return;
    }
    bool late = cable->harm.ways & way && struck(cable, cable->harm.overtake);
    if (due < *free)
        due = *free;
    if (due < cable->stalled)
        due = cable->stalled;
    due += (uint64_t)count * BYTE_US;
    *free = due;
    struct piece *piece = &cable->pieces[cable->count++];
    piece->due = late ? due + 2000 + chance(&cable->random) % 9000 : due;
    piece->way = way;
    piece->count = count;
    memcpy(piece->bytes, bytes, count);
}

static void harmed(struct cable *cable, uint64_t now, uint8_t way, uint8_t *bytes, uint8_t count)
{
    const struct harm *harm = &cable->harm;
    if (!(harm->ways & way)) {
        carry(cable, now, way, bytes, count);
        return;
    }
    if (struck(cable, harm->lose))
        return;
    if (struck(cable, harm->corrupt))
        bytes[chance(&cable->random) % count] ^= (uint8_t)(1 + chance(&cable->random) % 255);
    if (struck(cable, harm->cut)) {
        uint8_t away = (uint8_t)(chance(&cable->random) % count);
        memmove(bytes, bytes + away, count - away);
        count = (uint8_t)(count - away);
    }
    if (struck(cable, harm->glue))
        count--; /* the delimiter is lost: one piece with what follows */
    carry(cable, now, way, bytes, count);
    if (struck(cable, harm->twice))
        carry(cable, now, way, bytes, count);
}

/* Bytes go into the cable; every frame meets its own fate. */
static void cable_send(struct cable *cable, uint64_t now, uint8_t way, const uint8_t *bytes, size_t count)
{
    uint8_t *held = cable->held[way - 1], *size = &cable->held_count[way - 1];
    for (size_t i = 0; i < count; i++) {
        held[(*size)++] = bytes[i];
        if (bytes[i] && *size < PIECE_MAX)
            continue;
        harmed(cable, now, way, held, *size);
        *size = 0;
    }
}

static uint64_t cable_due(const struct cable *cable)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < cable->count; i++)
        if (cable->pieces[i].due < due)
            due = cable->pieces[i].due;
    return due;
}

/* Takes the piece that has come through first; false when none has by `now`. */
static bool cable_take(struct cable *cable, uint64_t now, struct piece *taken)
{
    unsigned first = PIECES;
    for (unsigned i = 0; i < cable->count; i++)
        if (cable->pieces[i].due <= now && (first == PIECES || cable->pieces[i].due < cable->pieces[first].due))
            first = i;
    if (first == PIECES)
        return false;
    *taken = cable->pieces[first];
    memmove(&cable->pieces[first], &cable->pieces[first + 1], (--cable->count - first) * sizeof *taken);
    return true;
}

#endif
