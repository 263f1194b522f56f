import { exceptionLibrary, exceptionRule } from './exceptions.js';
import { cppLibrary } from './library-cpp.js';
import { Calling, type LibraryCall, type LibraryFunction, type Outcome } from './library-call.js';
import { futexLibrary } from './library-futex.js';
import { lockLibrary } from './library-locks.js';
import { memoryLibrary } from './library-memory.js';
import { outsideLibrary } from './library-outside.js';
import { overflowLibrary } from './library-overflow.js';
import { processLibrary } from './library-process.js';
import { byteLibrary, streamLibrary } from './library-streams.js';
import { threadLibrary } from './library-threads.js';
import { NotKnown } from './stop.js';
import { integer, toBig, type Value } from './value.js';
import type { World } from './world.js';

const library: Readonly<Record<string, LibraryFunction>> = {
  ...threadLibrary,
  ...lockLibrary,
  ...futexLibrary,
  ...memoryLibrary,
  ...processLibrary,
  ...cppLibrary,
  ...exceptionLibrary,
  ...outsideLibrary,
  ...streamLibrary,
  ...byteLibrary,
  ...overflowLibrary,
};

/** Calls a library function by a rule written from the function's manual. */
export function callLibrary(
  world: World,
  call: LibraryCall,
  goOn: (value: Value) => Outcome,
): Outcome {
  const whole = Object.hasOwn(library, call.name);
  const name = whole ? call.name : call.name.replace(/^llvm\.([a-z]+(?:\.[a-z]+)*).*$/, 'llvm.$1');
  const own = Object.hasOwn(library, name) ? library[name] : exceptionRule(name);
  if (!own) throw new NotKnown(call.name);
  const result = own(new Calling(world, call));
  if (result === 'waits') return 'waits';
  if (result === 'again') return 'done';
  const { value } = result;
  if (value === undefined || call.shape.kind !== 'integer') return goOn(value);
  return goOn(integer(call.shape.bits, toBig(value)));
}
