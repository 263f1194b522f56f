import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { ExecutionGraph, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { choices } from './armv8-judge.js';
import type { ArmSketch, ArmStatement } from './armv8-sketch.js';

type Straight =
  | Extract<ArmStatement, { kind: 'load' | 'store' | 'fence' }>
  | (Extract<ArmStatement, { kind: 'xchg' | 'fetch_add' }> & { readonly kind: 'xchg' });

/** A program without branches; each register is loaded once, and the value of a store is known. */
export interface StraightSketch extends ArmSketch {
  readonly threads: readonly (readonly Straight[])[];
}

/** Returns a random program without branches, of two or three threads with up to three steps. */
export function straightSketch(seed: number): StraightSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const loads = ['relaxed', 'relaxed', 'acquire', 'seq_cst'] as const;
  const stores = ['relaxed', 'relaxed', 'release', 'seq_cst'] as const;
  const fences = ['acquire', 'release', 'acq_rel', 'seq_cst', 'seq_cst'] as const;
  const rmws = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const;
  const cells = ['x', 'y', 'z'].slice(0, 2 + random.below(2));
  const count = 2 + random.below(2);
  const threads = Array.from({ length: count }, () => {
    const loaded: string[] = [];
    const steps = Array.from({ length: 2 + random.below(count === 2 ? 2 : 1) }, (): Straight => {
      const at = { cell: pick(cells) };
      const share = random.below(100);
      const to = ['r', 's', 'q'][loaded.length]!;
      if (share < 40) {
        loaded.push(to);
        return { kind: 'load', to, at, order: pick(loads) };
      }
      const isCopy = loaded.length > 0 && random.below(4) === 0;
      const value = isCopy ? pick(loaded) : pick([1, 2]);
      if (share < 78) return { kind: 'store', at, value, order: pick(stores) };
      if (share < 92) return { kind: 'fence', order: pick(fences) };
      loaded.push(to);
      return { kind: 'xchg', to, at, value: pick([1, 2]), order: pick(rmws) };
    });
    return steps;
  });
  return { cells, arrays: [], threads };
}

/** A candidate execution: its graph, and the values of registers and memory at its end. */
export interface Candidate {
  readonly graph: ExecutionGraph;
  readonly outcome: string;
}

function* orders(items: readonly number[]): Generator<readonly number[]> {
  if (items.length === 0) yield [];
  for (const first of items)
    for (const rest of orders(items.filter((one) => one !== first))) yield [first, ...rest];
}

/** Returns a text of the registers `r`, `s` and `q` of all threads, and of memory. */
export function outcomeOf(
  registers: readonly Readonly<Record<string, number>>[],
  memory: ReadonlyMap<string, number>,
): string {
  const own = registers.map((one) => ['r', 's', 'q'].map((name) => one[name] ?? 0).join());
  const cells = ['x', 'y', 'z'].map((cell) => `${cell}=${memory.get(cell) ?? 0}`);
  return `${own.join('; ')} | ${cells.join(' ')}`;
}

/**
 * Returns all graphs of a program, whatever models say: each load reads any store to its cell, and
 * the stores to a cell have any order. `transitions` has the transition of each statement.
 */
