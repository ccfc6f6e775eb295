/* Coverage-guided fuzzing of everything that comes from outside: guided CORPUS SECONDS SEED [write].
 *
 * An input is a program of small steps: raw bytes, frames with a right CRC, pins, time, resets. Those that reach new
 * branches of the core are kept and mutated further. CORPUS has one input a line, in hexadecimal; with 0 seconds its
 * lines are only run. Core objects are built with -fsanitize-coverage=trace-pc, this file is not.
 */
#include "oracle.h"

#include <time.h>

enum { INPUT_MAX = 400, CORPUS_MAX = 4096, MAP_SIZE = 1 << 16, STARTS = 5 };

struct input {
    uint8_t bytes[INPUT_MAX];
    uint16_t size;
};

static uint8_t map[MAP_SIZE], reached[MAP_SIZE];
static uintptr_t before;
static struct input corpus[CORPUS_MAX];
static unsigned corpus_count;
static struct bench bench;
static struct oracle oracle;
static struct host starts[STARTS];

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0);
    uintptr_t here = (at >> 4 ^ at << 8) % MAP_SIZE;
    uint8_t *count = &map[(before ^ here) % MAP_SIZE];
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
    before = here >> 1;
}

/* 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more: a bit each, as other counts tell nothing new. */
static uint8_t bucket(uint8_t count)
{
    static const uint8_t LIMITS[] = {1, 2, 3, 7, 15, 31, 127, 255};
    for (uint8_t i = 0; count; i++)
        if (count <= LIMITS[i])
            return (uint8_t)(1U << i);
    return 0;
}

static bool anything_new(void)
{
    bool found = false;
    for (unsigned i = 0; i < MAP_SIZE; i++) {
        uint8_t bit = bucket(map[i]);
        found = found || bit & (uint8_t)~reached[i];
        reached[i] |= bit;
    }
    return found;
}

static void sends(const uint8_t *bytes, size_t count)
{
    oracle_follows(&oracle, bench.host);
    oracle_sees(&oracle, bench.host, bytes, count);
}

static void run(uint32_t us)
{
    uint64_t until = bench.host->now / HALF_US + us;
    while (host_run(bench.host, until, bench.host->view.belt + 60, UINT32_MAX) != HOST_WHY_TIME) {
        bench.host->tx_count = 0;
        oracle_checks(&oracle, bench.host);
    }
}

/* The run number of a frame is put right as a rule, or nearly no frame would get beyond that check. */
static uint16_t framed(const uint8_t *at, uint16_t left)
{
    uint8_t payload[PAYLOAD_MAX] = {0}, type = left ? at[0] & 0x1F : 0, size = left > 1 ? at[1] % 12 : 0;
    uint16_t used = (uint16_t)(2 + size);
    bool has_run = type == MSG_FEED || type == MSG_ROUTE || type == MSG_FINISH;
    if (left < used)
        return left;
    memcpy(payload, at + 2, size);
    if (has_run && size >= 2 && payload[1] < 128)
        put16(payload, bench.core->run);
    if (type == MSG_HEARTBEAT && size == 2 && payload[1] < 128)
        put16(payload, bench.core->events.next);
    bench_command(&bench, type, payload, size);
    return used;
}

static uint16_t raw(const uint8_t *at, uint16_t left)
{
    uint16_t count = left ? at[0] % 64 : 0;
    if (count + 1U > left)
        return left;
    bench_bytes(&bench, at + 1, count);
    return (uint16_t)(count + 1);
}

/* One step of the program; the bytes that it took. */
static uint16_t step_of(const uint8_t *at, uint16_t left)
{
    uint8_t kind = at[0] % 8, one = left > 1 ? at[1] : 0, two = left > 2 ? at[2] : 0;
    switch (kind) {
    case 0: return (uint16_t)(1 + raw(at + 1, (uint16_t)(left - 1)));
    case 1:
    case 2: return (uint16_t)(1 + framed(at + 1, (uint16_t)(left - 1)));
    case 3: host_input(bench.host, one % INPUT_COUNT, two & 1); return 3;
    case 4: host_analog(bench.host, one & 1, (uint16_t)(two * 4)); return 3;
    case 5: run((uint32_t)one * 400); return 2;
    case 6: bench_ms(&bench, one % 64); return 2;
    default:
        if (one < 8)
            host_reset(bench.host, two % RESET_END);
        else if (one < 16)
            host_tear(bench.host, two);
        return 3;
    }
}

static void execute(const struct input *input)
{
    const struct host *start = &starts[input->size ? input->bytes[0] % STARTS : 0];
    memcpy(bench.host, start, sizeof *start);
    bench.core = &bench.host->core;
    bench.cards = bench.looks = 0;
    bench.routed = bench.core->cards.seen;
    oracle = (struct oracle){
        .boot = bench.core->boot, .hello = true, .home = true, .highest_credit = bench.core->feed.credit,
        .heard = bench.host->now, .latched = bench.core->safety.reason,
    };
    if (start == &starts[0])
        oracle.hello = oracle.home = false;
    memset(map, 0, sizeof map);
    before = 0;
    for (uint16_t at = 1; at < input->size;) {
        at = (uint16_t)(at + step_of(input->bytes + at, (uint16_t)(input->size - at)));
        oracle_checks(&oracle, bench.host);
    }
    run(1200000);
    CHECK(bench.core->outputs == 0); /* nobody has spoken for more than a second */
}

