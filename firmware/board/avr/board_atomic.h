/* A lock keeps interrupts off between the two, and leaves them as they were. One pair in a block. */
#ifndef PREDEAL_BOARD_ATOMIC_H
#define PREDEAL_BOARD_ATOMIC_H

#include <avr/interrupt.h>
#include <avr/io.h>

#define BOARD_LOCK() uint8_t board_status = SREG; cli()
#define BOARD_UNLOCK() do { __asm__ volatile("" ::: "memory"); SREG = board_status; } while (0)

/* From the look at the belt to a gate's coil, at most: the gate takes so much longer. tests/unit/avr measures it. */
#define BOARD_COMPUTING_US 400

#endif
