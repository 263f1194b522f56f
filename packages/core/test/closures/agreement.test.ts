import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { StaticPaths } from '../../src/closures/static-path.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';

import { openAttacks } from '../../src/search/open-attacks.js';
import { FeatureCount, programFeatures } from '../../src/testing/program-features.js';
import { randomAutomata } from '../../src/testing/random-automata.js';
import { randomProgram } from '../../src/testing/random-program.js';
import type { Attack } from '../../src/verdict/attack.js';

const runs = Number(process.env.FENCEWRIGHT_CLOSURE_RUNS ?? 300);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261123);
const limits = { maxStates: 100_000 };

const programs = fc.oneof(
  randomProgram(),
  randomProgram({ loops: true }),
  randomAutomata({ faults: true }),
  randomAutomata({ loops: true, maxThreads: 3, maxSpine: 4, maxExtra: 1 }),
  randomAutomata({ minThreads: 3, maxThreads: 5, maxSpine: 4, maxExtra: 1 }),
);

test('refuted attacks are infeasible', async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const features = programFeatures(program);
      const session = new ClosureSession(
        program,
        { symmetry: true, maskDeadRegisters: true, ownedCells: true, happensBefore: 'standard' },
        100_000,
      );
      const paths = new StaticPaths(program);
      const result = await check(program, { allAttacks: true, limits, looksAround: false } as never);
      const feasible = new Set(
        result.attacks.flatMap(({ attack: a, verdict }) =>
          verdict === 'feasible' ? [`${a.thread}.${a.store}.${a.load}`] : [],
        ),
      );
      const search = result.attacks.flatMap(({ attack, verdict }) =>
        verdict === 'infeasible' ? [attack] : [],
      );
      const isFeasible = (a: Attack) => feasible.has(`${a.thread}.${a.store}.${a.load}`);
      for (const [attacker = 0] of session.automata.classes) {
        const open = [...openAttacks(program, attacker, nothingBlocked)];
        const { refuted } = refuteByLocalClosure(session, attacker, open, 300_000);
        for (const { attack } of refuted) {
          expect(isFeasible(attack), JSON.stringify(attack)).toBe(false);
          features.push('refuted by closure');
        }
        for (const attack of open) {
          const stat = paths.refutes(attack);
          if (stat) features.push('refuted statically');
          if (stat) expect(isFeasible(attack)).toBe(false);
        }
      }
      features.push(result.verdict.kind);
      if (result.verdict.kind === 'robust' && search.length > 0) features.push('robust by search');
      if (session.isInVain) features.push('in vain');
      count.add([...new Set(features)]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
}, 7_200_000);
