/* SPDX-License-Identifier: GPL-3.0-or-later
 * The chip: pins, converter, UART and resets of an ATmega2560 in libsimavr, in one thread and without a clock. */
#include "chip.h"

#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include "../board/avr/wiring.h"
#include "../src/messages.h"
#include "../src/pins.h"

#define PORT_NAME_(letter) (#letter[0])
#define PORT_NAME(letter) PORT_NAME_(letter)

enum {
    MHZ = 16,
    BYTE_CYCLES = 20 * MHZ,
    BATCH_CYCLES = 10000, /* a fixed number: it is part of what makes two runs alike */
    PIN_LOW = 0x26, PIN_HIGH = 0x109, /* PINC, PINL */
    DDR_OUTPUTS = 0x21,               /* DDRA */
    MCUSR = 0x54,
    EECR = 0x3F, EEPE = 1 << 1, EEAR = 0x41, /* and 0x42 */
    EEPROM_US = 3400,
    RAM_START = 0x200, RAM_GARBAGE = 0xA5,
    VOLTS_MV = 5000, COUNTS = 1023,
    UNREAD_MAX = 3, /* two in the UART's buffer, one in its shift register */
    QUEUE = 4096
};

DEFINE_FIFO(uint16_t, uart_fifo);

static avr_t *avr;
static avr_uart_t *uart;
static avr_irq_t *uart_input;
static void (*reset_of_the_core)(avr_t *);
static struct chip_view view;
static struct chip_figures figures;
static FILE *trace;
static bool fine;

static uint8_t partial[SENT_MAX], queue[QUEUE];
static size_t partial_count, queue_head, queue_tail;
static uint8_t levels[2]; /* of the input pins */
static uint16_t counts[ANALOG_COUNT];
static uint16_t shown; /* outputs that a caller has been told */
static bool alarm_over;
static avr_cycle_count_t off_since;
static bool writing; /* a byte into EEPROM */
static uint16_t written;
static bool asked; /* the reset under way comes from outside, for this cause */
static uint8_t caused;

static void note(const char *name, unsigned number, unsigned level)
{
    if (trace)
        fprintf(trace, "%llu %s %u %u\n", (unsigned long long)avr->cycle, name, number, level);
}

/* Ends the batch behind the instruction under way, so that whoever looks next looks at this very moment. */
static void come_back(void)
{
    avr->run_cycle_count = 0;
}

static void on_outputs(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint16_t now = (uint16_t)(value & avr->data[DDR_OUTPUTS]);
    for (unsigned pin = 0; pin < OUTPUT_COUNT; pin++)
        if ((now ^ view.outputs) >> pin & 1)
            note("out", pin, now >> pin & 1);
    view.outputs = now;
    come_back();
}

static void on_step(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    uint32_t *steps = param;
    if (!value)
        return;
    ++*steps;
    note("step", steps == &view.feeder, *steps);
    come_back();
}

static void on_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (partial_count < SENT_MAX)
        partial[partial_count++] = (uint8_t)value;
    if (value || view.sent + partial_count > SENT_MAX)
        return;
    memcpy(view.bytes + view.sent, partial, partial_count);
    view.sent = (uint16_t)(view.sent + partial_count);
    partial_count = 0;
    come_back();
}

/* One byte after the other; the fourth that nobody has read destroys the one in the shift register. */
static avr_cycle_count_t on_byte(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)param;
    uart->cycles_per_byte = BYTE_CYCLES; /* libsimavr counts a parity bit that is not there */
    if (uart_fifo_get_read_size(&uart->input) >= UNREAD_MAX)
        figures.lost++;
    else
        avr_raise_irq(uart_input, queue[queue_tail]);
    queue_tail = (queue_tail + 1) % QUEUE;
    (void)chip;
    return queue_tail == queue_head ? 0 : when + BYTE_CYCLES;
}

static avr_cycle_count_t on_alarm(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)when, (void)param;
    alarm_over = true;
    return 0;
}

static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip, (void)cycles;
}

