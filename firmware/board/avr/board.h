/* The parts of the AVR board, one file each; only files of this folder touch a register. */
#ifndef PREDEAL_BOARD_H
#define PREDEAL_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "core.h"

/* Bytes that the stack may grow to; below lies the canary. With the static data at most half of the RAM. */
#define STACK_BYTES 512

extern struct core board_core;

/* reset.c: why the chip started, the watchdog, the canary below the stack. */
uint8_t reset_cause(void);
void reset_watch(void);
bool reset_stack_whole(void);

/* eeprom.c: what outlives a reset. */
bool eeprom_ready(void); /* no write is under way */
uint8_t eeprom_read(const void *board, uint16_t at);
bool eeprom_keep(void);  /* begins to write the byte that the core wants kept, if there is one */

/* timers.c: the clock, STEP pulses, strobe, and the tick. */
void timers_start(void);
uint32_t timers_now(void);
bool timers_tick(void);    /* takes a tick that is due */
bool timers_waiting(void); /* is one due? with interrupts off */

/* What a call of the core has begun: timers and pins follow. */
void timers_follow(void);

/* ports.c: digital pins and the converter. */
void ports_start(void);
void ports_sample(void); /* fresh inputs into the core, before a tick */
void ports_ticked(void); /* the core has acted on them */
void ports_show(void);   /* outputs to the pins; interrupts off */
void ports_window(void); /* the window's pin into the core; from the step interrupt */
void ports_quarter(void); /* four times a tick, from its interrupt: emergency stop, converter */
void ports_step(uint8_t timer, bool high);

/* uart.c: 500 kbaud in both ways, through rings. */
void uart_start(void);
bool uart_take(uint8_t *byte);
bool uart_waiting(void); /* with interrupts off */
bool uart_room(void);
void uart_put(uint8_t byte);

#endif
