/* Belt, feeder and strobe: what happens at an exact step, and the ramps between. */
#ifndef PREDEAL_MOTION_H
#define PREDEAL_MOTION_H

#include <stdbool.h>
#include <stdint.h>

struct core;

#define TIMER_HZ 2000000UL /* intervals are half microseconds */

/* A stepper. Shared with the step interrupt, as are the three structs below. */
struct motor {
    uint32_t position;   /* steps made since boot; wraps */
    uint16_t interval;   /* half microseconds to the next step */
    uint8_t fraction;    /* 1/256 of them */
    uint8_t remainder;
    bool running;
    bool starting;       /* wants its first interval from core_start */
    uint16_t speed;      /* steps/s now */
    uint16_t ramp;       /* change of speed in one tick */
    uint16_t first_speed, first_interval;
};

/* The next feed: begins at belt step `at`, exactly. */
struct feed_alarm {
    uint32_t at;
    bool armed, fired;
    uint32_t tick; /* us, when it fired */
};

/* The next look: light and camera trigger rise at belt step `at`, exactly. */
struct look_alarm {
    uint32_t at;
    uint16_t width; /* half microseconds */
    bool armed, fired, starting;
    uint32_t tick; /* us, when it fired */
};

/* Raw edges of the window sensor, seen at every belt step. */
struct window_edges {
    uint32_t at; /* belt step of the last one */
    uint16_t level;
    uint8_t count;
};

struct motion {
    struct motor belt, feeder;
    struct feed_alarm feed;
    struct look_alarm look;
    struct window_edges window;
    uint16_t belt_target; /* steps/s */
    uint16_t throw_left;  /* feeder steps before it slows down; 0: no feed under way */
    bool feeder_off;      /* cut by the dead-man */

    /* As the interrupts had left them at this tick; taken by motion_collect. */
    bool feed_began, look_shown, throwing;
};

void motion_configure(struct core *core);

/* Takes over what the interrupts have seen since the last tick. */
void motion_collect(struct core *core);
void motion_tick(struct core *core);

/* Everything stands at once: for stops. */
void motion_cut(struct core *core);

void motion_cut_feeder(struct core *core);
/* Belt steps since boot, now. */
uint32_t motion_belt(const struct core *core);

bool motion_at_speed(const struct core *core);

void motion_arm_look(struct core *core, uint32_t at, uint16_t width_us);

/* Does nothing when a feed has just begun. */
void motion_arm_feed(struct core *core, uint32_t at);
void motion_disarm_feed(struct core *core);

#endif
