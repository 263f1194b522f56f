import { describe, expect, test } from 'vitest';
import { bakery } from '../../../../bench/generators/bakery.js';
import { mcs } from '../../../../bench/generators/locks.js';
import { check } from '../../../core/src/api/check.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { createPairRefuter } from '../../src/closures/pair-refuter.js';
import type { Refuter } from '../../src/closures/refuter.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { programOf } from '../robustness/native-program.js';

const options = {
  symmetry: true,
  maskDeadRegisters: true,
  ownedCells: true,
  happensBefore: 'standard',
} as const;

/** Returns the program of a generated text. Throws if the text has errors. */
function memberOf(source: string): Program {
  const program = finiteProgram(parseNative(source).model);
  if (!program) throw new Error('a generator writes what cannot be read');
  return program;
}

/**
 * Returns the number of attacks of the first thread, the number of refuted attacks, and the work.
 */
function answerOf(program: Program, refute: Refuter<unknown>, maxWork = 1_000_000) {
  const session = new ClosureSession(program, options, 30_000);
  const open = [...openAttacks(program, 0, nothingBlocked)];
  const { refuted, work } = refute(session, 0, open, maxWork);
  return { open: open.length, refuted: refuted.length, work };
}

const plainOnly = () => createPairRefuter(() => false, [{ keepsInboxes: false }]);

describe('pairs', () => {
  test('tell whose turn it is in the queue lock of [MCS91], which threads alone do not', () => {
    const program = memberOf(mcs(4));
    const { open, refuted } = answerOf(program, refuteByLocalClosure);
    expect(refuted).toBeLessThan(open);
    const answer = answerOf(program, plainOnly());
    expect(answer.refuted).toBe(open);
  });

  test('need the cells that one thread reads in its local states if it queues up again', () => {
    const program = memberOf(mcs(3, { loop: true }));
    const { open, refuted } = answerOf(program, plainOnly());
    expect(refuted).toBeLessThan(open);
    const answer = answerOf(program, createPairRefuter());
    expect(answer.refuted).toBe(open);
  });

  test('do not say that an attack of a thread with twins is infeasible because there is one', () => {
    const twin = 'local r, s; r = xchg(first, 1); if (r == 1) { y = 1; s = x; }';
    const program = (copies: number) =>
      programOf(`var x, y, first
        thread a { local r; x = 1; r = y; }
        ${Array.from({ length: copies }, (_, t) => `thread b${t} { ${twin} }`).join('\n')}`);
    expect(answerOf(program(1), createPairRefuter())).toMatchObject({ open: 1, refuted: 1 });
    expect(answerOf(program(2), createPairRefuter())).toMatchObject({ open: 1, refuted: 0 });
  });

  test('tell what a lock block finds together', () => {
    // The cells p and q are never 1 at the same time.
    const program = programOf(`var x, y, p, q
      thread a { local r; x = 1; r = y; }
      thread b { p = 1; fence; p = 0; fence; q = 1; }
      thread c { local r, s, u; atomic { r = p; s = q; } if (r == 1 && s == 1) { y = 1; u = x; } }`);
    expect(answerOf(program, refuteByLocalClosure)).toMatchObject({ open: 1, refuted: 0 });
    expect(answerOf(program, createPairRefuter())).toMatchObject({ open: 1, refuted: 1 });
  });

  test('stop within their work where numbers grow', () => {
    const program = memberOf(bakery(2, { loop: true }));
    const { refuted, work } = answerOf(program, createPairRefuter(), 10_000);
    expect(refuted).toBe(0);
    // The closure of the executions under SC may take 400,000 units, and the last step somewhat
    // more.
    expect(work).toBeLessThan(401_000);
  });

  test('stop when time is over', () => {
    const program = memberOf(mcs(4));
    expect(
      answerOf(
        program,
        createPairRefuter(() => true),
      ),
    ).toMatchObject({ refuted: 0 });
  });

  test('refute nothing where threads may fault', () => {
    const program = (last: number) =>
      programOf(`var x, y, a[1]
        thread t { local r; x = 1; r = y; }
        thread u { local r, i; havoc i in 0..${last}; r = a[i]; }`);
    expect(answerOf(program(0), createPairRefuter())).toMatchObject({ open: 1, refuted: 1 });
    expect(answerOf(program(1), createPairRefuter())).toMatchObject({ open: 1, refuted: 0 });
  });

  test('settle attacks that threads alone leave open', async () => {
    const program = memberOf(mcs(3));
    const { verdict, attacks } = await check(program, {
      allAttacks: true,
      forTests: { stagesAfter: 0 },
    });
    expect(verdict.kind).toBe('robust');
    expect(new Set(attacks.map(({ settledBy }) => settledBy))).toContain('pair-closure');
  });
});
