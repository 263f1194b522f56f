#ifndef FENCEWRIGHT_GENMC_H
#define FENCEWRIGHT_GENMC_H
#include <verifier.h>
#include <fencewright.h>
#ifdef __cplusplus
extern "C" {
#endif
int __VERIFIER_thread_self(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_bound(int bound);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int again);
#define __VERIFIER_check(condition) __fencewright_assert((condition) ? 1 : 0, #condition)
#define __VERIFIER_assume_internal __VERIFIER_assume
#ifdef __cplusplus
}
#endif
#endif
