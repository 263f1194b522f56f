import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';

/** A value of a sketch: a number, or the register of the thread. */
export type SketchValue = number | 'r';

/**
 * A statement of a small program without loops, from which both the program's text and the input of
 * the judge are made.
 */
export type Sketch =
  | { readonly kind: 'load' | 'plain-load'; readonly cell: string; readonly order: MemoryOrder }
  | {
      readonly kind: 'store' | 'plain-store' | 'xchg' | 'fetch_add';
      readonly cell: string;
      readonly value: SketchValue;
      readonly order: MemoryOrder;
    }
  | {
      readonly kind: 'cas';
      readonly cell: string;
      readonly expected: number;
      readonly value: SketchValue;
      readonly order: MemoryOrder;
      readonly failure: MemoryOrder;
      /** Whether the program repeats the `cas` until success. */
      readonly waits: boolean;
      /** Whether the `cas` may fail at any time. The program's text does not show this. */
      readonly isWeak?: true;
    }
  | {
      readonly kind: 'await';
      readonly cell: string;
      readonly value: number;
      readonly order: MemoryOrder;
    }
  | { readonly kind: 'fence'; readonly order: MemoryOrder }
  | { readonly kind: 'if'; readonly equals: number; readonly then: readonly Sketch[] };

export interface ProgramSketch {
  readonly cells: readonly string[];
  readonly threads: readonly (readonly Sketch[])[];
}

function statement(sketch: Sketch): string {
  switch (sketch.kind) {
    case 'load':
      return `r = load(${sketch.cell}, ${sketch.order});`;
    case 'plain-load':
      return `r = ${sketch.cell};`;
    case 'store':
      return `store(${sketch.cell}, ${sketch.value}, ${sketch.order});`;
    case 'plain-store':
      return `${sketch.cell} = ${sketch.value};`;
    case 'xchg':
    case 'fetch_add':
      return `r = ${sketch.kind}(${sketch.cell}, ${sketch.value}, ${sketch.order});`;
    case 'cas': {
      const { cell, expected, value, order, failure, waits } = sketch;
      const call = `cas(${cell}, ${expected}, ${value}, ${order}, ${failure})`;
      return waits ? `while (!${call}) { }` : `r = ${call};`;
    }
    case 'await':
      return `await (load(${sketch.cell}, ${sketch.order}) == ${sketch.value});`;
    case 'fence':
      return `fence(${sketch.order});`;
    case 'if':
      return `if (r == ${sketch.equals}) { ${sketch.then.map(statement).join(' ')} }`;
  }
}

/** Whether a cell is plain: its name begins with `p`. */
export function isPlainCell(cell: string): boolean {
  return cell.startsWith('p');
}

/** Returns the text of the program in the native language. */
export function textOf({ cells, threads }: ProgramSketch): string {
  const variables = cells.map((cell) => `var ${isPlainCell(cell) ? 'plain ' : ''}${cell}`);
  const code = threads.map(
    (statements, t) => `thread t${t} {\n  local r;\n  ${statements.map(statement).join('\n  ')}\n}`,
  );
  return ['program Sketch', ...variables, ...code].join('\n');
}

const loads: readonly MemoryOrder[] = ['relaxed', 'acquire', 'seq_cst'];
const stores: readonly MemoryOrder[] = ['relaxed', 'release', 'seq_cst'];
const rmws: readonly MemoryOrder[] = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const fences: readonly MemoryOrder[] = ['acquire', 'release', 'acq_rel', 'seq_cst'];

export interface SketchOptions {
  /** Whether programs may have branches and loops that wait. */
  readonly branches: boolean;
  /** Whether programs may have a plain cell. */
  readonly plain: boolean;
}

/**
 * Returns a random program. Six of ten programs are rings: each thread accesses its own cell and
 * the cell of the next thread, one of them first and the other last; cycles are frequent in rings.
 */
export function randomSketch(seed: number, { branches, plain }: SketchOptions): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (share: number): boolean => random.below(1000) < share * 1000;
  const count = chance(0.25) ? 3 : 2;
  const cells = ['x', 'y', 'z'].slice(0, chance(0.1) ? 1 : count);
  if (plain) cells.push('p');
  let values = 0;
  const value = (): SketchValue => (chance(0.12) ? 'r' : chance(0.3) ? 1 : (values += 1));
  const access = (cell: string, depth = 0): Sketch => {
    if (isPlainCell(cell))
      return chance(0.5)
        ? { kind: 'plain-load', cell, order: 'relaxed' }
        : { kind: 'plain-store', cell, value: value(), order: 'relaxed' };
    if (branches && depth === 0 && chance(0.12))
      return { kind: 'if', equals: random.below(2), then: [access(pick(cells), 1)] };
    if (branches && chance(0.08)) return { kind: 'await', cell, value: 1, order: pick(loads) };
    if (chance(0.36)) return { kind: 'load', cell, order: pick(loads) };
    if (chance(0.62)) return { kind: 'store', cell, value: value(), order: pick(stores) };
    if (chance(0.4))
      return {
        ...{ kind: 'cas', cell, expected: random.below(2) },
        value: chance(0.2) ? 'r' : 1 + random.below(2),
        ...{ order: pick(rmws), failure: pick(loads), waits: branches && chance(0.25) },
      };
    return { kind: pick(['xchg', 'fetch_add'] as const), cell, value: value(), order: pick(rmws) };
  };
  const isRing = chance(0.6);
  // In some rings most threads read first, as in load buffering.
  const readsFirst = chance(0.35) ? 0.9 : 0.2;
  const ring = (t: number): readonly Sketch[] => {
    const [own, next] = [cells[t % cells.length]!, cells[(t + 1) % cells.length]!];
    const middle = chance(0.4)
      ? [{ kind: 'fence' as const, order: pick(fences) }]
      : chance(0.3)
        ? [access(pick(cells))]
        : [];
    const first: Sketch =
      chance(0.7) && !isPlainCell(own)
        ? { kind: 'store', cell: own, value: value(), order: pick(stores) }
        : access(own);
    const last: Sketch =
      chance(0.6) && !isPlainCell(next)
        ? { kind: 'load', cell: next, order: pick(loads) }
        : access(next);
    return chance(readsFirst) ? [last, ...middle, first] : [first, ...middle, last];
  };
  const free = (): readonly Sketch[] =>
    Array.from({ length: 1 + random.below(count === 3 ? 2 : 3) }, () =>
      chance(0.12) ? { kind: 'fence', order: pick(fences) } : access(pick(cells)),
    );
  return { cells, threads: Array.from({ length: count }, (_, t) => (isRing ? ring(t) : free())) };
}
