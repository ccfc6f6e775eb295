/* Answers that only tell: identity, status, calibration, statistics. Always fresh, never remembered. */
#ifndef PREDEAL_QUERY_H
#define PREDEAL_QUERY_H

#include <stdint.h>

#include "frame.h"

struct core;

void query_identity(struct core *core, uint8_t seq);
void query_status(struct core *core, uint8_t seq);

/* Answers a frame that asks: 0, a NAK_* reason, or NAK_UNKNOWN_TYPE for anything else. */
uint8_t query_frame(struct core *core, const struct frame *frame);

#endif
