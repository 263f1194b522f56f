#ifndef FENCEWRIGHT_TIME_H
#define FENCEWRIGHT_TIME_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
int clock_gettime(clockid_t clock, struct timespec *to);
time_t time(time_t *to);
clock_t clock(void);
int nanosleep(const struct timespec *duration, struct timespec *left);
#ifdef __cplusplus
}
#endif
#endif