/* libsimavr clears all data at a reset. Real RAM holds anything, and the pins have the levels that they have. */
static void on_reset(avr_t *chip)
{
    memset(chip->data + RAM_START, RAM_GARBAGE, (size_t)(chip->ramend + 1 - RAM_START));
    if (reset_of_the_core)
        reset_of_the_core(chip);
    chip->data[PIN_LOW] = levels[0];
    chip->data[PIN_HIGH] = levels[1];
    view.outputs = 0;
    partial_count = queue_head = queue_tail = 0;
    off_since = 0;
    writing = false;
    if (!asked)
        figures.resets++;
    note("reset", asked ? caused : RESET_WATCHDOG, 1);
}

static avr_cycle_count_t on_kept(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    chip->data[EECR] = (uint8_t)(chip->data[EECR] & ~EEPE);
    writing = false;
    return 0;
}

/* libsimavr writes EEPROM at once. The chip is busy with a byte for 3.4 ms, and says so. */
static void on_eeprom(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (!(value & EEPE) || writing)
        return;
    writing = true;
    written = (uint16_t)(avr->data[EEAR] | avr->data[EEAR + 1] << 8);
    avr->data[EECR] |= EEPE;
    avr_cycle_timer_register_usec(avr, EEPROM_US, on_kept, 0);
}

/* A supply that fails leaves the byte under way neither old nor new; at any other reset its writing ends well. */
static void tear_eeprom(uint8_t cause)
{
    uint8_t garbage = RAM_GARBAGE;
    avr_eeprom_desc_t byte = {.ee = &garbage, .offset = written, .size = 1};
    if (writing && (cause == RESET_POWER_ON || cause == RESET_BROWN_OUT))
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &byte);
}

static avr_uart_t *find_uart(char name)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == name)
            return (avr_uart_t *)io;
    return 0;
}

static void connect(void)
{
    uint32_t outputs = (uint32_t)AVR_IOCTL_IOPORT_GETIRQ(PORT_NAME(WIRE_OUTPUTS));
    avr_irq_t *pins = avr_io_getirq(avr, outputs, IOPORT_IRQ_REG_PORT);
    avr_irq_register_notify(pins, on_outputs, 0);
    uint32_t steps = (uint32_t)AVR_IOCTL_IOPORT_GETIRQ(PORT_NAME(WIRE_STEPS));
    avr_irq_register_notify(avr_io_getirq(avr, steps, WIRE_STEP_BELT), on_step, &view.belt);
    avr_irq_register_notify(avr_io_getirq(avr, steps, WIRE_STEP_FEEDER), on_step, &view.feeder);
    avr_irq_register_notify(avr_iomem_getirq(avr, EECR, 0, AVR_IOMEM_IRQ_ALL), on_eeprom, 0);
    uint32_t serial = (uint32_t)AVR_IOCTL_UART_GETIRQ('0'), quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    avr_irq_register_notify(avr_io_getirq(avr, serial, UART_IRQ_OUTPUT), on_sent, 0);
    uart_input = avr_io_getirq(avr, serial, UART_IRQ_INPUT);
    uart = find_uart('0');
}

bool chip_load(const char *elf, bool is_fine, FILE *to)
{
    elf_firmware_t program = {0};
    if (elf_read_firmware(elf, &program) != 0 || !program.flash || !program.flashsize) {
        fprintf(stderr, "predeal-simavr: cannot read the program %s\n", elf);
        return false;
    }
    avr = avr_make_mcu_by_name("atmega2560");
    if (!avr) {
        fprintf(stderr, "predeal-simavr: this libsimavr does not know the ATmega2560\n");
        return false;
    }
    fine = is_fine;
    avr_init(avr);
    program.frequency = MHZ * 1000000U;
    avr_load_firmware(avr, &program);
    avr->vcc = avr->avcc = avr->aref = VOLTS_MV;
    avr->sleep = no_sleep;
    avr->log = LOG_NONE;
    /* Otherwise the level-triggered interrupts, which nobody uses, are looked at in every cycle. */
    for (int pin = 0; pin < 8; pin++)
        avr_extint_set_strict_lvl_trig(avr, (uint8_t)pin, 0);
    connect();
    trace = to;
    reset_of_the_core = avr->reset;
    avr->reset = on_reset;
    chip_reset(RESET_POWER_ON);
    return uart && uart_input;
}

