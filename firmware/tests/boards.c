/* Whole boards with faults, by seed: boards FIRST COUNT [FAULT] prints a table by fault and fails when a board is wrong in
 * silence, an output stays on too long, or too few boards come right.
 *
 * What counts is where the plant's cards lie in the end. A stopped board is mended as a person would do it, and dealt
 * again from the beginning by a host that has to open its session anew.
 */
#include "other.h"

enum { PASSES = 3, NOT_SILENT_US = 1001000, ESTOP_US = 1000, JAM_STEPS = 540 /* 60 ms of belt */ };

static const uint32_t BUILT[KEY_END] = {
    9000, 200000, 600000, 300, 864, 400, 80, 265, 1200, 1600, 2250, 2900, 3550, 600, 4550,
    540, 600, 420, 30, 150, 250, 120, 1000,
    TRAVEL_US, TRAVEL_US, TRAVEL_US, TRAVEL_US, TRAVEL_US, TRAVEL_US, TRAVEL_US, TRAVEL_US,
};

enum moment { NEVER_AT, AT_CARD }; /* a fault of the wire is always there, one of the machine at a card */

struct fault {
    const char *name, *row;
    uint8_t weight;      /* of 40 boards so many */
    uint8_t lost_of_100; /* boards that may stop at all, also mended ones */
    struct harm harm;
    enum moment when;
};

enum fault_name {
    NOTHING, NOISE_1, NOISE_5, NOISE_20, LOSS_5, LOSS_20, TWICE, OVERTAKEN, CUT, GLUED, ALL_AT_ONCE, STALL, SILENCE, RESET,
    ESTOP, LID, BOARD, MISFEED, WINDOW_JAM, CHUTE_JAM, DOUBLE, GATE_STUCK, GLITCHES, SENSOR_STUCK, SWAPPED, FAULTS
};

static const struct fault TABLE[FAULTS] = {
    [NOTHING] = {"nothing", "-", 1, 0, {0}, NEVER_AT},
    [NOISE_1] = {"link_noise", "F2", 4, 0, {.corrupt = 10, .ways = BOTH_WAYS}, NEVER_AT},
    [NOISE_5] = {"link_noise_5", "F2", 4, 1, {.corrupt = 50, .ways = BOTH_WAYS}, NEVER_AT},
    [NOISE_20] = {"link_noise_20", "F2", 1, 100, {.corrupt = 200, .ways = BOTH_WAYS}, NEVER_AT},
    [LOSS_5] = {"link_loss_5", "F2", 2, 1, {.lose = 50, .ways = BOTH_WAYS}, NEVER_AT},
    [LOSS_20] = {"link_loss_20", "F2", 1, 100, {.lose = 200, .ways = BOTH_WAYS}, NEVER_AT},
    [TWICE] = {"link_doubled", "F3", 2, 0, {.twice = 500, .ways = BOTH_WAYS}, NEVER_AT},
    [OVERTAKEN] = {"link_reordered", "F3", 2, 10, {.overtake = 100, .ways = BOTH_WAYS}, NEVER_AT},
    [CUT] = {"link_truncated", "F2", 1, 5, {.cut = 50, .ways = BOTH_WAYS}, NEVER_AT},
    [GLUED] = {"link_spliced", "F2", 1, 60, {.glue = 50, .ways = BOTH_WAYS}, NEVER_AT},
    [ALL_AT_ONCE] = {"link_all", "F2", 2, 20, {10, 10, 100, 30, 10, 10, BOTH_WAYS}, NEVER_AT},
    [STALL] = {"link_stall", "F1b", 1, 100, {0}, AT_CARD},
    [SILENCE] = {"link_cut", "F1", 2, 100, {0}, AT_CARD},
    [RESET] = {"mcu_reset", "F4", 3, 100, {0}, AT_CARD},
    [ESTOP] = {"estop", "F15", 3, 100, {0}, AT_CARD},
    [LID] = {"lid_open", "F15", 1, 100, {0}, AT_CARD},
    [BOARD] = {"board_removed", "F14", 1, 100, {0}, AT_CARD},
    [MISFEED] = {"misfeed", "F10", 1, 100, {0}, AT_CARD},
    [WINDOW_JAM] = {"jam_window", "F10", 1, 100, {0}, AT_CARD},
    [CHUTE_JAM] = {"jam_pocket", "F10", 1, 100, {0}, AT_CARD},
    [DOUBLE] = {"double_feed", "F9", 1, 100, {0}, AT_CARD},
    [GATE_STUCK] = {"gate_stuck", "F11", 1, 100, {0}, AT_CARD},
    /* A false pulse at the very edge of a card makes that card suspect: its host gives the board up. */
    [GLITCHES] = {"sensor_glitch", "F13", 1, 40, {0}, AT_CARD},
    [SENSOR_STUCK] = {"sensor_stuck", "F13", 1, 100, {0}, AT_CARD},
    [SWAPPED] = {"wrong_pocket", "F12", 1, 100, {0}, AT_CARD},
};

