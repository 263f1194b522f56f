import {
  type Calling,
  int,
  type LibraryFunction,
  long,
  nothing,
  type Result,
  zero,
} from './library-call.js';
import { Fault, NotKnown } from './stop.js';
import { toBytes, type Value } from './value.js';

const firstHandle = 0x7e_0000_0000_00;

/** Returns the handle of a thread, which is never 0. */
export const handleOf = (id: number): number => firstHandle + id * 0x1000;
export const threadOf = (handle: number): number => (handle - firstHandle) / 0x1000;

/** Starts a thread, which executes its invisible steps at once; returns the handle. */
export function startThread(
  calling: Calling,
  frames: readonly { readonly fn: number; readonly operands: readonly Value[] }[],
): number {
  const { world, id } = calling;
  for (const { operands } of frames)
    for (const value of operands) if (typeof value === 'number') world.share(value);
  const { addressOf } = world.image;
  const flag = addressOf.get('__libc_single_threaded');
  if (flag !== undefined) world.write(flag, [0]);
  const made = frames.map(({ fn, operands }, i) =>
    world.frameOf(world.codeAt(fn), operands, i > 0),
  );
  const thread = world.addThread(made);
  world.sync(id, thread.id);
  return thread.id;
}

function create(calling: Calling, handle: number, fn: number, argument: Value): Result {
  if (calling.hasToWait) return 'waits';
  const started = startThread(calling, [{ fn, operands: [argument] }]);
  calling.world.store(calling.id, handle, toBytes(long, BigInt(handleOf(started))));
  return zero;
}

/** Waits for the end of a thread, and returns its result. */
export function join(calling: Calling, handle: number): { readonly result: Value } | 'waits' {
  const { world, id } = calling;
  const other = threadOf(handle);
  const thread = world.look(other);
  if (thread.status === 'joined' || thread.status === 'detached')
    throw new Fault('join of a thread that is not joinable');
  // The end of a thread is permanent: joining is a step of the joining thread, with all buffers
  // empty.
  if (thread.status === 'running' || thread.buffer.length > 0 || !calling.isDrained) return 'waits';
  world.thread(other).status = 'joined';
  world.sync(other, id);
  return { result: thread.result };
}

function joinInto(calling: Calling, shape: typeof int): Result {
  const joined = join(calling, calling.number(0));
  if (joined === 'waits') return 'waits';
  const to = calling.number(1);
  if (to !== 0) {
    const { result } = joined;
    const value = shape === long ? BigInt(result as number) : result;
    calling.world.store(calling.id, to, toBytes(shape, value));
  }
  return zero;
}

function leave(calling: Calling): Result {
  const { world, id } = calling;
  if (id === 0) throw new NotKnown('pthread_exit in main');
  while (world.look(id).frames.length > 0) world.leave(id);
  world.thread(id).result = calling.value(0);
  return 'again';
}

const self = ({ id }: Calling): Result => ({ value: handleOf(id) });
const none = (): Result => zero;

/**
 * Returns the address of the thread's instance of a thread-local variable, which the first use
 * creates.
 */
function ownVariable(calling: Calling): Result {
  return { value: calling.world.own(calling.id, calling.number(0)) };
}

/** Begins or ends an atomic section of CBMC, with the effects of a locked instruction. */
function section(calling: Calling, isBegin: boolean): Result {
  const { world, id } = calling;
  if (calling.hasToWait) return 'waits';
  if (isBegin) world.beginSection(id);
  else world.endSection(id);
  return nothing;
}

/** The thread functions of POSIX and C11, and those of CBMC. */
export const threadLibrary: Readonly<Record<string, LibraryFunction>> = {
  pthread_create: (c) => create(c, c.number(0), c.number(2), c.value(3)),
  thrd_create: (c) => create(c, c.number(0), c.number(1), c.value(2)),
  pthread_join: (c) => joinInto(c, long),
  thrd_join: (c) => joinInto(c, int),
  pthread_exit: leave,
  thrd_exit: leave,
  pthread_self: self,
  thrd_current: self,
  pthread_equal: (c) => ({ value: c.number(0) === c.number(1) ? 1 : 0 }),
  thrd_equal: (c) => ({ value: c.number(0) === c.number(1) ? 1 : 0 }),
  pthread_attr_init: none,
  pthread_attr_destroy: none,
  pthread_yield: none,
  sched_yield: none,
  thrd_yield: () => nothing,
  'llvm.threadlocal.address.p': ownVariable,
  __CPROVER_atomic_begin: (c) => section(c, true),
  __CPROVER_atomic_end: (c) => section(c, false),
  // An execution in which an assumption fails has no further step of the thread.
  __CPROVER_assume: (c) => (c.number(0) === 0 ? 'waits' : nothing),
};
