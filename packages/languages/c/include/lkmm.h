#ifndef FENCEWRIGHT_LKMM_H
#define FENCEWRIGHT_LKMM_H
/*
 * The macros of the Linux kernel, as they are on x86. The orders of read-modify-writes make no
 * difference there; for C11, each is at most as strong as the kernel promises.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fencewright.h>

typedef int8_t s8; typedef uint8_t u8; typedef int16_t s16; typedef uint16_t u16;
typedef int32_t s32; typedef uint32_t u32; typedef int64_t s64; typedef uint64_t u64;
typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { int locked; } spinlock_t;
typedef spinlock_t raw_spinlock_t;
struct mutex { int locked; };

#define ATOMIC_INIT(value) { (value) }
#define ATOMIC64_INIT(value) { (value) }
#define __SPIN_LOCK_UNLOCKED(name) { 0 }
#define DEFINE_SPINLOCK(name) spinlock_t name = { 0 }
#define DEFINE_RAW_SPINLOCK(name) spinlock_t name = { 0 }
#define DEFINE_MUTEX(name) struct mutex name = { 0 }

#define barrier() __asm__ __volatile__("" ::: "memory")
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define READ_ONCE(cell) (*(const volatile __typeof__(cell) *)&(cell))
#define WRITE_ONCE(cell, value) ((void)(*(volatile __typeof__(cell) *)&(cell) = (value)))
#define ACCESS_ONCE(cell) (*(volatile __typeof__(cell) *)&(cell))
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define mb() smp_mb()
#define smp_rmb() barrier()
#define smp_wmb() barrier()
#define rmb() __asm__ __volatile__("lfence" ::: "memory")
#define wmb() __asm__ __volatile__("sfence" ::: "memory")
#define dma_rmb() barrier()
#define dma_wmb() barrier()
#define smp_read_barrier_depends() barrier()
#define smp_mb__before_atomic() barrier()
#define smp_mb__after_atomic() barrier()
#define smp_mb__after_spinlock() barrier()
#define smp_mb__after_unlock_lock() barrier()
#define smp_load_acquire(cell) __atomic_load_n((cell), __ATOMIC_ACQUIRE)
#define smp_store_release(cell, value) __atomic_store_n((cell), (value), __ATOMIC_RELEASE)
#define smp_store_mb(cell, value) ((void)__atomic_exchange_n(&(cell), (value), __ATOMIC_ACQUIRE))
#define set_mb smp_store_mb
#define cpu_relax() __asm__ __volatile__("pause" ::: "memory")
#define smp_cond_load_relaxed(cell, condition)                                           \
  ({                                                                                     \
    __typeof__(*(cell)) VAL;                                                             \
    while (VAL = READ_ONCE(*(cell)), !(condition))                                       \
      cpu_relax();                                                                       \
    VAL;                                                                                 \
  })
#define smp_cond_load_acquire smp_cond_load_relaxed
#define smp_acquire__after_ctrl_dep() barrier()

#define __fw_cmpxchg(cell, old, value, order)                                            \
  ({                                                                                     \
    __typeof__(*(cell)) __fw_old = (old);                                                \
    __atomic_compare_exchange_n((cell), &__fw_old, (value), 0, order, __ATOMIC_RELAXED); \
    __fw_old;                                                                            \
  })
#define __fw_try_cmpxchg(cell, old, value, order)                                        \
  __atomic_compare_exchange_n((cell), (old), (value), 0, order, __ATOMIC_RELAXED)
#define xchg(cell, value) __atomic_exchange_n((cell), (value), __ATOMIC_SEQ_CST)
#define xchg_relaxed(cell, value) __atomic_exchange_n((cell), (value), __ATOMIC_RELAXED)
#define xchg_acquire(cell, value) __atomic_exchange_n((cell), (value), __ATOMIC_ACQUIRE)
#define xchg_release(cell, value) __atomic_exchange_n((cell), (value), __ATOMIC_RELEASE)
#define cmpxchg(cell, old, value) __fw_cmpxchg(cell, old, value, __ATOMIC_SEQ_CST)
#define cmpxchg_relaxed(cell, old, value) __fw_cmpxchg(cell, old, value, __ATOMIC_RELAXED)
#define cmpxchg_acquire(cell, old, value) __fw_cmpxchg(cell, old, value, __ATOMIC_ACQUIRE)
#define cmpxchg_release(cell, old, value) __fw_cmpxchg(cell, old, value, __ATOMIC_RELEASE)
#define try_cmpxchg(cell, old, value) __fw_try_cmpxchg(cell, old, value, __ATOMIC_SEQ_CST)

#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, value) WRITE_ONCE((v)->counter, (value))
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, value) smp_store_release(&(v)->counter, (value))
#define atomic_add(n, v) ((void)__atomic_fetch_add(&(v)->counter, (n), __ATOMIC_RELAXED))
#define atomic_sub(n, v) ((void)__atomic_fetch_sub(&(v)->counter, (n), __ATOMIC_RELAXED))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)
#define atomic_or(n, v) ((void)__atomic_fetch_or(&(v)->counter, (n), __ATOMIC_RELAXED))
#define atomic_and(n, v) ((void)__atomic_fetch_and(&(v)->counter, (n), __ATOMIC_RELAXED))
#define atomic_xor(n, v) ((void)__atomic_fetch_xor(&(v)->counter, (n), __ATOMIC_RELAXED))
#define atomic_add_return(n, v) __atomic_add_fetch(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_sub_return(n, v) __atomic_sub_fetch(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_inc_return(v) atomic_add_return(1, v)
#define atomic_dec_return(v) atomic_sub_return(1, v)
#define atomic_inc_return_relaxed(v) __atomic_add_fetch(&(v)->counter, 1, __ATOMIC_RELAXED)
#define atomic_inc_return_acquire(v) __atomic_add_fetch(&(v)->counter, 1, __ATOMIC_ACQUIRE)
#define atomic_inc_return_release(v) __atomic_add_fetch(&(v)->counter, 1, __ATOMIC_RELEASE)
#define atomic_dec_return_relaxed(v) __atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELAXED)
#define atomic_dec_return_acquire(v) __atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_ACQUIRE)
#define atomic_dec_return_release(v) __atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELEASE)
#define atomic_dec_and_test(v) (atomic_dec_return(v) == 0)
#define atomic_inc_and_test(v) (atomic_inc_return(v) == 0)
#define atomic_sub_and_test(n, v) (atomic_sub_return(n, v) == 0)
#define atomic_xchg(v, value) xchg(&(v)->counter, value)
#define atomic_xchg_relaxed(v, value) xchg_relaxed(&(v)->counter, value)
#define atomic_xchg_acquire(v, value) xchg_acquire(&(v)->counter, value)
#define atomic_xchg_release(v, value) xchg_release(&(v)->counter, value)
#define atomic_cmpxchg(v, old, value) cmpxchg(&(v)->counter, old, value)
#define atomic_cmpxchg_relaxed(v, old, value) cmpxchg_relaxed(&(v)->counter, old, value)
#define atomic_cmpxchg_acquire(v, old, value) cmpxchg_acquire(&(v)->counter, old, value)
#define atomic_cmpxchg_release(v, old, value) cmpxchg_release(&(v)->counter, old, value)
#define atomic_try_cmpxchg(v, old, value) try_cmpxchg(&(v)->counter, old, value)
#define atomic64_read atomic_read
#define atomic64_set atomic_set
#define atomic64_add atomic_add
#define atomic64_inc atomic_inc
#define atomic64_dec atomic_dec
#define atomic_long_read atomic_read
#define atomic_long_set atomic_set
#define atomic_long_inc atomic_inc
#define atomic_long_dec atomic_dec
#define atomic_long_add_return atomic_add_return

/* stdatomic.h has others of these names, with their operands the other way round. */
#ifndef __CLANG_STDATOMIC_H
#define atomic_fetch_add(n, v) __atomic_fetch_add(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(n, v) __atomic_fetch_sub(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_fetch_or(n, v) __atomic_fetch_or(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_fetch_and(n, v) __atomic_fetch_and(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define atomic_fetch_xor(n, v) __atomic_fetch_xor(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#endif

