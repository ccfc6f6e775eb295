/* The host has no interrupts: a lock is nothing. A board with interrupts keeps them off between the two. Nor does
 * the host take time. */
#ifndef PREDEAL_BOARD_ATOMIC_H
#define PREDEAL_BOARD_ATOMIC_H

#define BOARD_LOCK() ((void)0)
#define BOARD_UNLOCK() ((void)0)

/* From the look at the belt to a gate's coil. */
#define BOARD_COMPUTING_US 0

#endif