/* What the programs may begin with: a fresh chip, configured, READY, two cards on the belt, STOPPED. */
static void make_starts(void)
{
    bench.host = host_new();
    bench.sends = sends;
    bench.core = &bench.host->core;
    starts[0] = *bench.host;
    bench_start(&bench, 3, POCKET_S);
    bench_ms(&bench, 400);
    starts[3] = *bench.host;
    bench_command(&bench, MSG_STOP, 0, 0);
    starts[4] = *bench.host;
    bench_command(&bench, MSG_CLEAR, (const uint8_t[]){STOP_HOST_STOP}, SIZE_CLEAR);
    starts[1] = *bench.host;
    for (uint8_t pin = IN_WINDOW; pin <= IN_PASS_TRAY; pin++)
        host_input(bench.host, pin, 0);
    bench.cards = 0;
    bench_ms(&bench, 10);
    bench_command(&bench, MSG_HOME, 0, 0);
    bench_ms(&bench, 1500);
    CHECK(bench.core->state == STATE_READY);
    starts[2] = *bench.host;
}

static uint16_t below(uint32_t limit)
{
    return (uint16_t)(test_random() % limit);
}

static void mutate_once(struct input *input)
{
    uint16_t at = below(input->size), left = (uint16_t)(input->size - at), count;
    switch (below(7)) {
    case 0: input->bytes[at] ^= (uint8_t)(1U << below(8)); break;
    case 1: input->bytes[at] = (uint8_t)test_random(); break;
    case 2: input->bytes[at] = (uint8_t)(input->bytes[at] + below(17) - 8); break;
    case 3: /* take a piece out */
        count = below(left) % 24;
        memmove(input->bytes + at, input->bytes + at + count, left - count);
        input->size = (uint16_t)(input->size - count);
        break;
    default: { /* put a piece of another input in */
        const struct input *other = &corpus[below(corpus_count)];
        uint16_t from = below(other->size);
        count = (uint16_t)(1 + below((uint32_t)(other->size - from)));
        if (input->size + count > INPUT_MAX)
            return;
        memmove(input->bytes + at + count, input->bytes + at, left);
        memcpy(input->bytes + at, other->bytes + from, count);
        input->size = (uint16_t)(input->size + count);
    }
    }
}

static void show(FILE *file, const struct input *input)
{
    for (uint16_t i = 0; i < input->size; i++)
        fprintf(file, "%02x", input->bytes[i]);
    fprintf(file, "\n");
}

/* Runs one; keeps it when it is new. */
static void consider(const struct input *input)
{
    unsigned failures = test_failures;
    execute(input);
    if (test_failures != failures) {
        printf("failed on: ");
        show(stdout, input);
    }
    if (anything_new() && corpus_count < CORPUS_MAX)
        corpus[corpus_count++] = *input;
}

static void read_corpus(const char *path)
{
    static char line[2 * INPUT_MAX + 8];
    FILE *file = fopen(path, "r");
    CHECK(file != 0);
    while (file && fgets(line, sizeof line, file)) {
        struct input input = {.size = 0};
        unsigned byte;
        for (const char *c = line; input.size < INPUT_MAX && sscanf(c, "%2x", &byte) == 1; c += 2)
            input.bytes[input.size++] = (uint8_t)byte;
        if (input.size && line[0] != '#')
            consider(&input);
    }
    if (file)
        fclose(file);
}

static int shorter(const void *a, const void *b)
{
    return (int)((const struct input *)a)->size - (int)((const struct input *)b)->size;
}

/* Short ones first, and of the others only those that still tell something new. */
static void write_corpus(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, "# Inputs of guided.c that each reach something of their own; written by make fuzz.\n");
    qsort(corpus, corpus_count, sizeof *corpus, shorter);
    memset(reached, 0, sizeof reached);
    for (unsigned i = 0; i < corpus_count; i++) {
        execute(&corpus[i]);
        if (anything_new())
            show(file, &corpus[i]);
    }
    fclose(file);
}

int main(int count, char **arguments)
{
    if (count < 4)
        return 2;
    unsigned seconds = (unsigned)atoi(arguments[2]), runs = 0, known;
    time_t end = time(0) + (time_t)seconds;
    test_seed((uint32_t)atoi(arguments[3]));
    make_starts();
    read_corpus(arguments[1]);
    CHECK(corpus_count > 0);
    known = corpus_count;
    for (; time(0) < end && !test_failures; runs++) {
        struct input input = corpus[below(corpus_count)];
        for (uint16_t i = (uint16_t)(1 + below(6)); i > 0 && input.size; i--)
            mutate_once(&input);
        if (input.size)
            consider(&input);
    }
    unsigned edges = 0;
    for (unsigned i = 0; i < MAP_SIZE; i++)
        edges += reached[i] != 0;
    if (count > 4 && !test_failures)
        write_corpus(arguments[1]);
    printf("guided: %u inputs run, %u known, %u new, %u edges\n", runs, known, corpus_count - known, edges);
    return test_end("guided");
}
