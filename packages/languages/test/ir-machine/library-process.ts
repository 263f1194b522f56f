import {
  byte,
  type Calling,
  type LibraryFunction,
  nothing,
  type Result,
  zero,
} from './library-call.js';
import { textAt } from './library-memory.js';
import { outside } from './library-outside.js';
import { NotKnown } from './stop.js';
import { toBig, type Value } from './value.js';

function formatted(calling: Calling, first: number): string {
  let next = first + 1;
  return textAt(calling, calling.number(first)).replaceAll(
    /%(?:%|(l|ll|z|h|hh)?([duxcsip]))/g,
    (all, size: string | undefined, kind: string | undefined) => {
      if (kind === undefined) return '%';
      const bits = size === undefined ? 32 : size.startsWith('h') ? 16 : 64;
      const value = calling.value(next++);
      switch (kind) {
        case 'd':
        case 'i':
          return String(BigInt.asIntN(bits, toBig(value)));
        case 'u':
          return String(BigInt.asUintN(bits, toBig(value)));
        case 'x':
          return BigInt.asUintN(bits, toBig(value)).toString(16);
        case 'c':
          return String.fromCharCode(Number(toBig(value)) & 255);
        case 's':
          return textAt(calling, Number(toBig(value)));
        default:
          throw new NotKnown(`printf ${all}`);
      }
    },
  );
}

function print(calling: Calling, text: () => string): Result {
  if (calling.isTooEarly) return 'waits';
  const said = text();
  calling.world.print(said);
  // The call may fail, but the text is printed in any case.
  return outside(calling, [said.length, -1]);
}

/** Ends the process, once the buffer of the thread is empty. */
function end(calling: Calling): Result {
  const { world } = calling;
  if (calling.isTooEarly || !calling.isDrained) return 'waits';
  world.finish({ kind: 'exit', status: calling.number(0) & 255 });
  return 'again';
}

function exit(calling: Calling): Result {
  const { world, id } = calling;
  if (id !== 0) throw new NotKnown('exit in a thread');
  while (world.look(0).frames.length > 0) world.leave(0);
  world.thread(0).result = calling.value(0);
  return 'again';
}

function abort(calling: Calling): Result {
  if (calling.isTooEarly) return 'waits';
  calling.world.finish({ kind: 'abort' });
  return 'again';
}

function fail(calling: Calling): Result {
  if (calling.isTooEarly) return 'waits';
  const text = `${calling.number(2)}`;
  calling.world.finish({ kind: 'assertion', text });
  return 'again';
}

/**
 * Registers a function to run after `main`. As in glibc, the list of these functions has a lock,
 * and after the last of them ran none is added.
 */
export function registerExit(calling: Calling, argument: Value): Result {
  if (calling.hasToWait) return 'waits';
  const { world, id } = calling;
  world.touchExitList(id);
  if (world.leaving > world.image.destructors.length) return { value: -1 };
  world.atExit(calling.number(0), argument);
  return zero;
}

/** The functions for output, exits and the environment. */
export const processLibrary: Readonly<Record<string, LibraryFunction>> = {
  printf: (c) => print(c, () => formatted(c, 0)),
  fprintf: (c) => print(c, () => formatted(c, 1)),
  puts: (c) => print(c, () => `${textAt(c, c.number(0))}\n`),
  // Assumed not to fail.
  putchar: (c) => {
    if (c.isTooEarly) return 'waits';
    c.world.print(String.fromCharCode(c.number(0) & 255));
    return { value: c.number(0) & 255 };
  },
  write: (c) => {
    if (c.isTooEarly) return 'waits';
    for (let i = 0; i < c.number(2); i++)
      c.world.print(String.fromCharCode(c.load(c.number(1) + i, byte)));
    return outside(c, [c.number(2), -1]);
  },
  srand: () => nothing,
  exit,
  _exit: end,
  _Exit: end,
  abort,
  __assert_fail: fail,
  atexit: (c) => registerExit(c, 0),
};
