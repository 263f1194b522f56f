import type { PlainKind } from '@fencewright/core';
import { plainWords } from '@fencewright/core/words';

/** The meanings of the instructions without operands. */
const plainMeanings: Readonly<Record<PlainKind, string>> = {
  skip: 'Does nothing.',
  fence: "Waits until the thread's store buffer is empty.",
  'heavy-fence': 'Waits until the store buffer of every thread has been empty once: `membarrier`.',
  lock: "Takes the bus lock, once the thread's store buffer is empty.",
  unlock: "Releases the bus lock, once the thread's store buffer is empty.",
};

/** The meanings of the words of the native language, in a sentence or two each. */
export const meanings: Readonly<Record<string, string>> = {
  program: 'Gives the program its name; a file holds one.',
  const: 'Declares constants: `const N = 3`.',
  var: 'Declares shared variables, 0 at first: `var x = 1, a[4], p = &x`.',
  domain: 'The values that shared memory may hold: `domain 0..7`. A store of another is a fault.',
  thread: 'A thread; `thread t[3]` has three copies, `thread t[*]` any number.',
  property:
    'A question about states: `property p: never (...)`, `finally`, `exists`, `stuck` or `progress`.',
  invariant: 'A claim about all reachable states, which proofs may use once it is shown.',
  event: 'The handler of an event; it runs on the main thread.',
  events: 'Says how often each event occurs: `events e(1) * 2`.',
  after:
    'What has to be executed before an event occurs: `events e() after p.l`, the statement at label `l` of `p`.',
  procedure: 'Code that is called, or posted as a task.',
  regs: 'The registers of a thread in the automaton form.',
  init: 'The label at which a thread in the automaton form starts.',
  begin: 'The instructions of a thread in the automaton form follow, up to `end`.',
  end: 'Ends a thread in the automaton form.',
  in: 'The range of a choice: `havoc r in 0..3`.',
  with: 'The condition on a choice: `havoc r with r != x`.',
  local: 'Declares registers of the thread, 0 at first.',
  if: 'Branches; the condition is evaluated from left to right, a load for each shared variable. `*` is either way.',
  else: 'The other branch of an `if`.',
  while: 'Repeats while the condition holds; `*` is any number of times.',
  do: 'Repeats at least once.',
  loop: 'Repeats for ever; `break` leaves.',
  choose: 'Executes any one of the branches.',
  or: 'Another branch of a `choose`.',
  atomic: "Executes the block atomically, once the thread's store buffer is empty.",
  goto: 'Goes on at a label of the thread.',
  break: 'Leaves the loop.',
  continue: 'Goes on with the next turn of the loop.',
  ...Object.fromEntries(
    Object.entries(plainMeanings).map(([kind, meaning]) => [
      plainWords[kind as PlainKind],
      meaning,
    ]),
  ),
  mfence: "Waits until the thread's store buffer is empty; the same as `fence`.",
  light_fence: 'Orders the compiler alone: the other side of a `heavy_fence`.',
  assert: 'Fails if the condition is false when control reaches the statement.',
  assume: 'Waits until the condition holds.',
  check: 'Waits until the condition holds; the same as `assume`.',
  havoc: 'Gives a register any value: `havoc r in 0..3 with r != x`.',
  async: 'Posts a task: `async[main] p(1)` or `async[any] p(1)`.',
  call: 'Runs a procedure, and goes on after the call.',
  return: 'Ends the procedure or the handler.',
  true: 'The number 1.',
  false: 'The number 0.',
  mem: 'The cell at an address: `mem[p] = 1`.',
  self: 'The number of the copy, from 0.',
  xchg: 'Atomic exchange: `r = xchg(x, 1)` stores 1 and returns the old value.',
  cas: 'Atomic compare-and-swap: `r = cas(x, 0, 1)` stores 1 and returns 1 if x is 0, and returns 0 otherwise.',
  fetch_add: 'Adds atomically, and returns the old value.',
  fetch_sub: 'Subtracts atomically, and returns the old value.',
  fetch_and: 'Atomic bitwise and; returns the old value.',
  fetch_or: 'Atomic bitwise or; returns the old value.',
  fetch_xor: 'Atomic bitwise exclusive or; returns the old value.',
  load: 'A load with a memory order of C11: `r = load(x, acquire)`.',
  store: 'A store with a memory order of C11: `store(x, 1, release)`.',
  await: 'Waits until the condition holds: `await (x == 1);` reads x again and again.',
  plain: 'A variable that is not atomic in C11: `var plain x`.',
  relaxed: 'A memory order of C11: the access is atomic, and orders no other access.',
  acquire:
    'A memory order of C11: a load that reads from a release sees all that precedes the release.',
  release:
    'A memory order of C11: preceding accesses are visible to a thread that acquires this store.',
  acq_rel: 'A memory order of C11: acquire and release.',
  seq_cst: 'A memory order of C11: acquire, release, and one order of all such operations.',
  weak_xchg: 'An exchange that may fail without effect.',
  weak_cas: 'A compare-and-swap that may fail without effect.',
  never: 'Holds if no reachable state satisfies the condition.',
  finally: 'Holds if every state in which all threads have ended satisfies the condition.',
  exists: 'Asks whether some final state satisfies the condition.',
  stuck: 'Asks whether some state in which no thread can go on satisfies the condition.',
  progress: 'Holds if a thread can always reach its end, or a label again.',
  ended: 'Whether a thread has ended.',
  drained: 'Whether the store buffer of a thread is empty.',
  cost: '`@cost(n)`: what a fence before this statement costs.',
  nofence: '`@nofence`: no fence may stand before this statement.',
  luck: '`@luck`: this may happen, and nobody can count on it.',
  timeout: '`@timeout`: this happens when the time is over.',
  choice: '`@choice`: the condition of an alternative; a thread never waits for the condition.',
  main: 'The main thread, on which handlers run.',
  any: 'Any thread of the background.',
};

/**
 * Returns the meaning of a word of the native language; `undefined` if it has none. Conversions and
 * some read-modify-writes have their size as a part of the word.
 */
export function meaningOfWord(word: string): string | undefined {
  if (Object.hasOwn(meanings, word)) return meanings[word];
  const [, name = '', size] = /^([iu]|fetch_[a-z]+)(8|16|32|64)$/.exec(word) ?? [];
  if (size === undefined) return undefined;
  if (!name.startsWith('fetch_'))
    return `The number of ${size} bits, with${name === 'i' ? '' : 'out'} sign, that equals the value modulo 2^${size}.`;
  return Object.hasOwn(meanings, name)
    ? meanings[name]!.replace('atomically', `atomically, modulo 2^${size}`)
    : undefined;
}
