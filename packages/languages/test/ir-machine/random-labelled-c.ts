import { randomCells } from './random-cells.js';
import { StatementWriter } from './random-statements.js';
import { Dice, lookLine, type RandomText, type TextCell } from './random-text.js';

/** The parts of the programs, which the generator notes. */
export const labelledKinds = [
  'label: constant argument',
  'label: local argument',
  'label: argument computed from locals',
  'label: local changes behind the label',
  'label: in a loop',
  'label: in a function that main calls',
  'function: no type, no return',
  'section: store and load',
  'section: assumption',
];

/**
 * Returns a random program in CBMC's dialect: threads by labels, sections that are atomic, no
 * declarations of functions.
 */
export function randomLabelledC(seed: number): RandomText {
  const dice = new Dice(seed ^ 0xc6e1);
  const { lines: declared, cells } = randomCells(dice);
  const count = dice.chance(0.15) ? 3 : 2;
  const all = Array.from({ length: count }, (_, t) => t);
  const isLoop = dice.chance(0.15);
  const threads = (isLoop ? [0] : all).flatMap((t) => thread(dice, cells, t, { isLoop, count }));
  const starts = isLoop ? looped(dice, count) : all.flatMap((t) => started(dice, t));
  const isCalled = dice.chance(0.2);
  if (isCalled) dice.note('label: in a function that main calls');
  const observed = [
    ...all.flatMap((t) => [`r[${t}]`, `s[${t}]`]),
    ...cells.map(({ name, place }) => (name.includes('(') ? place : name)),
  ];
  const body = ['int given = 1, other = 2;', ...starts];
  const text = [
    ...['assert', 'stdatomic', 'stdio'].map((header) => `#include <${header}.h>`),
    ...declared,
    `int r[${count}], s[${count}];`,
    '_Atomic int ended;',
    ...threads,
    ...(isCalled ? ['begin() {', ...body, '}'] : []),
    'int main() {',
    ...(isCalled ? ['begin();'] : body),
    `while (atomic_load(&ended) != ${count}) ;`,
    ...['#ifdef ASK', 'assert(!(ASK));', '#endif'],
    ...['#ifdef LOOK', lookLine(observed), '#endif'],
    ...(dice.chance(0.5) ? ['return 0;'] : []),
    '}',
  ].join('\n');
  return { text, language: 'c', kinds: dice.kinds, observed, argumentCounts: [1] };
}

/** Returns a section with a store and a load, or one that waits for a cell by an assumption. */
function section(dice: Dice, cells: readonly TextCell[]): readonly string[] {
  const [one, other] = [dice.pick(cells).place, dice.pick(cells).place];
  const isAssumed = dice.chance(0.3);
  dice.note(isAssumed ? 'section: assumption' : 'section: store and load');
  return [
    '__CPROVER_atomic_begin();',
    ...(isAssumed
      ? [`__CPROVER_assume((int)${one} ${dice.pick(['==', '!='])} ${dice.below(2)});`]
      : []),
    `a = (int)${one};`,
    `${other} = ${dice.pick(['1', '2', '(a & 1)'])};`,
    ...(dice.chance(0.5) ? [`b = (int)${dice.pick(cells).place};`] : []),
    '__CPROVER_atomic_end();',
  ];
}

/** Returns the function of a thread; in a loop, the argument is the thread's number. */
function thread(
  dice: Dice,
  cells: readonly TextCell[],
  t: number,
  { isLoop, count }: { readonly isLoop: boolean; readonly count: number },
): readonly string[] {
  const writer = new StatementWriter(dice, { cells, locals: ['a', 'b'], extras: [] });
  const lines = [...writer.body(count > 2 ? 2 : 3)];
  if (dice.chance(0.4)) {
    const isFirst = dice.chance(0.5);
    lines.splice(isFirst ? 0 : lines.length, 0, ...section(dice, cells));
  }
  const isOld = dice.chance(0.5);
  if (isOld) dice.note('function: no type, no return');
  const place = isLoop ? 'given' : String(t);
  return [
    isOld ? `thread${t}(given) {` : `void *thread${t}(int given) {`,
    'int a = 0, b = given;',
    ...lines,
    `r[${place}] = a; s[${place}] = b;`,
    'atomic_fetch_add(&ended, 1);',
    ...(isOld ? [] : ['return 0;']),
    '}',
  ];
}

/** Returns the statements that start a thread. */
function started(dice: Dice, t: number): readonly string[] {
  const { kind, argument } = dice.pick([
    { kind: 'constant argument', argument: dice.pick(['0', '1', '-1']) },
    { kind: 'local argument', argument: dice.pick(['given', 'other']) },
    {
      kind: 'argument computed from locals',
      argument: dice.pick(['given + 2 * other', 'other == 2']),
    },
  ]);
  dice.note(`label: ${kind}`);
  const isChanged = dice.chance(0.4);
  if (isChanged) dice.note('label: local changes behind the label');
  return [
    `__CPROVER_ASYNC_${t}: thread${t}(${argument});`,
    ...(isChanged ? [`${dice.pick(['given', 'other'])} = ${dice.below(3)};`] : []),
  ];
}

/** Returns a loop that starts all threads with one function. */
function looped(dice: Dice, count: number): readonly string[] {
  dice.note('label: in a loop');
  return [`for (int i = 0; i < ${count}; i++)`, '__CPROVER_ASYNC_0: thread0(i);'];
}
