import type { Calling, LibraryFunction, Result } from './library-call.js';
import { setErrno } from './library-outside.js';
import { NotKnown } from './stop.js';

/*
 * Rules for futex(2). The phase of a sleeping thread is the address of its word, and -1 after
 * waking. For each thread, one byte of the system's memory stands for its sleep; calls of other
 * threads load or change this byte.
 */

const [waiting, waking, isPrivate, futexNumber] = [0, 1, 128, 202];
const [again, interrupted] = [11, 4];
const woken = -1;

const byteOf = (id: number): number => -1000 - id;

function failed(calling: Calling, error: number): Result {
  setErrno(calling, error);
  return { value: -1 };
}

/**
 * Waits on a futex: compares the word under a lock, sleeps if the word is as expected, and may wake
 * up at any time.
 */
function wait(calling: Calling, word: number): Result {
  if (calling.hasToWait) return 'waits';
  const { id, phase, world } = calling;
  if (phase === 0) {
    // The lock is taken whatever the word is.
    world.glance(id, byteOf(id));
    if (calling.load(word) >>> 0 !== calling.number(3) >>> 0) return failed(calling, again);
    world.touch(id, byteOf(id));
    calling.setPhase(word);
    return 'again';
  }
  world.touch(id, byteOf(id));
  calling.setPhase(0);
  if (phase === woken || world.choose(2) === 0) return { value: 0 };
  return failed(calling, interrupted);
}

/**
 * Wakes at most the requested number of threads that sleep on the word, in any choice; at least one
 * if there is one.
 */
function wake(calling: Calling, word: number): Result {
  if (calling.hasToWait) return 'waits';
  const { id, world } = calling;
  const most = Math.max(1, calling.number(3) | 0);
  const sleeping: number[] = [];
  for (let other = 0; other < world.threadCount; other++) {
    world.glance(id, byteOf(other));
    const { phase, status } = world.look(other);
    if (phase === word && status === 'running') sleeping.push(other);
  }
  let count = 0;
  while (count < most && sleeping.length > 0) {
    const [chosen] = sleeping.splice(
      sleeping.length + count > most ? world.choose(sleeping.length) : 0,
      1,
    );
    world.touch(id, byteOf(chosen!));
    world.thread(chosen!).phase = woken;
    count += 1;
  }
  return { value: count };
}

const systemCall: LibraryFunction = (calling) => {
  const number = calling.number(0);
  if (number !== futexNumber) throw new NotKnown(`system call ${number}`);
  const word = calling.number(1);
  const operation = calling.number(2) & ~isPrivate;
  if (operation === waiting && (calling.call.operands.length < 5 || calling.number(4) === 0))
    return wait(calling, word);
  if (operation === waking) return wake(calling, word);
  throw new NotKnown(`futex operation ${operation}`);
};

/** The system call of Linux that makes threads sleep. */
export const futexLibrary: Readonly<Record<string, LibraryFunction>> = { syscall: systemCall };
