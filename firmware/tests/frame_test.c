/* Frames against tests/vectors/frames.txt, and against bytes of any kind. */
#define PREDEAL_FIELD_LIST
#include "frame.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { LINE_MAX_BYTES = 4096, STREAM_MAX = 1024 };

struct message_kind {
    const char *name;
    uint8_t type, size;
};

struct message_field {
    const char *message, *name;
    uint8_t at, size;
};

#define KIND(message) {#message, MSG_##message, SIZE_##message},
#define FIELD(message, field, at, size) {#message, #field, at, size},
static const struct message_kind KINDS[] = {MESSAGE_LIST(KIND)};
static const struct message_field FIELDS[] = {MESSAGE_FIELDS(FIELD)};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0], FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

/* GetEvents to GET_EVENTS. */
static void to_upper_words(const char *camel, char *out)
{
    for (const char *c = camel; *c; c++) {
        if (c != camel && isupper((unsigned char)*c))
            *out++ = '_';
        *out++ = (char)toupper((unsigned char)*c);
    }
    *out = 0;
}

static size_t parse_hex(const char *text, uint8_t *out)
{
    size_t count = 0;
    char *end;
    for (;;) {
        unsigned long value = strtoul(text, &end, 16);
        if (end == text)
            return count;
        out[count++] = (uint8_t)value;
        text = end;
    }
}

static const struct message_kind *kind_of(const char *camel)
{
    char name[32];
    to_upper_words(camel, name);
    for (unsigned i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i].name, name) == 0)
            return &KINDS[i];
    return 0;
}

/* Puts field=value into the payload. */
static void put_field(const struct message_kind *kind, const char *word, uint8_t *payload)
{
    size_t length = strcspn(word, "=");
    unsigned long value = strtoul(word + length + 1, 0, 10);
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        const struct message_field *field = &FIELDS[i];
        if (strcmp(field->message, kind->name) || strncmp(field->name, word, length) || field->name[length])
            continue;
        for (uint8_t byte = 0; byte < field->size; byte++)
            payload[field->at + byte] = (uint8_t)(value >> (8 * byte));
        return;
    }
    CHECK(!"a field of the message list");
}

static void check_message(char *words, const uint8_t *bytes, size_t count)
{
    const struct message_kind *kind = kind_of(strtok(words, " "));
    uint8_t payload[PAYLOAD_MAX] = {0}, seq = (uint8_t)atoi(strtok(0, " ") + strlen("seq="));
    struct frame_rx rx = {0};
    struct frame_tx tx = {0};
    struct frame frame;
    CHECK(kind != 0);
    if (!kind)
        return;
    for (const char *word = strtok(0, " "); word; word = strtok(0, " "))
        put_field(kind, word, payload);
    CHECK(frame_send(&tx, kind->type, seq, payload, kind->size));
    CHECK(tx.head == count && memcmp(tx.bytes, bytes, count) == 0);
    for (size_t i = 0; i < count; i++)
        CHECK(frame_receive(&rx, bytes[i], &frame) == (i == count - 1));
    CHECK(frame.type == kind->type && frame.seq == seq && frame.size == kind->size);
    CHECK(memcmp(frame.payload, payload, kind->size) == 0 && rx.dropped == 0);
}

static void check_stream(char *words, const uint8_t *bytes, size_t count)
{
    strtok(words, " ");
    unsigned dropped = (unsigned)atoi(strtok(0, " ") + strlen("dropped="));
    unsigned frames = (unsigned)atoi(strtok(0, " ") + strlen("frames=")), found = 0;
    struct frame_rx rx = {0};
    struct frame frame;
    for (size_t i = 0; i < count; i++)
        found += frame_receive(&rx, bytes[i], &frame);
    CHECK(found == frames);
    CHECK(rx.dropped == dropped);
}

static void check_vectors(const char *path)
{
    static char line[LINE_MAX_BYTES];
    static uint8_t bytes[STREAM_MAX];
    unsigned messages = 0, streams = 0;
    FILE *file = fopen(path, "r");
    CHECK(file != 0);
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strstr(line, " : ");
        if (line[0] == '#' || !colon)
            continue;
        *colon = 0;
        size_t count = parse_hex(colon + 3, bytes);
        if (strncmp(line, "message ", 8) == 0 && ++messages)
            check_message(line + 8, bytes, count);
        else if (strncmp(line, "stream ", 7) == 0 && ++streams)
            check_stream(line + 7, bytes, count);
    }
    CHECK(messages >= KIND_COUNT && streams >= 15);
    if (file)
        fclose(file);
}

/* Any bytes: whatever is taken has a right CRC, and a good frame after a delimiter is always found. */
static void check_garbage(void)
{
    static const uint8_t GOOD[] = {0x04, 0x07, 0x05, 0x01, 0x02, 0x02, 0x04, 0x03, 0xd9, 0x5f, 0x00};
    struct frame_rx rx = {0};
    struct frame frame;
    for (unsigned round = 0; round < 20000; round++) {
        for (unsigned i = test_random() % 80; i > 0; i--) {
            uint8_t byte = (uint8_t)(test_random() % 7 ? test_random() : test_random() % 3);
            if (!frame_receive(&rx, byte, &frame))
                continue;
            const uint8_t *body = frame.payload - 2, *crc = frame.payload + frame.size;
            CHECK(crc16(0xFFFF, body, (uint8_t)(frame.size + 2)) == (crc[0] | crc[1] << 8));
        }
        frame_receive(&rx, 0, &frame);
        bool found = false;
        for (unsigned i = 0; i < sizeof GOOD; i++)
            found = frame_receive(&rx, GOOD[i], &frame);
        CHECK(found && frame.type == MSG_ROUTE && frame.seq == 5);
    }
}

static void check_full_buffer(void)
{
    struct frame_tx tx = {0};
    uint8_t payload[PAYLOAD_MAX] = {0}, sent = 0;
    while (frame_send(&tx, MSG_ACK, sent, payload, PAYLOAD_MAX))
        sent++;
    CHECK(sent == 4 && frame_room(&tx) == 255 - 4 * 54);
    uint8_t head = tx.head;
    CHECK(!frame_send(&tx, MSG_ACK, 0, payload, PAYLOAD_MAX) && tx.head == head);
}

static void check_dropped(void)
{
    struct frame_rx rx = {0};
    struct frame frame;
    for (unsigned i = 0; i < UINT16_MAX + 9U; i++) {
        frame_receive(&rx, 7, &frame);
        frame_receive(&rx, 0, &frame);
    }
    CHECK(rx.dropped == UINT16_MAX);
}

int main(int count, char **arguments)
{
    CHECK(crc16(0xFFFF, (const uint8_t *)"123456789", 9) == 0x29B1);
    check_vectors(count > 1 ? arguments[1] : "");
    check_garbage();
    check_full_buffer();
    check_dropped();
    return test_end("frame");
}
