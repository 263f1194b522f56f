#ifndef FENCEWRIGHT_ERRNO_H
#define FENCEWRIGHT_ERRNO_H
#ifdef __cplusplus
extern "C" {
#endif
#define EPERM 1
#define EINTR 4
#define EAGAIN 11
#define ENOMEM 12
#define EBUSY 16
#define EINVAL 22
#define EDEADLK 35
#define ETIMEDOUT 110
int *__errno_location(void);
#define errno (*__errno_location())
#ifdef __cplusplus
}
#endif
#endif
