import { SeededRandom } from '@fencewright/ground/base/random.js';

/**
 * A statement of a thread, printed on one line. Each thread has a local pointer; two pointers are
 * shared.
 */
type Statement =
  | { readonly kind: 'load' | 'exchange' | 'store' | 'clear'; readonly slot: 0 | 1 }
  /** A store to a shared pointer that may wait in a store buffer. */
  | { readonly kind: 'put' | 'empty'; readonly slot: 0 | 1 }
  | { readonly kind: 'read' | 'write' | 'free' | 'allocate' }
  /** Reads the block if both pointers are equal. */
  | { readonly kind: 'read-if'; readonly slot: 0 | 1 }
  /** Frees the block unless both pointers are equal. */
  | { readonly kind: 'free-unless'; readonly slot: 0 | 1 };

/**
 * Threads that use and free blocks. `main` puts one of two blocks into both shared pointers, or one
 * of the blocks into each. The choice is made at run time, so that no address is known before.
 */
export interface RandomFrees {
  readonly threads: readonly (readonly Statement[])[];
  readonly isOneBlock: boolean;
}

export function randomFrees(seed: number): RandomFrees {
  const random = new SeededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const slot = (): 0 | 1 => one([0, 1] as const);
  const statement = (): Statement => {
    const kind = one([
      ...(['load', 'load', 'exchange', 'store', 'clear'] as const),
      ...(['read', 'write', 'free', 'free', 'free', 'free', 'allocate', 'read-if'] as const),
    ]);
    return kind === 'read' || kind === 'write' || kind === 'free' || kind === 'allocate'
      ? { kind }
      : { kind, slot: slot() };
  };
  const body = (): readonly Statement[] => [
    one([
      { kind: 'load', slot: 0 },
      { kind: 'load', slot: 1 },
      { kind: 'exchange', slot: 0 },
    ] as const),
    ...Array.from({ length: 2 + random.below(3) }, statement),
  ];
  const threads = Array.from({ length: 2 + random.below(2) }, body).map((each, i) =>
    i < 2 ? each : each.slice(0, 2),
  );
  return { threads, isOneBlock: random.below(3) === 0 };
}

/**
 * Threads with stores that may wait: many protect a block by a pointer before they use it, and free
 * a block only if no pointer protects it. Nothing is allocated, so that no freed block comes back.
 */
export function randomProtections(seed: number): RandomFrees {
  const random = new SeededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const some = (statements: readonly Statement[]): readonly Statement[] =>
    statements.filter(() => random.below(16) > 0);
  const stored = (kind: 'put' | 'empty', slot: 0 | 1): Statement =>
    random.below(4) > 0 ? { kind, slot } : { kind: kind === 'put' ? 'store' : 'clear', slot };
  const user = (): readonly Statement[] =>
    some([
      ...[{ kind: 'load', slot: 0 } as const, stored('put', 1)],
      ...[{ kind: 'read-if', slot: 0 } as const, stored('empty', 1)],
    ]);
  const owner = (): readonly Statement[] =>
    some([
      ...[{ kind: 'load', slot: 0 } as const, stored('empty', 0)],
      one([{ kind: 'free-unless', slot: 1 }, { kind: 'free-unless', slot: 1 }, { kind: 'free' }]),
    ]);
  const threads = [user(), owner(), ...(random.below(4) === 0 ? [one([user, owner])()] : [])];
  return { threads, isOneBlock: random.below(3) === 0 };
}

function inC(statement: Statement): string {
  switch (statement.kind) {
    case 'put':
      return `atomic_store_explicit(&slot${statement.slot}, p, memory_order_release);`;
    case 'empty':
      return `atomic_store_explicit(&slot${statement.slot}, 0, memory_order_relaxed);`;
    case 'free-unless':
      return `if (p && p != atomic_load(&slot${statement.slot})) free((void *)p);`;
    case 'load':
      return `p = atomic_load(&slot${statement.slot});`;
    case 'exchange':
      return `p = atomic_exchange(&slot${statement.slot}, 0);`;
    case 'store':
      return `atomic_store(&slot${statement.slot}, p);`;
    case 'clear':
      return `atomic_store(&slot${statement.slot}, 0);`;
    case 'read':
      return 'if (p) r += p->second;';
    case 'write':
      return 'if (p) p->first = 7;';
    case 'free':
      return 'free((void *)p);';
    case 'allocate':
      return 'p = malloc(8); p->second = 3;';
    case 'read-if':
      return `if (p && p == atomic_load(&slot${statement.slot})) r += p->second;`;
  }
}

/** Returns the program in C, and by thread the line of each statement. */
export function printFrees({ threads, isOneBlock }: RandomFrees): {
  readonly text: string;
  readonly lines: readonly (readonly number[])[];
} {
  const text = [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    '#include <stdlib.h>',
    'typedef volatile struct { int first, second; } block;',
    '_Atomic(block *) slot0, slot1;',
    'atomic_int sum;',
  ];
  const lines = threads.map((body, t) => {
    text.push(`void *thread${t}(void *arg) {`, 'block *p = 0; int r = 0;');
    const own = body.map((statement) => text.push(inC(statement)));
    text.push('sum = r; return 0;', '}');
    return own;
  });
  text.push('int main(void) {', 'block *first = malloc(8), *second = malloc(8);');
  text.push('first->second = 1; second->second = 2;');
  text.push('int is = rand() % 2;', 'slot0 = is ? first : second;');
  text.push(`slot1 = is ${isOneBlock ? '?' : '!= 1 ?'} first : second;`);
  text.push(`pthread_t t[${threads.length}];`);
  threads.forEach((_, t) => text.push(`pthread_create(&t[${t}], 0, thread${t}, 0);`));
  threads.forEach((_, t) => text.push(`pthread_join(t[${t}], 0);`));
  text.push('return 0;', '}', '');
  return { text: text.join('\n'), lines };
}