static inline void __fw_lock(int *lock) {
  __fencewright_atomic_begin();
  __fencewright_assume(*lock == 0);
  *lock = 1;
  __fencewright_atomic_end();
}
/* As in the kernel, an attempt looks first: one that fails orders nothing. */
static inline int __fw_trylock(int *lock) {
  int free = 0;
  if (READ_ONCE(*lock))
    return 0;
  return __fw_try_cmpxchg(lock, &free, 1, __ATOMIC_ACQUIRE);
}
#define spin_lock_init(lock) ((void)((lock)->locked = 0))
#define spin_lock(lock) __fw_lock(&(lock)->locked)
#define spin_trylock(lock) __fw_trylock(&(lock)->locked)
#define spin_unlock(lock) smp_store_release(&(lock)->locked, 0)
#define spin_is_locked(lock) READ_ONCE((lock)->locked)
#define raw_spin_lock spin_lock
#define raw_spin_unlock spin_unlock
#define spin_lock_irq spin_lock
#define spin_unlock_irq spin_unlock
#define spin_lock_irqsave(lock, flags) ((void)((flags) = 0), spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))
#define mutex_init(lock) ((void)((lock)->locked = 0))
#define mutex_lock(lock) __fw_lock(&(lock)->locked)
#define mutex_trylock(lock) __fw_trylock(&(lock)->locked)
#define mutex_unlock(lock) ((void)xchg_release(&(lock)->locked, 0))

