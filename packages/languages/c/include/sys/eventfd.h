#ifndef FENCEWRIGHT_SYS_EVENTFD_H
#define FENCEWRIGHT_SYS_EVENTFD_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
/* As Linux numbers them. */
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK 04000
#define EFD_CLOEXEC 02000000
typedef uint64_t eventfd_t;
int eventfd(unsigned count, int flags);
int eventfd_read(int descriptor, eventfd_t *value);
int eventfd_write(int descriptor, eventfd_t value);
#ifdef __cplusplus
}
#endif
#endif
