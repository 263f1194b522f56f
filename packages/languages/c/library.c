/*
 * What the functions of the headers do, in C over the functions of fencewright.h. Linked by name
 * to each program; a function that the program defines itself is its own.
 */
#include <errno.h>
#include <fencewright.h>
#include <genmc.h>
#include <dat3m.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/futex.h>
#include <synchapi.h>
#include <sys/eventfd.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

static int swap(int *cell, int old, int new) {
  return __atomic_compare_exchange_n(cell, &old, new, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Waits under the bus lock: failed attempts would order nothing that the success does not. */
static void take(int *lock) {
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(*lock == 0);
  *lock = 1;
  __fencewright_atomic_end();
}

/* An attempt to take a lock. One that fails orders nothing: it may be no more than a look. */
static int attempt(int *lock, int new) {
  return __atomic_load_n(lock, __ATOMIC_RELAXED) == 0 && swap(lock, 0, new);
}

/* Threads. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  (void)attributes;
  *thread = __fencewright_thread_create(start, argument);
  return 0;
}
int pthread_join(pthread_t thread, void **value) {
  void *result = __fencewright_thread_join(thread);
  if (value)
    *value = result;
  return 0;
}
int pthread_detach(pthread_t thread) { return 0; }
/* The number of thread-local objects that have a destructor and belong to the calling thread. */
static _Thread_local int ending_count;
static void need_no_ending(void) {
  if (ending_count > 0)
    __fencewright_refuse("thread-local objects with destructors end here, by something else than a return");
}
void pthread_exit(void *value) {
  need_no_ending();
  __fencewright_thread_exit(value);
}
pthread_t pthread_self(void) { return __fencewright_thread_self(); }
int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
int pthread_attr_init(pthread_attr_t *attributes) { return 0; }
int pthread_attr_destroy(pthread_attr_t *attributes) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) { return 0; }
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) { return 0; }
int pthread_yield(void) { return 0; }

/*
 * Mutexes. Those that are recursive or check errors hold the number of their thread, so that to take
 * one again is a look at it; that and to give it back but for the last time order nothing. Which of
 * them a mutex is, nobody changes: where that is known, nothing is loaded.
 */
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->kind = PTHREAD_MUTEX_DEFAULT;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  attributes->kind = kind;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) {
  *kind = attributes->kind;
  return 0;
}
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  mutex->locked = 0;
  mutex->fw_kind = attributes ? attributes->kind : PTHREAD_MUTEX_DEFAULT;
  mutex->fw_depth = 0;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return 0; }
static int self(void) { return (int)__fencewright_thread_self(); }
static int is_mine(pthread_mutex_t *mutex) {
  return __atomic_load_n(&mutex->locked, __ATOMIC_RELAXED) == self();
}
/* An adaptive mutex differs in the time that it takes only. */
static int is_simple(int kind) {
  return kind == PTHREAD_MUTEX_DEFAULT || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (is_simple(mutex->fw_kind)) {
    take(&mutex->locked);
    return 0;
  }
  if (is_mine(mutex)) {
    if (mutex->fw_kind == PTHREAD_MUTEX_ERRORCHECK)
      return EDEADLK;
    mutex->fw_depth = mutex->fw_depth + 1;
    return 0;
  }
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(mutex->locked == 0);
  mutex->locked = self();
  __fencewright_atomic_end();
  return 0;
}
int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (is_simple(mutex->fw_kind))
    return attempt(&mutex->locked, 1) ? 0 : EBUSY;
  if (mutex->fw_kind == PTHREAD_MUTEX_RECURSIVE && is_mine(mutex)) {
    mutex->fw_depth = mutex->fw_depth + 1;
    return 0;
  }
  return attempt(&mutex->locked, self()) ? 0 : EBUSY;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->fw_kind == PTHREAD_MUTEX_ERRORCHECK && !is_mine(mutex))
    return EPERM;
  if (mutex->fw_kind == PTHREAD_MUTEX_RECURSIVE) {
    if (!is_mine(mutex))
      return EPERM;
    if (mutex->fw_depth > 0) {
      mutex->fw_depth = mutex->fw_depth - 1;
      return 0;
    }
  }
  __atomic_exchange_n(&mutex->locked, 0, __ATOMIC_RELEASE);
  return 0;
}

/*
 * Who sleeps: a bit for each thread. As in glibc, who is to wake others looks first, and if nobody
 * sleeps, that is all and orders nothing. To go to sleep, to wake somebody and to wake up are locked.
 * Whether the own bit was taken out by somebody else is given.
 */
static int sleeps(int *sleepers, int bit, int is_timed) {
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  int all = *sleepers;
  int end = __fencewright_wait((all & bit) == 0, is_timed);
  *sleepers = all & ~bit;
  __fencewright_atomic_end();
  return end;
}
static void wake_one(int *sleepers) {
  if (__atomic_load_n(sleepers, __ATOMIC_RELAXED) == 0)
    return;
  __fencewright_update_begin(__ATOMIC_RELAXED);
  int all = *sleepers, rest = all;
  while ((rest & (rest - 1)) != 0 && __fencewright_nondet(0, 1))
    rest = rest & (rest - 1);
  *sleepers = all & ~(rest & -rest);
  __fencewright_atomic_end();
}
static void wake_all(int *sleepers) {
  if (__atomic_load_n(sleepers, __ATOMIC_RELAXED) != 0)
    __atomic_exchange_n(sleepers, 0, __ATOMIC_RELAXED);
}

/* Condition variables: POSIX lets waits end at any time. */
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  condition->fw_sleepers = 0;
  return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) { return 0; }
