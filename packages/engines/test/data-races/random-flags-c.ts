import { SeededRandom } from '@fencewright/ground/base/random.js';

/**
 * An action of a statement on a block: it reads or writes one of the two cells of the block, or
 * frees the block.
 */
export type Deed =
  | { readonly kind: 'read' | 'write'; readonly block: number; readonly cell: 0 | 1 }
  | { readonly kind: 'free'; readonly block: number };

/** A statement of a thread, printed on one line. */
export type Statement =
  /**
   * A store to a flag. The store of `put` may wait in a store buffer; the store of `raise` reaches
   * memory at once.
   */
  | { readonly kind: 'put' | 'raise'; readonly flag: number; readonly value: 0 | 1 }
  | { readonly kind: 'fence' }
  /** An action on a block. With `if`, the action happens only if a flag has a certain value. */
  | {
      readonly kind: 'do';
      readonly deed: Deed;
      readonly if?: { readonly flag: number; readonly value: 0 | 1 };
    }
  /** Creates or joins a thread. Only `main` has such statements. */
  | { readonly kind: 'create' | 'join'; readonly thread: number };

/**
 * Threads that protect blocks by flags. `bodies[0]` is `main`, which creates and joins the others.
 * All blocks are allocated and initialised before the threads, and their addresses are known.
 */
export interface RandomFlags {
  readonly bodies: readonly (readonly Statement[])[];
  readonly blocks: number;
}

export const flags = 2;
/**
 * The flag that `main` may store to before it creates threads. No other statement uses this flag.
 */
const started = flags;

export function randomFlags(seed: number): RandomFlags {
  const random = new SeededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const blocks = 1 + random.below(3);
  const some = (statements: readonly Statement[]): Statement[] =>
    statements.filter(() => chance(93));
  const block = (): number => (chance(70) ? 0 : random.below(blocks));
  const access = (of: number): Deed => ({
    kind: one(['read', 'write', 'write'] as const),
    block: of,
    cell: one([0, 1] as const),
  });
  const store = (flag: number, value: 0 | 1): Statement => ({
    kind: chance(80) ? 'put' : 'raise',
    flag,
    value,
  });
  const gap = (): readonly Statement[] => (chance(12) ? [{ kind: 'fence' }] : []);
  const other = (): readonly Statement[] => {
    if (blocks === 1 || chance(50)) return [];
    const of = 1 + random.below(blocks - 1);
    return [{ kind: 'do', deed: chance(60) ? { kind: 'free', block: of } : access(of) }];
  };
  const guarded = (flag: number, deed: Deed): Statement =>
    chance(90)
      ? { kind: 'do', deed, if: { flag, value: chance(92) ? 0 : 1 } }
      : { kind: 'do', deed };
  const user = (own: number): Statement[] =>
    some([
      ...[store(own, 1), ...other(), ...gap()],
      guarded(1 - own, access(block())),
      ...(chance(30) ? [guarded(1 - own, access(block()))] : []),
      ...(chance(50) ? [store(own, 0)] : []),
      ...(chance(10) ? [{ kind: 'do', deed: access(block()) } as const] : []),
    ]);
  const freer = (own: number): Statement[] =>
    some([
      ...[store(own, 1), ...other(), ...gap()],
      guarded(1 - own, { kind: 'free', block: block() }),
    ]);
  const bodies = [user(0), freer(1)];
  if (chance(25)) bodies.push(one([user, freer])(random.below(2)));
  const main: Statement[] = [];
  const kind = random.below(4);
  if (kind === 0) main.push({ kind: 'put', flag: started, value: 1 });
  // In some programs, `main` runs one of the bodies.
  const byMain = kind < 2 ? random.below(bodies.length) : -1;
  const ofMain = byMain < 0 ? [] : bodies.splice(byMain, 1)[0]!;
  bodies.forEach((_, i) => {
    if (chance(25)) main.push(...ofMain.splice(0, 1));
    main.push({ kind: 'create', thread: i + 1 });
  });
  const isJoinedEarly = chance(30) && bodies.length > 1;
  if (isJoinedEarly) main.push(...ofMain.splice(0, 1), { kind: 'join', thread: 1 });
  main.push(...ofMain);
  bodies.forEach((_, i) => {
    if (i > 0 || !isJoinedEarly) main.push({ kind: 'join', thread: i + 1 });
  });
  return { bodies: [main, ...bodies].map(withoutOwnUses), blocks };
}

/** The body without accesses to blocks that the thread itself may have freed before. */
function withoutOwnUses(body: readonly Statement[]): readonly Statement[] {
  const freed = new Set<number>();
  return body.filter((statement) => {
    if (statement.kind !== 'do') return true;
    const { kind, block } = statement.deed;
    if (kind !== 'free') return !freed.has(block);
    freed.add(block);
    return true;
  });
}

function deedInC(deed: Deed): string {
  const cell = deed.kind === 'free' ? '' : ['first', 'second'][deed.cell]!;
  switch (deed.kind) {
    case 'free':
      return `free((void *)block${deed.block});`;
    case 'read':
      return `r += block${deed.block}->${cell};`;
    case 'write':
      return `block${deed.block}->${cell} = 7;`;
  }
}

function inC(statement: Statement): string {
  switch (statement.kind) {
    case 'put':
      return `atomic_store_explicit(&flag${statement.flag}, ${statement.value}, memory_order_release);`;
    case 'raise':
      return `atomic_store(&flag${statement.flag}, ${statement.value});`;
    case 'fence':
      return 'atomic_thread_fence(memory_order_seq_cst);';
    case 'create':
      return `pthread_create(&t${statement.thread}, 0, thread${statement.thread}, 0);`;
    case 'join':
      return `pthread_join(t${statement.thread}, 0);`;
    case 'do': {
      const { deed, if: when } = statement;
      const test = when ? `if (atomic_load(&flag${when.flag}) == ${when.value}) ` : '';
      return `${test}${deedInC(deed)}`;
    }
  }
}

