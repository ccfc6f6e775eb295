/* Motion: core_step for the interrupt, ramps in the tick; integers only. */
#include "motion.h"

#include "board_atomic.h"
#include "core.h"

static uint16_t next_interval(struct motor *motor)
{
    uint16_t sum = (uint16_t)(motor->remainder + motor->fraction);
    motor->remainder = (uint8_t)sum;
    return (uint16_t)(motor->interval + (sum >> 8));
}

static bool reached(uint32_t position, uint32_t at)
{
    return (int32_t)(position - at) >= 0;
}

/* The edge lies between the last step and this one. */
static void watch_window(struct core *core)
{
    struct window_edges *window = &core->motion.window;
    uint16_t level = core->raw & (1U << IN_WINDOW);
    if (level == window->level)
        return;
    window->level = level;
    window->at = core->motion.belt.position;
    window->count++;
}

static void fire_look(struct core *core, uint32_t now)
{
    struct look_alarm *look = &core->motion.look;
    core->outputs = (uint16_t)(core->outputs | 1U << OUT_STROBE | 1U << OUT_TRIGGER);
    look->armed = false;
    look->fired = true;
    look->starting = true;
    look->tick = now;
}

static void set_speed(struct motor *motor, uint16_t speed)
{
    uint32_t interval = (uint32_t)(TIMER_HZ << 8) / speed;
    BOARD_LOCK();
    motor->speed = speed;
    motor->interval = (uint16_t)(interval >> 8);
    motor->fraction = (uint8_t)interval;
    BOARD_UNLOCK();
}

static void fire_feed(struct core *core, uint32_t now)
{
    struct feed_alarm *feed = &core->motion.feed;
    feed->armed = false;
    feed->fired = true;
    feed->tick = now;
    feed->at = core->motion.belt.position;
    core->motion.throw_left = config_u16(core, KEY_FEEDER_THROW);
    core->motion.feeder.interval = core->motion.feeder.first_interval;
    core->motion.feeder.running = true;
    core->motion.feeder.starting = true;
}

static uint16_t step_belt(struct core *core, uint32_t now)
{
    struct motion *motion = &core->motion;
    if (!motion->belt.running)
        return 0;
    watch_window(core);
    uint32_t position = ++motion->belt.position;
    if (motion->look.armed && reached(position, motion->look.at))
        fire_look(core, now);
    if (motion->feed.armed && reached(position, motion->feed.at))
        fire_feed(core, now);
    return next_interval(&motion->belt);
}

static uint16_t step_feeder(struct core *core)
{
    struct motor *feeder = &core->motion.feeder;
    if (!feeder->running)
        return 0;
    feeder->position++;
    if (core->motion.throw_left)
        core->motion.throw_left--;
    return next_interval(feeder);
}

uint16_t core_step(struct core *core, uint8_t timer, uint32_t now)
{
    if (timer == MOTOR_BELT)
        return step_belt(core, now);
    if (timer == MOTOR_FEEDER)
        return step_feeder(core);
    core->outputs = (uint16_t)(core->outputs & ~(1U << OUT_STROBE | 1U << OUT_TRIGGER));
    return 0;
}

static uint16_t start_motor(struct motor *motor)
{
    if (!motor->starting)
        return 0;
    motor->starting = false;
    return motor->interval;
}

uint16_t core_start(struct core *core, uint8_t timer)
{
    struct look_alarm *look = &core->motion.look;
    if (timer == MOTOR_BELT)
        return start_motor(&core->motion.belt);
    if (timer == MOTOR_FEEDER)
        return start_motor(&core->motion.feeder);
    if (!look->starting)
        return 0;
    look->starting = false;
    return look->width;
}

static void stand(struct motor *motor)
{
    BOARD_LOCK();
    motor->running = false;
    motor->starting = false;
    motor->speed = 0;
    BOARD_UNLOCK();
}

static void run(struct motor *motor, uint16_t speed)
{
    bool starts = !motor->running;
    set_speed(motor, speed);
    BOARD_LOCK();
    motor->starting = motor->starting || starts;
    motor->running = true;
    BOARD_UNLOCK();
}

