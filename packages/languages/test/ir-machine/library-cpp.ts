import {
  byte,
  Calling,
  type LibraryFunction,
  long,
  nothing,
  type Result,
  zero,
} from './library-call.js';
import { throwStandard } from './exceptions.js';
import { registerExit } from './library-process.js';
import { lockLibrary } from './library-locks.js';
import { handleOf, join, startThread } from './library-threads.js';
import { NotKnown } from './stop.js';
import { toBytes } from './value.js';

/** The offsets of functions in the virtual table of `std::thread::_State`. */
const [deleting, running] = [8, 16];

function inTable(calling: Calling, object: number, offset: number): number {
  return calling.load(calling.load(object, long) + offset, long);
}

/** `std::thread::_M_start_thread(this, unique_ptr<_State>, ...)`: runs and deletes the state. */
function start(calling: Calling): Result {
  if (calling.hasToWait) return 'waits';
  const { world, id } = calling;
  const [self, holder] = [calling.number(0), calling.number(1)];
  const state = calling.load(holder, long);
  world.store(id, holder, toBytes(long, 0n));
  const started = startThread(calling, [
    { fn: inTable(calling, state, deleting), operands: [state] },
    { fn: inTable(calling, state, running), operands: [state] },
  ]);
  world.store(id, self, toBytes(long, BigInt(handleOf(started))));
  return nothing;
}

function joinThread(calling: Calling): Result {
  const self = calling.number(0);
  if (calling.isTooEarly) return 'waits';
  if (calling.peek(self, long) === 0) return throwStandard(calling, 'system_error');
  const joined = join(calling, calling.peek(self, long));
  if (joined === 'waits') return 'waits';
  calling.world.store(calling.id, self, toBytes(long, 0n));
  return nothing;
}

/**
 * Acquires the guard of a static variable: the first byte is 1 after the initialisation, the second
 * during it.
 */
function acquire(calling: Calling): Result {
  const guard = calling.number(0);
  if (calling.isTooEarly) return 'waits';
  if (calling.peek(guard, byte) !== 0) {
    calling.load(guard, byte);
    return zero;
  }
  if (calling.peek(guard + 1, byte) !== 0 || !calling.isDrained) return 'waits';
  calling.put(guard + 1, 1, byte);
  return { value: 1 };
}

function release(calling: Calling): Result {
  if (calling.hasToWait) return 'waits';
  calling.put(calling.number(0), 1, byte);
  return nothing;
}

/** Locks or unlocks the mutex of a `std::unique_lock`. */
function waitFor(calling: Calling): Result {
  const mutex = calling.load(calling.number(1), long);
  const { world, call } = calling;
  const wait = lockLibrary.pthread_cond_wait!;
  return wait(new Calling(world, { ...call, operands: [calling.number(0), mutex] }));
}

/** Resets the guard of a static variable after an exception in the variable's initializer. */
function giveUp(calling: Calling): Result {
  if (calling.hasToWait) return 'waits';
  calling.put(calling.number(0) + 1, 0, byte);
  return nothing;
}

const terminate: LibraryFunction = (c) => {
  if (c.isTooEarly) return 'waits';
  c.world.finish({ kind: 'abort' });
  return 'again';
};
const doNothing: LibraryFunction = () => nothing;

/** Destructors of the library without visible effects. */
const idleDestructors = ['_ZNSt8ios_base4InitD1Ev', '_ZNSt18condition_variableD1Ev'];

/** The functions in the binaries of libstdc++ and of the C++ ABI. */
export const cppLibrary: Readonly<Record<string, LibraryFunction>> = {
  _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE: start,
  _ZNSt6thread4joinEv: joinThread,
  _ZNSt6thread6_StateD2Ev: doNothing,
  _ZSt9terminatev: terminate,
  __cxa_pure_virtual: terminate,
  __cxa_guard_acquire: acquire,
  __cxa_guard_release: release,
  __cxa_guard_abort: giveUp,
  __cxa_atexit: (c) => {
    const last = c.world.image.functionAt.get(c.number(0));
    if (typeof last === 'string' && idleDestructors.includes(last)) return zero;
    return registerExit(c, c.value(1));
  },
  _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE: waitFor,
  _ZNSt18condition_variable10notify_oneEv: (c) => lockLibrary.pthread_cond_signal!(c),
  _ZNSt18condition_variable10notify_allEv: (c) => lockLibrary.pthread_cond_broadcast!(c),
  _ZNSt18condition_variableC1Ev: doNothing,
  _ZNSt18condition_variableD1Ev: doNothing,
  _ZNSaIcEC1Ev: doNothing,
  _ZNSaIcEC2Ev: doNothing,
  _ZNSaIcEC1ERKS_: doNothing,
  _ZNSaIcEC2ERKS_: doNothing,
  _ZNSaIcED1Ev: doNothing,
  _ZNSaIcED2Ev: doNothing,
  _ZNSt6thread6detachEv: () => {
    throw new NotKnown('detach');
  },
};