/* Where threads have no numbers, nobody knows who sleeps, and every wait ends. */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int is_timed) {
  int bit = __fencewright_waiter();
  if (bit == 0) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return is_timed && __fencewright_nondet(0, 1) ? ETIMEDOUT : 0;
  }
  __atomic_fetch_or(&condition->fw_sleepers, bit, __ATOMIC_RELAXED);
  pthread_mutex_unlock(mutex);
  int end = sleeps(&condition->fw_sleepers, bit, is_timed);
  pthread_mutex_lock(mutex);
  return end == 2 ? ETIMEDOUT : 0;
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return wait_for(condition, mutex, 0);
}
/* Whether a deadline is no time. A deadline that is not known is a time, as the answer says. */
static int is_no_time(const struct timespec *until, const char *function) {
  long part = until->tv_nsec;
  if (__fencewright_is_known(part))
    return part < 0 || part >= 1000000000;
  __fencewright_never_fails(function);
  return 0;
}
/* A deadline that is no time is an error, and the mutex stays held. */
static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex,
                      const struct timespec *until) {
  return is_no_time(until, "pthread_cond_timedwait") ? EINVAL : wait_for(condition, mutex, 1);
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until) {
  return wait_until(condition, mutex, until);
}
int pthread_cond_signal(pthread_cond_t *condition) {
  wake_one(&condition->fw_sleepers);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  wake_all(&condition->fw_sleepers);
  return 0;
}

/* Locks for readers and writers: the number of readers, or -1 for a writer. */
int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  lock->holders = 0;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return 0; }
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(lock->holders >= 0);
  lock->holders = lock->holders + 1;
  __fencewright_atomic_end();
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int result = EBUSY;
  if (__atomic_load_n(&lock->holders, __ATOMIC_RELAXED) < 0)
    return result;
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  if (lock->holders >= 0) {
    lock->holders = lock->holders + 1;
    result = 0;
  }
  __fencewright_atomic_end();
  return result;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(lock->holders == 0);
  lock->holders = -1;
  __fencewright_atomic_end();
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return attempt(&lock->holders, -1) ? 0 : EBUSY;
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __fencewright_update_begin(__ATOMIC_RELEASE);
  lock->holders = lock->holders < 0 ? 0 : lock->holders - 1;
  __fencewright_atomic_end();
  return 0;
}

/*
 * Barriers: twice the number of those who wait, and the round, which the last to come turns over.
 * Nobody can do that again before all went.
 */
int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                         unsigned count) {
  barrier->count = (int)count;
  barrier->fw_state = 0;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *barrier) { return 0; }
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  __fencewright_update_begin(__ATOMIC_ACQ_REL);
  int state = barrier->fw_state, round = state & 1;
  int is_last = state / 2 + 1 == barrier->count;
  barrier->fw_state = is_last ? 1 - round : state + 2;
  __fencewright_atomic_end();
  if (is_last)
    return PTHREAD_BARRIER_SERIAL_THREAD;
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume((barrier->fw_state & 1) != round);
  __fencewright_atomic_end();
  return 0;
}

/* Spin locks: to unlock is a plain store. */
int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *lock) { return 0; }
int pthread_spin_lock(pthread_spinlock_t *lock) {
  take((int *)lock);
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t *lock) { return attempt((int *)lock, 1) ? 0 : EBUSY; }
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
  return 0;
}

/* Who finds it done has looked only, and to say that it is done is a plain store. */
int __fencewright_once_begin(pthread_once_t *once) {
  if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == 2)
    return 0;
  int is_first = 0;
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(*once != 1);
  if (*once == 0) {
    *once = 1;
    is_first = 1;
  }
  __fencewright_atomic_end();
  return is_first;
}
void __fencewright_once_end(pthread_once_t *once) { __atomic_store_n(once, 2, __ATOMIC_RELEASE); }
/* An exception has left what is to be called once: the next one calls it. */
void __fencewright_once_left(pthread_once_t *once) { __atomic_store_n(once, 0, __ATOMIC_RELAXED); }
static void end_once(pthread_once_t **once) {
  if (*once)
    __fencewright_once_left(*once);
}
int pthread_once(pthread_once_t *once, void (*first)(void)) {
  if (__fencewright_once_begin(once)) {
    pthread_once_t *left __attribute__((cleanup(end_once))) = once;
    first();
    left = NULL;
    __fencewright_once_end(once);
  }
  return 0;
}

/* Values of threads. Destructors are not run; to free something does nothing in any case. */
static int next_key;
enum { key_room = 16 };
static _Thread_local const void *specific[key_room];
int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
  if (destroy && destroy != free)
    __fencewright_refuse("functions that run when a thread ends have no model");
  int mine = __atomic_fetch_add(&next_key, 1, __ATOMIC_RELAXED);
  if (mine >= key_room)
    __fencewright_limit("pthread_key_create has room for 16 keys here");
  *key = (pthread_key_t)mine;
  return 0;
}
int pthread_key_delete(pthread_key_t key) { return 0; }
void *pthread_getspecific(pthread_key_t key) { return (void *)specific[key]; }
int pthread_setspecific(pthread_key_t key, const void *value) {
  specific[key] = value;
  return 0;
}

