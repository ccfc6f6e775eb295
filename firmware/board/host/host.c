/* The host board: timers, UART, EEPROM and resets of the portable core in virtual time; deterministic. */
#include "host.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum {
    HALF_US = 2,                /* units of virtual time in a microsecond */
    TICK_UNITS = 1000 * HALF_US,
    TX_CAPACITY = 65536,
    RAM_GARBAGE = 0xA5
};

static const uint64_t NEVER = UINT64_MAX;

struct host {
    struct host_view view;
    uint64_t now; /* half microseconds */
    uint64_t boot_at, tick_due;
    uint64_t due[TIMER_COUNT];
    uint16_t raw;
    uint16_t analog[ANALOG_COUNT];
    uint8_t eeprom[KEEP_SIZE];
    uint32_t eeprom_us;    /* that a byte takes */
    uint64_t eeprom_ready; /* when the next may be written */
    uint16_t worn_from, worn_to; /* EEPROM bytes that keep what they hold, whatever is written */
    uint32_t tear_after; /* bytes that EEPROM still takes before the supply fails in the next; 0: never */
    uint16_t shown;   /* outputs that a caller of host_run has been told */
    size_t tx_count;
    struct core core;
    uint8_t tx[TX_CAPACITY];
};

/* The MCU's own clock: starts with its boot, wraps after 71 minutes. */
static uint32_t mcu_now(const struct host *host)
{
    return (uint32_t)((host->now - host->boot_at) / HALF_US);
}

static void take_bytes(struct host *host)
{
    uint8_t byte;
    while (core_tx(&host->core, &byte))
        if (host->tx_count < TX_CAPACITY)
            host->tx[host->tx_count++] = byte;
}

static uint8_t read_eeprom(const void *board, uint16_t at)
{
    return ((const struct host *)board)->eeprom[at];
}

static void boot(struct host *host, uint8_t cause);

/* Writes what the core wants kept, at once or at the pace of a chip. A torn write leaves neither the old byte nor the
 * new. */
static void keep(struct host *host)
{
    uint16_t at;
    uint8_t byte;
    while (host->now >= host->eeprom_ready && core_keep(&host->core, &at, &byte)) {
        host->eeprom_ready = host->now + host->eeprom_us * HALF_US;
        if (host->worn_from <= at && at < host->worn_to)
            continue;
        if (host->tear_after && !--host->tear_after) {
            host->eeprom[at] = (uint8_t)(host->eeprom[at] ^ byte ^ RAM_GARBAGE);
            boot(host, RESET_POWER_ON);
            return;
        }
        host->eeprom[at] = byte;
    }
}

static void start_timers(struct host *host)
{
    for (uint8_t timer = 0; timer < TIMER_COUNT; timer++) {
        uint16_t interval = core_start(&host->core, timer);
        if (interval)
            host->due[timer] = host->now + interval;
    }
}

static void refresh(struct host *host)
{
    host->view.now_us = host->now / HALF_US;
    host->view.outputs = host->core.outputs;
    host->view.tx_waiting = (uint16_t)(host->tx_count < UINT16_MAX ? host->tx_count : UINT16_MAX);
}

static void boot(struct host *host, uint8_t cause)
{
    memset(&host->core, RAM_GARBAGE, sizeof host->core);
    core_init(&host->core, cause, read_eeprom, host);
    host->core.raw = host->raw;
    memcpy(host->core.analog, host->analog, sizeof host->analog);
    for (uint8_t timer = 0; timer < TIMER_COUNT; timer++)
        host->due[timer] = NEVER;
    host->boot_at = host->now;
    host->tick_due = host->now + TICK_UNITS;
    keep(host);
    refresh(host);
}

struct host *host_new(void)
{
    struct host *host = calloc(1, sizeof *host);
    if (!host)
        return 0;
    memset(host->eeprom, 0xFF, sizeof host->eeprom);
    boot(host, RESET_POWER_ON);
    return host;
}

void host_free(struct host *host)
{
    free(host);
}

