/* What went less than well since boot, and how far cards travelled in this run. */
#ifndef PREDEAL_STATISTICS_H
#define PREDEAL_STATISTICS_H

#include <stdint.h>

#include "messages.h"

struct core;

struct transit {
    uint32_t sum; /* belt steps of `count` cards */
    uint16_t count, least, most;
};

struct statistics {
    uint16_t retries, glitches, late_routes, held, expired, reread, worn;
    struct transit transit[LEG_END];
};

/* One more; a count that is full stays so. */
void count_up(uint16_t *count);

void statistics_start_run(struct core *core);
void statistics_transit(struct core *core, uint8_t leg, uint32_t steps);

#endif