/* threads.h. An int comes back as a pointer; both are numbers to the reader. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  *thread = __fencewright_thread_create((void *(*)(void *))start, argument);
  return thrd_success;
}
int thrd_join(thrd_t thread, int *value) {
  void *result = __fencewright_thread_join(thread);
  if (value)
    *value = (int)(long)result;
  return thrd_success;
}
int thrd_detach(thrd_t thread) { return thrd_success; }
void thrd_exit(int value) {
  need_no_ending();
  __fencewright_thread_exit((void *)(long)value);
}
thrd_t thrd_current(void) { return __fencewright_thread_self(); }
int thrd_equal(thrd_t one, thrd_t other) { return one == other; }
void thrd_yield(void) {}
int mtx_init(mtx_t *mutex, int kind) {
  pthread_mutexattr_t attributes = {
      kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT};
  pthread_mutex_init(mutex, &attributes);
  return thrd_success;
}
void mtx_destroy(mtx_t *mutex) {}
int mtx_lock(mtx_t *mutex) { return pthread_mutex_lock(mutex); }
int mtx_trylock(mtx_t *mutex) { return pthread_mutex_trylock(mutex) ? thrd_busy : thrd_success; }
int mtx_unlock(mtx_t *mutex) { return pthread_mutex_unlock(mutex); }
int cnd_init(cnd_t *condition) {
  pthread_cond_init(condition, NULL);
  return thrd_success;
}
void cnd_destroy(cnd_t *condition) {}
int cnd_wait(cnd_t *condition, mtx_t *mutex) { return pthread_cond_wait(condition, mutex); }
int cnd_signal(cnd_t *condition) { return pthread_cond_signal(condition); }
int cnd_broadcast(cnd_t *condition) { return pthread_cond_broadcast(condition); }
void call_once(once_flag *once, void (*first)(void)) { pthread_once(once, first); }
int tss_create(tss_t *key, tss_dtor_t destroy) {
  return pthread_key_create(key, destroy) ? thrd_error : thrd_success;
}
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return pthread_setspecific(key, value); }

/* Semaphores. */
int sem_init(sem_t *semaphore, int shared, unsigned value) {
  semaphore->value = (int)value;
  return 0;
}
int sem_destroy(sem_t *semaphore) { return 0; }
int sem_wait(sem_t *semaphore) {
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  __fencewright_assume(semaphore->value > 0);
  semaphore->value = semaphore->value - 1;
  __fencewright_atomic_end();
  return 0;
}
int sem_trywait(sem_t *semaphore) {
  int result = -1;
  if (__atomic_load_n(&semaphore->value, __ATOMIC_RELAXED) > 0) {
    __fencewright_update_begin(__ATOMIC_ACQUIRE);
    if (semaphore->value > 0) {
      semaphore->value = semaphore->value - 1;
      result = 0;
    }
    __fencewright_atomic_end();
  }
  if (result)
    errno = EAGAIN;
  return result;
}
int sem_post(sem_t *semaphore) {
  __atomic_fetch_add(&semaphore->value, 1, __ATOMIC_RELEASE);
  return 0;
}
int sem_getvalue(sem_t *semaphore, int *value) {
  *value = __atomic_load_n(&semaphore->value, __ATOMIC_RELAXED);
  return 0;
}

/* stdlib.h, unistd.h, time.h, sched.h, errno.h. */
static _Thread_local int error_number;
int *__errno_location(void) { return &error_number; }
void *malloc(size_t size) { return __fencewright_malloc(size); }
void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return __fencewright_malloc_zero(16, total);
}
/* Every block begins at a multiple of 16, and of what is asked. */
void *aligned_alloc(size_t alignment, size_t size) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    __fencewright_refuse("the alignment of a block is no power of 2");
  if (alignment > 4096)
    __fencewright_refuse("blocks are aligned to at most 4096 bytes");
  if (alignment <= 16)
    return __fencewright_malloc(size);
  return __fencewright_malloc_aligned(alignment, size);
}
int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  *block = aligned_alloc(alignment, size);
  return 0;
}
void free(void *block) { __fencewright_free(block); }
/* As in glibc: a block of no bytes is freed; a smaller one stays where it is. */
void *realloc(void *block, size_t size) {
  if (!block)
    return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (size <= __fencewright_block_size(block))
    return block;
  void *larger = malloc(size);
  __fencewright_copy_block(larger, block);
  free(block);
  return larger;
}
void abort(void) { __fencewright_exit(134); }
void exit(int code) {
  need_no_ending();
  __fencewright_need_no_last();
  __fencewright_exit(code);
}
void _Exit(int code) { __fencewright_exit(code); }
void _exit(int code) { __fencewright_exit(code); }
/*
 * What runs behind main, the last first; destructors of globals in C++ are such functions. Those
 * that are registered while threads run stand in a list under a lock, as in glibc, and run before
 * those that were registered earlier. When the last one has run, glibc takes none any more.
 */
enum { most_lasts = 8 };
static struct {
  void (*call)(void *);
  void *object;
  int takes_object;
} lasts[most_lasts];
static int last_count, are_lasts_over;
void fw_run_lasts(int is_end);
static int add_last(void (*last)(void *), void *object, int takes_object) {
  if (__fencewright_run_last(last, object, fw_run_lasts))
    return 0;
  __fencewright_update_begin(__ATOMIC_ACQ_REL);
  int is_late = are_lasts_over, count = last_count;
  if (!is_late) {
    if (count == most_lasts)
      __fencewright_limit("there is room for 8 exit functions that are registered while threads run");
    lasts[count].call = last;
    lasts[count].object = object;
    lasts[count].takes_object = takes_object;
    last_count = count + 1;
  }
  __fencewright_atomic_end();
  return is_late ? -1 : 0;
}
int atexit(void (*last)(void)) { return add_last((void (*)(void *))last, NULL, 0); }
int __cxa_atexit(void (*last)(void *), void *object, void *module) {
  return add_last(last, object, 1);
}
/* Runs what is in the list, also what is added meanwhile; the last call is the end of the list. */
void fw_run_lasts(int is_end) {
  for (;;) {
    __fencewright_update_begin(__ATOMIC_ACQ_REL);
    int at = last_count - 1;
    if (at < 0) {
      are_lasts_over = is_end;
      __fencewright_atomic_end();
      return;
    }
    void (*last)(void *) = lasts[at].call;
    void *object = lasts[at].object;
    int takes_object = lasts[at].takes_object;
    last_count = at;
    __fencewright_atomic_end();
    if (takes_object)
      last(object);
    else
      ((void (*)(void))last)();
  }
}
char __dso_handle;
int rand(void) { return __fencewright_outside("rand"); }
int rand_r(unsigned *seed) { return __fencewright_outside("rand_r"); }
long random(void) { return __fencewright_outside_long("random"); }
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
int atoi(const char *text) {
  int value = 0, sign = 1;
  while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
    text++;
  if (*text == '-' || *text == '+')
    sign = *text++ == '-' ? -1 : 1;
  while (*text >= '0' && *text <= '9')
    value = 10 * value + sign * (*text++ - '0');
  return value;
}
/* errno may be anything behind what may fail. */
static int may_fail(int result) {
  error_number = __fencewright_outside("errno");
  return result;
}
/* A signal may interrupt a sleep at any time; the caller then learns how much of it is left. */
static void tell_left(int is_interrupted, struct timespec *left) {
  if (!is_interrupted || !left)
    return;
  left->tv_sec = __fencewright_outside_long("sleep");
  left->tv_nsec = __fencewright_nondet(0, 999999999);
}
unsigned sleep(unsigned seconds) { return (unsigned)__fencewright_outside("sleep"); }
int usleep(unsigned microseconds) { return may_fail(__fencewright_outside("usleep")); }
int nanosleep(const struct timespec *duration, struct timespec *left) {
  int result = may_fail(__fencewright_outside("nanosleep"));
  tell_left(result == -1 && error_number == EINTR, left);
  return result;
}
int thrd_sleep(const struct timespec *duration, struct timespec *left) {
  int result = __fencewright_outside("thrd_sleep");
  tell_left(result == -1, left);
  return result;
}
int sched_yield(void) { return 0; }

