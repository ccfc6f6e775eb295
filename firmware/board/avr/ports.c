/* Ports: outputs, inputs, STEP pulses, the analog converter, and the emergency stop that waits for nobody. */
#include <avr/io.h>

#include "board.h"
#include "board_atomic.h"
#include "wiring.h"

#define JOIN_(name, port) name##port
#define JOIN(name, port) JOIN_(name, port)
#define OUTPUTS JOIN(PORT, WIRE_OUTPUTS)
#define STEPS JOIN(PORT, WIRE_STEPS)
#define LOW_PIN JOIN(PIN, WIRE_INPUTS_LOW)
#define HIGH_PIN JOIN(PIN, WIRE_INPUTS_HIGH)

enum {
    WINDOW = 1 << IN_WINDOW,
    HIGH_ESTOP = 1 << (IN_ESTOP - 8),
    HIGH_PINS = (1 << (INPUT_COUNT - 8)) - 1,
    CONVERT = 1 << ADEN | 1 << ADSC | 1 << ADPS2 | 1 << ADPS1 | 1 << ADPS0 /* 125 kHz: 104 us */
};

static volatile bool stopped; /* the emergency stop was pressed, and the core has not acted on it */
static bool told;             /* but it is told in the tick under way */
static volatile uint16_t measured[ANALOG_COUNT];
static uint8_t channel;

static void choose(uint8_t next)
{
    channel = next;
    ADMUX = (uint8_t)(_BV(REFS0) | next);
}

/* No pull-ups: every input has its resistor to ground outside, so that a broken wire reads low. */
void ports_start(void)
{
    OUTPUTS = 0;
    JOIN(DDR, WIRE_OUTPUTS) = (1 << OUTPUT_COUNT) - 1;
    STEPS = (uint8_t)(STEPS & ~(_BV(WIRE_STEP_BELT) | _BV(WIRE_STEP_FEEDER)));
    JOIN(DDR, WIRE_STEPS) |= _BV(WIRE_STEP_BELT) | _BV(WIRE_STEP_FEEDER);
    DIDR0 = (1 << ANALOG_COUNT) - 1;
    choose(0);
    ADCSRA = CONVERT;
}

void ports_sample(void)
{
    BOARD_LOCK();
    uint8_t high = (uint8_t)(HIGH_PIN & HIGH_PINS);
    told = stopped;
    if (told)
        high = (uint8_t)(high & ~HIGH_ESTOP);
    board_core.raw = (uint16_t)(LOW_PIN | (uint16_t)high << 8);
    for (uint8_t i = 0; i < ANALOG_COUNT; i++)
        board_core.analog[i] = measured[i];
    BOARD_UNLOCK();
}

void ports_ticked(void)
{
    BOARD_LOCK();
    if (told)
        stopped = false;
    BOARD_UNLOCK();
}

void ports_show(void)
{
    uint8_t levels = (uint8_t)board_core.outputs;
    if (stopped)
        levels = 0;
    OUTPUTS = levels;
}

void ports_window(void)
{
    uint16_t others = board_core.raw & ~(uint16_t)WINDOW;
    board_core.raw = others | (LOW_PIN & WINDOW);
}

/* The core learns of the stop at its next tick; the pins are low at once and stay so until it has acted. */
void ports_quarter(void)
{
    if (!(HIGH_PIN & HIGH_ESTOP)) {
        stopped = true;
        OUTPUTS = 0;
    }
    measured[channel] = ADC;
    choose((uint8_t)(channel ^ 1));
    ADCSRA = CONVERT;
}

void ports_step(uint8_t timer, bool high)
{
    uint8_t mask = timer == MOTOR_BELT ? _BV(WIRE_STEP_BELT) : _BV(WIRE_STEP_FEEDER);
    STEPS = high ? STEPS | mask : (uint8_t)(STEPS & ~mask);
}
