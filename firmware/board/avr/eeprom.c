/* EEPROM: single bytes, each write begun and left alone; the core says which and reads them back. */
#include <avr/io.h>

#include "board.h"
#include "board_atomic.h"

bool eeprom_ready(void)
{
    return !(EECR & _BV(EEPE));
}

uint8_t eeprom_read(const void *board, uint16_t at)
{
    (void)board;
    EEAR = at;
    EECR |= _BV(EERE);
    return EEDR;
}

/* The two bits must follow each other within four cycles. Takes 3.4 ms from here. */
static void write(uint16_t at, uint8_t byte)
{
    EEAR = at;
    EEDR = byte;
    BOARD_LOCK();
    EECR |= _BV(EEMPE);
    EECR |= _BV(EEPE);
    BOARD_UNLOCK();
}

bool eeprom_keep(void)
{
    uint16_t at;
    uint8_t byte;
    if (!eeprom_ready() || !core_keep(&board_core, &at, &byte))
        return false;
    write(at, byte);
    return true;
}