/*
 * Linux's futex. Who sleeps where: for each thread, the address on which it sleeps, or none. The
 * kernel counts who waits before it looks at the word, and who wakes has a barrier before it looks
 * whether anybody waits: each of them is a locked instruction, whatever it finds.
 */
enum { most_sleepers = 31 };
static const void *__fencewright_sleeps_on[most_sleepers];
/* The set of bits of each sleeper, which only wakes with one of the bits end; 0 for all bits. */
static unsigned sleeps_with[most_sleepers];
static long fails(int error) {
  errno = error;
  return -1;
}
/* Goes to sleep where the calling thread has a number. Done under the bus lock, with the look. */
static void fall_asleep(const void *address, unsigned bits) {
  if (!__fencewright_waiter())
    return;
  int me = (int)__fencewright_thread_self() - 1;
  __fencewright_sleeps_on[me] = address;
  if (bits != FUTEX_BITSET_MATCH_ANY)
    sleeps_with[me] = bits;
}
/* Where threads have no numbers, nobody knows who sleeps, and every wait ends. */
static int wake_up(int is_timed, unsigned bits) {
  if (!__fencewright_waiter())
    return is_timed && __fencewright_nondet(0, 1) ? 2 : 0;
  int me = (int)__fencewright_thread_self() - 1;
  __fencewright_atomic_begin();
  int end = __fencewright_wait(__fencewright_sleeps_on[me] == NULL, is_timed);
  __fencewright_sleeps_on[me] = NULL;
  if (bits != FUTEX_BITSET_MATCH_ANY)
    sleeps_with[me] = 0;
  __fencewright_atomic_end();
  return end;
}
static long futex_wait(const int *word, int value, int is_timed, unsigned bits) {
  if (bits == 0)
    return fails(EINVAL);
  __fencewright_atomic_begin();
  int is_equal = *word == value;
  if (is_equal)
    fall_asleep(word, bits);
  __fencewright_atomic_end();
  if (!is_equal)
    return fails(EAGAIN);
  int end = wake_up(is_timed, bits);
  if (end == 0)
    return 0;
  return end == 2 ? fails(ETIMEDOUT) : __fencewright_nondet(0, 1) ? fails(EINTR) : 0;
}
static int is_met(int thread, unsigned bits) {
  return bits == FUTEX_BITSET_MATCH_ANY || sleeps_with[thread] == 0 ||
         (sleeps_with[thread] & bits) != 0;
}
/* Wakes as many as it may, whichever they are; Linux wakes one where it is to wake none. */
static long futex_wake(const void *word, int most, unsigned bits) {
  int woken = 0, left = 0;
  if (bits == 0)
    return fails(EINVAL);
  if (most < 1)
    most = 1;
  __fencewright_atomic_begin();
#define WAKE(thread)                                                                               \
  if (__fencewright_sleeps_on[thread] == word && is_met(thread, bits)) {                           \
    if (most >= most_sleepers || (woken < most && __fencewright_nondet(0, 1))) {                   \
      __fencewright_sleeps_on[thread] = NULL;                                                      \
      woken = woken + 1;                                                                           \
    } else                                                                                         \
      left = 1;                                                                                    \
  }
#define EACH_SLEEPER(act)                                                                          \
  act(0) act(1) act(2) act(3) act(4) act(5) act(6) act(7) act(8) act(9) act(10) act(11) act(12)    \
  act(13) act(14) act(15) act(16) act(17) act(18) act(19) act(20) act(21) act(22) act(23) act(24)  \
  act(25) act(26) act(27) act(28) act(29) act(30)
  EACH_SLEEPER(WAKE)
  __fencewright_assume(!left || woken == most);
  __fencewright_atomic_end();
  return woken;
}
/*
 * Linux's eventfd: counters, by their descriptors. Every call takes the lock of its counter, whatever
 * it finds there, and copies to or from the caller's memory outside of the lock.
 */
enum { counter_room = 8, first_descriptor = 3 };
static int counters;
static struct {
  unsigned long count;
  int flags;
} counter_of[counter_room];
int eventfd(unsigned count, int flags) {
  if (flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK))
    return (int)fails(EINVAL);
  int mine = __atomic_fetch_add(&counters, 1, __ATOMIC_RELAXED);
  if (mine >= counter_room)
    __fencewright_limit("eventfd has room for 8 counters here");
  counter_of[mine].count = count;
  counter_of[mine].flags = flags;
  return first_descriptor + mine;
}
static int counter_with(int descriptor) {
  int counter = descriptor - first_descriptor;
  if (counter < 0 || counter >= counter_room)
    __fencewright_limit("read, write and close have a model for descriptors of eventfd only");
  return counter;
}
ssize_t read(int descriptor, void *buffer, size_t size) {
  int mine = counter_with(descriptor), flags = counter_of[mine].flags;
  if (size < sizeof(eventfd_t))
    return fails(EINVAL);
  __fencewright_atomic_begin();
  unsigned long count = counter_of[mine].count;
  __fencewright_assume(count != 0 || (flags & EFD_NONBLOCK));
  unsigned long taken = count != 0 && (flags & EFD_SEMAPHORE) ? 1 : count;
  counter_of[mine].count = count - taken;
  __fencewright_atomic_end();
  if (count == 0)
    return fails(EAGAIN);
  *(eventfd_t *)buffer = taken;
  return sizeof(eventfd_t);
}
ssize_t write(int descriptor, const void *buffer, size_t size) {
  int mine = counter_with(descriptor), flags = counter_of[mine].flags;
  if (size < sizeof(eventfd_t))
    return fails(EINVAL);
  unsigned long added = *(const eventfd_t *)buffer;
  if (added == ~0ul)
    return fails(EINVAL);
  __fencewright_atomic_begin();
  int has_room = ~0ul - counter_of[mine].count > added;
  __fencewright_assume(has_room || (flags & EFD_NONBLOCK));
  if (has_room)
    counter_of[mine].count = counter_of[mine].count + added;
  __fencewright_atomic_end();
  return has_room ? (ssize_t)sizeof(eventfd_t) : fails(EAGAIN);
}
int close(int descriptor) {
  counter_with(descriptor);
  return 0;
}
int eventfd_read(int descriptor, eventfd_t *value) {
  return read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}
