import { describe, expect, it } from 'vitest';
import { checkC11 } from '../../../engines/src/c11/check-c11.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Limit } from '@fencewright/model/verdict/c11-result.js';
import { c11Finding } from '../../../reports/src/sarif/c11-finding.js';
import { checkToSarif } from '../../../reports/src/sarif/sarif-results.js';
import { headlineText } from '../../../reports/src/words/headline.js';
import { c11InOneLine } from '../../../reports/src/words/c11-line.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { parseNative } from '../../src/native/parse-native.js';
import { cExamples, programOf } from './fixtures.js';

interface Verdict {
  readonly c11: 'robust' | 'not-robust' | C11Limit;
  /** The line of the load that reads an old store, or of the refused access, if named. */
  readonly line?: number;
}

/** By name of a program, its verdict against C11, with the reason. */
const verdicts: Readonly<Record<string, Verdict>> = {
  // The relaxed store of `bottom` in `take` ends the release sequence of `push` (C++20): a thief
  // that reads it knows nothing of the slot. Lê et al. have a release fence in `push` instead.
  'chase-lev.c': { c11: 'not-robust' },
  'chase-lev-fenced.c': { c11: 'not-robust' },
  // Each lock passes ownership by a release store, for which the next thread waits with acquire.
  'clh-lock.c': { c11: 'robust' },
  'mcs-lock.c': { c11: 'robust' },
  'ticket-lock.c': { c11: 'robust' },
  'ttas-lock.c': { c11: 'robust' },
  // All accesses are seq_cst.
  'dekker.cpp': { c11: 'robust' },
  // The pointer is published by release and looked at by acquire; all else is under the mutex.
  'double-checked-locking.c': { c11: 'robust' },
  // Store buffering, as on x86: releases and acquires do not order a store and a later load.
  'event-flag.cpp': { c11: 'not-robust' },
  'hazard-pointer.c': { c11: 'not-robust', line: 35 },
  'parker.c': { c11: 'not-robust' },
  'peterson.c': { c11: 'not-robust' },
  // Every change is a seq_cst cas, and every load acquires.
  'michael-scott-queue.c': { c11: 'robust' },
  'treiber-stack.c': { c11: 'robust' },
  // A reader may load old data before it loads `sequence` again, and then discards them.
  'seqlock.c': { c11: 'not-robust' },
  // A poll may come late: `head` and `tail` are looked at again.
  'spsc-ring.c': { c11: 'not-robust' },
  // Sleeping in the kernel has no memory order in C11.
  'futex-event.c': { c11: 'lock-blocks' },
  'atomic-wait.cpp': { c11: 'lock-blocks' },
  'wait-queue.c': { c11: 'lock-blocks' },
  // A heavy fence has no order in C11.
  'biased-lock-membarrier.c': { c11: 'heavy-fences' },
  'dekker-membarrier.c': { c11: 'heavy-fences' },
  'hazard-pointer-membarrier.c': { c11: 'heavy-fences' },
  'rcu-reader-membarrier.c': { c11: 'heavy-fences' },
  'safepoint-membarrier.c': { c11: 'heavy-fences' },
  'work-stealing-membarrier.c': { c11: 'heavy-fences' },
  // READ_ONCE is a volatile access.
  'rcu-publish.c': { c11: 'volatile', line: 33 },
  // Pointer and tag are one number of 64 bits.
  'tagged-stack.c': { c11: 'wide-values' },
};

describe.each(cExamples)('%s against C11', (name) => {
  it('has the verdict that is argued', async () => {
    const { c11, line } = verdicts[name]!;
    const { verdict } = await checkC11(programOf(name, 'clang-22'), 'c11', new Budget({}));
    expect(verdict.kind === 'unknown' ? verdict.limit : verdict.kind).toBe(c11);
    if (line === undefined) return;
    const program = programOf(name, 'clang-22');
    const event =
      verdict.kind === 'not-robust' && verdict.violation.graph.events[verdict.violation.event];
    const span = event
      ? program.threads[event.thread!]!.transitions[event.transition!]!.origin.span
      : verdict.kind === 'unknown' && verdict.at;
    expect(span && span.start.line + 1).toBe(line);
  });
});

