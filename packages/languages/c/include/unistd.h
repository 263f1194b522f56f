#ifndef FENCEWRIGHT_UNISTD_H
#define FENCEWRIGHT_UNISTD_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
long syscall(long number, ...);
void _exit(int code) __attribute__((noreturn));
#ifdef __cplusplus
}
#endif
#endif
