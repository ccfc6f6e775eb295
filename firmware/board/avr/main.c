/* The AVR board: start-up, and the loop that hands bytes and ticks to the core. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"

enum { BYTES_AT_ONCE = 16 };

struct core board_core;

static void begin(void)
{
    ports_start();
    reset_watch();
    while (!eeprom_ready()) /* a write that the reset came into; nothing runs yet, and the watchdog bounds it */
        ;
    core_init(&board_core, reset_cause(), eeprom_read, 0);
    ports_sample();
    timers_start();
    uart_start();
    sei();
}

/* A few bytes at a time: whoever floods the line may not keep a tick waiting. */
static bool receive(void)
{
    uint8_t byte;
    bool any = false;
    for (uint8_t left = BYTES_AT_ONCE; left && uart_take(&byte); left--) {
        any = true;
        core_rx(&board_core, byte, timers_now());
        if (byte == 0) /* only the end of a frame can have begun anything */
            timers_follow();
    }
    return any;
}

/* The watchdog is content only when ticks come and are carried out. */
static bool tick(void)
{
    if (!timers_tick())
        return false;
    ports_sample();
    core_tick(&board_core, timers_now());
    if (!reset_stack_whole())
        safety_stop(&board_core, STOP_INTERNAL, 0, NO_POCKET);
    ports_ticked();
    timers_follow();
    wdt_reset();
    return true;
}

static bool transmit(void)
{
    uint8_t byte;
    bool any = false;
    while (uart_room() && core_tx(&board_core, &byte)) {
        uart_put(byte);
        any = true;
    }
    return any;
}

/* What came between the look and the sleep wakes it: the instruction after sei is still carried out. */
static void rest(void)
{
    cli();
    if (!uart_waiting() && !timers_waiting()) {
        SMCR = _BV(SE); /* idle: timers, UART and converter go on */
        sei();
        sleep_cpu();
        SMCR = 0;
    }
    sei();
}

int main(void)
{
    begin();
    for (;;) {
        bool any = receive();
        any = tick() || any;
        any = eeprom_keep() || any;
        any = transmit() || any;
        if (!any)
            rest();
    }
}
