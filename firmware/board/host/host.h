/* The host board: the portable core as a shared library in virtual time, for the twin and the tests. */
#ifndef PREDEAL_HOST_H
#define PREDEAL_HOST_H

#include <stddef.h>
#include <stdint.h>

/* Output bits of host_view.outputs and input pins of host_input: the pin table of src/pins.h. */

/* Why host_run came back; bits, several may be set. */
enum host_why {
    HOST_WHY_TIME = 1,    /* virtual time reached until_us */
    HOST_WHY_BELT = 2,    /* the belt made its step number until_belt */
    HOST_WHY_FEEDER = 4,  /* the feeder made its step number until_feeder */
    HOST_WHY_OUTPUT = 8,  /* an output changed, at now_us exactly */
    HOST_WHY_TX = 16,     /* the firmware wrote to its UART: bytes wait in host_tx */
};

/* What the world may see of the chip: read by Python straight from memory, refreshed by every call. */
struct host_view {
    uint64_t now_us;      /* virtual time since host_new */
    uint32_t belt;        /* belt steps since host_new, never reset by an MCU reset */
    uint32_t feeder;      /* feeder steps since host_new, likewise */
    uint16_t outputs;     /* output levels, bit = OUT_* of src/pins.h */
    uint16_t tx_waiting;  /* bytes that host_tx would give */
    uint32_t why;
};

struct host; /* opaque: core state, virtual timers, EEPROM */

struct host *host_new(void);
void host_free(struct host *);
const struct host_view *host_view(struct host *);

/* MCU reset: RAM is lost, outputs go low at once, EEPROM stays. cause: RESET_* of src/core.h. */
void host_reset(struct host *, uint8_t cause);

/* For tests: the EEPROM itself (KEEP_SIZE bytes); how long it takes for a byte (at first nothing); a supply
 * that fails in the write after so many more, which restarts the chip; bytes [from, to) that are worn out. */
uint8_t *host_eeprom(struct host *);
void host_eeprom_pace(struct host *, uint32_t us);
void host_tear(struct host *, uint32_t after);
void host_wear(struct host *, uint16_t from, uint16_t to);

void host_input(struct host *, uint8_t pin, uint8_t level);         /* IN_* of src/pins.h */
void host_analog(struct host *, uint8_t channel, uint16_t value);   /* AN_* of src/pins.h, 0..1023 */
void host_rx(struct host *, const uint8_t *bytes, size_t n);        /* bytes arrive now */
size_t host_tx(struct host *, uint8_t *bytes, size_t cap);          /* takes what the firmware sent */

/* Runs virtual time until the first of: until_us, belt step until_belt, feeder step until_feeder, an
 * output edge, bytes to send. 0xFFFFFFFF as a step number means "do not care". Returns HOST_WHY_* bits. */
uint32_t host_run(struct host *, uint64_t until_us, uint32_t until_belt, uint32_t until_feeder);

#endif
