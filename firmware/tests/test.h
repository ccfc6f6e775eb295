/* The least that a C test needs: CHECK counts, the first failures are told, main returns test_end(). */
#ifndef PREDEAL_TEST_H
#define PREDEAL_TEST_H

#include <stdio.h>

static unsigned test_checks, test_failures;

#define CHECK(condition) test_check((condition) != 0, #condition, __FILE__, __LINE__)

static inline void test_check(int good, const char *what, const char *file, int line)
{
    test_checks++;
    if (!good && test_failures++ < 10)
        printf("%s:%d: not so: %s\n", file, line, what);
}

static inline int test_end(const char *name)
{
    printf("%s: %u checks, %u failures\n", name, test_checks, test_failures);
    return test_failures != 0 || test_checks == 0;
}

static unsigned test_state = 2463534242U;

static inline void test_seed(unsigned seed)
{
    test_state ^= seed * 2654435761U;
    if (!test_state)
        test_state = 1;
}

/* The same numbers in every run. */
static inline unsigned test_random(void)
{
    test_state ^= test_state << 13;
    test_state ^= test_state >> 17;
    test_state ^= test_state << 5;
    return test_state;
}

#endif
