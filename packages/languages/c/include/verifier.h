#ifndef FENCEWRIGHT_VERIFIER_H
#define FENCEWRIGHT_VERIFIER_H
#include <stddef.h>
#ifdef __cplusplus
#define __FENCEWRIGHT_BOOL bool
#else
#define __FENCEWRIGHT_BOOL _Bool
#endif
#ifdef __cplusplus
extern "C" {
#endif
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
void __VERIFIER_error(void) __attribute__((noreturn));
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
__FENCEWRIGHT_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
#ifdef __cplusplus
}
#endif
#endif
