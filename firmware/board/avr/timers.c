/* Timers: 1 and 3 make the steps of belt and feeder, 4 ends the strobe, 2 is clock and tick. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "board_atomic.h"

enum {
    SOON = 8,             /* a compare value nearer than this might be missed for a whole round */
    QUARTER_US = 250,
    QUARTER_COUNTS = 125, /* of 2 us */
    QUARTERS = 4
};

static volatile uint32_t quarter_us; /* when the last quarter began */
static volatile uint8_t quarters, ticks;

void timers_start(void)
{
    TCCR1A = TCCR3A = TCCR4A = 0;
    TCCR1B = TCCR3B = TCCR4B = _BV(CS11); /* 2 MHz, round and round */
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS21) | _BV(CS20); /* 500 kHz */
    OCR2A = QUARTER_COUNTS - 1;
    TIMSK2 = _BV(OCIE2A);
}

/* With interrupts off: a quarter that has just ended may still wait for its interrupt. */
static uint32_t clock(void)
{
    uint8_t count = TCNT2;
    uint16_t part = (uint16_t)(2 * count);
    if (TIFR2 & _BV(OCF2A) && count < QUARTER_COUNTS / 2)
        part += QUARTER_US;
    return quarter_us + part;
}

uint32_t timers_now(void)
{
    BOARD_LOCK();
    uint32_t now = clock();
    BOARD_UNLOCK();
    return now;
}

/* The registers of a timer. Inlined with a timer that is known, they cost nothing. */
#define OF(timer, belt, feeder, strobe) ((timer) == MOTOR_BELT ? (belt) : (timer) == MOTOR_FEEDER ? (feeder) : (strobe))
#define COUNT(timer) (*OF(timer, &TCNT1, &TCNT3, &TCNT4))
#define MATCH(timer) (*OF(timer, &OCR1A, &OCR3A, &OCR4A))
#define MASK(timer) (*OF(timer, &TIMSK1, &TIMSK3, &TIMSK4))
#define FLAGS(timer) (*OF(timer, &TIFR1, &TIFR3, &TIFR4))
#define BIT _BV(OCIE1A) /* the same in all three, and of the flag */

/* `interval` half microseconds after `from`, or soon when that is over. A match at 0 is not relied upon. */
static void set(uint8_t timer, uint16_t from, uint16_t interval)
{
    uint16_t now = COUNT(timer), gone = (uint16_t)(now - from);
    uint16_t at = (uint16_t)(interval > gone + SOON ? from + interval : now + SOON);
    MATCH(timer) = at ? at : 1;
}

/* The motors and the strobe that begin now. */
static void begin(uint8_t timer)
{
    uint16_t interval = core_start(&board_core, timer);
    if (!interval)
        return;
    set(timer, COUNT(timer), interval);
    FLAGS(timer) = BIT;
    MASK(timer) = BIT;
}

static void follow(void)
{
    ports_show();
    begin(MOTOR_BELT);
    begin(MOTOR_FEEDER);
    begin(TIMER_STROBE);
}

void timers_follow(void)
{
    BOARD_LOCK();
    follow();
    BOARD_UNLOCK();
}

/* From the interrupt of the timer, whose compare value is still the time at which it ran out. */
static void step(uint8_t timer)
{
    uint16_t interval = core_step(&board_core, timer, clock());
    if (interval)
        set(timer, MATCH(timer), interval);
    else
        MASK(timer) = 0;
}

/* The pulse comes first, so that its time does not depend on what the step leads to; before it only the window is
 * looked at, since an edge belongs to the steps up to now. */
ISR(TIMER1_COMPA_vect, __attribute__((flatten)))
{
    ports_window();
    ports_step(MOTOR_BELT, board_core.motion.belt.running);
    step(MOTOR_BELT);
    follow();
    ports_step(MOTOR_BELT, false);
}

ISR(TIMER3_COMPA_vect, __attribute__((flatten)))
{
    ports_step(MOTOR_FEEDER, board_core.motion.feeder.running);
    step(MOTOR_FEEDER);
    ports_step(MOTOR_FEEDER, false);
}

ISR(TIMER4_COMPA_vect, __attribute__((flatten)))
{
    step(TIMER_STROBE);
    ports_show();
}

ISR(TIMER2_COMPA_vect, __attribute__((flatten)))
{
    quarter_us += QUARTER_US;
    ports_quarter();
    if (++quarters == QUARTERS) {
        quarters = 0;
        ticks++;
    }
}

bool timers_tick(void)
{
    BOARD_LOCK();
    bool due = ticks != 0;
    if (due)
        ticks--;
    BOARD_UNLOCK();
    return due;
}

bool timers_waiting(void)
{
    return ticks != 0;
}
