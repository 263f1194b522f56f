/*
 * Attributes of locks, and locks with a deadline: whoever does not get the lock at once waits for it
 * or finds its time over. A failed attempt is no more than a look.
 */
int pthread_condattr_init(pthread_condattr_t *attributes) { return 0; }
int pthread_condattr_destroy(pthread_condattr_t *attributes) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) { return 0; }
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) { return 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) { return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) { return 0; }
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  if (robust)
    __fencewright_refuse("mutexes that outlive their owners (PTHREAD_MUTEX_ROBUST) have no model");
  return 0;
}
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) { return 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) { return 0; }
int pthread_barrierattr_init(pthread_barrierattr_t *attributes) { return 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) { return 0; }

/* Whether the time is over by now. A wait may end by its time later, too. */
static int is_over(void) { return __fencewright_nondet(0, 1); }
/* Takes a lock behind a failed attempt, or finds the time over. */
static int take_in_time(int *lock, int new) {
  if (is_over())
    return ETIMEDOUT;
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  int end = __fencewright_wait(*lock == 0, 1);
  if (end == 0)
    *lock = new;
  __fencewright_atomic_end();
  return end == 0 ? 0 : ETIMEDOUT;
}
/* The deadline is looked at only if the mutex is held. */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  int is_plain = is_simple(mutex->fw_kind), mine = is_plain ? 1 : self();
  if (!is_plain && is_mine(mutex))
    return pthread_mutex_lock(mutex);
  if (attempt(&mutex->locked, mine))
    return 0;
  return is_no_time(until, "pthread_mutex_timedlock") ? EINVAL
                                                      : take_in_time(&mutex->locked, mine);
}
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  return pthread_mutex_timedlock(mutex, until);
}
int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
  return pthread_mutex_timedlock(mutex, until) ? thrd_timedout : thrd_success;
}
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until) {
  int end = wait_until(condition, mutex, until);
  return end == 0 ? thrd_success : end == ETIMEDOUT ? thrd_timedout : thrd_error;
}
/* Adds a holder where the number of holders allows it, or finds the time over. */
static int count_in_time(int *holders, int least, int added) {
  if (is_over())
    return ETIMEDOUT;
  __fencewright_update_begin(__ATOMIC_ACQUIRE);
  int end = __fencewright_wait(*holders >= least, 1);
  if (end == 0)
    *holders = *holders + added;
  __fencewright_atomic_end();
  return end == 0 ? 0 : ETIMEDOUT;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  if (is_no_time(until, "pthread_rwlock_timedrdlock"))
    return EINVAL;
  return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : count_in_time(&lock->holders, 0, 1);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  if (is_no_time(until, "pthread_rwlock_timedwrlock"))
    return EINVAL;
  return attempt(&lock->holders, -1) ? 0 : take_in_time(&lock->holders, -1);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until) {
  return pthread_rwlock_timedrdlock(lock, until);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until) {
  return pthread_rwlock_timedwrlock(lock, until);
}
int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  if (is_no_time(until, "sem_timedwait"))
    return (int)fails(EINVAL);
  if (sem_trywait(semaphore) == 0 || count_in_time(&semaphore->value, 1, -1) == 0)
    return 0;
  errno = ETIMEDOUT;
  return -1;
}
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  return sem_timedwait(semaphore, until);
}