int eventfd_write(int descriptor, eventfd_t value) {
  return write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}

/*
 * WaitOnAddress of Windows, whose code is not published. A thread that finds another value at once
 * may return without a lock. A thread goes to sleep under a lock, after a second look; wakes always
 * take the lock, for a plain store before a wake must not be late.
 */
static _Thread_local DWORD last_error;
DWORD GetLastError(void) { return last_error; }
static int is_equal(const volatile void *one, const void *other, size_t size) {
  switch (size) {
  case 1:
    return *(const volatile char *)one == *(const char *)other;
  case 2:
    return *(const volatile short *)one == *(const short *)other;
  case 4:
    return *(const volatile int *)one == *(const int *)other;
  default:
    return *(const volatile long *)one == *(const long *)other;
  }
}
BOOL WaitOnAddress(volatile void *address, void *undesired, SIZE_T size, DWORD milliseconds) {
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    last_error = ERROR_INVALID_PARAMETER;
    return FALSE;
  }
  if (!is_equal(address, undesired, size))
    return TRUE;
  __fencewright_atomic_begin();
  int has_to_wait = is_equal(address, undesired, size);
  if (has_to_wait)
    fall_asleep((const void *)address, FUTEX_BITSET_MATCH_ANY);
  __fencewright_atomic_end();
  if (!has_to_wait || wake_up(milliseconds != INFINITE, FUTEX_BITSET_MATCH_ANY) != 2)
    return TRUE;
  last_error = ERROR_TIMEOUT;
  return FALSE;
}
void WakeByAddressSingle(void *address) { futex_wake(address, 1, FUTEX_BITSET_MATCH_ANY); }
void WakeByAddressAll(void *address) { futex_wake(address, most_sleepers, FUTEX_BITSET_MATCH_ANY); }

/*
 * membarrier, as kernel/sched/membarrier.c: an expedited command needs a registration of the
 * process, without which it fails and orders nothing. MEMBARRIER_CMD_GLOBAL_EXPEDITED reaches
 * registered processes only, and is else a fence of its own thread.
 */
static int membarrier_registered;
static void register_for(int command) {
  if (!(membarrier_registered & command))
    __atomic_fetch_or(&membarrier_registered, command, __ATOMIC_RELAXED);
}
int membarrier(int command, unsigned flags, int cpu) {
  if (flags != 0)
    __fencewright_refuse("membarrier has a model without flags");
  __fencewright_never_fails("membarrier");
  switch (command) {
  case MEMBARRIER_CMD_QUERY:
    return 511;
  case MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED:
  case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:
  case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE:
  case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ:
    register_for(command);
    return 0;
  case MEMBARRIER_CMD_GLOBAL_EXPEDITED:
    if (!(membarrier_registered & MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)) {
      __fencewright_vain_fence(
          "this membarrier orders its own thread only: the process is not registered");
      __sync_synchronize();
      return 0;
    }
    break;
  case MEMBARRIER_CMD_PRIVATE_EXPEDITED:
  case MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE:
  case MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ:
    if (!(membarrier_registered & command << 1)) {
      __fencewright_vain_fence(
          "this membarrier fails with EPERM and orders nothing: its command is not registered");
      return fails(EPERM);
    }
    break;
  case MEMBARRIER_CMD_GLOBAL:
    break;
  default:
    return fails(EINVAL);
  }
  __fencewright_heavy_fence();
  return 0;
}
/* processthreadsapi.h, folly, and C++'s P1202. */
void FlushProcessWriteBuffers(void) { __fencewright_heavy_fence(); }
void fw_folly_heavy(int order) __asm__("_ZN5folly29asymmetric_thread_fence_heavyESt12memory_order");
void fw_folly_heavy(int order) { __fencewright_heavy_fence(); }
void fw_folly_light(int order) __asm__("_ZN5folly29asymmetric_thread_fence_lightESt12memory_order");
void fw_folly_light(int order) {}
void fw_std_heavy(int order) __asm__(
    "_ZNSt12experimental29asymmetric_thread_fence_heavyESt12memory_order");
void fw_std_heavy(int order) { __fencewright_heavy_fence(); }
void fw_std_light(int order) __asm__(
    "_ZNSt12experimental29asymmetric_thread_fence_lightESt12memory_order");
void fw_std_light(int order) {}

long getrandom(void *to, size_t size, unsigned flags);
int gettid(void);
/* What the caller does not give has no value, and is not looked at. */
long fw_syscall(long number, const int *word, int operation, int value, const void *time,
                const int *other, unsigned bits) __asm__("syscall");
long fw_syscall(long number, const int *word, int operation, int value, const void *time,
                const int *other, unsigned bits) {
  if (number == SYS_sched_yield)
    return 0;
  if (number == SYS_gettid)
    return gettid();
  if (number == SYS_getrandom)
    return getrandom((void *)word, (size_t)operation, (unsigned)value);
  if (number == SYS_eventfd2)
    return eventfd((unsigned)(long)word, operation);
  if (number == SYS_membarrier)
    return membarrier((int)(long)word, (unsigned)operation, value);
  if (number != SYS_futex)
    __fencewright_refuse("of the system calls, SYS_futex, SYS_membarrier, SYS_eventfd2, SYS_gettid, "
                         "SYS_getrandom and SYS_sched_yield have a model");
  int has_set = (operation & 8) != 0;
  unsigned set = has_set ? bits : FUTEX_BITSET_MATCH_ANY;
  switch (operation & ~FUTEX_PRIVATE_FLAG) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
  case FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME:
    return futex_wait(word, value, time != NULL, set);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
    return futex_wake(word, value, set);
  default:
    __fencewright_refuse("of SYS_futex, FUTEX_WAIT, FUTEX_WAKE and both with sets of bits have a "
                         "model");
    return -1;
  }
}

