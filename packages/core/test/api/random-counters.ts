import { SeededRandom } from '@fencewright/ground/base/random.js';

export type Register = 'my' | 'v' | 'w';
export type Cell = 'n' | 's' | 'c' | 'l';
type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A register or 0, and a number to be added. */
export interface Sum {
  readonly of?: Register;
  readonly plus: number;
}

/** A statement of a thread, at most one access of memory each. */
export type Step =
  | { readonly kind: 'add'; readonly into: Register; readonly cell: Cell; readonly by: Sum }
  | { readonly kind: 'exchange'; readonly into: Register; readonly cell: Cell; readonly by: Sum }
  | { readonly kind: 'load'; readonly into: Register; readonly cell: Cell }
  | { readonly kind: 'store'; readonly cell: Cell; readonly by: Sum }
  | { readonly kind: 'set'; readonly into: Register; readonly by: Sum }
  /** Waits until the cell holds the value of `my`. */
  | { readonly kind: 'await'; readonly cell: Cell }
  /** Exchanges the cell with 1 until it held 0. */
  | { readonly kind: 'acquire'; readonly cell: Cell }
  | { readonly kind: 'fence' }
  | { readonly kind: 'assert'; readonly test: Test }
  /** Leaves out the next statement if the test fails. */
  | { readonly kind: 'if'; readonly test: Test };

/** A comparison of registers of one thread. */
export interface Test {
  readonly left: Sum;
  readonly is: Comparison;
  readonly right: Sum;
}

/** A value in a state: of a cell, of a register of a copy, or a number. */
export type Value =
  | { readonly cell: Cell; readonly plus: number }
  | { readonly copy: 0 | 1; readonly register: Register }
  | { readonly number: number };

/** A condition on a state; copies 0 and 1 are any two different copies. */
export type Atom =
  | { readonly kind: 'at'; readonly copy: 0 | 1; readonly step: number }
  | { readonly kind: 'ended'; readonly copy: 0 | 1 }
  | {
      readonly kind: 'compare';
      readonly left: Value;
      readonly is: Comparison;
      readonly right: Value;
    };

export interface Property {
  readonly kind: 'never' | 'finally';
  /** All of them hold. */
  readonly atoms: readonly Atom[];
}

/** A program of any number of copies of a thread, and at most one further thread. */
export interface Counters {
  readonly steps: readonly Step[];
  readonly isLoop: boolean;
  readonly beside: readonly Step[];
  readonly properties: readonly Property[];
}

export const cells: readonly Cell[] = ['n', 's', 'c', 'l'];
export const registers: readonly Register[] = ['my', 'v', 'w'];

/** The number of lines in the text of `textOf` before the first statement of the copies. */
const linesBefore = 4;

/** Returns the index of the step at a line (from 0) of the text of `textOf`. */
export function stepOfLine(line: number): number {
  return line - linesBefore;
}

function textOfSum({ of, plus }: Sum): string {
  if (of === undefined) return `${plus}`;
  return plus === 0 ? of : plus > 0 ? `${of} + ${plus}` : `${of} - ${-plus}`;
}

function textOfTest({ left, is, right }: Test): string {
  return `${textOfSum(left)} ${is} ${textOfSum(right)}`;
}

function textOfStep(step: Step): string {
  switch (step.kind) {
    case 'add':
      return `${step.into} = fetch_add(${step.cell}, ${textOfSum(step.by)});`;
    case 'exchange':
      return `${step.into} = xchg(${step.cell}, ${textOfSum(step.by)});`;
    case 'load':
      return `${step.into} = ${step.cell};`;
    case 'store':
      return `${step.cell} = ${textOfSum(step.by)};`;
    case 'set':
      return `${step.into} = ${textOfSum(step.by)};`;
    case 'await':
      return `while (${step.cell} != my) { }`;
    case 'acquire':
      return `do { got = xchg(${step.cell}, 1); } while (got != 0);`;
    case 'fence':
      return 'fence;';
    case 'assert':
      return `assert(${textOfTest(step.test)});`;
    case 'if':
      return `if (${textOfTest(step.test)})`;
  }
}

function textOfSteps(steps: readonly Step[], hasLabels: boolean): string[] {
  return steps.map((step, i) => {
    const isInside = steps[i - 1]?.kind === 'if';
    const text = textOfStep(step);
    return isInside ? `  { ${text} }` : hasLabels ? `  a${i}: ${text}` : `  ${text}`;
  });
}

function textOfValue(value: Value): string {
  if ('cell' in value) return value.plus === 0 ? value.cell : `${value.cell} + ${value.plus}`;
  if ('register' in value) return `t[${value.copy}].${value.register}`;
  return `${value.number}`;
}

function textOfAtom(atom: Atom): string {
  switch (atom.kind) {
    case 'at':
      return `t[${atom.copy}] @ a${atom.step}`;
    case 'ended':
      return `ended(t[${atom.copy}])`;
    case 'compare':
      return `${textOfValue(atom.left)} ${atom.is} ${textOfValue(atom.right)}`;
  }
}

/** Returns the program in the native language; properties are `p0`, `p1` and so on. */
export function textOf({ steps, isLoop, beside, properties }: Counters): string {
  return [
    'program Counters',
    `var ${cells.join(', ')}`,
    `thread t[*] { local ${registers.join(', ')}, got;`,
    isLoop ? 'loop {' : '',
    ...textOfSteps(steps, true),
    isLoop ? '} }' : '}',
    ...(beside.length > 0
      ? ['thread u { local my, v, w, got;', ...textOfSteps(beside, false), '}']
      : []),
    ...properties.map(
      ({ kind, atoms }, i) => `property p${i}: ${kind} (${atoms.map(textOfAtom).join(' && ')})`,
    ),
    '',
  ].join('\n');
}

