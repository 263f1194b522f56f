import { describe, expect, test } from 'vitest';
import { checkReport } from '../src/text/check.js';
import { plainPalette } from '../src/text/palette.js';
import { overflow } from '@fencewright/ground/source/diagnostic.js';
import { checkResult, program, source, subject, witness } from './store-buffering.js';

const palette = plainPalette;

describe('the report on a check', () => {
  test('shows the attack, an execution and its cycle', () => {
    const result = checkResult({ kind: 'not-robust', witness });
    expect(checkReport(subject, result, { palette, listAttacks: true })).toMatchInlineSnapshot(`
      "sb.fw: SB is not robust: TSO allows an execution that is not sequentially consistent
        hint: fencewright fence sb.fw finds the cheapest fences that make it robust; fencewright reach sb.fw tells whether final states and properties show it
        2 threads, 6 labels, 4 instructions; 1,234 states in 12 ms, engine instrument
        2 attacks: 1 feasible and 1 not tried, as one is enough
        not looked at: property oneSeesTheOther; fencewright reach sb.fw does

      The attack: t1 delays its store of x past its load of y.
        4 |   l0: mem[x] <- 1; goto l1;
          |       ^^^^^^^^^^^ this store, x = 1, waits in t1's store buffer
        5 |   l1: r1 <- mem[y]; goto l2;
          |       ^^^^^^^^^^^^ meanwhile this load reads y from memory: 0

      A TSO execution of the attack
        step  thread  action  label  line  address  value  instruction
           1  t1      issue   l0        4  x            1  x = 1
           2  t1      load    l1        5  y            0  r1 = y
           3  t2      issue   l0        8  y            1  y = 1
           4  t2      store   l0        8  y            1  y = 1
           5  t2      load    l1        9  x            0  r2 = x
           6  t1      store   l0        4  x            1  x = 1

      Why it is not sequentially consistent
        1. t1 issues its store of x at line 4 before its load of y at line 5 in program order (po, step 1 to step 2)
        2. t1's load of y at line 5 read 0 before t2's store of y = 1 at line 8 took effect (cf, step 2 to step 4)
        3. t2 issues its store of y at line 8 before its load of x at line 9 in program order (po, step 3 to step 5)
        4. t2's load of x at line 9 read 0 before t1's store of x = 1 at line 4 took effect (cf, step 5 to step 6)
        Going round, each of these accesses would come before itself: no sequentially consistent run is like this.

      Attacks one by one
        thread  store  label  line  load  label  line  verdict
        t1      x      l0        4  y     l1        5  feasible
      "
    `);
  });

  test('of a robust program says what was ruled out how', () => {
    const result = checkResult({ kind: 'robust' });
    const attacks = { total: 12, byCfg: 10, infeasible: 2, feasible: 0 };
    const statistics = { ...result.statistics, attacks };
    expect(checkReport(subject, { ...result, statistics }, { palette })).toMatchInlineSnapshot(`
      "sb.fw: SB is robust: TSO adds nothing to its sequentially consistent executions
        2 threads, 6 labels, 4 instructions; 1,234 states in 12 ms, engine instrument
        12 attacks: 10 ruled out by the control flow and 2 by search
        not looked at: property oneSeesTheOther; fencewright reach sb.fw does
      "
    `);
  });

  test('of an undecided program says which limit it hit and how to raise it', () => {
    const open = { attacks: 1, infeasible: 0 };
    const result = checkResult({ kind: 'unknown', reason: 'states', open });
    expect(checkReport(subject, result, { palette })).toMatchInlineSnapshot(`
      "sb.fw: SB is undecided: the limit on states was reached: 1 attack is open
        hint: give it more with --max-states
        2 threads, 6 labels, 4 instructions; 1,234 states in 12 ms, engine instrument
        2 attacks: 2 not decided
        not looked at: property oneSeesTheOther; fencewright reach sb.fw does
      "
    `);
  });

  test.each([
    ['a limit of the search', 'states', [], /--max-states; where numbers grow without end/],
    [
      'an overflow',
      'unsupported',
      [overflow(undefined, 'it is too large', 'now')],
      /hint: count modulo/,
    ],
    ['an interruption', 'cancelled', [], /^(?![^]*hint)/],
  ] as const)('says what to do about %s', (_, reason, diagnostics, advice) => {
    const result = checkResult({ kind: 'unknown', reason });
    const statistics = { ...result.statistics, engine: 'search' } as const;
    const report = checkReport(subject, { ...result, statistics, diagnostics }, { palette });
    expect(report).toMatch(advice);
  });

  test('needs neither a name, nor labels, nor source text', () => {
    const bare = {
      ...program,
      name: '',
      threads: program.threads.map((thread) => ({
        ...thread,
        locations: thread.locations.map((location) => ({ ...location, hidden: true })),
        transitions: thread.transitions.map((transition) => ({ ...transition, origin: {} })),
      })),
    };
    const text = checkReport(
      { ...subject, file: '-', source, program: bare },
      checkResult({ kind: 'not-robust', witness }),
      { palette },
    );
    expect(text).toMatchInlineSnapshot(`
      "- is not robust: TSO allows an execution that is not sequentially consistent
        hint: fencewright fence - finds the cheapest fences that make it robust; fencewright reach - tells whether final states and properties show it
        2 threads, 6 labels, 4 instructions; 1,234 states in 12 ms, engine instrument
        2 attacks: 1 feasible and 1 not tried, as one is enough
        not looked at: property oneSeesTheOther; fencewright reach - does

      The attack: t1 delays its store of x past its load of y.

      A TSO execution of the attack
        step  thread  action  address  value  instruction
           1  t1      issue   x            1  x = 1
           2  t1      load    y            0  r1 = y
           3  t2      issue   y            1  y = 1
           4  t2      store   y            1  y = 1
           5  t2      load    x            0  r2 = x
           6  t1      store   x            1  x = 1

      Why it is not sequentially consistent
        1. t1 issues its store of x before its load of y in program order (po, step 1 to step 2)
        2. t1's load of y read 0 before t2's store of y = 1 took effect (cf, step 2 to step 4)
        3. t2 issues its store of y before its load of x in program order (po, step 3 to step 5)
        4. t2's load of x read 0 before t1's store of x = 1 took effect (cf, step 5 to step 6)
        Going round, each of these accesses would come before itself: no sequentially consistent run is like this.
      "
    `);
  });

  test('with colours has the same text', () => {
    const mark = (text: string) => `\u001b[1m${text}\u001b[0m`;
    const colourful = {
      good: mark,
      bad: mark,
      doubtful: mark,
      strong: mark,
      accent: mark,
      faint: mark,
    };
    const result = checkResult({ kind: 'not-robust', witness });
    const painted = checkReport(subject, result, { palette: colourful, listAttacks: true });
    expect(painted.replace(/\u001b\[\dm/g, '')).toBe(
      checkReport(subject, result, { palette, listAttacks: true }),
    );
  });
});
