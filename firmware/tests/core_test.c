/* The core from inside: size, boot, wrapping numbers, ramps, and where a hold stands. */
#include "bench.h"

enum { AVR_RAM_BUDGET = 4096, CARDS = 12 };

static void check_size(void)
{
    CHECK(sizeof(struct core) < AVR_RAM_BUDGET);
    CHECK(sizeof(struct event) == 16);
}

static void check_boot(void)
{
    struct bench bench = {.host = host_new()};
    CHECK(host_view(bench.host)->outputs == 0);
    CHECK(bench.host->core.state == STATE_UNKNOWN && bench.host->core.boot == 1);
    bench_start(&bench, 1, POCKET_N);
    CHECK(host_view(bench.host)->outputs == 1 << OUT_ENABLE);
    host_reset(bench.host, RESET_WATCHDOG);
    CHECK(host_view(bench.host)->outputs == 0);
    CHECK(bench.core->state == STATE_UNKNOWN && bench.core->boot == 2);
    CHECK(bench.core->reset_cause == RESET_WATCHDOG && !bench.core->config.committed);
    uint32_t belt = host_view(bench.host)->belt;
    bench_ms(&bench, 100);
    CHECK(host_view(bench.host)->belt == belt && host_view(bench.host)->outputs == 0);
    host_free(bench.host);
}

static void finish(struct bench *bench)
{
    uint8_t finish[SIZE_FINISH];
    put16(finish, 7);
    bench_command(bench, MSG_FINISH, finish, sizeof finish);
    bench_ms(bench, 1500);
}

/* Belt steps, event numbers and the clock all wrap in the middle of this run. */
static void check_wrap(uint8_t pocket, uint32_t steps_to_wrap)
{
    struct bench bench = {.host = host_new()};
    bench.host->boot_at = 0U - (uint64_t)2 * (UINT32_MAX - 2500000); /* wraps 2.5 s after boot */
    bench.host->core.motion.belt.position = UINT32_MAX - steps_to_wrap;
    bench.host->core.events.first = bench.host->core.events.next = bench.host->core.events.sent = 65520;
    bench_start(&bench, CARDS, pocket);
    bench_ms(&bench, 4000);
    finish(&bench);
    CHECK(bench.core->state == STATE_READY && bench.core->safety.reason == STOP_NONE);
    CHECK(bench.core->feed.fed == CARDS && bench.core->cards.seen == CARDS && bench.core->cards.count == 0);
    CHECK(bench.core->motion.belt.position < 100000 && bench.core->events.next < 200);
    CHECK(bench.core->now < 10000000);
    for (unsigned i = 1; i < bench.cards; i++)
        CHECK(bench.place[i] - bench.place[i - 1] == BENCH_CONFIG[KEY_PITCH]);
    CHECK(bench.looks == 2 * CARDS);
    for (unsigned i = 0; i < bench.looks; i++)
        CHECK(bench.look[i] == bench.place[i / 2] + BENCH_CONFIG[i % 2 ? KEY_LOOK_2 : KEY_LOOK_1]);
    host_free(bench.host);
}

/* No tick changes a motor's speed by more than its acceleration, and none outruns BELT_SPEED. */
static void check_ramps(void)
{
    struct bench bench = {.host = host_new()};
    uint16_t belt = 0, feeder = 0, top = 0;
    bench.mute = true; /* the belt holds again and again */
    bench_start(&bench, 5, POCKET_TRAY);
    const struct motion *motion = &bench.core->motion;
    for (unsigned i = 0; i < 3000; i++) {
        bench_ms(&bench, 1);
        CHECK(abs(motion->belt.speed - belt) <= (belt && motion->belt.speed ? 200 : 632));
        CHECK(motion->feeder.speed - feeder <= (feeder ? 600 : 1095 + 600));
        CHECK(feeder - motion->feeder.speed <= 2 * 600 + 1095 / 2);
        CHECK(motion->feeder.speed <= motion->belt.speed);
        belt = motion->belt.speed;
        feeder = motion->feeder.speed;
        top = belt > top ? belt : top;
    }
    CHECK(top == BENCH_CONFIG[KEY_BELT_SPEED]);
    host_free(bench.host);
}

