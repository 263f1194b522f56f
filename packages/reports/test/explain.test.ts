import { describe, expect, test } from 'vitest';
import { stepsToJson } from '../src/json/json-parts.js';
import { step as stepSchema } from '../src/json/json-schema-runs.js';
import { explainReport } from '../src/text/explain.js';
import { plainPalette } from '../src/text/palette.js';
import { checkResult, replayed, subject, witness } from './store-buffering.js';

const palette = plainPalette;
const result = checkResult({ kind: 'not-robust', witness });

describe('the explanation of a witness', () => {
  test('shows buffers and memory after each step, and the cycle', () => {
    const text = explainReport(subject, result, { states: replayed }, { palette, width: 120 });
    expect(text).toMatchInlineSnapshot(`
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

      Step by step
        Every thread has a store buffer. A store is issued into it and reaches memory later, oldest first;
        until then only its own thread sees it.
        A row shows what the buffers and the memory hold after the step.

        step  what happens               line  buffer of t1  buffer of t2  x  y
           0  the start                        -             -             0  0
           1  t1 issues x = 1               4  x=1           -             0  0
           2  t1 loads y from memory: 0     5  x=1           -             0  0
           3  t2 issues y = 1               8  x=1           y=1           0  0
           4  t2 stores y = 1 to memory     8  x=1           -             0  1
           5  t2 loads x from memory: 0     9  x=1           -             0  1
           6  t1 stores x = 1 to memory     4  -             -             1  1

      Why it is not sequentially consistent
        1. t1 issues its store of x at line 4 before its load of y at line 5 in program order (po, step 1 to step 2)
        2. t1's load of y at line 5 read 0 before t2's store of y = 1 at line 8 took effect (cf, step 2 to step 4)
        3. t2 issues its store of y at line 8 before its load of x at line 9 in program order (po, step 3 to step 5)
        4. t2's load of x at line 9 read 0 before t1's store of x = 1 at line 4 took effect (cf, step 5 to step 6)
        Going round, each of these accesses would come before itself: no sequentially consistent run is like this.
      "
    `);
  });

  test('says in which calls a step is', () => {
    const start = { line: 6, column: 0 };
    const calls = [
      { function: 'set', span: { start, end: start } },
      { function: 'worker', span: { start: { line: 11, column: 2 }, end: start } },
      { function: 'unknown' },
    ];
    const threads = subject.program.threads.map((thread, t) => ({
      ...thread,
      transitions: thread.transitions.map((one) =>
        t === 0 ? { ...one, origin: { ...one.origin, calls } } : one,
      ),
    }));
    const called = { ...subject, program: { ...subject.program, threads } };
    const text = explainReport(
      called,
      result,
      { states: replayed },
      { palette: { ...palette, width: 200 }, width: 200 },
    );
    expect(text).toContain(
      't1 issues x = 1, in set(), called at line 7, in worker(), called at line 12, in unknown()  ',
    );
    expect(text).toMatch(/t2 loads x from memory: 0 {2,}/);
    const [first, , third] = stepsToJson(called.program, witness.computation);
    expect(first?.calls).toEqual([
      { function: 'set', line: 7 },
      { function: 'worker', line: 12 },
      { function: 'unknown' },
    ]);
    expect(third).not.toHaveProperty('calls');
  });

  test('names the file of a call that is not in the file that was read', () => {
    const source = { name: 'more.h', text: '' };
    const start = { line: 6, column: 0 };
    const calls = [{ function: 'set', span: { start, end: start, source } }];
    const [first, ...others] = subject.program.threads;
    const transitions = first!.transitions.map((one) => ({
      ...one,
      origin: { ...one.origin, calls },
    }));
    const program = { ...subject.program, threads: [{ ...first!, transitions }, ...others] };
    const text = explainReport(
      { ...subject, program },
      result,
      { states: replayed },
      { palette: { ...palette, width: 200 }, width: 200 },
    );
    expect(text).toContain('t1 issues x = 1, in set(), called at line 7 of more.h  ');
    const [step] = stepsToJson(program, witness.computation);
    expect(step?.calls).toEqual([{ function: 'set', file: 'more.h', line: 7 }]);
    expect(stepSchema.strict().parse(step)).toEqual(step);
  });

  test('breaks a table that is too wide into blocks', () => {
    const text = explainReport(subject, result, { states: replayed }, { palette, width: 60 });
    expect(text.split('Step by step')[1]?.split('Why')[0]).toMatchInlineSnapshot(`
      "
        Every thread has a store buffer. A store is issued into it and reaches memory later, oldest first;
        until then only its own thread sees it.
        Below a step stands what it changes in the buffers and in memory.

        0. the start
             buffer of t1: -   buffer of t2: -   x: 0   y: 0
        1. t1 issues x = 1 (line 4)
             buffer of t1: x=1
        2. t1 loads y from memory: 0 (line 5)
        3. t2 issues y = 1 (line 8)
             buffer of t2: y=1
        4. t2 stores y = 1 to memory (line 8)
             buffer of t2: -   y: 1
        5. t2 loads x from memory: 0 (line 9)
        6. t1 stores x = 1 to memory (line 4)
             buffer of t1: -   x: 1

      "
    `);
  });

  test('of a robust program says that there is nothing to explain', () => {
    const robust = checkResult({ kind: 'robust' });
    const text = explainReport(subject, robust, undefined, { palette, width: 120 });
    expect(text).toMatchInlineSnapshot(`
      "sb.fw: SB is robust: TSO adds nothing to its sequentially consistent executions
        2 threads, 6 labels, 4 instructions; 1,234 states in 12 ms, engine instrument
        2 attacks: 2 not decided
        not looked at: property oneSeesTheOther; fencewright reach sb.fw does

      There is nothing to explain. In whatever order the threads run under TSO, their loads and stores
      depend on each other as in an execution where every store takes effect at once.
      "
    `);
  });
});