/* The tasks of the kernel, by their threads. */
struct {
  unsigned state;
  int lock, has_signal;
  unsigned long flags, thread;
  unsigned parked;
} fw_tasks[most_sleepers];

/* string.h. */
void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}
int memcmp(const void *one, const void *other, size_t size) {
  const unsigned char *a = one, *b = other;
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}
size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}
int strcmp(const char *one, const char *other) {
  size_t i = 0;
  while (one[i] && one[i] == other[i])
    i++;
  return (unsigned char)one[i] - (unsigned char)other[i];
}

/* stdio.h: what is written goes nowhere. */
static FILE streams[3];
FILE *const stdin = &streams[0], *const stdout = &streams[1], *const stderr = &streams[2];
int printf(const char *format, ...) { return may_fail(__fencewright_outside("printf")); }
int fprintf(FILE *file, const char *format, ...) {
  return may_fail(__fencewright_outside("fprintf"));
}
/* Nobody looks at what lists of arguments hold: the text is not known. */
int vprintf(const char *format, va_list rest) {
  __fencewright_print_list(format, rest);
  return may_fail(__fencewright_outside("vprintf"));
}
int vfprintf(FILE *file, const char *format, va_list rest) {
  __fencewright_print_list(format, rest);
  return may_fail(__fencewright_outside("vfprintf"));
}
int vsnprintf(char *to, size_t size, const char *format, va_list rest) {
  __fencewright_read_list(format, rest);
  if (size > 0)
    __fencewright_forget_text(to, size);
  return may_fail(__fencewright_outside("vsnprintf"));
}
int puts(const char *text) { return may_fail(__fencewright_outside("puts")); }
int putchar(int character) { return (unsigned char)character; }
int fputs(const char *text, FILE *file) { return may_fail(__fencewright_outside("fputs")); }
int fputc(int character, FILE *file) {
  __fencewright_print_number(character);
  return (unsigned char)character;
}
int putc(int character, FILE *file) { return fputc(character, file); }
/* Up to 8 bytes are a number. Of more bytes, all are read, and not all are compared. */
size_t fwrite(const void *from, size_t size, size_t count, FILE *file) {
  long number = 0;
  if (size == 0 || count == 0)
    return 0;
  if (size * count <= sizeof number) {
    __builtin_memcpy(&number, from, size * count);
    __fencewright_print_number(number);
    return count;
  }
  __fencewright_take_for_granted("ownTexts");
  for (size_t i = 0; i < size * count; i++)
    __fencewright_print_number(((const unsigned char *)from)[i]);
  return count;
}
int fflush(FILE *file) { return may_fail(__fencewright_outside("fflush")); }
void perror(const char *text) {}
void __fencewright_print_number(long number) {}
void __fencewright_print_unsigned(unsigned long number) {}
void __fencewright_print_text(const char *text) {}
void __fencewright_print_pointer(const void *pointer) {}

/* Words of verifiers. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  __fencewright_assert(0, text);
}
void __VERIFIER_assume(int condition) { __fencewright_cut_off_unless(condition); }
void __VERIFIER_assert(int condition) { __fencewright_assert(condition, "__VERIFIER_assert"); }
void __VERIFIER_error(void) {
  __fencewright_assert(0, "__VERIFIER_error");
  __fencewright_exit(1);
}
void reach_error(void) { __fencewright_assert(0, "reach_error"); }
void __VERIFIER_atomic_begin(void) { __fencewright_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __fencewright_atomic_end(); }
int __VERIFIER_nondet_int(void) { return __fencewright_nondet(-2147483647 - 1, 2147483647); }
unsigned __VERIFIER_nondet_uint(void) {
  return (unsigned)__fencewright_nondet(-2147483647 - 1, 2147483647);
}
_Bool __VERIFIER_nondet_bool(void) { return __fencewright_nondet(0, 1); }
char __VERIFIER_nondet_char(void) { return (char)__fencewright_nondet(-128, 127); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)__fencewright_nondet(0, 255); }
/* For GenMC, main is 0. */
int __VERIFIER_thread_self(void) { return (int)__fencewright_thread_self() - 1; }
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_loop_bound(int bound) {}
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int again) {}
void __VERIFIER_disable_irq(void) {}
void __VERIFIER_enable_irq(void) {}
void __CPROVER_assume(int condition) { __fencewright_cut_off_unless(condition); }
/* For CBMC, functions without a body choose their results; these are the usual names. */
int nondet(void) { return __VERIFIER_nondet_int(); }
int nondet_int(void) { return __VERIFIER_nondet_int(); }
unsigned nondet_uint(void) { return __VERIFIER_nondet_uint(); }
_Bool nondet_bool(void) { return __VERIFIER_nondet_bool(); }
char nondet_char(void) { return __VERIFIER_nondet_char(); }
unsigned char nondet_uchar(void) { return __VERIFIER_nondet_uchar(); }
/* For programs without a header: with one, assert is a macro. */
#undef assert
int assert(int condition) {
  __fencewright_assert(condition, "assert");
  return 0;
}
void __CPROVER_assert(int condition, const char *text) { __fencewright_assert(condition, text); }
/* A section acts as a locked instruction. For CBMC, it orders nothing around it. */
void __CPROVER_atomic_begin(void) {
  __fencewright_need_no_section();
  __fencewright_take_for_granted("atomicSections");
  __fencewright_atomic_begin();
}
void __CPROVER_atomic_end(void) { __fencewright_atomic_end(); }


