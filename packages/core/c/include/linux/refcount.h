#ifndef FENCEWRIGHT_LINUX_REFCOUNT_H
#define FENCEWRIGHT_LINUX_REFCOUNT_H
/* Counts that nobody lets run over. */
#include <lkmm.h>

typedef struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { ATOMIC_INIT(n) }
#define refcount_set(r, n) atomic_set(&(r)->refs, n)
#define refcount_read(r) atomic_read(&(r)->refs)
#define refcount_inc(r) atomic_inc(&(r)->refs)
#define refcount_add(n, r) atomic_add(n, &(r)->refs)
#define refcount_dec(r) atomic_dec(&(r)->refs)
#define refcount_inc_not_zero(r) atomic_inc_not_zero(&(r)->refs)
#define refcount_dec_and_test(r) atomic_dec_and_test(&(r)->refs)
#define refcount_sub_and_test(n, r) atomic_sub_and_test(n, &(r)->refs)
#endif
