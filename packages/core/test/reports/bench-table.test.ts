import { expect, test } from 'vitest';
import { benchTable } from '../../src/reports/bench-table.js';
import { plainPalette } from '../../src/reports/palette.js';
import { checkResult, witness } from './store-buffering.js';

test('one aligned row a program in the columns of the paper', () => {
  const rows = [
    { name: 'SB', result: checkResult({ kind: 'not-robust', witness }) },
    { name: 'A robust one', result: checkResult({ kind: 'robust' }) },
    { name: 'broken.fw', failure: '2 errors' },
  ];
  expect(benchTable(rows, plainPalette)).toMatchInlineSnapshot(`
    "program       T  L  I  RQ  NR1  NR2  R  F  states  ms  verdict
    SB            2  6  4   1    0    0  1  -   1,234  12  not robust
    A robust one  2  6  4   0    0    0  0  -   1,234  12  robust
    broken.fw     -  -  -   -    -    -  -  -       -   -  2 errors
    "
  `);
});