struct board {
    enum fault_name fault;
    unsigned seed;
    uint8_t card; /* at which it happens */
    bool happened, host_dead;
    uint64_t at, glitch_due; /* us */
    unsigned glitches_left;
    uint8_t glitch_pin;
    bool glitching;
    uint8_t want[HOPPER_CARDS + 1];
    struct plant plant;
    struct cable cable;
    struct other other;
};

struct result {
    unsigned boards, proven, mended, stopped, repeats, rereads;
};

static struct board board;

static void fail(const char *what)
{
    test_check(0, what, TABLE[board.fault].name, (int)board.seed);
}

static uint32_t one_of(uint32_t count)
{
    return chance(&board.plant.random) % count;
}

/* 13 cards a pocket, shuffled; cards behind the pack belong to nobody. */
static void shuffle(void)
{
    for (uint8_t i = 0; i <= HOPPER_CARDS; i++)
        board.want[i] = (uint8_t)(i && i <= PACK ? (i - 1) / 13 : POCKET_TRAY);
    for (uint8_t i = PACK; i > 1; i--) {
        uint8_t j = (uint8_t)(1 + one_of(i)), kept = board.want[i];
        board.want[i] = board.want[j];
        board.want[j] = kept;
    }
}

static void prepare(unsigned seed)
{
    static uint8_t order[256], turn[256];
    unsigned count = 0;
    for (uint8_t fault = 0; fault < FAULTS; fault++)
        for (uint8_t i = 0; i < TABLE[fault].weight; i++) {
            turn[count] = i;
            order[count++] = fault;
        }
    memset(&board, 0, sizeof board);
    board.seed = seed;
    board.fault = order[seed % count];
    /* Every card in turn, so that each fault meets each card. */
    board.card = (uint8_t)(1 + (seed / count * TABLE[board.fault].weight + turn[seed % count]) % PACK);
    if (board.fault == DOUBLE && board.card == 1)
        board.card = 2; /* the first has nobody to come along with */
    board.plant.random = seed * 2654435761U + 1;
    board.cable.random = seed * 0x9E3779B1U + 7;
    board.cable.harm = TABLE[board.fault].harm;
    board.plant.host = host_new();
    board.plant.value = BUILT;
    shuffle();
    plant_build(&board.plant);
    plant_refill(&board.plant);
    board.other.plant = &board.plant;
    board.other.cable = &board.cable;
    board.other.want = board.want;
    /* A fresh chip shows the levels that it finds: let it settle. */
    plant_run(&board.plant, host_view(board.plant.host)->now_us + 1000);
    other_begin(&board.other);
}

static void strike(void)
{
    struct plant *plant = &board.plant;
    struct host *host = plant->host;
    uint64_t now = host_view(host)->now_us;
    uint8_t gate = (uint8_t)one_of(4), pin;
    board.happened = true;
    board.at = now;
    switch (board.fault) {
    case STALL: board.cable.stalled = now + 20000 + one_of(1980000); break;
    case SILENCE: board.host_dead = true; break;
    case RESET:
        host_reset(host, (uint8_t)one_of(RESET_END));
        test_check(host_view(host)->outputs == 0, "outputs low at boot", "mcu_reset", (int)board.seed);
        break;
    case ESTOP: host_input(host, IN_ESTOP, 0); break;
    case LID: host_input(host, IN_LID, 0); break;
    case BOARD: host_input(host, IN_BOARD, 0); break;
    case MISFEED: plant->no_grip = true; break;
    case WINDOW_JAM: plant->sticks_at_window = board.card; break;
    case CHUTE_JAM: plant->sticks_in_chute = board.card; break;
    case DOUBLE: plant->lies[board.card] = (uint8_t)(one_of(2) ? 1 + one_of(254) : 1); break;
    case GATE_STUCK:
        plant->gate[gate].from = opened_us(&plant->gate[gate], now);
        plant->gate[gate].stuck = true;
        break;
    case GLITCHES: board.glitches_left = 80; board.glitch_due = now; break;
    case SENSOR_STUCK: plant->covers[plant->pass_pin[gate]] = 1; host_input(host, plant->pass_pin[gate], 1); break;
    case SWAPPED:
        pin = plant->pass_pin[gate];
        plant->pass_pin[gate] = plant->pass_pin[(gate + 1) % 4];
        plant->pass_pin[(gate + 1) % 4] = pin;
        break;
    default: break;
    }
}