/**
 * Returns a random program with numbers that nothing bounds, and claims of which many hold: copies
 * draw numbers, wait for their turn or hold a lock, and count inside.
 */
export function randomCounters(seed: number): Counters {
  const random = new SeededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const by = (): Sum => ({ plus: pick([1, 1, 1, 1, 2, 3, -1]) });
  const comparison = (): Comparison => pick(['==', '!=', '<', '<=', '>', '>=']);
  const held = (): Register => pick(['my', 'my', 'v', 'v', 'w']);
  const test = (): Test => ({
    left: { of: held(), plus: 0 },
    is: comparison(),
    right: chance(50) ? { of: held(), plus: pick([0, 0, 1]) } : { plus: pick([-1, 0, 0, 1, 2]) },
  });
  const access = (): Step =>
    pick<() => Step>([
      () => ({ kind: 'add', into: pick(['v', 'w']), cell: pick(['c', 'c', 's']), by: by() }),
      () => ({ kind: 'add', into: 'w', cell: 'c', by: { of: 'my', plus: pick([0, 1]) } }),
      () => ({ kind: 'load', into: pick(['v', 'w']), cell: pick(['n', 's', 'c']) }),
      () => ({ kind: 'exchange', into: 'v', cell: 'c', by: { of: 'my', plus: 0 } }),
      () => ({ kind: 'store', cell: 'c', by: { of: pick(['my', 'v']), plus: pick([0, 1]) } }),
    ])();
  const some = (): readonly Step[] => {
    switch (random.below(6)) {
      case 0: {
        const load: Step = { kind: 'load', into: 'v', cell: 'c' };
        return [load, { kind: 'store', cell: 'c', by: { of: 'v', plus: pick([1, 1, 2]) } }];
      }
      case 1:
        return [{ kind: 'assert', test: test() }];
      case 2:
        return [{ kind: 'if', test: test() }, access()];
      case 3:
        return [{ kind: 'set', into: 'w', by: { of: held(), plus: pick([0, 1, 2]) } }];
      default:
        return [access()];
    }
  };
  const body = (): readonly Step[] => Array.from({ length: 1 + random.below(2) }, some).flat();
  const draws = by();
  const draw: Step = { kind: 'add', into: 'my', cell: 'n', by: draws };
  const gives = chance(85) ? draws.plus : draws.plus + 1;
  const shapes: readonly (() => readonly Step[])[] = [
    () => [
      draw,
      { kind: 'await', cell: 's' },
      ...body(),
      { kind: 'store', cell: 's', by: { of: 'my', plus: gives } },
    ],
    () => [
      { kind: 'acquire', cell: 'l' },
      ...body(),
      { kind: 'store', cell: 'l', by: { plus: chance(85) ? 0 : 1 } },
    ],
    () => [draw, ...body()],
    () => [draw, ...body()],
    () => body(),
  ];
  const whole = pick(shapes)();
  // Without one statement: many claims become false.
  const dropped = chance(15) ? random.below(whole.length) : -1;
  const isIf = (step: Step | undefined): boolean => step?.kind === 'if';
  const steps = whole.filter(
    (step, i) => i !== dropped || isIf(step) || isIf(whole[i - 1]) || whole.length === 1,
  );
  const beside = chance(25) ? [pick<Step>([draw, access()])] : [];
  const isLoop = chance(20);
  return { steps, isLoop, beside, properties: claims(steps, isLoop) };

  function claims(of: readonly Step[], hasLoop: boolean): readonly Property[] {
    // Labels of accesses: there all readings of "at a label" agree.
    const places = of.flatMap(({ kind }, i) =>
      ['if', 'assert', 'set', 'acquire'].includes(kind) || isIf(of[i - 1]) ? [] : [i],
    );
    const at = (copy: 0 | 1): Atom =>
      places.length === 0 || (!hasLoop && chance(15))
        ? { kind: 'ended', copy }
        : { kind: 'at', copy, step: pick(places) };
    const register = (copy: 0 | 1): Value => ({ copy, register: held() });
    const number = (): Value => ({ number: pick([-1, 0, 0, 0, 1, 2]) });
    const compare = (left: Value, is: Comparison, right: Value): Atom => ({
      ...{ kind: 'compare', left, is, right },
    });
    const cell = (plus = 0): Value => ({ cell: pick(['n', 's', 'c', 'l']), plus });
    const kinds: readonly (() => Property)[] = [
      () => ({ kind: 'never', atoms: [at(0), at(1)] }),
      () => ({
        kind: 'never',
        atoms: [
          at(0),
          at(1),
          compare({ copy: 0, register: 'my' }, '==', { copy: 1, register: 'my' }),
        ],
      }),
      () => ({
        kind: 'never',
        atoms: [at(0), at(1), compare(register(0), comparison(), register(1))],
      }),
      () => ({ kind: 'never', atoms: [at(0), compare(register(0), pick(['<', '>']), number())] }),
      () => ({
        kind: 'never',
        atoms: [at(0), compare(register(0), comparison(), register(0))],
      }),
      () => ({ kind: 'never', atoms: [compare(cell(), pick(['<', '>']), cell(pick([0, 1])))] }),
      () => ({ kind: 'never', atoms: [compare(cell(), '<', number())] }),
      () => ({ kind: 'finally', atoms: [compare(cell(), pick(['>=', '<=', '==']), cell())] }),
      () => ({ kind: 'finally', atoms: [compare(cell(), '>=', number())] }),
    ];
    return Array.from({ length: 12 }, () => pick(kinds)());
  }
}
