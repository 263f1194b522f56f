#ifndef FENCEWRIGHT_SYS_SYSCALL_H
#define FENCEWRIGHT_SYS_SYSCALL_H
/* As Linux numbers them on x86-64. Others have no model. */
#define __NR_sched_yield 24
#define __NR_gettid 186
#define __NR_futex 202
#define __NR_eventfd2 290
#define __NR_getrandom 318
#define __NR_membarrier 324
#define SYS_membarrier __NR_membarrier
#define SYS_getrandom __NR_getrandom
#define SYS_sched_yield __NR_sched_yield
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
#define SYS_eventfd2 __NR_eventfd2
#endif