/** A state of the program. A pointer is the number of a block, and 0 is the null pointer. */
interface State {
  readonly next: readonly number[];
  readonly parts: readonly number[];
  readonly locals: readonly number[];
  readonly slots: readonly number[];
  /** For each thread, the stores to shared pointers that wait in its store buffer, oldest first. */
  readonly buffers: readonly (readonly (readonly [slot: 0 | 1, pointer: number])[])[];
  /** For each block, from number 1 on, whether it is freed at present. */
  readonly freed: readonly boolean[];
}

/**
 * The lines at which a freed block is accessed or freed in some interleaving, by enumeration of all
 * interleavings. An allocation gives a new block or any freed one. With buffers, stores may wait.
 */
export function usesByEnumeration(frees: RandomFrees, hasBuffers = false): readonly number[] {
  const { threads, isOneBlock } = frees;
  const { lines } = printFrees(frees);
  const found = new Set<number>();
  const zeros = threads.map(() => 0);
  const pending = [1, 2].map((block): State => ({
    ...{ next: zeros, parts: zeros, locals: zeros },
    slots: [block, isOneBlock ? block : 3 - block],
    buffers: threads.map(() => []),
    freed: [false, false],
  }));
  const seen = new Set<string>();
  for (let state = pending.pop(); state; state = pending.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    threads.forEach((body, t) => {
      const [oldest, ...later] = state.buffers[t]!;
      if (oldest)
        pending.push({
          ...state,
          slots: state.slots.with(oldest[0], oldest[1]),
          buffers: state.buffers.with(t, later),
        });
      const at = state.next[t]!;
      const statement = body[at];
      if (!statement) return;
      const line = lines[t]![at]!;
      if (drains.has(statement.kind) && oldest) return;
      const use = (isFreed: boolean): unknown => isFreed && found.add(line);
      pending.push(...stepsOf(state, t, statement, hasBuffers, use));
    });
  }
  return [...found].sort((a, b) => a - b);
}

/** The statements that x86 executes by a locked instruction, which waits for an empty buffer. */
const drains: ReadonlySet<Statement['kind']> = new Set(['exchange', 'store', 'clear']);

/** Returns the states after one step of a thread. Calls `use` for each block that the step uses. */
function stepsOf(
  state: State,
  t: number,
  statement: Statement,
  hasBuffers: boolean,
  use: (isFreed: boolean) => void,
): readonly State[] {
  const { freed, locals, buffers } = state;
  const pointer = locals[t]!;
  // A thread sees its own waiting stores.
  const slots = buffers[t]!.reduce((all, [slot, stored]) => all.with(slot, stored), state.slots);
  const issued = (slot: 0 | 1, stored: number): State =>
    hasBuffers
      ? done({ buffers: buffers.with(t, [...buffers[t]!, [slot, stored]]) })
      : done({ slots: state.slots.with(slot, stored) });
  const done = (changed: Partial<State> = {}): State => ({
    ...state,
    next: state.next.with(t, state.next[t]! + 1),
    parts: state.parts.with(t, 0),
    ...changed,
  });
  const more = (changed: Partial<State> = {}): State => ({
    ...state,
    parts: state.parts.with(t, 1),
    ...changed,
  });
  const isFreed = pointer > 0 && freed[pointer - 1]!;
  switch (statement.kind) {
    case 'load':
      return [done({ locals: locals.with(t, slots[statement.slot]!) })];
    case 'exchange':
      return [
        done({
          locals: locals.with(t, slots[statement.slot]!),
          slots: slots.with(statement.slot, 0),
        }),
      ];
    case 'store':
      return [done({ slots: slots.with(statement.slot, pointer) })];
    case 'clear':
      return [done({ slots: slots.with(statement.slot, 0) })];
    case 'put':
      return [issued(statement.slot, pointer)];
    case 'empty':
      return [issued(statement.slot, 0)];
    case 'read':
    case 'write':
      if (pointer > 0) use(isFreed);
      // The execution ends at the use of the freed block, as an execution ends at a failed
      // assertion.
      return isFreed ? [] : [done()];
    case 'free':
      if (pointer === 0) return [done()];
      use(isFreed);
      return isFreed ? [] : [done({ freed: freed.with(pointer - 1, true) })];
    case 'allocate':
      if (state.parts[t] === 1) {
        use(isFreed);
        return isFreed ? [] : [done()];
      }
      return [
        more({ freed: [...freed, false], locals: locals.with(t, freed.length + 1) }),
        ...freed.flatMap((is, block) =>
          is ? [more({ freed: freed.with(block, false), locals: locals.with(t, block + 1) })] : [],
        ),
      ];
    case 'free-unless':
      if (state.parts[t] === 1) {
        use(isFreed);
        return isFreed ? [] : [done({ freed: freed.with(pointer - 1, true) })];
      }
      return [pointer > 0 && pointer !== slots[statement.slot] ? more() : done()];
    case 'read-if':
      if (state.parts[t] === 1) {
        use(isFreed);
        return isFreed ? [] : [done()];
      }
      return [pointer > 0 && pointer === slots[statement.slot] ? more() : done()];
  }
}
