import { type Calling, type LibraryFunction, nothing, type Result, zero } from './library-call.js';
import { setErrno } from './library-outside.js';
import { onceTarget } from './library-streams.js';
import { Fault } from './stop.js';

const busy = 16;
const timedOut = 110;

/** Offsets in a mutex: the nesting count and the kind, as in glibc; the owner is at offset 0. */
const [countAt, kindAt] = [4, 16];

const holder = (calling: Calling): number => calling.id + 1;

/**
 * Locks a mutex. As in glibc, a plain load first looks at mutexes that are recursive or check
 * errors; their owner counts nested locks by a plain store. Only taking the mutex, in phase 1, is a
 * locked instruction.
 */
function lock(calling: Calling, mutex: number): Result {
  const kind = calling.peek(mutex + kindAt) & 3;
  if (kind !== 0 && calling.phase === 0) {
    if (calling.isTooEarly) return 'waits';
    if (calling.load(mutex) === holder(calling))
      return kind === 1 ? count(calling, mutex, 1) : { value: 35 };
    calling.setPhase(1);
    return 'again';
  }
  if (calling.hasToWait || calling.peek(mutex) !== 0) return 'waits';
  calling.put(mutex, holder(calling));
  calling.setPhase(0);
  return zero;
}

function unlock(calling: Calling, mutex: number): Result {
  const kind = calling.peek(mutex + kindAt) & 3;
  if (kind !== 0 && calling.phase === 0) {
    if (calling.isTooEarly) return 'waits';
    if (calling.load(mutex) !== holder(calling)) throw new Fault('unlock of what is not held');
    if (kind === 1 && calling.load(mutex + countAt) > 0) return count(calling, mutex, -1);
    calling.setPhase(1);
    return 'again';
  }
  if (calling.hasToWait) return 'waits';
  if (calling.peek(mutex) !== holder(calling)) throw new Fault('unlock of what is not held');
  calling.put(mutex, 0);
  calling.setPhase(0);
  return zero;
}

/** Changes the nesting count of a mutex by a plain store. */
function count(calling: Calling, mutex: number, change: number): Result {
  const depth = calling.load(mutex + countAt) + change;
  const bytes = Array.from({ length: 4 }, (_, i) => (depth >> (8 * i)) & 255);
  calling.world.store(calling.id, mutex + countAt, bytes);
  return zero;
}

/** Tries to lock a mutex. A failing attempt is a load that orders nothing. */
function tryLock(calling: Calling, mutex: number, failure: number): Result {
  if (calling.isTooEarly) return 'waits';
  const by = calling.peek(mutex);
  const isAgain = by === holder(calling) && (calling.peek(mutex + kindAt) & 3) === 1;
  if (by === 0 || isAgain) return lock(calling, mutex);
  calling.load(mutex);
  calling.setPhase(0);
  return { value: failure };
}

function initialise(calling: Calling, at: number, size: number, kind: number): Result {
  const bytes = Array.from({ length: size }, (_, i) => (i === kindAt ? kind : 0));
  calling.world.store(calling.id, at, bytes);
  return zero;
}

/**
 * Waits on a condition variable, whose first word is the set of sleeping threads. As in glibc, the
 * thread registers, unlocks the mutex, sleeps until removed from the set or until a spurious
 * wake-up, and locks the mutex again. Each phase precedes one of these steps; phase 4 is phase 3 of
 * a thread that was not woken.
 */
function wait(calling: Calling, mutex: number, late = 0): Result {
  const { phase } = calling;
  const at = calling.number(0);
  const own = 2 ** calling.id;
  if (phase >= 3) {
    const result = lock(calling, mutex);
    if (result === 'waits') return 'waits';
    calling.setPhase(0);
    return phase === 4 && late !== 0 && calling.world.choose(2) === 1 ? { value: late } : result;
  }
  if (calling.hasToWait) return 'waits';
  const isListed = Math.floor(calling.peek(at) / own) % 2 === 1;
  if (phase === 0) calling.put(at, calling.peek(at) + (isListed ? 0 : own));
  else if (phase === 1) unlock(calling, mutex);
  else calling.put(at, calling.peek(at) - (isListed ? own : 0));
  calling.setPhase(phase === 2 && isListed ? 4 : phase + 1);
  return 'again';
}

/**
 * Wakes one sleeping thread or all. Loads the set of sleeping threads; only if it is not empty, a
 * locked instruction removes threads.
 */