/* new and delete of C++. Each calls the one that a program may have in the place of the library's. */
void *_Znwm(size_t size) { return malloc(size); }
void *_Znam(size_t size) { return _Znwm(size); }
void *_ZnwmSt11align_val_t(size_t size, size_t alignment) {
  return aligned_alloc(alignment, size);
}
void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
  return _ZnwmSt11align_val_t(size, alignment);
}

/* The forms that return a null pointer where the others throw. Nobody reads std::nothrow. */
const char _ZSt7nothrow = 0;
void *_ZnwmRKSt9nothrow_t(size_t size, const char *nothrow) { return _Znwm(size); }
void *_ZnamRKSt9nothrow_t(size_t size, const char *nothrow) {
  return _ZnwmRKSt9nothrow_t(size, nothrow);
}
void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const char *nothrow) {
  return _ZnwmSt11align_val_t(size, alignment);
}
void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const char *nothrow) {
  return _ZnwmSt11align_val_tRKSt9nothrow_t(size, alignment, nothrow);
}

/* How many elements an array with destructors has, which `new` writes in front of it. */
void __asan_poison_cxx_array_cookie(void *count) { (void)count; }
unsigned long __asan_load_cxx_array_cookie(unsigned long *count) { return *count; }

void _ZdlPv(void *block) { free(block); }
void _ZdaPv(void *block) { _ZdlPv(block); }
void _ZdlPvm(void *block, size_t size) {
  (void)size;
  _ZdlPv(block);
}
void _ZdaPvm(void *block, size_t size) {
  (void)size;
  _ZdaPv(block);
}
void _ZdlPvSt11align_val_t(void *block, size_t alignment) {
  (void)alignment;
  free(block);
}
void _ZdaPvSt11align_val_t(void *block, size_t alignment) {
  _ZdlPvSt11align_val_t(block, alignment);
}
void _ZdlPvmSt11align_val_t(void *block, size_t size, size_t alignment) {
  (void)size;
  _ZdlPvSt11align_val_t(block, alignment);
}
void _ZdaPvmSt11align_val_t(void *block, size_t size, size_t alignment) {
  (void)size;
  _ZdaPvSt11align_val_t(block, alignment);
}
void _ZdlPvRKSt9nothrow_t(void *block, const char *nothrow) { _ZdlPv(block); }
void _ZdaPvRKSt9nothrow_t(void *block, const char *nothrow) {
  _ZdlPvRKSt9nothrow_t(block, nothrow);
}

/* Static variables of functions in C++: in the first byte of the guard, that the variable is there,
   which the compiler looks at; in the second, that somebody makes it. */
