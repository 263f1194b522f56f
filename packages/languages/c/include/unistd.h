#ifndef FENCEWRIGHT_UNISTD_H
#define FENCEWRIGHT_UNISTD_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
long syscall(long number, ...);
typedef long ssize_t;
ssize_t read(int descriptor, void *buffer, size_t size);
ssize_t write(int descriptor, const void *buffer, size_t size);
int close(int descriptor);
void _exit(int code) __attribute__((noreturn));
#ifdef __cplusplus
}
#endif
#endif
