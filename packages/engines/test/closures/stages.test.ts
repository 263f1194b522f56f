import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clh } from '../../../../bench/generators/locks.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import { peterson } from '../../../../bench/generators/peterson.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { StaticPaths } from '../../src/closures/static-path.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { SearchSession } from '../../src/search/search-session.js';
import { AttackSettler } from '../../src/search/settle-attacks.js';
import { programOf } from '../robustness/native-program.js';

const automataOptions = {
  symmetry: true,
  maskDeadRegisters: true,
  ownedCells: true,
  happensBefore: 'standard',
} as const;

function sessionOf(program: Program, effort = 30_000): ClosureSession {
  return new ClosureSession(program, automataOptions, effort);
}

/** Returns the number of refuted attacks of the first thread. */
function refutedOf(program: Program, session = sessionOf(program), work = 100_000): number {
  const open = [...openAttacks(program, 0, nothingBlocked)];
  return refuteByLocalClosure(session, 0, open, work).refuted.length;
}

/**
 * Whether a closure with `work` units of work ended for lack of work, so that more work might
 * refute more attacks.
 */
function isCutOff(program: Program, work: number): boolean {
  const open = [...openAttacks(program, 0, nothingBlocked)];
  return refuteByLocalClosure(sessionOf(program, work), 0, open, work).isCutOff;
}

/**
 * Returns a program whose attacks closed sets of single threads cannot refute. `b` never reaches
 * its store to `y`: it would wait for `z` to be 1, but stores 1 to `z` only on its other branch.
 */
const neverThere = (rest = '') =>
  programOf(`var x, y, z
  thread a { local r; x = 1; r = y; }
  thread b {
    local r, where; havoc where in 0..1;
    if (where == 0) { z = 1; } else { r = z; assume(r == 1); y = 1; fence; r = x; }
  }
  thread c { local r; r = z; fence; ${rest} }`);

async function stagesOf(program: Program, options: CheckOptions) {
  const { attacks } = await check(program, { allAttacks: true, ...options });
  return attacks.flatMap(({ settledBy, attack }) => (attack.thread === 0 ? [settledBy] : []));
}