#define BITS_PER_LONG 64
#define BIT(n) (1UL << (n))
#define __fw_word(n, words) ((words) + (n) / BITS_PER_LONG)
#define __fw_bit(n) (1UL << ((n) % BITS_PER_LONG))
#define set_bit(n, words) ((void)__atomic_fetch_or(__fw_word(n, words), __fw_bit(n), __ATOMIC_RELAXED))
#define clear_bit(n, words) ((void)__atomic_fetch_and(__fw_word(n, words), ~__fw_bit(n), __ATOMIC_RELAXED))
#define test_and_set_bit(n, words) ((__atomic_fetch_or(__fw_word(n, words), __fw_bit(n), __ATOMIC_SEQ_CST) & __fw_bit(n)) != 0)
#define test_and_clear_bit(n, words) ((__atomic_fetch_and(__fw_word(n, words), ~__fw_bit(n), __ATOMIC_SEQ_CST) & __fw_bit(n)) != 0)
#define change_bit(n, words) ((void)__atomic_fetch_xor(__fw_word(n, words), __fw_bit(n), __ATOMIC_RELAXED))
#define test_and_change_bit(n, words) ((__atomic_fetch_xor(__fw_word(n, words), __fw_bit(n), __ATOMIC_SEQ_CST) & __fw_bit(n)) != 0)
#define test_and_set_bit_lock(n, words) ((__atomic_fetch_or(__fw_word(n, words), __fw_bit(n), __ATOMIC_ACQUIRE) & __fw_bit(n)) != 0)
#define clear_bit_unlock(n, words) ((void)__atomic_fetch_and(__fw_word(n, words), ~__fw_bit(n), __ATOMIC_RELEASE))
#define __clear_bit_unlock(n, words) ({ barrier(); __clear_bit(n, words); })
#define test_bit(n, words) ((READ_ONCE(*__fw_word(n, words)) & __fw_bit(n)) != 0)
#define __set_bit(n, words) ((void)(*__fw_word(n, words) |= __fw_bit(n)))
#define __clear_bit(n, words) ((void)(*__fw_word(n, words) &= ~__fw_bit(n)))

#define __rcu
#define __user
#define __init
#define __percpu
#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define rcu_dereference(pointer) READ_ONCE(pointer)
#define rcu_dereference_raw(pointer) READ_ONCE(pointer)
#define rcu_access_pointer(pointer) READ_ONCE(pointer)
#define rcu_assign_pointer(pointer, value) smp_store_release(&(pointer), value)
#define RCU_INIT_POINTER(pointer, value) WRITE_ONCE(pointer, value)
#define synchronize_rcu() __fencewright_refuse("synchronize_rcu waits for all readers, which has no model")
#define synchronize_srcu(domain) synchronize_rcu()
#define call_rcu(head, function) synchronize_rcu()

