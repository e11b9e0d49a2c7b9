/* The page that the lab and a bent server share: three numbers under a sequence lock. C and C++. */
#ifndef HOLDFAST_CLOCK_PAGE_H
#define HOLDFAST_CLOCK_PAGE_H

#include <stdint.h>

/* Names the file that holds the page, in the server's environment. */
#define HOLDFAST_CLOCK_VARIABLE "HOLDFAST_CLOCK_PAGE"

struct holdfast_clock_page {
  uint32_t sequence; /* odd while the numbers are being written */
  uint32_t unused;
  int64_t reference_wall_ns;      /* what the bent wall clock shows when ... */
  int64_t reference_monotonic_ns; /* ... CLOCK_MONOTONIC shows this */
  int64_t rate_ppm;               /* how much faster than CLOCK_MONOTONIC it goes from there on */
};

struct holdfast_clock_numbers {
  int64_t wall_ns;
  int64_t monotonic_ns;
  int64_t rate_ppm;
};

/* wall = reference wall + (monotonic - reference monotonic) * rate */
static inline int64_t holdfast_bent_wall(struct holdfast_clock_numbers numbers,
                                         int64_t monotonic_ns) {
  __extension__ typedef __int128 wide; /* a day in ns times ppm does not fit 64 bits */
  const int64_t passed = monotonic_ns - numbers.monotonic_ns;
  const wide gained = (wide)passed * numbers.rate_ppm / 1000000;
  return numbers.wall_ns + passed + (int64_t)gained;
}

#endif