int __cxa_guard_acquire(char *guard) {
  int is_first = 0;
  if (__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
    return 0;
  __fencewright_atomic_begin();
  __fencewright_assume(guard[1] == 0);
  if (guard[0] == 0) {
    guard[1] = 1;
    is_first = 1;
  }
  __fencewright_atomic_end();
  return is_first;
}
void __cxa_guard_release(char *guard) {
  __atomic_store_n(&guard[0], 1, __ATOMIC_RELEASE);
  __atomic_exchange_n(&guard[1], 0, __ATOMIC_RELEASE);
}
/* An exception has left what makes the variable: the next one tries again. */
void __cxa_guard_abort(char *guard) { __atomic_exchange_n(&guard[1], 0, __ATOMIC_RELEASE); }

/*
 * libatomic, for what the compiler takes for misaligned or too large: each is one access all the
 * same. Its loads and stores of 16 bytes are plain ones, as on machines with AVX.
 */
typedef unsigned __int128 wide;
#define EACH_SIZE(operation)                                                                       \
  switch (size) {                                                                                  \
  case 1: operation(unsigned char);                                                                \
  case 2: operation(unsigned short);                                                               \
  case 4: operation(unsigned);                                                                     \
  case 8: operation(unsigned long);                                                                \
  case 16: operation(wide);                                                                        \
  default: __fencewright_refuse("atomic objects that are behind a lock have no model");            \
  }
void fw_atomic_load(size_t size, void *from, void *to, int order) __asm__("__atomic_load");
void fw_atomic_load(size_t size, void *from, void *to, int order) {
#define LOAD(type) *(type *)to = __atomic_load_n((type *)from, order); return
  EACH_SIZE(LOAD)
}
void fw_atomic_store(size_t size, void *to, void *from, int order) __asm__("__atomic_store");
void fw_atomic_store(size_t size, void *to, void *from, int order) {
#define STORE(type) __atomic_store_n((type *)to, *(type *)from, order); return
  EACH_SIZE(STORE)
}
void fw_atomic_exchange(size_t size, void *cell, void *from, void *to, int order)
    __asm__("__atomic_exchange");
void fw_atomic_exchange(size_t size, void *cell, void *from, void *to, int order) {
#define EXCHANGE(type)                                                                             \
  *(type *)to = __atomic_exchange_n((type *)cell, *(type *)from, order);                           \
  return
  EACH_SIZE(EXCHANGE)
}
_Bool fw_atomic_compare_exchange(size_t size, void *cell, void *expected, void *desired,
                                 int success, int failure) __asm__("__atomic_compare_exchange");
_Bool fw_atomic_compare_exchange(size_t size, void *cell, void *expected, void *desired,
                                 int success, int failure) {
#define COMPARE_EXCHANGE(type)                                                                     \
  return __atomic_compare_exchange_n((type *)cell, (type *)expected, *(type *)desired, 0,          \
                                     success, failure)
  EACH_SIZE(COMPARE_EXCHANGE)
  return 0;
}

/*
 * What lies in the binaries of glibc and libstdc++ for programs that are compiled with the headers
 * of the machine: by its name there, against layouts that the binary interface fixes.
 */
char __libc_single_threaded = 0;

/* A std::thread is its number, 0 if there is none. What it runs is an object with virtual functions:
   to run is the third of them, to destroy and give back the second. */
struct fw_state {
  void (**functions)(struct fw_state *);
};
/* What is destroyed when a thread ends, the last first; only main and threads of C++ look at it. */
enum { most_endings = 8, main_handle = 1 };
static _Thread_local struct {
  void (*destroy)(void *);
  void *object;
} endings[most_endings];
static _Thread_local int has_endings;
int fw_at_thread_exit(void (*destroy)(void *), void *object, void *module)
    __asm__("__cxa_thread_atexit");
int fw_at_thread_exit(void (*destroy)(void *), void *object, void *module) {
  if (!has_endings && __fencewright_thread_self() != main_handle)
    __fencewright_refuse("thread-local objects with destructors have no model in this thread");
  if (ending_count == most_endings)
    __fencewright_limit("there is room for 8 thread-local objects with destructors here");
  endings[ending_count].destroy = destroy;
  endings[ending_count].object = object;
  ending_count = ending_count + 1;
  return 0;
}
static void run_endings(void) {
  while (ending_count > 0) {
    ending_count = ending_count - 1;
    endings[ending_count].destroy(endings[ending_count].object);
  }
}
/* The process calls this function when main has returned, and before what atexit registers. */
void fw_end_main(void) { run_endings(); }
static void *fw_run_state(void *given) {
  struct fw_state *state = given;
  has_endings = 1;
  state->functions[2](state);
  state->functions[1](state);
  run_endings();
  return NULL;
}
void fw_start_thread(unsigned long *number, struct fw_state **owner, void *unused)
    __asm__("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void fw_start_thread(unsigned long *number, struct fw_state **owner, void *unused) {
  struct fw_state *state = *owner;
  __fencewright_never_fails("std::thread");
  *owner = NULL;
  *number = __fencewright_thread_create(fw_run_state, state);
}
/* Of a std::thread that is none. */
void fw_throw_system(int code) __asm__("_ZSt20__throw_system_errori") __attribute__((noreturn));
void fw_thread_join(unsigned long *number) __asm__("_ZNSt6thread4joinEv");
void fw_thread_join(unsigned long *number) {
  if (*number == 0)
    fw_throw_system(22);
  __fencewright_thread_join(*number);
  *number = 0;
}
void fw_thread_detach(unsigned long *number) __asm__("_ZNSt6thread6detachEv");
void fw_thread_detach(unsigned long *number) {
  if (*number == 0)
    fw_throw_system(22);
  *number = 0;
}
unsigned fw_hardware_concurrency(void) __asm__("_ZNSt6thread20hardware_concurrencyEv");
unsigned fw_hardware_concurrency(void) {
  return (unsigned)__fencewright_outside("hardware_concurrency");
}
void fw_end_state(struct fw_state *state) __asm__("_ZNSt6thread6_StateD2Ev");
void fw_end_state(struct fw_state *state) {}
static void fw_delete_state(struct fw_state *state) { free(state); }
void fw_pure(void) __asm__("__cxa_pure_virtual");
void fw_pure(void) { __fencewright_terminate("a function is called that is pure virtual"); }
/* Behind its first two words, the functions of the base of all states. */
const void *const fw_state_table[5] __asm__("_ZTVNSt6thread6_StateE") = {
    NULL, NULL, (void *)fw_end_state, (void *)fw_delete_state, (void *)fw_pure};
void fw_end_process(void) __asm__("_ZSt9terminatev");
void fw_end_process(void) { __fencewright_terminate("std::terminate is called"); }

/* A std::condition_variable is one of POSIX, and a std::unique_lock begins with its mutex. */
void fw_condition_begin(pthread_cond_t *condition) __asm__("_ZNSt18condition_variableC1Ev");
void fw_condition_begin(pthread_cond_t *condition) { pthread_cond_init(condition, NULL); }
void fw_condition_end(pthread_cond_t *condition) __asm__("_ZNSt18condition_variableD1Ev");
void fw_condition_end(pthread_cond_t *condition) { pthread_cond_destroy(condition); }
void fw_condition_one(pthread_cond_t *condition)
    __asm__("_ZNSt18condition_variable10notify_oneEv");
void fw_condition_one(pthread_cond_t *condition) { pthread_cond_signal(condition); }
void fw_condition_all(pthread_cond_t *condition)
    __asm__("_ZNSt18condition_variable10notify_allEv");
void fw_condition_all(pthread_cond_t *condition) { pthread_cond_broadcast(condition); }
void fw_condition_wait(pthread_cond_t *condition, pthread_mutex_t **lock)
    __asm__("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void fw_condition_wait(pthread_cond_t *condition, pthread_mutex_t **lock) {
  pthread_cond_wait(condition, *lock);
}

/*
 * libstdc++ counts who waits for atomic objects in 16 places, by their addresses. Here each address
 * has one by itself: objects that have one together wake each other for nothing, and order more.
 */
void *fw_waiters_of(const void *address)
    __asm__("_ZNSt8__detail18__waiter_pool_base6_S_forEPKv");
void *fw_waiters_of(const void *address) { return __fencewright_waiters(address); }

/* With what an atomic object holds, libstdc++ compares byte by byte what it held. */
#define SAME(name, type, letter)                                                                   \
  _Bool name(const type *, const type *)                                                           \
      __asm__("_ZNSt8__detail16__atomic_compareI" letter "EEbRKT_S3_");                            \
  _Bool name(const type *one, const type *other) { return *one == *other; }
SAME(fw_same_bool, _Bool, "b")
SAME(fw_same_byte, unsigned char, "h")
SAME(fw_same_int, int, "i")
SAME(fw_same_unsigned, unsigned, "j")
SAME(fw_same_long, long, "l")
SAME(fw_same_unsigned_long, unsigned long, "m")

/* std::call_once leaves here what pthread_once is to call. */
_Thread_local void *fw_once_callable __asm__("_ZSt15__once_callable") = NULL;
_Thread_local void (*fw_once_call)(void) __asm__("_ZSt11__once_call") = NULL;
void fw_once_proxy(void) __asm__("__once_proxy");
void fw_once_proxy(void) { fw_once_call(); }

#include "library-exceptions.c"
#include "library-futures.c"
#include "library-streams.c"
#include "library-trees.c"
#include "library-containers.c"
#include "library-operations.c"
#include "library-strings.c"
#include "library-memory.c"
#include "library-texts.c"
#include "library-system.c"
#include "library-waits.c"
#include "library-process.c"
