/* SPDX-License-Identifier: GPL-3.0-or-later
 * The chip: an ATmega2560 in libsimavr that runs until something matters to the world outside. */
#ifndef PREDEAL_SIMAVR_CHIP_H
#define PREDEAL_SIMAVR_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why chip_run came back: the bits of board/host/host.h, and one for a chip that is no more. */
enum chip_why {
    WHY_TIME = 1,
    WHY_BELT = 2,
    WHY_FEEDER = 4,
    WHY_OUTPUT = 8,
    WHY_TX = 16,
    WHY_CRASHED = 32
};

enum { NO_STEP = 0xFFFFFFFF, SENT_MAX = 4096 };

struct chip_view {
    uint32_t why;
    uint64_t now_us;
    uint32_t belt, feeder; /* STEP pulses since the chip was made */
    uint16_t outputs;
    uint16_t sent; /* bytes in `bytes`, whole frames */
    uint8_t bytes[SENT_MAX];
};

struct chip_figures {
    uint32_t interrupts_off; /* longest, in cycles; only in fine runs */
    uint32_t off_at;         /* flash address at which it ended */
    uint32_t lost;           /* bytes that the UART lost because nobody had read those before */
    uint32_t resets;         /* by the watchdog */
};

/* Loads the program; false, with a sentence on stderr, when that fails. `fine`: one instruction at a time, so that
 * interrupts can be watched. `trace`: a line for each edge of a pin, or 0. */
bool chip_load(const char *elf, bool fine, FILE *trace);

void chip_input(uint8_t pin, bool high);
void chip_analog(uint8_t channel, uint16_t counts);

/* Bytes begin to arrive at the UART now, at 500 kbaud. */
void chip_receive(const uint8_t *bytes, size_t count);

/* `cause` is a RESET_* of src/messages.h. */
void chip_reset(uint8_t cause);

const struct chip_view *chip_run(uint64_t until_us, uint32_t until_belt, uint32_t until_feeder);

struct chip_figures chip_figures(void);
uint8_t *chip_memory(uint16_t address, uint16_t count); /* 0 when it is not all there */

#endif
