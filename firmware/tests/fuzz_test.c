/* Anything from outside, in any order: bytes, commands, inputs, time. What must hold after every step holds. */
#include "oracle.h"

enum { ROUNDS = 120, ACTIONS = 1500 };

static struct oracle oracle;
static struct host *host;

static void sends(const uint8_t *bytes, size_t count)
{
    oracle_follows(&oracle, host);
    oracle_sees(&oracle, host, bytes, count);
}

/* A frame with a right CRC whose content is mostly sensible. */
static void random_command(struct bench *bench)
{
    static const uint8_t SIZES[] = {0, 1, 5, 2, 0, 2, 4, 5, 2, 0, 1, 2, 2, 3, 2, 1, 0, 1};
    uint8_t payload[16], type = (uint8_t)(test_random() % sizeof SIZES);
    uint8_t size = SIZES[type];
    for (uint8_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(test_random() % 3 ? 0 : test_random());
    if (type == MSG_HELLO)
        payload[0] = PROTOCOL_VERSION;
    if (type == MSG_CONFIG || (type == MSG_STOP && test_random() % 4))
        return;
    if (type == MSG_START || type == MSG_FEED || type == MSG_ROUTE || type == MSG_FINISH)
        put16(payload, bench->core->run && test_random() % 8 ? bench->core->run : (uint16_t)test_random());
    if (type == MSG_FEED)
        put16(payload + AT_FEED_UP_TO, (uint16_t)(test_random() % 60));
    if (type == MSG_ROUTE) {
        put16(payload + AT_ROUTE_CARD, (uint16_t)(bench->core->cards.seen + 1 - test_random() % 4));
        payload[AT_ROUTE_POCKET] = (uint8_t)(test_random() % 6);
    }
    if (type == MSG_CLEAR && test_random() % 4)
        payload[0] = bench->core->safety.reason;
    if (test_random() % 20 == 0)
        size = (uint8_t)(test_random() % 16);
    bench_command(bench, type, payload, size);
}

static void random_action(struct bench *bench)
{
    unsigned choice = test_random() % 100;
    uint8_t pin = (uint8_t)(test_random() % INPUT_COUNT), byte = (uint8_t)test_random();
    if (choice < 25) {
        random_command(bench);
    } else if (choice < 30) {
        bench_bytes(bench, &byte, 1);
    } else if (choice < 40) {
        host_input(bench->host, IN_WINDOW, byte & 1);
        host_analog(bench->host, byte & 1, (uint16_t)(test_random() % 1024));
    } else if (choice < 44) {
        host_input(bench->host, pin, pin >= IN_BOARD ? byte % 8 != 0 : byte & 1);
    } else if (choice < 46) {
        for (uint8_t safe = IN_BOARD; safe <= IN_ESTOP; safe++)
            host_input(bench->host, safe, 1);
    } else {
        host_run(bench->host, bench->host->now / 2 + test_random() % 20000, UINT32_MAX, UINT32_MAX);
    }
    if (choice < 30)
        bench_heartbeat(bench);
    bench->host->tx_count = 0;
}

int main(void)
{
    unsigned runs = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct bench bench = {.host = host_new(), .mute = true, .sends = sends};
        host = bench.host;
        oracle = (struct oracle){.boot = 0};
        bench_start(&bench, 5, POCKET_TRAY);
        for (unsigned i = 0; i < ACTIONS; i++) {
            random_action(&bench);
            oracle_checks(&oracle, host);
            runs += bench.core->feed.fed > 0;
        }
        host_free(bench.host);
    }
    CHECK(runs > ROUNDS);
    return test_end("fuzz");
}