describe('an attack', () => {
  test('is settled by the first stage that can', async () => {
    const program = neverThere();
    expect(await stagesOf(program, {})).toEqual(['search']);
    expect(await stagesOf(program, { forTests: { stagesAfter: 0 } })).toEqual(['local-closure']);
    const inPairs = { without: ['local-closure'], forTests: { stagesAfter: 0 } } as const;
    expect(await stagesOf(program, inPairs)).toEqual(['pair-closure']);
    expect(
      await stagesOf(program, { ...inPairs, without: ['local-closure', 'pair-closure'] }),
    ).toEqual(['search']);
  });

  test('needs neither if addresses give no way back', async () => {
    const program = programOf(`var x, y, z
      thread a { local r; x = 1; r = y; fence; r = z; }
      thread b { local r; y = 1; r = z; }`);
    expect(await stagesOf(program, {})).toEqual(['static-path', 'control-flow']);
    expect(await stagesOf(program, { without: ['static-path'] })).toEqual([
      'search',
      'control-flow',
    ]);
  });

  test('is tried again with more work where the first attempt had too little', async () => {
    expect(isCutOff(neverThere(), 10)).toBe(true);
    expect(isCutOff(neverThere(), 30_000)).toBe(false);
    // Each of eleven threads may stand at each place with each of twelve nodes and predecessors.
    const locks = finiteProgram(parseNative(clh(11, { loop: true })).model)!;
    expect(isCutOff(locks, 30_000)).toBe(true);
    const { verdict, statistics } = await check(locks, { allAttacks: true });
    expect(verdict.kind).toBe('robust');
    expect(statistics.attacks.settledBy).toEqual({ 'control-flow': 55, 'local-closure': 11 });
    expect(statistics.states).toBeLessThan(20_000);
  });

  // 7 x 56 attacks of each of the eight threads are feasible, found by searches.
  test('is refuted as long as refutations pay, whatever the limit on work', async () => {
    const program = programOf(peterson(8).replace(/^program .*$/mu, ''));
    const settler = new AttackSettler(new SearchSession(program, {}));
    const isOpen = () => true;
    let refuted = 0;
    for (const turn of [0, 1]) {
      const settled = await settler.settle(turn, [7], isOpen, new Budget());
      refuted += settled.refuted.length;
    }
    expect(refuted).toBe([...openAttacks(program, 7, nothingBlocked)].length - 7 * 56);
  });

  test('that is feasible is not refuted, wherever a closure is cut off', () => {
    const both = programOf(`var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local r; y = 1; r = x; }`);
    for (let work = 0; work < 100; work++) expect(refutedOf(both, sessionOf(both), work)).toBe(0);
  });

  test('has a static path over several threads, by what each of them has stored', () => {
    const program = programOf(`var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { y = 1; z = 1; }
      thread c { local r; r = z; r = x; }`);
    const attack = [...openAttacks(program, 0, nothingBlocked)][0]!;
    expect(new StaticPaths(program).refutes(attack)).toBe(false);
  });

  test.each([0, 1])('is not refuted that only ends well where it loads from place %i', (place) => {
    const program = programOf(`var x, places[2]
      thread a { local r, i; havoc i in 0..1; x = 1; r = places[i]; }
      thread b { local r; places[${place}] = 1; r = x; }
      thread c { places[${1 - place}] = 1; }`);
    expect(refutedOf(program)).toBe(0);
  });

  test('is not tried again where numbers grow for ever', () => {
    const counting = programOf(`var x, y, n
      thread a { local r; loop { r = n; n = r + 1; x = 1; r = y; } }
      thread b { local r; loop { r = n; n = r + 1; y = 1; r = x; } }`);
    expect(isCutOff(counting, 100)).toBe(true);
    expect(isCutOff(counting, 30_000)).toBe(false);
  });

  test('is counted with the stage that settled it', async () => {
    const { statistics } = await check(neverThere(), {
      allAttacks: true,
      forTests: { stagesAfter: 0 },
    });
    expect(statistics.attacks).toEqual({
      total: 5,
      byCfg: 4,
      infeasible: 1,
      feasible: 0,
      settledBy: { 'control-flow': 4, 'local-closure': 1 },
    });
  });
});

describe('a lock block', () => {
  // The accesses of the block before the joining access are on the path as well (docs/adr/0007).
  test('is on the static path as a whole', () => {
    const program = programOf(`var x, y
      thread a { local r; x = 1; r = y; }
      thread b { atomic { x = 2; y = 2; } }`);
    const attack = [...openAttacks(program, 0, nothingBlocked)][0]!;
    expect(new StaticPaths(program).refutes(attack)).toBe(false);
    expect(refutedOf(program)).toBe(0);
  });

  test('is run again when its cells hold something new', () => {
    const program = programOf(`var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local r, s; lock; r = z; s = z; assume(r == 2); unlock; y = s; r = x; }
      thread c { z = 1; z = 2; }`);
    expect(refutedOf(program)).toBe(0);
  });

  test('finds in a cell what it wrote there itself', () => {
    const program = programOf(`var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local r; lock; z = 1; r = z; assume(r == 2); unlock; y = 1; r = x; }
      thread c { z = 2; }`);
    expect(refutedOf(program)).toBe(1);
  });
});

describe('the attacker', () => {
  test('finds in a cell what it wrote there before', () => {
    const program = programOf(`var x, y, mine
      thread a { local r, s; mine = 1; fence; x = 1; s = mine; if (s == 1) { r = y; } }
      thread b { local r; y = 1; fence; r = x; }
      thread c { local r; r = mine; }`);
    // x = 1 | r = y is feasible, x = 1 | s = mine is not.
    expect(refutedOf(program)).toBe(1);
  });

  test('is helped by threads with its code', () => {
    const both = `local r, where;
      loop {
        havoc where in 0..1;
        if (where == 0) { x = 1; r = y; fence; } else { y = 1; fence; r = x; fence; }
      }`;
    const program = programOf(`var x, y thread a { ${both} } thread b { ${both} }`);
    expect(sessionOf(program).automata.classes).toEqual([[0, 1]]);
    expect(refutedOf(program)).toBe(0);
  });
});

