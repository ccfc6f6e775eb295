/* The host keeps tables of constants among its data. A board with little RAM reads them out of its flash. */
#ifndef PREDEAL_BOARD_FLASH_H
#define PREDEAL_BOARD_FLASH_H

#include <string.h>

#define BOARD_FLASH
#define BOARD_FLASH_READ(to, from) memcpy(&(to), &(from), sizeof(to))

#endif