function wake(calling: Calling, isForAll: boolean): Result {
  const at = calling.number(0);
  if (calling.phase === 0) {
    if (calling.isTooEarly) return 'waits';
    if (calling.load(at) === 0) return zero;
    calling.setPhase(1);
    return 'again';
  }
  if (calling.hasToWait) return 'waits';
  const sleeping = calling.peek(at);
  const each = Array.from({ length: 31 }, (_, id) => 2 ** id).filter(
    (one) => Math.floor(sleeping / one) % 2 === 1,
  );
  const woken = each.length > 1 && !isForAll ? calling.world.choose(each.length) : 0;
  calling.put(at, isForAll ? 0 : sleeping - (each[woken] ?? 0));
  calling.setPhase(0);
  return zero;
}

const signal: LibraryFunction = (c) => wake(c, false);
const broadcast: LibraryFunction = (c) => wake(c, true);

function post(calling: Calling): Result {
  if (calling.hasToWait) return 'waits';
  const at = calling.number(0);
  calling.put(at, calling.peek(at) + 1);
  return zero;
}

function take(calling: Calling): Result {
  const at = calling.number(0);
  if (calling.hasToWait || calling.peek(at) === 0) return 'waits';
  calling.put(at, calling.peek(at) - 1);
  return zero;
}

/**
 * Tries to decrement a semaphore. As in glibc, a load finds whether the semaphore is positive; then
 * a locked instruction decrements it, or finds that another thread was faster.
 */
function tryTake(calling: Calling): Result {
  const at = calling.number(0);
  if (calling.phase === 0) {
    if (calling.isTooEarly) return 'waits';
    const isPositive = calling.peek(at) > 0;
    calling.load(at);
    if (isPositive) {
      calling.setPhase(1);
      return 'again';
    }
  } else {
    if (calling.hasToWait) return 'waits';
    calling.setPhase(0);
    if (calling.peek(at) > 0) return take(calling);
    calling.load(at);
  }
  setErrno(calling, 11);
  return { value: -1 };
}

/**
 * Waits at a barrier, whose words are the number of arrived threads, the size, and the number of
 * openings.
 */
function meet(calling: Calling): Result {
  const at = calling.number(0);
  if (calling.hasToWait) return 'waits';
  const opened = calling.peek(at + 8);
  if (calling.phase > 0) {
    if (opened + 1 === calling.phase) return 'waits';
    calling.load(at + 8);
    calling.setPhase(0);
    return zero;
  }
  const come = calling.peek(at) + 1;
  if (come < calling.peek(at + 4)) {
    calling.put(at, come);
    calling.setPhase(opened + 1);
    return 'again';
  }
  calling.put(at, 0);
  calling.put(at + 8, opened + 1);
  return { value: -1 };
}

/** Takes a lock for readers and writers: the number of readers, or 1,000 for a writer. */
function lockFor(calling: Calling, isWriter: boolean, failure?: number): Result {
  const at = calling.number(0);
  if (calling.isTooEarly) return 'waits';
  const held = calling.peek(at);
  if (isWriter ? held > 0 : held >= 1000) {
    if (failure === undefined) return 'waits';
    calling.load(at);
    return { value: failure };
  }
  if (!calling.isDrained) return 'waits';
  calling.put(at, isWriter ? 1000 : held + 1);
  return zero;
}

function unlockFor(calling: Calling): Result {
  const at = calling.number(0);
  if (calling.hasToWait) return 'waits';
  const held = calling.peek(at);
  if (held === 0) throw new Fault('unlock of what is not held');
  calling.put(at, held >= 1000 ? 0 : held - 1);
  return zero;
}

/**
 * `call_once`. The control word is 0 before the first call, 1 while the function runs, and 2
 * afterwards. As in glibc, a call loads the word; if the word is not 2, the call compares and
 * exchanges, and if another call was faster, waits for 2. Phases: 0 before the load, 2 before the
 * exchange, 3 while waiting, 1 after the function.
 */
function once(calling: Calling): Result {
  const [at, fn] = [calling.number(0), calling.number(1)];
  if (calling.isTooEarly) return 'waits';
  switch (calling.phase) {
    case 0:
      if (calling.load(at) === 2) return zero;
      calling.setPhase(2);
      return 'again';
    case 1:
      // A plain store, as glibc has it.
      calling.world.store(calling.id, at, [2, 0, 0, 0]);
      calling.setPhase(0);
      return zero;
    case 2:
      if (!calling.isDrained) return 'waits';
      if (calling.peek(at) === 0) {
        calling.put(at, 1);
        calling.setPhase(1);
        // The function of C++ calls the target that the thread has left in thread-local variables.
        const isProxy = calling.world.image.functionAt.get(fn) === '__once_proxy';
        return calling.callback(isProxy ? onceTarget(calling) : fn, []);
      }
      calling.load(at);
      calling.setPhase(3);
      return 'again';
    default:
      if (!calling.isDrained || calling.peek(at) !== 2) return 'waits';
      calling.load(at);
      calling.setPhase(0);
      return zero;
  }
}

