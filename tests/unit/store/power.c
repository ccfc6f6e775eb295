/* Preloaded: writes down, in order, what a program writes to, syncs, makes, renames and removes in
   one directory. The directory itself has the empty name. POWER_ERRNO makes the writes (or, with
   POWER_FAIL=sync, the syncs) of its database fail from the POWER_AFTER'th on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int log_fd = -1;
static const char *directory;

static void start(void)
{
    if (log_fd >= 0)
        return;
    directory = getenv("POWER_DIRECTORY");
    log_fd = open(getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
}

/* Record: kind, length of name, name, offset, length of data, data. */
static void note_path(char kind, const char *path, size_t n, int64_t offset, const void *data,
                      uint32_t length)
{
    static ssize_t (*real_write)(int, const void *, size_t);
    start();
    if (!real_write)
        real_write = dlsym(RTLD_NEXT, "write");
    size_t root = strlen(directory);
    if (n < root || strncmp(path, directory, root) != 0 || (n > root && path[root] != '/'))
        return;
    uint16_t named = (uint16_t)(n == root ? 0 : n - root - 1);
    char head[1 + 2 + 512 + 8 + 4], *p = head;
    *p++ = kind;
    memcpy(p, &named, 2), p += 2;
    memcpy(p, path + root + 1, named), p += named;
    memcpy(p, &offset, 8), p += 8;
    memcpy(p, &length, 4), p += 4;
    real_write(log_fd, head, (size_t)(p - head));
    if (length)
        real_write(log_fd, data, length);
}

static void note(char kind, int fd, int64_t offset, const void *data, uint32_t length)
{
    char link[32], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path);
    if (n > 0)
        note_path(kind, path, (size_t)n, offset, data, length);
}

static int note_open(const char *path, int flags, int fd, int was_there)
{
    if (fd >= 0 && (flags & O_CREAT) && !was_there)
        note_path('c', path, strlen(path), 0, 0, 0);
    if (fd >= 0 && was_there && (flags & O_TRUNC))
        note_path('t', path, strlen(path), 0, 0, 0);
    return fd;
}

static int fails(const char *what, int fd)
{
    static int done;
    char link[32], path[512];
    const char *number = getenv("POWER_ERRNO"), *fail = getenv("POWER_FAIL");
    start();
    if (!number || strcmp(fail ? fail : "write", what) != 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0 || (path[n] = 0, !strstr(path, "/predeal.db")) ||
        strncmp(path, directory, strlen(directory)) != 0 || ++done < atoi(getenv("POWER_AFTER")))
        return 0;
    errno = atoi(number);
    return 1;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
    REAL(pwrite);
    if (fails("write", fd))
        return -1;
    ssize_t done = real(fd, data, n, offset);
    if (done > 0)
        note('w', fd, offset, data, (uint32_t)done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
    REAL(pwrite64);
    if (fails("write", fd))
        return -1;
    ssize_t done = real(fd, data, n, offset);
    if (done > 0)
        note('w', fd, offset, data, (uint32_t)done);
    return done;
}

ssize_t write(int fd, const void *data, size_t n)
{
    REAL(write);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t done = real(fd, data, n);
    if (done > 0 && offset >= 0)
        note('w', fd, offset, data, (uint32_t)done);
    return done;
}

int ftruncate(int fd, off_t n)
{
    REAL(ftruncate);
    note('t', fd, n, 0, 0);
    return real(fd, n);
}

int ftruncate64(int fd, off64_t n)
{
    REAL(ftruncate64);
    note('t', fd, n, 0, 0);
    return real(fd, n);
}

int fsync(int fd)
{
    REAL(fsync);
    if (fails("sync", fd))
        return -1;
    int result = real(fd);
    note('s', fd, 0, 0, 0);
    return result;
}

int fdatasync(int fd)
{
    REAL(fdatasync);
    if (fails("sync", fd))
        return -1;
    int result = real(fd);
    note('s', fd, 0, 0, 0);
    return result;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        int mode = flags & O_CREAT ? va_arg(more, int) : 0;                                        \
        va_end(more);                                                                              \
        int was_there = access(path, F_OK) == 0;                                                   \
        return note_open(path, flags, real(path, flags, mode), was_there);                         \
    }

#define OPEN_AT(name)                                                                              \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        int mode = flags & O_CREAT ? va_arg(more, int) : 0;                                        \
        va_end(more);                                                                              \
        int was_there = access(path, F_OK) == 0;                                                   \
        return note_open(path, flags, real(at, path, flags, mode), was_there);                     \
    }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int rename(const char *from, const char *to)
{
    REAL(rename);
    int result = real(from, to);
    if (result == 0)
        note_path('r', from, strlen(from), 0, to, (uint32_t)strlen(to));
    return result;
}

int unlink(const char *path)
{
    REAL(unlink);
    int result = real(path);
    if (result == 0)
        note_path('u', path, strlen(path), 0, 0, 0);
    return result;
}