static uint16_t least(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

static uint16_t root(uint32_t square)
{
    uint16_t result = 0;
    for (uint16_t bit = 1U << 15; bit; bit >>= 1) {
        uint16_t trial = result | bit;
        if ((uint32_t)trial * trial <= square)
            result = trial;
    }
    return result;
}

/* A motor at rest begins at the speed that its acceleration gives over the first step. */
static void configure_motor(struct motor *motor, uint32_t acceleration, uint16_t top)
{
    motor->ramp = (uint16_t)(acceleration / 1000);
    motor->first_speed = least(root(2 * acceleration), top);
    motor->first_interval = (uint16_t)(TIMER_HZ / motor->first_speed);
}

void motion_configure(struct core *core)
{
    struct motion *motion = &core->motion;
    uint16_t top = config_u16(core, KEY_BELT_SPEED);
    configure_motor(&motion->belt, core->config.value[KEY_BELT_ACCELERATION], top);
    configure_motor(&motion->feeder, core->config.value[KEY_FEEDER_ACCELERATION], top);
}

static void belt_tick(struct motion *motion)
{
    struct motor *belt = &motion->belt;
    uint16_t speed = belt->speed, target = motion->belt_target;
    if (speed == target)
        return;
    if (speed < target) {
        run(belt, speed ? least((uint16_t)(speed + belt->ramp), target) : belt->first_speed);
        return;
    }
    if (speed <= target + belt->ramp + (target ? 0 : belt->first_speed / 2))
        speed = target;
    else
        speed = (uint16_t)(speed - belt->ramp);
    if (speed)
        set_speed(belt, speed);
    else
        stand(belt);
}

/* The speed gained since the exact step at which the feed began. */
static uint16_t late_start(struct core *core)
{
    struct feed_alarm *feed = &core->motion.feed;
    struct motor *feeder = &core->motion.feeder;
    uint16_t elapsed = (uint16_t)(core->now - feed->tick);
    return (uint16_t)(feeder->first_speed + (uint32_t)feeder->ramp * least(elapsed, 2000) / 1000);
}

/* Friction helps the feeder to slow down, so it brakes twice as hard as it starts. */
static uint16_t slower(const struct motor *feeder)
{
    uint16_t change = (uint16_t)(2 * feeder->ramp);
    return feeder->speed > change + feeder->first_speed / 2 ? (uint16_t)(feeder->speed - change) : 0;
}

/* The feeder follows its own ramp but never outruns the belt, so that a hold pauses both together. */
static void feeder_tick(struct core *core)
{
    struct motion *motion = &core->motion;
    struct motor *feeder = &motion->feeder;
    uint16_t speed = feeder->speed;
    if (motion->feeder_off || (!motion->throwing && !speed))
        return;
    if (!motion->throwing)
        speed = slower(feeder);
    else if (motion->feed_began)
        speed = late_start(core);
    else
        speed = speed ? (uint16_t)(speed + feeder->ramp) : feeder->first_speed;
    speed = least(speed, motion->belt.speed);
    if (speed)
        run(feeder, speed);
    else
        stand(feeder);
}

void motion_collect(struct core *core)
{
    struct motion *motion = &core->motion;
    BOARD_LOCK();
    watch_window(core);
    core->belt = motion->belt.position;
    motion->feed_began = motion->feed.fired;
    motion->feed.fired = false;
    motion->throwing = motion->throw_left != 0;
    motion->look_shown = motion->look.fired;
    motion->look.fired = false;
    BOARD_UNLOCK();
}

void motion_tick(struct core *core)
{
    belt_tick(&core->motion);
    feeder_tick(core);
}

void motion_cut_feeder(struct core *core)
{
    core->motion.feeder_off = true;
    motion_disarm_feed(core);
    stand(&core->motion.feeder);
}

void motion_cut(struct core *core)
{
    struct motion *motion = &core->motion;
    motion_disarm_feed(core);
    motion->look.armed = false;
    motion->look.starting = false;
    motion->belt_target = 0;
    motion->throw_left = 0;
    motion->feeder_off = false;
    stand(&motion->belt);
    stand(&motion->feeder);
}

uint32_t motion_belt(const struct core *core)
{
    BOARD_LOCK();
    uint32_t position = core->motion.belt.position;
    BOARD_UNLOCK();
    return position;
}

bool motion_at_speed(const struct core *core)
{
    return core->motion.belt.speed != 0 && core->motion.belt.speed == config_u16(core, KEY_BELT_SPEED);
}

void motion_arm_look(struct core *core, uint32_t at, uint16_t width_us)
{
    struct look_alarm *look = &core->motion.look;
    BOARD_LOCK();
    look->at = at;
    look->width = (uint16_t)(2 * width_us);
    look->armed = true;
    BOARD_UNLOCK();
}

void motion_arm_feed(struct core *core, uint32_t at)
{
    struct feed_alarm *feed = &core->motion.feed;
    BOARD_LOCK();
    feed->at = at;
    feed->armed = !feed->fired && !core->motion.feeder.running;
    BOARD_UNLOCK();
}

void motion_disarm_feed(struct core *core)
{
    BOARD_LOCK();
    core->motion.feed.armed = false;
    BOARD_UNLOCK();
}
