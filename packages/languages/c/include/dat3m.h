#ifndef FENCEWRIGHT_DAT3M_H
#define FENCEWRIGHT_DAT3M_H
#include <verifier.h>
#ifdef __cplusplus
extern "C" {
#endif
void __VERIFIER_loop_bound(int bound);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int again);
void __VERIFIER_disable_irq(void);
void __VERIFIER_enable_irq(void);
#ifdef __cplusplus
}
#endif
#endif
