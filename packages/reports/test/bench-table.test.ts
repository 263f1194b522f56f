import { expect, test } from 'vitest';
import { type BenchRow, benchTable } from '../src/text/bench-table.js';
import { plainPalette } from '../src/text/palette.js';
import { checkResult, witness } from './store-buffering.js';

test('all columns: the states of phases, or where an engine with a model checker spends its time', () => {
  const { statistics, ...result } = checkResult({ kind: 'robust' });
  const phases = { generating: 50, compiling: 1500, verifying: 250 };
  const timed = { ...statistics, milliseconds: 2000, phases };
  const searched = { ...statistics, phaseStates: { sequential: 1000, delaying: 200, path: 34 } };
  const rows: BenchRow[] = [
    { name: 'SPIN', result: { ...result, statistics: timed }, fences: 0 },
    { name: 'Search', result: { ...result, statistics: searched } },
    { name: 'Cover', result: { ...result, statistics } },
    { name: 'broken.fw', failure: '2 errors' },
  ];
  // Seconds, and three quarters of the time by the clock.
  expect(benchTable(rows, plainPalette, 'all')).toMatchInlineSnapshot(`
    "program    T  L  I  RQ  NR1  NR2  R  F  states     ms  verdict    ph 1  ph 2  ph 3  gen  comp  Ver  Real  % comp
    SPIN       2  6  4   0    0    0  0  0   1,234  2,000  robust        -     -     -  0.1   1.5  0.3   2.0    75 %
    Search     2  6  4   0    0    0  0  -   1,234     12  robust    1,000   200    34    -     -    -     -       -
    Cover      2  6  4   0    0    0  0  -   1,234     12  robust        -     -     -    -     -    -     -       -
    broken.fw  -  -  -   -    -    -  -  -       -      -  2 errors      -     -     -    -     -    -     -       -
    "
  `);
});

test('one aligned row a program in the columns of the paper', () => {
  const rows: BenchRow[] = [
    { name: 'SB', result: checkResult({ kind: 'not-robust', witness }) },
    { name: 'Fenced', result: checkResult({ kind: 'not-robust', witness }), fences: 12 },
    { name: 'No way', result: checkResult({ kind: 'not-robust', witness }), fences: 'none' },
    { name: 'Too large', result: checkResult({ kind: 'not-robust', witness }), fences: 'unknown' },
    { name: 'A robust one', result: checkResult({ kind: 'robust' }), fences: 0 },
    { name: 'broken.fw', failure: '2 errors' },
  ];
  expect(benchTable(rows, plainPalette)).toMatchInlineSnapshot(`
    "program       T  L  I  RQ  NR1  NR2  R     F  states  ms  verdict
    SB            2  6  4   1    0    0  1     -   1,234  12  not robust
    Fenced        2  6  4   1    0    0  1    12   1,234  12  not robust
    No way        2  6  4   1    0    0  1  none   1,234  12  not robust
    Too large     2  6  4   1    0    0  1     ?   1,234  12  not robust
    A robust one  2  6  4   0    0    0  0     0   1,234  12  robust
    broken.fw     -  -  -   -    -    -  -     -       -   -  2 errors
    "
  `);
});
