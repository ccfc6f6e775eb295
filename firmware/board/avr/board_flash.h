/* Constants would lie in RAM, of which there is little: tables stay in flash and are read from there. */
#ifndef PREDEAL_BOARD_FLASH_H
#define PREDEAL_BOARD_FLASH_H

#include <avr/pgmspace.h>

#define BOARD_FLASH PROGMEM
#define BOARD_FLASH_READ(to, from) memcpy_P(&(to), &(from), sizeof(to))

#endif
