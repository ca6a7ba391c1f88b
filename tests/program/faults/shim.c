/* Faults at the system calls of a program on the files of one folder, and a record of these calls. Loaded with LD_PRELOAD;
 * configured by variables of the environment:
 *   FAULTS_FOLDER  the folder
 *   FAULTS_LOG     where the calls are recorded: "NUMBER NANOSECONDS NAME FD ARGUMENT PATH<tab>PATH<tab>BYTES IN HEX"
 *   FAULTS_AT      the number of the call that fails, from 1
 *   FAULTS_ON      "1": all later calls fail, too
 *   FAULTS_HOW     a number of an error, "short" (half of the bytes), "torn" (half, then a full disk), "before" or "after"
 *                  (killed before or after the call) */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FDS 1024
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char *names[FDS];
static const char *folder, *how;
static long at, number;
static int log_fd = -1, is_lasting, is_torn;

__attribute__((constructor)) static void start(void) {
    folder = getenv("FAULTS_FOLDER");
    how = getenv("FAULTS_HOW");
    at = getenv("FAULTS_AT") ? atol(getenv("FAULTS_AT")) : 0;
    is_lasting = getenv("FAULTS_ON") != NULL;
    if (getenv("FAULTS_LOG"))
        log_fd = syscall(SYS_openat, AT_FDCWD, getenv("FAULTS_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_ours(const char *path) {
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}
static const char *name_of(int fd) { return fd >= 0 && fd < FDS ? names[fd] : NULL; }
static void set_name(int fd, const char *path) {
    if (fd < 0 || fd >= FDS) return;
    free(names[fd]);
    names[fd] = path ? strdup(path) : NULL;
}

static void record(const char *name, int fd, long argument, const char *path, const char *other, const void *bytes, long count) {
    if (log_fd < 0) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    size_t room = 256 + strlen(path ? path : "") + strlen(other ? other : "") + 2 * (count > 0 ? count : 0);
    char *line = malloc(room);
    int length = snprintf(line, room, "%ld %lld %s %d %ld %s\t%s\t", number, now.tv_sec * 1000000000LL + now.tv_nsec, name, fd,
                          argument, path ? path : "", other ? other : "");
    for (long i = 0; i < count; i++) length += sprintf(line + length, "%02x", ((const unsigned char *)bytes)[i]);
    line[length++] = '\n';
    syscall(SYS_write, log_fd, line, length);
    free(line);
}

/* Counts a call. Returns the error that it must fail with, or 0. */
static int fault(int is_transfer) {
    number++;
    if (!how || !at) return 0;
    if (is_torn && is_transfer == 2) return ENOSPC;
    if (is_lasting ? number < at : number != at) return 0;
    if (!strcmp(how, "before")) kill(getpid(), SIGKILL);
    return atoi(how);
}
static size_t part(size_t count) {
    if (!how || number < at || (!is_lasting && number != at) || count < 2) return count;
    if (!strcmp(how, "torn")) is_torn = 1;
    return !strcmp(how, "short") || !strcmp(how, "torn") ? count / 2 : count;
}
static void after(void) {
    if (how && at && number == at && !strcmp(how, "after")) kill(getpid(), SIGKILL);
}

#define REAL(type, name, ...)                                                                                                    \
    static type (*real)(__VA_ARGS__);                                                                                           \
    if (!real) real = dlsym(RTLD_NEXT, name)
/* Does a call, with faults if it is about our files, and records it. */
#define CALL(ours, name, failed, call, fd, argument, path, other)                                                               \
    if (!(ours)) return call;                                                                                                   \
    pthread_mutex_lock(&lock);                                                                                                  \
    int error = fault(0);                                                                                                       \
    __typeof__(call) result = failed;                                                                                           \
    if (!error) {                                                                                                               \
        result = call;                                                                                                          \
        error = errno;                                                                                                          \
        if (result != failed) record(name, fd, argument, path, other, NULL, 0);                                                \
        else record("failed", fd, argument, path, name, NULL, 0);                                                               \
    } else record("fault", fd, argument, path, name, NULL, 0);                                                                  \
    after();                                                                                                                    \
    pthread_mutex_unlock(&lock);                                                                                                \
    errno = error;                                                                                                              \
    return result

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    static int (*real)(const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "open64");
    if (!is_ours(path)) return real(path, flags, mode);
    pthread_mutex_lock(&lock);
    int error = fault(0), fd = -1, is_new = access(path, F_OK) != 0;
    if (!error) {
        fd = real(path, flags, mode);
        error = errno;
        if (fd >= 0) {
            set_name(fd, path);
            long kind = (is_new ? 1 : 0) | (flags & O_TRUNC ? 2 : 0) | (flags & O_APPEND ? 4 : 0);
            record("open", fd, kind, path, NULL, NULL, 0);
        } else record("failed", fd, 0, path, name, NULL, 0);
    } else record("fault", fd, 0, path, name, NULL, 0);
    after();
    pthread_mutex_unlock(&lock);
    errno = error;
    return fd;
}
int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened("open", path, flags, mode);
}
int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened("open", path, flags, mode);
}
int close(int fd) {
    REAL(int, "close", int);
    const char *name = name_of(fd);
    if (!name) return real(fd);
    pthread_mutex_lock(&lock);
    int error = fault(0), result = real(fd);
    record(error ? "fault" : "close", fd, 0, name, "close", NULL, 0);
    set_name(fd, NULL);
    after();
    pthread_mutex_unlock(&lock);
    if (error) errno = error;
    return error ? -1 : result;
}
static ssize_t transfer(const char *name, int fd, const void *bytes, size_t count, ssize_t (*real)(int, const void *, size_t)) {
    pthread_mutex_lock(&lock);
    int error = fault(2);
    ssize_t result = -1;
    if (!error) {
        result = real(fd, bytes, part(count));
        error = errno;
    }
    if (result >= 0) record(name, fd, result, name_of(fd), NULL, bytes, result);
    else record("fault", fd, 0, name_of(fd), name, NULL, 0);
    after();
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (name_of(fd)) return transfer("write", fd, bytes, count, real);
    if (fd != 1 || log_fd < 0) return real(fd, bytes, count);
    pthread_mutex_lock(&lock);
    record("out", fd, count, NULL, NULL, bytes, count);
    ssize_t result = real(fd, bytes, count);
    pthread_mutex_unlock(&lock);
    return result;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    /* One part is written; callers continue with the others. */
    if (name_of(fd) || fd == 1)
        for (int i = 0; i < count; i++)
            if (parts[i].iov_len > 0) return write(fd, parts[i].iov_base, parts[i].iov_len);
    return real(fd, parts, count);
}
ssize_t read(int fd, void *bytes, size_t count) {
    REAL(ssize_t, "read", int, void *, size_t);
    if (!name_of(fd)) return real(fd, bytes, count);
    pthread_mutex_lock(&lock);
    int error = fault(1);
    ssize_t result = error ? -1 : real(fd, bytes, part(count));
    if (!error) error = errno;
    record(result < 0 ? "fault" : "read", fd, result, name_of(fd), "read", NULL, 0);
    after();
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t from) {
    REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
    if (!name_of(fd)) return real(fd, bytes, count, from);
    pthread_mutex_lock(&lock);
    int error = fault(1);
    ssize_t result = error ? -1 : real(fd, bytes, part(count), from);
    if (!error) error = errno;
    record(result < 0 ? "fault" : "pread", fd, result, name_of(fd), "pread", NULL, 0);
    after();
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
/* What is copied within the system is not seen here: callers read and write instead. */
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t count, unsigned flags) {
    REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
    if (!name_of(to)) return real(from, at, to, there, count, flags);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t count) {
    REAL(ssize_t, "sendfile64", int, int, off64_t *, size_t);
    if (!name_of(to)) return real(to, from, at, count);
    errno = ENOSYS;
    return -1;
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    CALL(name_of(fd), "sync", -1, real(fd), fd, 0, name_of(fd), NULL);
}
int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    CALL(name_of(fd), "sync", -1, real(fd), fd, 0, name_of(fd), NULL);
}
int ftruncate64(int fd, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    CALL(name_of(fd), "truncate", -1, real(fd, length), fd, length, name_of(fd), NULL);
}
off64_t lseek64(int fd, off64_t to, int whence) {
    REAL(off64_t, "lseek64", int, off64_t, int);
    CALL(name_of(fd), "seek", (off64_t)-1, real(fd, to, whence), fd, result, name_of(fd), NULL);
}
int flock(int fd, int kind) {
    REAL(int, "flock", int, int);
    CALL(name_of(fd), "flock", -1, real(fd, kind), fd, kind, name_of(fd), NULL);
}
int fchmod(int fd, mode_t mode) {
    REAL(int, "fchmod", int, mode_t);
    CALL(name_of(fd), "fchmod", -1, real(fd, mode), fd, mode, name_of(fd), NULL);
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    CALL(is_ours(from), "rename", -1, real(from, to), -1, 0, from, to);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    CALL(is_ours(from), "link", -1, real(a, from, b, to, flags), -1, 0, from, to);
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    CALL(is_ours(path), "unlink", -1, real(path), -1, 0, path, NULL);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    CALL(is_ours(path), "mkdir", -1, real(path, mode), -1, 0, path, NULL);
}
int statx(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict into) {
    REAL(int, "statx", int, const char *, int, unsigned, struct statx *);
    /* The standard library asks with a null pointer whether there is such a call; the header forbids that. */
    const char *volatile given = path;
    const char *name = !given ? NULL : *given ? given : name_of(dir);
    CALL(is_ours(name), "statx", -1, real(dir, path, flags, mask, into), -1, 0, name, NULL);
}
DIR *opendir(const char *path) {
    REAL(DIR *, "opendir", const char *);
    CALL(is_ours(path), "opendir", NULL, real(path), -1, 0, path, NULL);
}
ssize_t readlink(const char *restrict path, char *restrict into, size_t room) {
    REAL(ssize_t, "readlink", const char *, char *, size_t);
    CALL(is_ours(path), "readlink", (ssize_t)-1, real(path, into, room), -1, 0, path, NULL);
}
char *realpath(const char *restrict path, char *restrict into) {
    REAL(char *, "realpath", const char *, char *);
    CALL(is_ours(path), "realpath", NULL, real(path, into), -1, 0, path, NULL);
}