const struct host_view *host_view(struct host *host)
{
    return &host->view;
}

void host_reset(struct host *host, uint8_t cause)
{
    boot(host, cause);
}

uint8_t *host_eeprom(struct host *host)
{
    return host->eeprom;
}

void host_eeprom_pace(struct host *host, uint32_t us)
{
    host->eeprom_us = us;
}

void host_tear(struct host *host, uint32_t after)
{
    host->tear_after = after + 1;
}

void host_wear(struct host *host, uint16_t from, uint16_t to)
{
    host->worn_from = from;
    host->worn_to = to;
}

void host_input(struct host *host, uint8_t pin, uint8_t level)
{
    if (pin >= INPUT_COUNT)
        return;
    uint16_t mask = (uint16_t)(1U << pin);
    host->raw = (uint16_t)(level ? host->raw | mask : host->raw & ~mask);
    host->core.raw = host->raw;
}

void host_analog(struct host *host, uint8_t channel, uint16_t value)
{
    if (channel < ANALOG_COUNT)
        host->core.analog[channel] = host->analog[channel] = value;
}

void host_rx(struct host *host, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        core_rx(&host->core, bytes[i], mcu_now(host));
        keep(host);
        take_bytes(host);
    }
    start_timers(host);
    refresh(host);
}

size_t host_tx(struct host *host, uint8_t *bytes, size_t cap)
{
    size_t count = host->tx_count < cap ? host->tx_count : cap;
    if (count)
        memcpy(bytes, host->tx, count);
    host->tx_count -= count;
    memmove(host->tx, host->tx + count, host->tx_count);
    refresh(host);
    return count;
}

static void step(struct host *host, uint8_t timer)
{
    uint16_t interval = core_step(&host->core, timer, mcu_now(host));
    host->due[timer] = interval ? host->now + interval : NEVER;
    if (interval && timer == MOTOR_BELT)
        host->view.belt++;
    if (interval && timer == MOTOR_FEEDER)
        host->view.feeder++;
    start_timers(host);
}

static void tick(struct host *host)
{
    host->tick_due += TICK_UNITS;
    core_tick(&host->core, mcu_now(host));
    keep(host);
    take_bytes(host);
    start_timers(host);
}

/* The timer that is due first; TIMER_COUNT is the tick, last among equals. */
static uint8_t first_due(const struct host *host, uint64_t *due)
{
    uint8_t first = TIMER_COUNT;
    *due = host->tick_due;
    for (uint8_t timer = TIMER_COUNT; timer-- > 0;) {
        if (host->due[timer] <= *due) {
            *due = host->due[timer];
            first = timer;
        }
    }
    return first;
}

static bool made(uint32_t step, uint32_t until)
{
    return until != UINT32_MAX && (int32_t)(step - until) >= 0;
}

static uint32_t reasons(const struct host *host, uint32_t until_belt, uint32_t until_feeder)
{
    uint32_t why = 0;
    if (made(host->view.belt, until_belt))
        why |= HOST_WHY_BELT;
    if (made(host->view.feeder, until_feeder))
        why |= HOST_WHY_FEEDER;
    if (host->core.outputs != host->shown)
        why |= HOST_WHY_OUTPUT;
    if (host->tx_count)
        why |= HOST_WHY_TX;
    return why;
}

uint32_t host_run(struct host *host, uint64_t until_us, uint32_t until_belt, uint32_t until_feeder)
{
    uint64_t until = until_us * HALF_US, due;
    uint32_t why = reasons(host, until_belt, until_feeder);
    while (!why) {
        uint8_t timer = first_due(host, &due);
        if (due > until) {
            if (until > host->now)
                host->now = until;
            why = HOST_WHY_TIME;
            break;
        }
        host->now = due;
        if (timer == TIMER_COUNT)
            tick(host);
        else
            step(host, timer);
        why = reasons(host, until_belt, until_feeder);
    }
    host->shown = host->core.outputs;
    refresh(host);
    host->view.why = why;
    return why;
}
