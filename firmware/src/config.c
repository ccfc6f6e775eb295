/* Configuration: bounds of every value, the CRC that closes a set, and derived steps. */
#include "config.h"

#include "board_atomic.h"
#include "board_flash.h"
#include "bytes.h"
#include "core.h"

struct bounds {
    uint32_t min, max;
};

static const struct bounds BOUNDS[KEY_END] BOARD_FLASH = {
    [KEY_BELT_SPEED] = {500, 20000},
    [KEY_BELT_ACCELERATION] = {10000, 2000000},
    [KEY_FEEDER_ACCELERATION] = {10000, 4000000},
    [KEY_FEEDER_THROW] = {1, 2000},
    [KEY_PITCH] = {100, 60000},
    [KEY_HOPPER_TO_WINDOW] = {1, 5000},
    [KEY_LOOK_1] = {10, 2000},
    [KEY_LOOK_2] = {10, 2000},
    [KEY_HOLD_LINE] = {100, 10000},
    [KEY_GATE_N] = {100, 20000},
    [KEY_GATE_E] = {100, 20000},
    [KEY_GATE_S] = {100, 20000},
    [KEY_GATE_W] = {100, 20000},
    [KEY_DROP] = {0, 5000},
    [KEY_TRAY] = {100, 30000},
    [KEY_LENGTH_MIN] = {50, 2000},
    [KEY_LENGTH_MAX] = {50, 2000},
    [KEY_THICKNESS_MAX] = {1, 1023},
    [KEY_GATE_MARGIN] = {0, 1000},
    [KEY_STROBE_1] = {10, 4000},
    [KEY_STROBE_2] = {10, 4000},
    [KEY_ARRIVAL_WINDOW] = {1, 1000},
    [KEY_HOLD_MAX] = {1, 1000},
    [KEY_GATE_OPEN_N] = {500, 100000},
    [KEY_GATE_OPEN_E] = {500, 100000},
    [KEY_GATE_OPEN_S] = {500, 100000},
    [KEY_GATE_OPEN_W] = {500, 100000},
    [KEY_GATE_CLOSE_N] = {500, 100000},
    [KEY_GATE_CLOSE_E] = {500, 100000},
    [KEY_GATE_CLOSE_S] = {500, 100000},
    [KEY_GATE_CLOSE_W] = {500, 100000},
};

static bool in_bounds(uint8_t key, uint32_t value)
{
    struct bounds bounds;
    BOARD_FLASH_READ(bounds, BOUNDS[key]);
    return value >= bounds.min && value <= bounds.max;
}

uint16_t config_u16(const struct core *core, uint8_t key)
{
    return (uint16_t)core->config.value[key];
}

uint16_t config_due(const struct core *core, uint8_t pocket)
{
    if (pocket == POCKET_TRAY)
        return config_u16(core, KEY_TRAY);
    return (uint16_t)(config_u16(core, (uint8_t)(KEY_GATE_N + pocket)) + config_u16(core, KEY_DROP));
}

bool config_open(const struct core *core)
{
    return core->state == STATE_UNKNOWN || core->state == STATE_READY || core->state == STATE_STOPPED;
}

uint8_t config_set(struct core *core, uint8_t key, uint32_t value)
{
    if (!config_open(core))
        return NAK_WRONG_STATE;
    if (key >= KEY_END || !in_bounds(key, value))
        return NAK_BAD_VALUE;
    core->config.value[key] = value;
    core->config.committed = false;
    core->config.crc = 0;
    return 0;
}

static uint16_t values_crc(const struct config *config)
{
    uint16_t crc = 0xFFFF;
    for (uint8_t key = 0; key < KEY_END; key++) {
        uint8_t bytes[4];
        put32(bytes, config->value[key]);
        crc = crc16(crc, bytes, sizeof bytes);
    }
    return crc;
}