#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define local_irq_disable() barrier()
#define local_irq_enable() barrier()
#define cond_resched() ((void)0)
#define container_of(pointer, type, member)                                              \
  ((type *)((char *)(pointer) - __builtin_offsetof(type, member)))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BUG_ON(condition) __fencewright_assert((condition) ? 0 : 1, "BUG_ON(" #condition ")")
#define BUG() __fencewright_assert(0, "BUG()")
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define WARN(condition, ...) WARN_ON(condition)
#define WARN_ONCE(condition, ...) WARN_ON(condition)
#define WARN_ON(condition)                                                               \
  ({                                                                                     \
    int __fw_warned = !!(condition);                                                     \
    __fencewright_warn(!__fw_warned, "WARN_ON(" #condition ")");                         \
    __fw_warned;                                                                         \
  })
#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)

/* Other widths have the same forms. */
#define atomic_add_return_relaxed(n, v) __atomic_add_fetch(&(v)->counter, (n), __ATOMIC_RELAXED)
#define atomic_add_return_acquire(n, v) __atomic_add_fetch(&(v)->counter, (n), __ATOMIC_ACQUIRE)
#define atomic_add_return_release(n, v) __atomic_add_fetch(&(v)->counter, (n), __ATOMIC_RELEASE)
#define atomic_sub_return_relaxed(n, v) __atomic_sub_fetch(&(v)->counter, (n), __ATOMIC_RELAXED)
#define atomic_sub_return_acquire(n, v) __atomic_sub_fetch(&(v)->counter, (n), __ATOMIC_ACQUIRE)
#define atomic_sub_return_release(n, v) __atomic_sub_fetch(&(v)->counter, (n), __ATOMIC_RELEASE)
#define atomic_fetch_inc(v) __atomic_fetch_add(&(v)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_fetch_dec(v) __atomic_fetch_sub(&(v)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_add_unless(v, n, limit)                                                   \
  ({                                                                                     \
    __typeof__((v)->counter) __fw_seen = atomic_read(v);                                 \
    while (__fw_seen != (limit) && !try_cmpxchg(&(v)->counter, &__fw_seen, __fw_seen + (n))) \
      ;                                                                                  \
    __fw_seen != (limit);                                                                \
  })
#define atomic_inc_not_zero(v) atomic_add_unless(v, 1, 0)
#define atomic_dec_if_positive(v)                                                        \
  ({                                                                                     \
    __typeof__((v)->counter) __fw_seen = atomic_read(v);                                 \
    while (__fw_seen > 0 && !try_cmpxchg(&(v)->counter, &__fw_seen, __fw_seen - 1))      \
      ;                                                                                  \
    __fw_seen - 1;                                                                       \
  })
#define atomic_cond_read_relaxed(v, condition) smp_cond_load_relaxed(&(v)->counter, condition)
#define atomic_cond_read_acquire atomic_cond_read_relaxed
#define atomic_try_cmpxchg_relaxed(v, old, value) __fw_try_cmpxchg(&(v)->counter, old, value, __ATOMIC_RELAXED)
#define atomic_try_cmpxchg_acquire(v, old, value) __fw_try_cmpxchg(&(v)->counter, old, value, __ATOMIC_ACQUIRE)
#define atomic_try_cmpxchg_release(v, old, value) __fw_try_cmpxchg(&(v)->counter, old, value, __ATOMIC_RELEASE)
#define atomic_andnot(n, v) atomic_and(~(n), v)
#define atomic_fetch_andnot(n, v) __atomic_fetch_and(&(v)->counter, ~(n), __ATOMIC_SEQ_CST)
#define atomic_fetch_add_unless(v, n, limit)                                             \
  ({                                                                                     \
    __typeof__((v)->counter) __fw_found = atomic_read(v);                                \
    while (__fw_found != (limit) && !try_cmpxchg(&(v)->counter, &__fw_found, __fw_found + (n))) \
      ;                                                                                  \
    __fw_found;                                                                          \
  })
#define atomic64_read_acquire atomic_read_acquire
#define atomic64_set_release atomic_set_release
#define atomic64_sub atomic_sub
#define atomic64_add_return atomic_add_return
#define atomic64_sub_return atomic_sub_return
#define atomic64_inc_return atomic_inc_return
#define atomic64_dec_return atomic_dec_return
#define atomic64_dec_and_test atomic_dec_and_test
#define atomic64_inc_and_test atomic_inc_and_test
#define atomic64_xchg atomic_xchg
#define atomic64_cmpxchg atomic_cmpxchg
#define atomic64_try_cmpxchg atomic_try_cmpxchg
#define atomic64_fetch_inc atomic_fetch_inc
#define atomic64_fetch_dec atomic_fetch_dec
#define atomic64_add_unless atomic_add_unless
#define atomic64_inc_not_zero atomic_inc_not_zero
#define atomic_long_read_acquire atomic_read_acquire
#define atomic_long_set_release atomic_set_release
#define atomic_long_add atomic_add
#define atomic_long_sub atomic_sub
#define atomic_long_sub_return atomic_sub_return
#define atomic_long_inc_return atomic_inc_return
#define atomic_long_dec_return atomic_dec_return
#define atomic_long_dec_and_test atomic_dec_and_test
#define atomic_long_inc_and_test atomic_inc_and_test
#define atomic_long_xchg atomic_xchg
#define atomic_long_cmpxchg atomic_cmpxchg
#define atomic_long_try_cmpxchg atomic_try_cmpxchg
#define atomic_long_fetch_inc atomic_fetch_inc
#define atomic_long_fetch_dec atomic_fetch_dec
#define atomic_long_add_unless atomic_add_unless
#define atomic_long_inc_not_zero atomic_inc_not_zero
#endif
