/* The whole state of the firmware and its entry points: a board calls these and nothing else.
 *
 * The board keeps `raw` and `analog` fresh, carries `outputs` to the pins after every call, and runs one timer for
 * each of enum timer. core_step may come from an interrupt; core_rx and core_tick come from one and the same context.
 */
#ifndef PREDEAL_CORE_H
#define PREDEAL_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "cards.h"
#include "config.h"
#include "events.h"
#include "frame.h"
#include "inputs.h"
#include "keep.h"
#include "machine.h"
#include "messages.h"
#include "motion.h"
#include "pins.h"
#include "query.h"
#include "session.h"
#include "statistics.h"

#define FIRMWARE_VERSION 0x00020000UL /* 0xMMmmpppp */

enum timer { MOTOR_BELT, MOTOR_FEEDER, TIMER_STROBE, TIMER_COUNT };

struct core {
    uint16_t raw;                   /* input levels, bit = IN_* */
    uint16_t analog[ANALOG_COUNT];
    uint16_t outputs;               /* output levels, bit = OUT_* */

    uint32_t now;  /* us, of the call under way; wraps */
    uint32_t belt; /* belt position at this tick */
    uint16_t boot, run, last_run;
    uint8_t reset_cause, state;

    struct motion motion;
    struct inputs inputs;
    struct config config;
    struct session session;
    struct feed feed;
    struct window window;
    struct cards cards;
    struct hold hold;
    struct gates gates;
    struct home home;
    struct safety safety;
    struct frame_rx rx;
    struct frame_tx tx;
    struct events events;
    struct keep keep;
    struct statistics statistics;
};

/* After a reset: everything anew, all outputs low. `read` gives a byte of the EEPROM of `board`; it has KEEP_SIZE. */
void core_init(struct core *core, uint8_t reset_cause, keep_read *read, const void *board);

/* A byte came from the host. */
void core_rx(struct core *core, uint8_t byte, uint32_t now);

/* Every millisecond. */
void core_tick(struct core *core, uint32_t now);

/* A timer ran out. Half microseconds until the same timer's next step; 0: no step was made and the motor stands. */
uint16_t core_step(struct core *core, uint8_t timer, uint32_t now);

/* To be asked after every call: half microseconds until the first step of a timer that begins now, else 0. */
uint16_t core_start(struct core *core, uint8_t timer);

/* The next byte for the host; false when there is none. */
bool core_tx(struct core *core, uint8_t *byte);

/* A byte for the EEPROM; false when there is none. To be asked only when the byte before has been written: it is
 * read back here, and written again or elsewhere if it is not there. No byte is sent before the boot number is kept. */
bool core_keep(struct core *core, uint16_t *at, uint8_t *byte);

/* Inside the core: outputs by mask. */
void core_high(struct core *core, uint16_t mask);
void core_low(struct core *core, uint16_t mask);

#endif