/* Half the square of a speed over an acceleration: the steps of a ramp. */
static uint16_t ramp_steps(uint32_t speed, uint32_t acceleration)
{
    return (uint16_t)(speed * speed / 2 / acceleration);
}

static uint16_t steps_in(uint32_t us, uint32_t speed)
{
    return (uint16_t)(us / 10 * speed / 100000);
}

/* Gives the steps of the slowest movement of any gate. */
static uint16_t derive_gates(const uint32_t *value, struct derived *d)
{
    uint16_t slowest = 0;
    for (uint8_t gate = 0; gate < POCKET_TRAY; gate++) {
        d->gate_open[gate] = steps_in(value[KEY_GATE_OPEN_N + gate] + BOARD_COMPUTING_US, value[KEY_BELT_SPEED]);
        d->gate_close[gate] = steps_in(value[KEY_GATE_CLOSE_N + gate] + BOARD_COMPUTING_US, value[KEY_BELT_SPEED]);
        if (d->gate_open[gate] > slowest)
            slowest = d->gate_open[gate];
        if (d->gate_close[gate] > slowest)
            slowest = d->gate_close[gate];
    }
    return slowest;
}

static void derive(struct core *core)
{
    const uint32_t *value = core->config.value;
    struct derived *d = &core->config.derived;
    uint32_t speed = value[KEY_BELT_SPEED];
    d->gate_margin = config_u16(core, KEY_GATE_MARGIN);
    d->tick_steps = (uint16_t)(speed / 1000 + 1);
    d->settle_steps = (uint16_t)(d->tick_steps * (DEBOUNCE_TICKS + 1));
    uint16_t slowest = derive_gates(value, d);
    d->hold_zone = (uint16_t)(ramp_steps(speed, value[KEY_BELT_ACCELERATION]) + 2 * d->tick_steps);
    d->feed_nominal =
        (uint16_t)(value[KEY_HOPPER_TO_WINDOW] + ramp_steps(speed, value[KEY_FEEDER_ACCELERATION]));
    d->feed_latest = (uint16_t)(value[KEY_HOPPER_TO_WINDOW] + value[KEY_ARRIVAL_WINDOW] + STEPS_40_MM);
    d->least_gap = (uint16_t)(slowest + d->gate_margin + d->tick_steps);
    d->least_pitch = (uint16_t)(value[KEY_LENGTH_MAX] + slowest + 2U * d->gate_margin);
}

/* Values that are each in bounds but make no machine together. */
static bool consistent(const struct core *core)
{
    const uint32_t *value = core->config.value;
    if (value[KEY_LENGTH_MIN] > value[KEY_LENGTH_MAX] || value[KEY_LOOK_1] >= value[KEY_LOOK_2])
        return false;
    if (value[KEY_LOOK_2] >= value[KEY_LENGTH_MIN])
        return false;
    if (value[KEY_HOLD_LINE] <= core->config.derived.hold_zone)
        return false;
    const struct derived *d = &core->config.derived;
    uint32_t clear = value[KEY_HOLD_LINE] + d->gate_margin + d->tick_steps;
    for (uint8_t gate = 0; gate < POCKET_TRAY; gate++) {
        uint32_t place = value[KEY_GATE_N + gate];
        if (place < clear + d->gate_open[gate] || place >= value[KEY_TRAY])
            return false;
    }
    return true;
}

uint8_t config_commit(struct core *core, uint16_t crc)
{
    if (!config_open(core))
        return NAK_WRONG_STATE;
    if (crc != values_crc(&core->config))
        return NAK_CONFIG_CRC;
    for (uint8_t key = 0; key < KEY_END; key++)
        if (!in_bounds(key, core->config.value[key]))
            return NAK_BAD_VALUE;
    derive(core);
    if (!consistent(core))
        return NAK_BAD_VALUE;
    core->config.crc = crc;
    core->config.committed = true;
    motion_configure(core);
    return 0;
}
