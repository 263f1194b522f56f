#ifndef FENCEWRIGHT_LINUX_REFCOUNT_H
#define FENCEWRIGHT_LINUX_REFCOUNT_H
/*
 * Reference counts. A count that leaves its range warns and is saturated: an increment of 0 or
 * beyond INT_MAX, a decrement that leaves 0 or less where nobody tests it.
 */
#include <lkmm.h>

typedef struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { ATOMIC_INIT(n) }
#define REFCOUNT_MAX 0x7fffffff
#define REFCOUNT_SATURATED (-0x40000000)

static inline void refcount_set(refcount_t *r, int n) { atomic_set(&r->refs, n); }
static inline unsigned refcount_read(const refcount_t *r) { return atomic_read(&r->refs); }

static inline void __fw_refcount_saturate(refcount_t *r, const char *why) {
  refcount_set(r, REFCOUNT_SATURATED);
  __fencewright_warn(0, why);
}

/* Whether `old + n` is more than a count may be, or `old` was less. */
#define __FW_REFCOUNT_OVERFLOWS(old, n) ((old) < 0 || (old) > REFCOUNT_MAX - (n))

static inline void refcount_add(int n, refcount_t *r) {
  int old = atomic_fetch_add(n, &r->refs);
  if (!old)
    __fw_refcount_saturate(r, "refcount_t: addition on 0; use-after-free");
  else if (__FW_REFCOUNT_OVERFLOWS(old, n))
    __fw_refcount_saturate(r, "refcount_t: saturated; leaking memory");
}
static inline void refcount_inc(refcount_t *r) { refcount_add(1, r); }

static inline bool refcount_add_not_zero(int n, refcount_t *r) {
  int old = refcount_read(r);
  do {
    if (!old)
      return false;
  } while (!atomic_try_cmpxchg_relaxed(&r->refs, &old, (int)((unsigned)old + (unsigned)n)));
  if (__FW_REFCOUNT_OVERFLOWS(old, n))
    __fw_refcount_saturate(r, "refcount_t: saturated; leaking memory");
  return true;
}
static inline bool refcount_inc_not_zero(refcount_t *r) { return refcount_add_not_zero(1, r); }

static inline bool refcount_sub_and_test(int n, refcount_t *r) {
  int old = atomic_fetch_sub(n, &r->refs);
  if (old > 0 && old == n) {
    smp_acquire__after_ctrl_dep();
    return true;
  }
  if (old <= 0 || old < n)
    __fw_refcount_saturate(r, "refcount_t: underflow; use-after-free");
  return false;
}
static inline bool refcount_dec_and_test(refcount_t *r) { return refcount_sub_and_test(1, r); }

static inline void refcount_dec(refcount_t *r) {
  int old = atomic_fetch_sub(1, &r->refs);
  if (old <= 1)
    __fw_refcount_saturate(r, "refcount_t: decrement hit 0; leaking memory");
}
#endif
