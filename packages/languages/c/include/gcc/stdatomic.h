/*
 * The generic functions of stdatomic.h on objects without _Atomic, which GCC takes, by the builtins
 * of GCC. Found only if clang refuses such an object.
 */
#pragma once
#include_next <stdatomic.h>

#undef atomic_init
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit

/* The type of the object's value, without qualifiers and _Atomic. */
#define __fw_type(object) __typeof__((void)0, *(object))
#define __fw_plain(object) ((volatile __fw_type(object) *)(object))

#define atomic_init(object, value) atomic_store_explicit(object, value, __ATOMIC_RELAXED)
#define atomic_store_explicit(object, value, order)                            \
  __extension__({                                                              \
    __fw_type(object) __fw_value = (value);                                    \
    __atomic_store(__fw_plain(object), &__fw_value, order);                    \
  })
#define atomic_store(object, value)                                            \
  atomic_store_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_load_explicit(object, order)                                    \
  __extension__({                                                              \
    __fw_type(object) __fw_value;                                              \
    __atomic_load(__fw_plain(object), &__fw_value, order);                     \
    __fw_value;                                                                \
  })
#define atomic_load(object) atomic_load_explicit(object, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(object, value, order)                         \
  __extension__({                                                              \
    __fw_type(object) __fw_value = (value), __fw_old;                          \
    __atomic_exchange(__fw_plain(object), &__fw_value, &__fw_old, order);      \
    __fw_old;                                                                  \
  })
#define atomic_exchange(object, value)                                         \
  atomic_exchange_explicit(object, value, __ATOMIC_SEQ_CST)
#define __fw_exchange_if(object, expected, value, weak, success, failure)      \
  __extension__({                                                              \
    __fw_type(object) __fw_value = (value);                                    \
    __atomic_compare_exchange(__fw_plain(object),                              \
                              (__fw_type(object) *)(expected), &__fw_value,    \
                              weak, success, failure);                         \
  })
#define atomic_compare_exchange_strong_explicit(object, expected, value,       \
                                                success, failure)              \
  __fw_exchange_if(object, expected, value, 0, success, failure)
#define atomic_compare_exchange_strong(object, expected, value)                \
  __fw_exchange_if(object, expected, value, 0, __ATOMIC_SEQ_CST,               \
                   __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(object, expected, value,         \
                                              success, failure)                \
  __fw_exchange_if(object, expected, value, 1, success, failure)
#define atomic_compare_exchange_weak(object, expected, value)                  \
  __fw_exchange_if(object, expected, value, 1, __ATOMIC_SEQ_CST,               \
                   __ATOMIC_SEQ_CST)

/* As by GCC, pointers are counted in bytes. */
#define atomic_fetch_add_explicit(object, by, order)                           \
  __atomic_fetch_add(__fw_plain(object), by, order)
#define atomic_fetch_add(object, by)                                           \
  atomic_fetch_add_explicit(object, by, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(object, by, order)                           \
  __atomic_fetch_sub(__fw_plain(object), by, order)
#define atomic_fetch_sub(object, by)                                           \
  atomic_fetch_sub_explicit(object, by, __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(object, by, order)                            \
  __atomic_fetch_or(__fw_plain(object), by, order)
#define atomic_fetch_or(object, by)                                            \
  atomic_fetch_or_explicit(object, by, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(object, by, order)                           \
  __atomic_fetch_xor(__fw_plain(object), by, order)
#define atomic_fetch_xor(object, by)                                           \
  atomic_fetch_xor_explicit(object, by, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(object, by, order)                           \
  __atomic_fetch_and(__fw_plain(object), by, order)
#define atomic_fetch_and(object, by)                                           \
  atomic_fetch_and_explicit(object, by, __ATOMIC_SEQ_CST)