function spinLock(calling: Calling, failure?: number): Result {
  const at = calling.number(0);
  if (calling.isTooEarly) return 'waits';
  if (calling.peek(at) !== 0) {
    if (failure === undefined) return 'waits';
    calling.load(at);
    return { value: failure };
  }
  if (!calling.isDrained) return 'waits';
  calling.put(at, 1);
  return zero;
}

const none: LibraryFunction = () => zero;
const noResult: LibraryFunction = () => nothing;
const attribute: LibraryFunction = (c) => {
  c.world.store(c.id, c.number(0), [c.call.operands.length > 1 ? c.number(1) : 0, 0, 0, 0]);
  return zero;
};

/** The waiting functions of POSIX and C11. */
export const lockLibrary: Readonly<Record<string, LibraryFunction>> = {
  pthread_mutexattr_init: attribute,
  pthread_mutexattr_settype: attribute,
  pthread_mutexattr_destroy: none,
  pthread_mutex_init: (c) =>
    initialise(c, c.number(0), 40, c.number(1) === 0 ? 0 : c.peek(c.number(1)) & 3),
  pthread_mutex_destroy: none,
  pthread_mutex_lock: (c) => lock(c, c.number(0)),
  pthread_mutex_unlock: (c) => unlock(c, c.number(0)),
  pthread_mutex_trylock: (c) => tryLock(c, c.number(0), busy),
  mtx_init: (c) => initialise(c, c.number(0), 40, c.number(1) & 1),
  mtx_destroy: noResult,
  mtx_lock: (c) => lock(c, c.number(0)),
  mtx_unlock: (c) => unlock(c, c.number(0)),
  mtx_trylock: (c) => tryLock(c, c.number(0), 1),
  pthread_cond_init: (c) => initialise(c, c.number(0), 48, 0),
  pthread_cond_destroy: none,
  pthread_cond_wait: (c) => wait(c, c.number(1)),
  pthread_cond_timedwait: (c) => wait(c, c.number(1), timedOut),
  pthread_cond_signal: signal,
  pthread_cond_broadcast: broadcast,
  cnd_init: (c) => initialise(c, c.number(0), 48, 0),
  cnd_destroy: noResult,
  cnd_wait: (c) => wait(c, c.number(1)),
  cnd_signal: signal,
  cnd_broadcast: broadcast,
  sem_init: (c) => {
    const value = c.number(2);
    c.world.store(c.id, c.number(0), [value & 255, 0, 0, 0, 0, 0, 0, 0]);
    return zero;
  },
  sem_destroy: none,
  sem_post: post,
  sem_wait: take,
  sem_trywait: tryTake,
  pthread_barrier_init: (c) => {
    c.world.store(c.id, c.number(0), [0, 0, 0, 0, c.number(2), 0, 0, 0, 0, 0, 0, 0]);
    return zero;
  },
  pthread_barrier_destroy: none,
  pthread_barrier_wait: meet,
  pthread_rwlock_init: (c) => initialise(c, c.number(0), 56, 0),
  pthread_rwlock_destroy: none,
  pthread_rwlock_rdlock: (c) => lockFor(c, false),
  pthread_rwlock_wrlock: (c) => lockFor(c, true),
  pthread_rwlock_tryrdlock: (c) => lockFor(c, false, busy),
  pthread_rwlock_trywrlock: (c) => lockFor(c, true, busy),
  pthread_rwlock_unlock: unlockFor,
  pthread_spin_init: (c) => {
    c.world.store(c.id, c.number(0), [0, 0, 0, 0]);
    return zero;
  },
  pthread_spin_destroy: none,
  pthread_spin_lock: (c) => spinLock(c),
  pthread_spin_trylock: (c) => spinLock(c, busy),
  pthread_spin_unlock: (c) => {
    // A plain store, as glibc has it for x86.
    if (c.world.model === 'SC' && c.isTooEarly) return 'waits';
    c.world.store(c.id, c.number(0), [0, 0, 0, 0]);
    return zero;
  },
  pthread_once: once,
  call_once: once,
};
