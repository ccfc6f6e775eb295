/* SPDX-License-Identifier: GPL-3.0-or-later
 * predeal-simavr: runs the firmware for whoever writes requests into its standard input; see README.md. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chip.h"

static FILE *answers;

static void put(uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        putc((int)(value >> 8 * i & 0xFF), answers);
}

/* Whoever asks has gone: so do we. */
static uint64_t get(size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        int byte = getchar();
        if (byte == EOF)
            exit(EXIT_SUCCESS);
        value |= (uint64_t)byte << 8 * i;
    }
    return value;
}

static void receive(void)
{
    static uint8_t bytes[UINT16_MAX];
    size_t count = get(2);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)get(1);
    chip_receive(bytes, count);
}

static void run(void)
{
    uint64_t until = get(8);
    uint32_t belt = (uint32_t)get(4), feeder = (uint32_t)get(4);
    const struct chip_view *view = chip_run(until, belt, feeder);
    put(view->why, 4);
    put(view->now_us, 8);
    put(view->belt, 4);
    put(view->feeder, 4);
    put(view->outputs, 2);
    put(view->sent, 2);
    fwrite(view->bytes, 1, view->sent, answers);
    fflush(answers);
}

static void tell_figures(void)
{
    struct chip_figures figures = chip_figures();
    put(figures.interrupts_off, 4);
    put(figures.off_at, 4);
    put(figures.lost, 4);
    put(figures.resets, 4);
    fflush(answers);
}

static void memory(bool write)
{
    uint16_t address = (uint16_t)get(2), count = (uint16_t)get(2);
    uint8_t *at = chip_memory(address, count);
    for (size_t i = 0; i < count; i++) {
        if (write && at)
            at[i] = (uint8_t)get(1);
        else if (write)
            get(1);
        else
            put(at ? at[i] : 0, 1);
    }
    fflush(answers);
}

static bool request(uint8_t kind)
{
    uint8_t which;
    switch (kind) {
    case 'i': which = (uint8_t)get(1); chip_input(which, get(1)); break;
    case 'a': which = (uint8_t)get(1); chip_analog(which, (uint16_t)get(2)); break;
    case 'r': receive(); break;
    case 'x': chip_reset((uint8_t)get(1)); break;
    case 'g': run(); break;
    case 'f': tell_figures(); break;
    case 'm': memory(false); break;
    case 'w': memory(true); break;
    default: return false;
    }
    return true;
}

/* libsimavr talks to standard output: the answers have a file of their own. */
static bool open_answers(void)
{
    int own = dup(STDOUT_FILENO);
    answers = own < 0 ? 0 : fdopen(own, "wb");
    return answers && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

int main(int count, char **words)
{
    const char *elf = 0, *file = 0;
    bool fine = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--fine") == 0)
            fine = true;
        else if (strcmp(words[i], "--trace") == 0 && i + 1 < count)
            file = words[++i];
        else
            elf = words[i];
    }
    if (!elf) {
        fprintf(stderr, "usage: predeal-simavr [--fine] [--trace FILE] PROGRAM.elf\n");
        return 2;
    }
    FILE *trace = file ? fopen(file, "w") : 0;
    if (!open_answers() || (file && !trace)) {
        fprintf(stderr, "predeal-simavr: cannot open %s\n", file ? file : "standard output");
        return EXIT_FAILURE;
    }
    if (!chip_load(elf, fine, trace))
        return EXIT_FAILURE;
    for (;;)
        if (!request((uint8_t)get(1))) {
            fprintf(stderr, "predeal-simavr: not a request\n");
            return EXIT_FAILURE;
        }
}
