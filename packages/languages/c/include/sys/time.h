#ifndef FENCEWRIGHT_SYS_TIME_H
#define FENCEWRIGHT_SYS_TIME_H
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
struct timeval { time_t tv_sec; long tv_usec; };
int gettimeofday(struct timeval *to, void *zone);
#ifdef __cplusplus
}
#endif
#endif
