/* Bends the wall clock of one process: preloaded into a redis-server, it answers clock_gettime,
 * gettimeofday and time from a page that the lab rewrites (see clock_page.h). Other clocks, and the
 * wall clock of a process without such a page, stay as they are.
 *
 * Redis's jemalloc asks for the time while it initialises itself, so nothing here may allocate,
 * take a lock or look a symbol up: raw system calls only. (The stock faketime library deadlocks
 * there.) */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock_page.h"

extern char** environ;

static const int64_t kSecond = 1000000000;

/* Null until it is found; found by whoever needs it first. Two threads that map it both see the
 * same file. */
static const struct holdfast_clock_page* mapped_page;

static const char* page_file(void) {
  static const char name[] = HOLDFAST_CLOCK_VARIABLE "=";
  if (environ == NULL) return NULL; /* libc is not that far yet */
  for (char** entry = environ; *entry != NULL; ++entry) {
    if (strncmp(*entry, name, sizeof name - 1) == 0) return *entry + sizeof name - 1;
  }
  return NULL;
}

static const struct holdfast_clock_page* clock_page(void) {
  const struct holdfast_clock_page* page = __atomic_load_n(&mapped_page, __ATOMIC_ACQUIRE);
  if (page != NULL) return page;
  const char* file = page_file();
  if (file == NULL) return NULL;
  const long descriptor = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return NULL;
  const long address =
      syscall(SYS_mmap, NULL, sizeof *page, PROT_READ, MAP_SHARED, (int)descriptor, 0);
  syscall(SYS_close, (int)descriptor);
  if (address == -1) return NULL;
  page = (const struct holdfast_clock_page*)address;
  __atomic_store_n(&mapped_page, page, __ATOMIC_RELEASE);
  return page;
}

static struct holdfast_clock_numbers read_numbers(const struct holdfast_clock_page* page) {
  struct holdfast_clock_numbers numbers;
  uint32_t before;
  uint32_t after;
  do {
    before = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
    numbers.wall_ns = __atomic_load_n(&page->reference_wall_ns, __ATOMIC_RELAXED);
    numbers.monotonic_ns = __atomic_load_n(&page->reference_monotonic_ns, __ATOMIC_RELAXED);
    numbers.rate_ppm = __atomic_load_n(&page->rate_ppm, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    after = __atomic_load_n(&page->sequence, __ATOMIC_RELAXED);
  } while (before != after || before % 2 != 0);
  return numbers;
}

/* The wall time, bent when there is a page. */
static int64_t wall_ns(void) {
  struct timespec now = {0, 0};
  const struct holdfast_clock_page* page = clock_page();
  syscall(SYS_clock_gettime, page == NULL ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  const int64_t read = now.tv_sec * kSecond + now.tv_nsec;
  return page == NULL ? read : holdfast_bent_wall(read_numbers(page), read);
}

int clock_gettime(clockid_t clock, struct timespec* result) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
    return (int)syscall(SYS_clock_gettime, clock, result);
  }
  const int64_t now = wall_ns();
  result->tv_sec = now / kSecond;
  result->tv_nsec = now % kSecond;
  return 0;
}

int gettimeofday(struct timeval* restrict result, void* restrict zone) {
  if (zone != NULL) memset(zone, 0, sizeof(struct timezone));
  const int64_t now = wall_ns();
  result->tv_sec = now / kSecond;
  result->tv_usec = now % kSecond / 1000;
  return 0;
}

time_t time(time_t* result) {
  const time_t now = wall_ns() / kSecond;
  if (result != NULL) *result = now;
  return now;
}