/* The steps that the belt really makes at speed are the speed that was asked for. */
static void check_speed(void)
{
    struct bench bench = {.host = host_new()};
    bench_start(&bench, 0, POCKET_TRAY);
    bench_ms(&bench, 100);
    uint32_t before = host_view(bench.host)->belt;
    bench_ms(&bench, 2000);
    uint32_t made = host_view(bench.host)->belt - before;
    CHECK(made >= 17998 && made <= 18002);
    host_free(bench.host);
}

static void check_hold(void)
{
    struct bench bench = {.host = host_new(), .mute = true};
    bench_start(&bench, 1, POCKET_TRAY);
    for (unsigned i = 0; i < 1000 && !(bench.core->hold.on && !bench.core->motion.belt.speed); i++)
        bench_ms(&bench, 1);
    CHECK(bench.core->hold.on && bench.core->state == STATE_HOLDING);
    int32_t left = (int32_t)(bench.place[0] + BENCH_CONFIG[KEY_HOLD_LINE] - bench.core->motion.belt.position);
    CHECK(left > 0 && left <= 40);
    uint32_t stands = bench.core->motion.belt.position;
    bench_ms(&bench, 500);
    CHECK(bench.core->motion.belt.position == stands);
    host_free(bench.host);
}

/* A card that is already too near when its gate could first turn: the gate stays as it is. */
static void check_lost(void)
{
    struct bench bench = {.host = host_new(), .mute = true};
    bench_start(&bench, 0, POCKET_TRAY);
    struct core *core = bench.core;
    for (int32_t left = 137; left >= 0; left -= 10) {
        cards_clear(core);
        struct card *card = cards_add(core, core->belt - (BENCH_CONFIG[KEY_GATE_S] - (uint32_t)left));
        card->route = POCKET_S;
        gates_tick(core);
        bool in_time = left >= core->config.derived.gate_open[POCKET_S];
        CHECK((core->outputs >> OUT_GATE_S & 1) == in_time);
        CHECK((cards_destination(card) == POCKET_S) == in_time);
        CHECK((cards_route(core, 1, POCKET_S) == NAK_LATE) == !in_time);
        core_low(core, 1 << OUT_GATE_S);
    }
    host_free(bench.host);
}

/* Two cards as near as can be without TOO_CLOSE: the gate turns between them, whichever of the two it is for. */
static void check_least_gap(uint8_t first, uint8_t second, uint32_t phase)
{
    struct bench bench = {.host = host_new(), .mute = true};
    bench_start(&bench, 0, POCKET_TRAY);
    struct core *core = bench.core;
    uint32_t gate = BENCH_CONFIG[KEY_GATE_S], travel = core->config.derived.gate_open[POCKET_S], turned = 0;
    struct card *a = cards_add(core, core->belt - gate + phase);
    a->length = 570;
    struct card *b = cards_add(core, a->place + a->length + core->config.derived.least_gap);
    a->route = first;
    b->route = second;
    for (uint16_t before = core->outputs; cards_travel(core, b) < gate + 700; before = core->outputs) {
        core->belt += 9; /* a tick */
        gates_tick(core);
        if (!((before ^ core->outputs) >> OUT_GATE_S & 1))
            continue;
        bool after_a = cards_travel(core, a) >= gate + a->length && cards_travel(core, b) + travel <= gate;
        CHECK(after_a || cards_travel(core, a) + travel <= gate || cards_travel(core, b) >= gate + b->length);
        turned += after_a;
    }
    CHECK(turned == 1 && !(a->bits & CARD_LOST) && !(b->bits & CARD_LOST));
    host_free(bench.host);
}

