/* Reset: its cause, the watchdog off before anything else, and the canary below the stack. */
#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"

enum { PAINT = 0xC5, CANARY_BYTES = 16 };

/* Not cleared at start-up: written before the variables are. */
static uint8_t flags __attribute__((section(".noinit")));

extern uint8_t _end; /* of the static data */

static uint8_t *canary(void)
{
    return (uint8_t *)(RAMEND + 1 - STACK_BYTES - CANARY_BYTES);
}

/* After its own reset the watchdog runs on at its shortest, 16 ms, and would bite again in the start-up. Free RAM is
 * painted, so that the deepest stack can be seen afterwards. */
void reset_early(void) __attribute__((naked, used, section(".init3")));
void reset_early(void)
{
    flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    for (uint8_t *byte = &_end; byte < (uint8_t *)SP; byte++)
        *byte = PAINT;
}

/* A boot loader may have cleared the flags; it runs after a reset from outside. */
uint8_t reset_cause(void)
{
    if (flags & _BV(PORF))
        return RESET_POWER_ON;
    if (flags & _BV(BORF))
        return RESET_BROWN_OUT;
    return flags & _BV(WDRF) ? RESET_WATCHDOG : RESET_EXTERNAL;
}

void reset_watch(void)
{
    wdt_enable(WDTO_60MS);
}

bool reset_stack_whole(void)
{
    const uint8_t *byte = canary();
    for (uint8_t i = 0; i < CANARY_BYTES; i++)
        if (byte[i] != PAINT)
            return false;
    return true;
}
