import { SeededRandom } from '@fencewright/ground/base/random.js';

/** The kinds of loops in random programs. */
export type LoopKind = 'polls' | 'polls with a fence' | 'counts' | 'tries a cas' | 'stores';

/** A random program with a loop, as text. The text contains no properties. */
export interface LoopSketch {
  readonly text: string;
  readonly cells: readonly string[];
  readonly loop: LoopKind;
}

const loads = ['relaxed', 'relaxed', 'acquire', 'seq_cst'] as const;
const stores = ['relaxed', 'relaxed', 'release', 'seq_cst'] as const;
const fences = ['acquire', 'release', 'seq_cst'] as const;
const rmws = ['relaxed', 'acquire', 'release', 'acq_rel'] as const;

/**
 * Returns a random program of two threads `t0` and `t1`, in which `t1`, and sometimes `t0`, has a
 * loop. Most programs publish: `t0` stores to one cell after the other, and `t1` loads them in the
 * opposite order. `own` is the text at the end of each thread.
 */
export function loopSketch(seed: number, own: readonly [string, string] = ['', '']): LoopSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const cells = chance(20) ? ['x', 'y', 'z'] : ['x', 'y'];
  const [first, second] = chance(50) ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const statement = (): string =>
    pick([
      `store(${pick(cells)}, ${1 + random.below(2)}, ${pick(stores)});`,
      `s = load(${pick(cells)}, ${pick(loads)});`,
      `fence(${pick(fences)});`,
      `s = fetch_add(${pick(cells)}, 1, ${pick(rmws)});`,
    ]);
  const kinds = [
    'polls',
    'polls',
    'polls with a fence',
    'counts',
    'counts',
    'tries a cas',
    'stores',
  ];
  const loop = pick(kinds as readonly LoopKind[]);
  const looping = (kind: LoopKind, cell: string, other: string): string => {
    const load = (into: string, from: string): string => `${into} = load(${from}, ${pick(loads)});`;
    switch (kind) {
      case 'polls':
        return `while (r == 0) { ${load('r', cell)} ${chance(50) ? load('s', other) : ''} s = s + 0; }`;
      case 'polls with a fence':
        return `while (r == 0) { ${load('r', cell)} fence(${pick(fences)}); }`;
      case 'counts':
        return `while (i < 2) { ${chance(50) ? `store(${cell}, i + 1, ${pick(stores)});` : load('r', cell)} i = i + 1; }`;
      case 'tries a cas':
        return `while (r == 0) { r = cas(${cell}, 1, 2, ${pick(rmws)}, ${pick(loads)}); ${load('s', other)} }`;
      case 'stores':
        return `while (r == 0) { store(${other}, ${1 + random.below(2)}, ${pick(stores)}); ${load('r', cell)} }`;
    }
  };
  const publisher = [
    `store(${second}, ${1 + random.below(2)}, ${pick(stores)});`,
    ...(chance(25) ? [statement()] : []),
    chance(20) ? looping('counts', first, second) : `store(${first}, 1, ${pick(stores)});`,
  ];
  const reader = [
    ...(chance(15) ? [statement()] : []),
    looping(loop, first, second),
    ...(chance(20) ? [`fence(${pick(fences)});`] : []),
    chance(75) ? `s = load(${second}, ${pick(loads)});` : statement(),
  ];
  const thread = (name: string, code: readonly string[], end: string): string =>
    `thread ${name} { local r, s, i; ${code.join(' ')} i = 0; ${end} }`;
  return {
    text: [
      ...cells.map((cell) => `var ${cell}`),
      thread('t0', publisher, own[0]),
      thread('t1', reader, own[1]),
    ].join('\n'),
    ...{ cells, loop },
  };
}