/* Some faults must be there before the card is gripped, others come at any moment while it runs. */
static bool time_to_strike(void)
{
    const struct plant *plant = &board.plant;
    bool sticks = board.fault == WINDOW_JAM || board.fault == CHUTE_JAM;
    if (board.happened || TABLE[board.fault].when != AT_CARD)
        return false;
    if (board.fault == DOUBLE)
        return plant->fed + 2U >= board.card;
    if (board.fault == MISFEED)
        return plant->fed + 1U >= board.card && !plant->under_feeder;
    if (sticks)
        return plant->fed + 1U >= board.card;
    if (plant->fed < board.card)
        return false;
    if (!board.at)
        board.at = host_view(plant->host)->now_us + one_of(96000);
    return host_view(plant->host)->now_us >= board.at;
}

/* False pulses shorter than what settles, on window and passing sensors. */
static void glitch(void)
{
    struct plant *plant = &board.plant;
    uint64_t now = host_view(plant->host)->now_us;
    if (!board.glitches_left || now < board.glitch_due)
        return;
    if (!board.glitching)
        board.glitch_pin = (uint8_t)(IN_WINDOW + one_of(6));
    board.glitching = !board.glitching;
    host_input(plant->host, board.glitch_pin, (plant->covers[board.glitch_pin] != 0) ^ board.glitching);
    board.glitch_due = now + (board.glitching ? 10 + one_of(1990) : 5000 + one_of(20000));
    board.glitches_left -= !board.glitching;
}

static void deliver(uint64_t now)
{
    struct piece piece;
    uint8_t bytes[512];
    size_t count = host_tx(board.plant.host, bytes, sizeof bytes);
    if (count)
        cable_send(&board.cable, now, 2, bytes, count);
    while (cable_take(&board.cable, now, &piece)) {
        if (piece.way == 1)
            host_rx(board.plant.host, piece.bytes, piece.count);
        else if (!board.host_dead)
            other_hears(&board.other, piece.bytes, piece.count);
    }
}

static void advance(uint64_t until)
{
    const struct host_view *view = host_view(board.plant.host);
    uint64_t next = cable_due(&board.cable), mine = other_due(&board.other);
    if (next > until)
        next = until;
    if (!board.host_dead && mine < next)
        next = mine;
    if (board.glitches_left && board.glitch_due < next)
        next = board.glitch_due;
    if (!board.happened && board.at && board.at < next)
        next = board.at;
    plant_run(&board.plant, next > view->now_us ? next : view->now_us);
    if (time_to_strike())
        strike();
    glitch();
    deliver(view->now_us);
    if (!board.host_dead)
        other_acts(&board.other);
}

/* How soon everything must be off, by what went wrong. */
static void check_bounds(void)
{
    const struct plant *plant = &board.plant;
    const struct host_view *view = host_view(plant->host);
    if (!board.happened || view->outputs)
        return;
    if (board.fault == ESTOP && plant->off_at > board.at && plant->off_at - board.at > ESTOP_US)
        fail("enable low within 1 ms of the emergency stop");
    if (board.fault == SILENCE && plant->off_at > board.at + NOT_SILENT_US)
        fail("all off within 1 s of silence");
}

/* The belt stops within 60 ms of the latest step at which the stuck card could still have been seen. */
static void check_jam(void)
{
    const struct plant *plant = &board.plant;
    uint32_t latest = 0;
    if (board.fault == MISFEED)
        latest = plant->missed_at - GRIP + WINDOW_AT + BUILT[KEY_ARRIVAL_WINDOW] + 400;
    if (latest && (!plant->missed_at || (int32_t)(plant->off_belt - latest) > JAM_STEPS))
        fail("belt off within 60 ms of the latest admissible arrival at the window");
    for (unsigned i = 0; i < plant->count; i++) {
        const struct pasteboard *card = &plant->cards[i];
        if (!card->stands || card->who != board.card)
            continue;
        if (board.fault == WINDOW_JAM)
            latest = card->offset + WINDOW_AT + BUILT[KEY_LENGTH_MAX] + 400;
        else if (card->chute < POCKET_TRAY)
            latest = card->offset + gate_place(plant, card->chute) + BUILT[KEY_DROP] + BUILT[KEY_ARRIVAL_WINDOW];
        if (latest && (int32_t)(plant->off_belt - latest) > JAM_STEPS)
            fail("belt off within 60 ms of the latest admissible arrival");
    }
}