void chip_input(uint8_t pin, bool high)
{
    if (pin >= INPUT_COUNT)
        return;
    uint8_t *port = &levels[pin / 8], mask = (uint8_t)(1U << pin % 8);
    *port = (uint8_t)(high ? *port | mask : *port & ~mask);
    avr->data[PIN_LOW] = levels[0];
    avr->data[PIN_HIGH] = levels[1];
    note("in", pin, high);
}

/* The least voltage that reads as so many counts. */
void chip_analog(uint8_t channel, uint16_t value)
{
    if (channel >= ANALOG_COUNT)
        return;
    counts[channel] = value < COUNTS ? value : COUNTS;
    uint32_t mv = ((uint32_t)counts[channel] * VOLTS_MV + COUNTS - 1) / COUNTS;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel), mv);
}

void chip_receive(const uint8_t *bytes, size_t count)
{
    bool idle = queue_head == queue_tail;
    for (size_t i = 0; i < count && (queue_head + 1) % QUEUE != queue_tail; i++) {
        queue[queue_head] = bytes[i];
        queue_head = (queue_head + 1) % QUEUE;
    }
    if (idle && count)
        avr_cycle_timer_register(avr, 1, on_byte, 0);
}

void chip_reset(uint8_t cause)
{
    static const uint8_t FLAG[RESET_END] = {
        [RESET_POWER_ON] = 1, [RESET_EXTERNAL] = 2, [RESET_BROWN_OUT] = 4, [RESET_WATCHDOG] = 8};
    caused = cause;
    tear_eeprom(cause);
    asked = true;
    avr_reset(avr);
    asked = false;
    avr->data[MCUSR] = FLAG[cause < RESET_END ? cause : RESET_EXTERNAL];
    avr->state = cpu_Running;
    for (uint8_t i = 0; i < ANALOG_COUNT; i++)
        chip_analog(i, counts[i]);
}

static bool reached(uint32_t step, uint32_t until)
{
    return until != NO_STEP && (int32_t)(step - until) >= 0;
}

static uint32_t reasons(uint32_t until_belt, uint32_t until_feeder)
{
    uint32_t why = 0;
    if (reached(view.belt, until_belt))
        why |= WHY_BELT;
    if (reached(view.feeder, until_feeder))
        why |= WHY_FEEDER;
    if (view.outputs != shown)
        why |= WHY_OUTPUT;
    if (view.sent)
        why |= WHY_TX;
    if (avr->state == cpu_Done || avr->state == cpu_Crashed)
        why |= WHY_CRASHED;
    return why;
}

/* How long no interrupt could have come in. Starting up does not count. */
static void watch_interrupts(void)
{
    if (avr->sreg[S_I] || !off_since) {
        if (avr->sreg[S_I])
            off_since = avr->cycle;
        return;
    }
    uint32_t off = (uint32_t)(avr->cycle - off_since);
    if (off > figures.interrupts_off) {
        figures.interrupts_off = off;
        figures.off_at = avr->pc;
    }
}

const struct chip_view *chip_run(uint64_t until_us, uint32_t until_belt, uint32_t until_feeder)
{
    avr_cycle_count_t until = until_us * MHZ;
    view.sent = 0;
    alarm_over = until <= avr->cycle;
    if (!alarm_over)
        avr_cycle_timer_register(avr, until - avr->cycle, on_alarm, 0);
    uint32_t why = reasons(until_belt, until_feeder);
    while (!why && !alarm_over) {
        avr->run_cycle_limit = fine ? 1 : BATCH_CYCLES;
        avr_run(avr);
        if (fine)
            watch_interrupts();
        alarm_over = alarm_over || avr->cycle >= until; /* a reset forgets the alarm */
        why = reasons(until_belt, until_feeder);
    }
    avr_cycle_timer_cancel(avr, on_alarm, 0);
    shown = view.outputs;
    view.why = why ? why : WHY_TIME;
    view.now_us = avr->cycle / MHZ;
    return &view;
}

struct chip_figures chip_figures(void)
{
    return figures;
}

uint8_t *chip_memory(uint16_t address, uint16_t count)
{
    return (uint32_t)address + count <= (uint32_t)avr->ramend + 1 ? avr->data + address : 0;
}
