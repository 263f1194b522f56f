import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { prove } from '../../core/src/api/prove.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { moversByDefinition } from '@fencewright/reference/definitions/movers-by-definition.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { proveReport } from '@fencewright/reports/text/prove.js';
import { moverType } from '@fencewright/reports/words/mover-type.js';
import { openProgram, proveText, useSolver } from './proving.js';
import { randomProof } from './random-proof-text.js';

const solver = useSolver();
const options = { solver, searchInstances: false, movers: true };

async function typesOf(text: string): Promise<string> {
  const { movers = [] } = (await proveText(text, options)).result;
  return movers.map(moverType).join('');
}

test('loads and stores of cells that nobody else writes move both ways', async () => {
  const text = (other: string) =>
    `program P var x, y thread t { local r; x = 1; r = y; } thread u { local r; ${other} }`;
  expect(await typesOf(text('r = y;'))).toBe('BBB');
  expect(await typesOf(text('r = x;'))).toBe('NBN');
  expect(await typesOf(text('y = 2;'))).toBe('BNN');
});

test('a release moves to the left of steps that wait for it, and not to the right', async () => {
  const text = `program P var l, x
    thread t[*] {
      local o;
      atomic { o = l; assume(o == 0); l = 1; }
      held: x = self;
      leave: l = 0;
    }
    invariant held(a: t): a @ held || a @ leave ==> l == 1
    invariant one(a: t, b: t): a @ held || a @ leave ==> !(b @ held || b @ leave)`;
  // The block's load and store, x = self, l = 0.
  expect(await typesOf(text)).toBe('NNBL');
  const { movers = [] } = (await proveText(text, options)).result;
  expect(movers.at(-2)?.moves?.right).toEqual({
    ...{ kind: 'moves', reason: 'apart' },
    invariants: ['held', 'one'],
  });
  // Without the invariant about two copies, several threads may be in the section.
  const weaker = text.replace(/invariant one.*/, '');
  expect(await typesOf(weaker)).toBe('NNNN');
});

test('a read abstraction moves to the right where the cell only grows', async () => {
  const text = (condition: string) => `program P var x
    thread t { local r; havoc r with ${condition}; }
    thread u[*] { local o; o = fetch_add(x, 1); }`;
  expect(await typesOf(text('r <= x'))).toBe('RN');
  expect(await typesOf(text('r >= x'))).toBe('LN');
  expect(await typesOf(text('r == x'))).toBe('NN');
});

test('equal values are the reason where cells are shared', async () => {
  const text = 'program P var x thread t[*] { x = 1; } ';
  expect(await typesOf(text)).toBe('B');
  const { movers = [] } = (await proveText(text, options)).result;
  expect(movers[0]?.moves?.left).toMatchObject({ kind: 'moves', reason: 'effects' });
});

test('the report has a table, and one obstacle for each access that does not move', async () => {
  const text = `program P
var x, y
thread t { local r; x = 1; r = y; }
thread u { local r; y = 1; r = x; fence; r = fetch_add(x, 2); }`;
  const program = openProgram(text);
  const { result } = await prove(program, options);
  const report = proveReport({ file: 'p.fw', program }, result, plainPalette);
  const lines = report.slice(report.indexOf('Movers'), report.lastIndexOf('\n\n')).split('\n');
  // The states depend on the solver, and are removed.
  const told = lines.filter((line) => !line.startsWith('      from '));
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "Movers
      access                             type  why
      t's x = 1 at line 3                N
      t's r = y at line 3                N
      u's y = 1 at line 4                N
      u's r = x at line 4                N
      u's r = fetch_add(x, 2) at line 4  N     a locked access counts as no mover
      t's x = 1 at line 3 is no right mover in front of u's r = x at line 4:
      t's r = y at line 3 is no right mover in front of u's y = 1 at line 4:
      u's y = 1 at line 4 is no right mover in front of t's r = y at line 3:
      u's r = x at line 4 is no right mover in front of t's x = 1 at line 3:"
  `);
});

const inside = fc.constantFrom('x = self;', 'x = 1;', 'r = x;', 'y = 1;', 'r = y;', 'skip;');
const outside = fc.constantFrom('x = 2;', 'r = x;', 'r = y;', 'y = 1;', 'l = 0;', 'r = l;');

/**
 * Random texts of a lock that threads take by an atomic block, with accesses in the critical
 * section and some invariants of the lock.
 */
const lockText = fc
  .tuple(inside, inside, outside, fc.constantFrom(0, 1, 2), fc.boolean())
  .map(([first, second, other, left, waits]) => {
    const claims = [
      'invariant held(a: t): a @ one || a @ two || a @ leave ==> l == 1',
      'invariant sole(a: t, b: t): a @ one || a @ two || a @ leave ==> !(b @ one || b @ two || b @ leave)',
    ];
    return [
      'program P var l, x, y',
      'thread t[*] { local o, r;',
      waits
        ? 'atomic { o = l; assume(o == 0); l = 1; }'
        : 'do { atomic { o = l; if (o == 0) { l = 1; } } } while (o != 0);',
      `one: ${first} two: ${second} leave: l = 0; }`,
      `thread u { local r; ${other} }`,
      ...claims.slice(0, left),
    ].join('\n');
  });

const programs = fc.oneof(
  { weight: 1, arbitrary: randomProof.map(({ open }) => open) },
  { weight: 1, arbitrary: lockText.map(openProgram) },
);

const runs = randomRuns(200, 6000, 100);

test(`${runs} random programs: what moves does so in all SC states of two copies`, async () => {
  const seen = { moves: 0, text: 0, apart: 0, effects: 0, byInvariant: 0, stuck: 0, reached: 0 };
  const types = { R: 0, L: 0, B: 0, N: 0, '?': 0 };
  await fc.assert(
    fc.asyncProperty(programs, async (open) => {
      const { result } = await prove(open, options);
      const counts = open.templates.threads.map(() => 2);
      const { program, templateOf } = instantiate(open, counts, { low: 0, high: 2 });
      if (program.threads.length > 4) return;
      const judged = moversByDefinition(program, 400);
      for (const mover of result.movers ?? []) {
        if (!mover.moves) continue;
        types[moverType(mover)]++;
        const own = judged.movers.filter(
          ({ thread, transition }) =>
            templateOf[thread] === mover.access.thread && transition === mover.access.transition,
        );
        for (const way of ['right', 'left'] as const) {
          const move = mover.moves[way];
          const isSeen = own.every((each) => each[way]);
          if (move.kind === 'moves') {
            expect(isSeen, `${mover.access.thread}:${mover.access.transition} ${way}`).toBe(true);
            seen[move.reason]++;
            if (move.invariants.length > 0) seen.byInvariant++;
            if (own.some(({ pairs }) => pairs > 0)) seen.moves++;
          } else {
            seen.stuck++;
            if (!isSeen) seen.reached++;
          }
        }
      }
    }),
    { numRuns: runs, seed: randomSeed(20261129) },
  );
  console.info(seen, types);
  for (const kind of ['moves', 'text', 'apart', 'effects', 'byInvariant', 'reached'] as const)
    expect(seen[kind], kind).toBeGreaterThan(runs / 20);
  expect(types.L).toBeGreaterThan(runs / 50);
  expect(seen.reached).toBeGreaterThan(seen.stuck / 2);
});