/* A credit taken back in the millisecond before the feed: the feed does not begin. */
static void check_disarm(uint8_t type)
{
    struct bench bench = {.host = host_new(), .mute = true};
    uint8_t payload[SIZE_FEED];
    bench_start(&bench, 9, POCKET_N);
    for (unsigned i = 0; i < 200 && !bench.core->motion.feed.armed; i++)
        bench_ms(&bench, 1);
    CHECK(bench.core->motion.feed.armed && !bench.core->feed.fed);
    put16(payload + AT_FEED_RUN, 7);
    put16(payload + AT_FEED_UP_TO, 0);
    bench_command(&bench, type, payload, type == MSG_FEED ? SIZE_FEED : SIZE_FINISH);
    bench_ms(&bench, 300);
    CHECK(bench.core->feed.fed == 0 && host_view(bench.host)->feeder == 0);
    host_free(bench.host);
}

/* An output that stays on, whatever should have ended it: everything off within its longest on-time. */
static void check_on_time(uint8_t pin, unsigned most_ms)
{
    struct bench bench = {.host = host_new(), .mute = true};
    unsigned ms = 0;
    bench_start(&bench, 0, POCKET_TRAY);
    struct core *core = bench.core;
    for (; core->state == STATE_RUNNING && ms <= most_ms + 2; ms++) {
        core_high(core, (uint16_t)(1U << pin));
        safety_tick(core);
        core->safety.silence_ms = 0;
    }
    CHECK(core->state == STATE_STOPPED && core->safety.reason == STOP_OUTPUT_OVERTIME && core->outputs == 0);
    CHECK(ms >= most_ms && ms <= most_ms + 1);
    host_free(bench.host);
}

static void check_counts(void)
{
    struct bench bench = {.host = host_new()};
    struct core *core = &bench.host->core;
    uint16_t count = UINT16_MAX - 1;
    count_up(&count);
    count_up(&count);
    CHECK(count == UINT16_MAX);
    for (unsigned i = 0; i < UINT16_MAX + 2U; i++)
        statistics_transit(core, LEG_TRAY, i % 2 ? 70000 : 9);
    const struct transit *transit = &core->statistics.transit[LEG_TRAY];
    CHECK(transit->count == UINT16_MAX && transit->least == 9 && transit->most == UINT16_MAX);
    CHECK(transit->sum == 9U * 32768U + (uint32_t)UINT16_MAX * 32767U);
    host_free(bench.host);
}

/* Silent for more than a minute: the dead-man stays, the count does not wrap. */
static void check_long_silence(void)
{
    struct bench bench = {.host = host_new()};
    host_run(bench.host, 70000000, UINT32_MAX, UINT32_MAX);
    CHECK(bench.host->core.safety.silence_ms == UINT16_MAX);
    host_free(bench.host);
}

int main(void)
{
    check_size();
    check_boot();
    check_wrap(POCKET_W, 12000);
    check_wrap(POCKET_TRAY, 12000);
    for (uint32_t steps = 10000; steps < 10900; steps += 25) /* the wrap at every phase of a card */
        check_wrap(POCKET_N, steps);
    check_ramps();
    check_speed();
    check_hold();
    check_lost();
    for (uint32_t phase = 150; phase < 159; phase++) {
        check_least_gap(POCKET_S, POCKET_W, phase);
        check_least_gap(POCKET_W, POCKET_S, phase);
    }
    for (uint8_t gate = OUT_GATE_N; gate <= OUT_GATE_W; gate++)
        check_on_time(gate, GATE_MAX_MS);
    check_on_time(OUT_STROBE, STROBE_MAX_MS);
    check_on_time(OUT_TRIGGER, STROBE_MAX_MS);
    check_counts();
    check_long_silence();
    check_disarm(MSG_FEED);
    check_disarm(MSG_FINISH);
    return test_end("core");
}