it.each([
  [
    'ticket-lock.c',
    'robust, its orders are enough for this main, and all assertions hold, if compilers keep stores that depend on a load behind the load',
  ],
  [
    'parker.c',
    'not robust: parked can wait for ever: the load at line 17 never gets what it waits for',
  ],
  [
    'seqlock.c',
    'robustness is stricter than needed: the load of seconds at line 32 may see an old value; the states that last are as in interleavings, and all assertions hold',
  ],
  [
    'spsc-ring.c',
    'robustness is stricter than needed: the load of tail at line 32 may see an old value; the states that last are as in interleavings',
  ],
  [
    'rcu-publish.c',
    'undecided: an access of a shared variable is `volatile`, which is not atomic in C11 (line 33)',
  ],
])('%s has one line beside the answer for x86', async (name, words) => {
  const program = programOf(name, 'clang-22', { main: `examples/c/${name}` });
  const result = await checkC11(program, 'c11', new Budget({}));
  expect(headlineText(c11InOneLine(program, result))).toBe(`C11, any machine: ${words}`);
});

it.each([
  ['parker.c', 'error', 17],
  ['seqlock.c', undefined, undefined],
  ['ticket-lock.c', undefined, undefined],
])('code scanning is told of %s only what may matter', async (name, level, line) => {
  const program = programOf(name, 'clang-22', { main: `examples/c/${name}` });
  const result = await checkC11(program, 'c11', new Budget({}));
  const statistics: CheckResult['statistics'] = {
    ...{ engine: 'search', threads: 2, labels: 0, instructions: 0 },
    ...{ states: 0, bytes: 0, queries: 0, milliseconds: 0 },
    attacks: { total: 0, byCfg: 0, infeasible: 0, feasible: 0 },
  };
  const check: CheckResult = {
    ...{ verdict: { kind: 'robust' }, happensBefore: 'standard', attacks: [], diagnostics: [] },
    ...{ statistics, portable: result },
  };
  const found = checkToSarif({ uri: name }, program, check).filter(
    ({ ruleId }) => ruleId === 'weak-orders',
  );
  expect(found.map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
  expect(found[0]?.locations?.[0]?.physicalLocation?.region?.startLine).toBe(line);
});

it('code scanning is told of an assertion that can fail, as an error', async () => {
  const text = `program P var x, y
    thread a { store(x, 1); store(y, 1); }
    thread b { local r; await (load(y) == 1); r = load(x);
      assert(r == 1); }`;
  const program = finiteProgram(parseNative(text).model)!;
  const result = await checkC11(program, 'c11', new Budget({}));
  expect(c11Finding(program, result)).toMatchObject({ level: 'error', thread: 1 });
  const words = 'C11, any machine: not robust: the assertion of b at line 4 can fail: ';
  expect(c11Finding(program, result)?.text).toContain(words);
});

it('one line says that C11 has what goes wrong on x86', async () => {
  const program = programOf('parker.c', 'clang-22');
  const { effect: _, ...result } = await checkC11(program, 'c11', new Budget({}));
  const answer = { kind: 'hangs' } as StateAnswer;
  const lines = [{ answer }, {}].map((known) => headlineText(c11InOneLine(program, result, known)));
  expect(lines[0]).toMatch(/; what goes wrong on x86 goes wrong here, too$/);
  expect(lines[1]).toContain('whether it matters is not decided');
});

it('one line says that the search was bounded', async () => {
  const program = programOf('mcs-lock.c', 'clang-22');
  const result = await checkC11(program, 'c11', new Budget({ maxStates: 10 }));
  const line = headlineText(c11InOneLine(program, result));
  expect(line).toBe('C11, any machine: undecided: not looked at to the end');
});
