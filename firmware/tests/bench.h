/* For C tests that look inside: the host board, a commanding host, and a plant of straight-running cards. */
#ifndef PREDEAL_BENCH_H
#define PREDEAL_BENCH_H

#include "../board/host/host.c"
#include "bytes.h"
#include "test.h"

enum { BENCH_CARDS = 64 };

struct bench {
    struct host *host;
    struct core *core;
    uint8_t seq;
    uint32_t place[BENCH_CARDS]; /* belt step of each card's leading edge at the window */
    uint32_t look[2 * BENCH_CARDS]; /* belt step of each strobe */
    unsigned cards, looks;
    uint8_t pocket;              /* where all cards go */
    bool mute;                   /* no route is sent */
    uint16_t credit, routed;
    void (*sends)(const uint8_t *bytes, size_t count); /* is shown what goes to the MCU; may be 0 */
};

static const uint32_t BENCH_CONFIG[KEY_END] = {
    9000, 200000, 600000, 300, 864, 400, 80, 265, 1200, 1600, 2250, 2900, 3550, 600, 4550,
    550, 590, 450, 30, 150, 250, 150, 1000,
    12000, 12000, 12000, 12000, 12000, 12000, 12000, 12000,
};

static void bench_bytes(struct bench *bench, const uint8_t *bytes, size_t count)
{
    if (bench->sends)
        bench->sends(bytes, count);
    host_rx(bench->host, bytes, count);
    bench->host->tx_count = 0;
}

static void bench_command(struct bench *bench, uint8_t type, const uint8_t *payload, uint8_t size)
{
    struct frame_tx tx = {0};
    frame_send(&tx, type, ++bench->seq, payload, size);
    bench_bytes(bench, tx.bytes, tx.head);
}

static void bench_heartbeat(struct bench *bench)
{
    uint8_t payload[SIZE_HEARTBEAT];
    put16(payload, bench->core->events.next);
    bench_command(bench, MSG_HEARTBEAT, payload, sizeof payload);
}

static void bench_configure(struct bench *bench)
{
    uint8_t payload[SIZE_CONFIG], crc[SIZE_COMMIT];
    uint16_t sum = 0xFFFF;
    bench_command(bench, MSG_HELLO, (const uint8_t[]){PROTOCOL_VERSION}, SIZE_HELLO);
    for (uint8_t key = 0; key < KEY_END; key++) {
        payload[0] = key;
        put32(payload + 1, BENCH_CONFIG[key]);
        sum = crc16(sum, payload + 1, 4);
        bench_command(bench, MSG_CONFIG, payload, sizeof payload);
    }
    put16(crc, sum);
    bench_command(bench, MSG_COMMIT, crc, sizeof crc);
}

/* The plant: levels follow from places. */
static void bench_plant(struct bench *bench)
{
    struct core *core = bench->core;
    uint32_t belt = core->motion.belt.position;
    bool window = false, passing = false;
    if (core->feed.awaiting && core->feed.fed > bench->cards && bench->cards < BENCH_CARDS)
        bench->place[bench->cards++] = core->feed.at + core->config.derived.feed_nominal;
    for (unsigned i = 0; i < bench->cards; i++) {
        int32_t travel = (int32_t)(belt - bench->place[i]);
        int32_t past = travel - config_due(core, bench->pocket);
        window = window || (travel >= 0 && travel < 570);
        passing = passing || (past >= 0 && past < 570);
    }
    host_input(bench->host, IN_WINDOW, window);
    host_input(bench->host, (uint8_t)(IN_PASS_N + bench->pocket), passing);
}

static void bench_look(struct bench *bench, uint32_t why)
{
    bool lit = bench->core->outputs >> OUT_STROBE & 1;
    if (why & HOST_WHY_OUTPUT && lit && bench->looks < 2 * BENCH_CARDS)
        bench->look[bench->looks++] = bench->core->motion.belt.position;
}

static void bench_route(struct bench *bench)
{
    uint8_t payload[SIZE_ROUTE];
    if (bench->mute || bench->routed == bench->core->cards.seen)
        return;
    put16(payload + AT_ROUTE_RUN, bench->core->run);
    put16(payload + AT_ROUTE_CARD, ++bench->routed);
    payload[AT_ROUTE_POCKET] = bench->pocket;
    bench_command(bench, MSG_ROUTE, payload, sizeof payload);
}

static void bench_ms(struct bench *bench, unsigned ms)
{
    while (ms--) {
        uint64_t until = bench->host->now / 2 + 1000;
        uint32_t why;
        while ((why = host_run(bench->host, until, bench->host->view.belt + 1, UINT32_MAX)) != HOST_WHY_TIME) {
            bench->host->tx_count = 0;
            bench_look(bench, why);
            bench_plant(bench);
        }
        bench_route(bench);
        if (bench->host->now / TICK_UNITS % 100 == 0)
            bench_heartbeat(bench);
    }
}

/* A machine in RUNNING with credit for `credit` cards, all for `pocket`. */
static void bench_start(struct bench *bench, uint16_t credit, uint8_t pocket)
{
    uint8_t start[SIZE_START], feed[SIZE_FEED];
    bench->core = &bench->host->core;
    bench->pocket = pocket;
    host_input(bench->host, IN_HOPPER, 1);
    host_input(bench->host, IN_BOARD, 1);
    host_input(bench->host, IN_LID, 1);
    host_input(bench->host, IN_ESTOP, 1);
    bench_ms(bench, 2);
    bench_configure(bench);
    bench_command(bench, MSG_HOME, 0, 0);
    bench_ms(bench, 1500);
    CHECK(bench->core->state == STATE_READY);
    put16(start, 7);
    bench_command(bench, MSG_START, start, sizeof start);
    put16(feed + AT_FEED_RUN, 7);
    put16(feed + AT_FEED_UP_TO, credit);
    bench_command(bench, MSG_FEED, feed, sizeof feed);
    CHECK(bench->core->state == STATE_RUNNING);
}

#endif