describe('closures say nothing', () => {
  test('of programs that might fault', () => {
    const faulty = neverThere('r = x; r = 1 / r;');
    expect(refutedOf(neverThere())).toBe(1);
    expect(refutedOf(faulty)).toBe(0);
    expect(sessionOf(neverThere()).isFaultFree()).toBe(true);
    expect(sessionOf(faulty).isFaultFree()).toBe(false);
  });

  test('of threads that compute without end', () => {
    const endless = neverThere('loop { r = r + 1; }');
    expect(refutedOf(endless)).toBe(0);
    expect(sessionOf(endless).isFaultFree()).toBe(false);
  });

  test('where they are cut off', () => {
    const program = neverThere();
    const session = sessionOf(program, 2);
    expect(refutedOf(program, session)).toBe(0);
    expect(session.isFaultFree()).toBe(false);
    for (const work of [0, 1, 2]) expect(refutedOf(program, sessionOf(program), work)).toBe(0);
  });

  test('of counters', () => {
    const program = neverThere('loop { r = x; x = r + 1; }');
    expect(refutedOf(program)).toBe(0);
  });

  test('of mailboxes, which the attacker gets to past its buffer', () => {
    const program = neverThere('r = xchg(y, 0);');
    const posting: Program = {
      ...program,
      threads: program.threads.map((thread) => ({
        ...thread,
        transitions: thread.transitions.map((one) =>
          one.instruction.kind === 'rmw'
            ? { ...one, instruction: { ...one.instruction, handOver: 'begin' as const } }
            : one,
        ),
      })),
    };
    expect(refutedOf(program)).toBe(1);
    expect(sessionOf(posting).isSupported).toBe(false);
    expect(refutedOf(posting)).toBe(0);
  });
});

const examples = new URL('../../../../examples/', import.meta.url);

test.each(['peterson', 'dekker', 'lamport-fast', 'mcs-lock', 'chase-lev'])(
  'fences are the same with stages and without: %s',
  async (name) => {
    const { model } = parseNative(readFileSync(new URL(`${name}.fw`, examples), 'utf8'));
    const program = finiteProgram(model)!;
    const without = ['static-path', 'local-closure'] as const;
    const { verdict: expected, certificate } = await fence(program, { without });
    const forTests = { stagesAfter: 0 };
    const refuting = ['directed'] as const;
    const others = ['directed', 'static-path'] as const;
    for (const options of [
      {},
      { forTests, without: refuting },
      { forTests, without: others },
    ] as const) {
      const answer = await fence(program, options);
      expect(answer.verdict, JSON.stringify(options)).toEqual(expected);
      expect(answer.certificate).toEqual(certificate);
    }
  },
);

// The closure gives `a` and `b` any two contents of `x`, so it divides by 0. `x` grows for ever, so
// the closure does not end by itself.
test('a closure that meets a fault refutes nothing, and takes little work', () => {
  const program = programOf(`var x
    thread writer { local r; loop { r = x; x = r + 1; } }
    thread reader { local a, b; loop { a = x; b = x; a = 1 / (a <= b); } }`);
  const session = sessionOf(program, 100_000);
  const store = program.threads[0]!.transitions.findIndex(
    ({ instruction }) => instruction.kind === 'store',
  );
  const effort = { left: 100_000 };
  expect(session.firstPhase(0, store, effort)).toMatch(/^(effort|growth)$/);
  expect(session.isInVain).toBe(true);
  expect(effort.left).toBeGreaterThan(99_000);
  expect(session.isFaultFree()).toBe(false);
});
