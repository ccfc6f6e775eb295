/* Counts that do not wrap, and the transit of cards leg by leg. */
#include "statistics.h"

#include <string.h>

#include "core.h"

void count_up(uint16_t *count)
{
    if (*count < UINT16_MAX)
        ++*count;
}

void statistics_start_run(struct core *core)
{
    memset(core->statistics.transit, 0, sizeof core->statistics.transit);
}

void statistics_transit(struct core *core, uint8_t leg, uint32_t steps)
{
    struct transit *transit = &core->statistics.transit[leg];
    uint16_t way = steps < UINT16_MAX ? (uint16_t)steps : UINT16_MAX;
    if (transit->count == UINT16_MAX)
        return;
    if (!transit->count || way < transit->least)
        transit->least = way;
    if (way > transit->most)
        transit->most = way;
    transit->sum += way;
    transit->count++;
}