/** Returns the program in C, and by thread the line of each statement. */
export function printFlags({ bodies, blocks }: RandomFlags): {
  readonly text: string;
  readonly lines: readonly (readonly number[])[];
} {
  const text = [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    '#include <stdlib.h>',
    'typedef volatile struct { int first, second; } block;',
    ...Array.from({ length: blocks }, (_, i) => `block *block${i};`),
    ...Array.from({ length: flags + 1 }, (_, i) => `atomic_int flag${i};`),
  ];
  const lines: number[][] = [];
  const [main = [], ...threads] = bodies;
  threads.forEach((body, i) => {
    text.push(`void *thread${i + 1}(void *arg) {`, 'int r = 0;');
    lines[i + 1] = body.map((statement) => text.push(inC(statement)));
    text.push('return 0;', '}');
  });
  text.push('int main(void) {', 'int r = 0;');
  for (let i = 0; i < blocks; i++)
    text.push(`block${i} = malloc(8); block${i}->first = 1; block${i}->second = 2;`);
  threads.forEach((_, i) => text.push(`pthread_t t${i + 1};`));
  lines[0] = main.map((statement) => text.push(inC(statement)));
  text.push('return 0;', '}', '');
  return { text: text.join('\n'), lines };
}

/**
 * The stores that may wait in store buffers: none; the stores of the program; or these and the
 * stores by which blocks are freed.
 */
export type Waiting = 'none' | 'stores' | 'stores and frees';

interface State {
  readonly next: readonly number[];
  /** By thread, whether the condition of the thread's next statement has been tested and held. */
  readonly isInside: readonly boolean[];
  readonly hasBegun: readonly boolean[];
  /** The flags, and for each block whether it is freed. */
  readonly memory: readonly number[];
  /** By thread, the changes of memory that wait, oldest first. */
  readonly buffers: readonly (readonly (readonly [cell: number, value: number])[])[];
}

/**
 * The lines at which a thread accesses a freed block, or frees it once more, in some execution, by
 * enumeration of all interleavings. The execution ends there. A free waits for no store buffer; it
 * happens at once, or goes through the buffer as the stores of an allocator do.
 */
export function usesOfFlags(program: RandomFlags, waiting: Waiting): readonly number[] {
  const { bodies, blocks } = program;
  const { lines } = printFlags(program);
  const found = new Set<number>();
  const seen = new Set<string>();
  const pending: State[] = [
    {
      next: bodies.map(() => 0),
      isInside: bodies.map(() => false),
      hasBegun: bodies.map((_, t) => t === 0),
      memory: Array.from({ length: flags + 1 + blocks }, () => 0),
      buffers: bodies.map(() => []),
    },
  ];
  for (let state = pending.pop(); state; state = pending.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [t, body] of bodies.entries()) {
      if (!state.hasBegun[t]) continue;
      const [oldest, ...later] = state.buffers[t]!;
      if (oldest)
        pending.push({
          ...state,
          memory: state.memory.with(oldest[0], oldest[1]),
          buffers: state.buffers.with(t, later),
        });
      const at = state.next[t]!;
      const statement = body[at];
      if (!statement) continue;
      const use = (): void => void found.add(lines[t]![at]!);
      const after = stepOf(state, bodies, t, statement, waiting, use);
      if (after) pending.push(after);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * Returns the state after the next step of a thread; `undefined` if the thread has to wait, or uses
 * a freed block.
 */
function stepOf(
  state: State,
  bodies: RandomFlags['bodies'],
  t: number,
  statement: Statement,
  waiting: Waiting,
  use: () => void,
): State | undefined {
  const buffer = state.buffers[t]!;
  const isDrained = buffer.length === 0;
  const done: State = {
    ...state,
    next: state.next.with(t, state.next[t]! + 1),
    isInside: state.isInside.with(t, false),
  };
  // A thread sees its own waiting stores.
  const seen = (cell: number): number =>
    buffer.findLast(([own]) => own === cell)?.[1] ?? state.memory[cell]!;
  const changed = (cell: number, value: number, waits: boolean): State =>
    waits
      ? { ...done, buffers: state.buffers.with(t, [...buffer, [cell, value]]) }
      : { ...done, memory: state.memory.with(cell, value) };
  switch (statement.kind) {
    case 'put':
      return changed(statement.flag, statement.value, waiting !== 'none');
    case 'raise':
      return isDrained ? changed(statement.flag, statement.value, false) : undefined;
    case 'fence':
      return isDrained ? done : undefined;
    case 'create':
      if (!isDrained) return undefined;
      return { ...done, hasBegun: state.hasBegun.with(statement.thread, true) };
    case 'join': {
      const { thread } = statement;
      const isOver = state.next[thread] === bodies[thread]!.length;
      return isDrained && isOver && state.buffers[thread]!.length === 0 ? done : undefined;
    }
    case 'do': {
      const { deed, if: when } = statement;
      if (when && !state.isInside[t]) {
        const holds = seen(when.flag) === when.value;
        return holds ? { ...state, isInside: state.isInside.with(t, true) } : done;
      }
      const isFreed = flags + 1 + deed.block;
      if (seen(isFreed) === 1) {
        use();
        return undefined;
      }
      return deed.kind === 'free' ? changed(isFreed, 1, waiting === 'stores and frees') : done;
    }
  }
}