export function* candidates(
  { cells, threads }: StraightSketch,
  transitions: readonly (readonly number[])[],
): Generator<Candidate> {
  const steps = threads.flatMap((list, thread) =>
    list.map((step, place) => ({ step, thread, transition: transitions[thread]![place]! })),
  );
  const first = cells.length;
  const isStore = ({ kind }: Straight): boolean => kind === 'store' || kind === 'xchg';
  const storesTo = (cell: string): number[] =>
    steps.flatMap(({ step }, i) =>
      isStore(step) && 'at' in step && step.at.cell === cell ? [first + i] : [],
    );
  const froms = steps.map(({ step }, i) =>
    step.kind === 'load' || step.kind === 'xchg'
      ? [cells.indexOf(step.at.cell), ...storesTo(step.at.cell)].filter((one) => one !== first + i)
      : [-1],
  );
  const all = cells.map((cell) => [...orders(storesTo(cell))]);
  for (const chosen of choices(froms)) {
    const written = new Map<number, number>(cells.map((_, cell) => [cell, 0]));
    const read = new Map<number, number>();
    for (let round = 0; round <= steps.length; round++)
      for (const [i, { step, thread }] of steps.entries()) {
        const from = chosen[i]!;
        if (from >= 0 && written.has(from)) read.set(first + i, written.get(from)!);
        if (step.kind !== 'store' && step.kind !== 'xchg') continue;
        if (typeof step.value === 'number') written.set(first + i, step.value);
        const by = steps.findIndex(
          (one) => one.thread === thread && 'to' in one.step && one.step.to === step.value,
        );
        if (by >= 0 && read.has(first + by)) written.set(first + i, read.get(first + by)!);
      }
    // Leaves out graphs in which a loaded value depends on itself.
    if (chosen.some((from, i) => from >= 0 && !read.has(first + i))) continue;
    for (const mo of choices(all)) {
      const modification = mo.map((list, cell) => [cell, ...list]);
      const isAtomic = steps.every(({ step }, i) => {
        if (step.kind !== 'xchg') return true;
        const order = modification[cells.indexOf(step.at.cell)]!;
        return order[order.indexOf(first + i) - 1] === chosen[i];
      });
      if (!isAtomic) continue;
      const events: GraphEvent[] = cells.map((_, cell) => ({
        ...{ kind: 'write', order: 'relaxed', address: cell + 1, written: 0 },
      }));
      for (const [i, { step, thread, transition }] of steps.entries()) {
        const kind = { load: 'read', store: 'write', xchg: 'update', fence: 'fence' } as const;
        events.push({
          ...{ kind: kind[step.kind], thread, transition, order: step.order },
          ...('at' in step && { address: cells.indexOf(step.at.cell) + 1 }),
          ...(chosen[i]! >= 0 && { read: read.get(first + i)!, from: chosen[i]! }),
          ...(isStore(step) && { written: written.get(first + i)! }),
        });
      }
      const registers = threads.map((_, thread) =>
        Object.fromEntries(
          steps.flatMap(({ step, thread: one }, i) =>
            one === thread && 'to' in step ? [[step.to, read.get(first + i)!]] : [],
          ),
        ),
      );
      const memory = new Map(
        modification.map((list, cell) => [cells[cell]!, written.get(list.at(-1)!)!]),
      );
      yield { graph: { events, modification }, outcome: outcomeOf(registers, memory) };
    }
  }
}

interface TsoState {
  readonly at: readonly number[];
  readonly buffers: readonly (readonly (readonly [string, number])[])[];
  readonly memory: Readonly<Record<string, number>>;
  readonly registers: readonly Readonly<Record<string, number>>[];
}

/**
 * Returns the outcomes of a program on a machine with store buffers, step by step: `seq_cst` stores
 * are exchanges, and exchanges and `seq_cst` fences wait for an empty buffer.
 */
export function tsoOutcomes({ threads }: StraightSketch): ReadonlySet<string> {
  const outcomes = new Set<string>();
  const seen = new Set<string>();
  const none = threads.map(() => ({}));
  const work: TsoState[] = [
    { at: threads.map(() => 0), buffers: threads.map(() => []), memory: {}, registers: none },
  ];
  const isFull = (order: MemoryOrder): boolean => order === 'seq_cst';
  while (work.length > 0) {
    const state = work.pop()!;
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    const { at, buffers, memory, registers } = state;
    const isEnd = threads.every((list, t) => at[t] === list.length && buffers[t]!.length === 0);
    if (isEnd) outcomes.add(outcomeOf(registers, new Map(Object.entries(memory))));
    for (const [t, list] of threads.entries()) {
      const buffer = buffers[t]!;
      const [oldest, ...rest] = buffer;
      if (oldest) {
        const [cell, value] = oldest;
        work.push({
          ...{ at, registers, memory: { ...memory, [cell]: value } },
          buffers: buffers.with(t, rest),
        });
      }
      const step = list[at[t]!];
      if (!step) continue;
      const next = { ...state, at: at.with(t, at[t]! + 1) };
      const valueOf = (value: unknown): number =>
        typeof value === 'number' ? value : registers[t]![value as string]!;
      const set = (name: string, value: number): TsoState['registers'] =>
        registers.with(t, { ...registers[t], [name]: value });
      if (step.kind === 'fence') {
        if (!isFull(step.order) || buffer.length === 0) work.push(next);
        continue;
      }
      const { cell } = step.at;
      const newest = buffer.findLast(([one]) => one === cell)?.[1] ?? memory[cell] ?? 0;
      if (step.kind === 'load') work.push({ ...next, registers: set(step.to, newest) });
      else if (step.kind === 'store' && !isFull(step.order))
        work.push({
          ...next,
          buffers: buffers.with(t, [...buffer, [cell, valueOf(step.value)] as const]),
        });
      else if (buffer.length === 0)
        work.push({
          ...next,
          memory: { ...memory, [cell]: valueOf(step.value) },
          ...(step.kind === 'xchg' && { registers: set(step.to, newest) }),
        });
    }
  }
  return outcomes;
}