static bool right(void)
{
    for (uint8_t who = 1; who <= PACK; who++)
        if (board.plant.landed[who] != board.want[who])
            return false;
    return true;
}

/* One pass over the pack; true when the host believes that the board is done. */
static bool pass(void)
{
    const struct host_view *view = host_view(board.plant.host);
    uint64_t limit = view->now_us + 60000000;
    while (board.other.phase < DONE && !board.host_dead && view->now_us < limit)
        advance(limit);
    if (board.other.phase == DONE)
        return true;
    if (view->now_us >= limit)
        fail("an end within a minute");
    /* Nobody speaks any more: whatever went on, everything is off within a second. */
    uint64_t silent = view->now_us + 1300000;
    if (board.cable.stalled > view->now_us)
        silent = board.cable.stalled + 1300000; /* what comes through then still counts as heard */
    board.host_dead = true;
    while (view->now_us < silent)
        advance(silent);
    if (view->outputs)
        fail("all off when nobody speaks");
    check_bounds();
    if (board.fault == WINDOW_JAM || board.fault == CHUTE_JAM || board.fault == MISFEED)
        check_jam();
    return false;
}

/* A person takes all cards back, mends what is broken, and lets the host begin again. */
static void mend(void)
{
    board.host_dead = false;
    board.glitches_left = 0;
    board.cable.count = board.cable.held_count[0] = board.cable.held_count[1] = 0;
    board.cable.stalled = 0;
    plant_refill(&board.plant);
    shuffle();
    plant_run(&board.plant, host_view(board.plant.host)->now_us + 10000);
    other_begin(&board.other);
}

static void deal_one(unsigned seed, struct result *result)
{
    unsigned passes = 0;
    bool done = false;
    prepare(seed);
    for (; passes < PASSES && !done; passes++) {
        if (passes)
            mend();
        done = pass();
    }
    result->boards++;
    result->proven += done && passes == 1;
    result->mended += done && passes > 1;
    result->stopped += !done;
    result->repeats += board.other.repeats;
    result->rereads += board.other.rereads;
    if (done && !right())
        fail("the cards where the deal wants them");
    if (done && board.plant.fed != PACK)
        fail("never a 53rd card");
    if (done && passes == 1 && board.plant.jams)
        fail("no card meets a gate that moves");
    if (done && board.plant.strobes < 2 * PACK)
        fail("every card is shown twice");
    if (board.cable.lost_for_room)
        fail("room in the simulated cable");
    host_free(board.plant.host);
}

static int told(const struct result *results)
{
    unsigned boards = 0;
    printf("| fault | row | boards | proven | mended | stopped | commands again | events again |\n|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (uint8_t fault = 0; fault < FAULTS; fault++) {
        const struct result *r = &results[fault];
        const struct fault *kind = &TABLE[fault];
        printf("| %s | %s | %u | %u | %u | %u | %u | %u |\n", kind->name, kind->row, r->boards, r->proven, r->mended,
               r->stopped, r->repeats, r->rereads);
        boards += r->boards;
        bool enough = (r->mended + r->stopped) * 100 <= kind->lost_of_100 * r->boards;
        test_check(enough, "few enough boards stop", kind->name, (int)r->boards);
        /* Whatever a person can mend ends right. A link that is as bad as that for ever is no such thing. */
        if (kind->when == AT_CARD || kind->lost_of_100 <= 20)
            test_check(r->stopped == 0, "every board comes right in the end", kind->name, (int)r->stopped);
    }
    printf("boards: %u\n", boards);
    return test_end("boards");
}

int main(int count, char **arguments)
{
    static struct result results[FAULTS];
    if (count < 3)
        return 2;
    unsigned first = (unsigned)atoi(arguments[1]), boards = (unsigned)atoi(arguments[2]);
    for (unsigned seed = first; seed < first + boards; seed++) {
        prepare(seed);
        enum fault_name fault = board.fault;
        host_free(board.plant.host);
        if (count == 3 || strcmp(arguments[3], TABLE[fault].name) == 0)
            deal_one(seed, &results[fault]);
    }
    return told(results);
}
