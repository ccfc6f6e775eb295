/* The session with the host: sequence memory and the dispatch of commands. */
#ifndef PREDEAL_SESSION_H
#define PREDEAL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

struct core;

enum { COMMAND_MAX = 8 }; /* bytes of the longest payload that the sequence memory keeps */

struct session {
    uint16_t number;
    bool open;
    bool remembered;
    uint8_t type, seq, size; /* of the last command */
    uint8_t payload[COMMAND_MAX];
    uint8_t answer_type; /* and what it was answered */
    uint8_t answer[SIZE_ACK];
};

void session_frame(struct core *core, const struct frame *frame);

#endif
