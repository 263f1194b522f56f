import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { StaticPaths } from '../../src/closures/static-path.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import type { Program } from '@fencewright/model/program/program.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(800, 20_000, 120);
const seed = randomSeed(20261123);
const maxTracedStates = inCampaign(3000, 20_000);

/**
 * Returns random programs of `threads` threads: the first thread of a given program, followed by
 * copies of its last thread.
 */
function alike(programs: fc.Arbitrary<Program>, threads: number): fc.Arbitrary<Program> {
  return programs.map((program) => ({
    ...program,
    threads: Array.from({ length: threads }, (_, t) => program.threads.at(t === 0 ? 0 : -1)!),
  }));
}

/** Random programs of up to three threads, small enough to be judged by brute force. */
const few = fc.oneof(
  randomProgram(),
  randomProgram({ many: 'lock blocks', maxItems: 3 }),
  randomProgram({ many: 'rmws' }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomAutomata({ maxThreads: 2, maxSpine: 5 }),
  randomAutomata({ minThreads: 3, maxSpine: 3, maxExtra: 1 }),
  randomAutomata({ faults: true, maxThreads: 2 }),
  alike(randomProgram({ many: 'rmws', maxThreads: 2, maxItems: 3 }), 3),
);

/** Random programs of up to five threads, with loops, for the comparison with the search. */
const many = fc.oneof(
  randomProgram({ loops: true }),
  randomProgram({ many: 'lock blocks', loops: true }),
  randomProgram({ many: 'rmws', maxThreads: 4, maxItems: 3 }),
  randomProgram({ endless: true, fewValues: true, maxThreads: 4, maxItems: 3 }),
  randomAutomata({ loops: true, maxThreads: 3, maxSpine: 4, maxExtra: 1 }),
  randomAutomata({ minThreads: 3, maxThreads: 5, maxSpine: 4, maxExtra: 1 }),
  randomAutomata({ faults: true }),
  alike(randomProgram({ loops: true, maxThreads: 2, maxItems: 3 }), 4),
);

/**
 * Random options for refuters: with symmetry of threads or without, and sometimes with too little
 * work to refute anything.
 */
const ways = fc.record({
  symmetry: fc.boolean(),
  work: fc.constantFrom(100_000, 100_000, 100_000, 40),
});

const nameOf = ({ thread, store, load }: Attack) => `${thread}.${store}.${load}`;

/**
 * Returns the attacks that each refuting stage refutes by itself. Of threads with equal code, only
 * the first is an attacker.
 */
function refuted(
  program: Program,
  happensBefore: HappensBefore,
  { symmetry, work }: { readonly symmetry: boolean; readonly work: number },
) {
  const options = { symmetry, maskDeadRegisters: true, ownedCells: symmetry, happensBefore };
  const session = new ClosureSession(program, options, Math.min(work, 30_000));
  const paths = new StaticPaths(program);
  const open = session.automata.classes.map(([attacker = 0]) => ({
    attacker,
    attacks: [...openAttacks(program, attacker, nothingBlocked)],
  }));
  const members = (attack: Attack) =>
    session.automata.classes.find((threads) => threads.includes(attack.thread)) ?? [];
  const ofAll = (attacks: readonly Attack[]) =>
    attacks.flatMap((attack) => members(attack).map((thread) => ({ ...attack, thread })));
  const proofs = open.flatMap(
    ({ attacker, attacks }) => refuteByLocalClosure(session, attacker, attacks, work).refuted,
  );
  return {
    session,
    proofs: proofs.map(({ proof }) => proof),
    byPaths: ofAll(open.flatMap(({ attacks }) => attacks.filter((one) => paths.refutes(one)))),
    byClosure: ofAll(proofs.map(({ attack }) => attack)),
    open: ofAll(open.flatMap(({ attacks }) => attacks)),
  };
}

/**
 * Returns the features of a program, and of the refutations of its attacks, that the test counts.
 */
function featuresOf(
  program: Program,
  { session, proofs, byPaths, byClosure }: ReturnType<typeof refuted>,
): string[] {
  const byPath = new Set(byPaths.map(nameOf));
  const isNew = byClosure.some((attack) => !byPath.has(nameOf(attack)));
  const hasLock = program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'lock'),
  );
  const facts = {
    'refuted by paths': byPaths.length > 0,
    'refuted by closure': byClosure.length > 0,
    'by closure only': isNew,
    'by closure only, with lock blocks': isNew && hasLock,
    'by closure only, one writer':
      isNew &&
      proofs.some(({ first }) => first.sets.writers.some((its) => its !== undefined && its >= 0)),
    'by closure only, last phase': isNew && proofs.some(({ ends }) => ends.length > 0),
    'by closure only, several threads of one code':
      isNew && proofs.some(({ first }) => first.groups.some(({ count }) => count > 1)),
    'in vain': session.isInVain,
  };
  return Object.entries(facts).flatMap(([name, is]) => (is ? [name] : []));
}

function expectNoneFeasible(
  feasible: readonly Attack[],
  { byPaths, byClosure }: ReturnType<typeof refuted>,
): void {
  const names = new Set(feasible.map(nameOf));
  expect(
    byPaths.map(nameOf).filter((name) => names.has(name)),
    'by paths',
  ).toEqual([]);
  expect(
    byClosure.map(nameOf).filter((name) => names.has(name)),
    'by closure',
  ).toEqual([]);
}

test.each(['standard', 'value'] as const)(
  `what a stage refutes is infeasible by definition; happens-before: %s`,
  (happensBefore) => {
    const count = new FeatureCount();
    fc.assert(
      fc.property(few, ways, (program, way) => {
        const answer = refuted(program, happensBefore, way);
        const { feasible, complete } = attacksByDefinition(program, maxTracedStates, happensBefore);
        expectNoneFeasible(feasible, answer);
        count.add([
          ...programFeatures(program),
          ...featuresOf(program, answer),
          ...(complete ? ['complete'] : []),
          ...(complete && feasible.length > 0 ? ['some feasible'] : []),
          ...(complete && feasible.length > 0 && answer.byClosure.length > 0
            ? ['some feasible, some refuted']
            : []),
        ]);
      }),
      { numRuns: runs / 4, seed },
    );
    console.info(count.toString());
    expect(count.get('complete')).toBeGreaterThan(runs / 8);
    for (const feature of [
      'refuted by paths',
      'by closure only',
      'by closure only, with lock blocks',
      'by closure only, one writer',
      'some feasible, some refuted',
      'rmw',
      'computed address',
    ])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 200);
  },
);

/** Options without the refuting stages that the test compares with the search. */
const searchOnly: CheckOptions = { allAttacks: true, without: ['static-path', 'local-closure'] };
const limits = { maxStates: 50_000 };

test.each(['standard', 'value'] as const)(
  `what a stage refutes the search refutes as well; happens-before: %s`,
  async (happensBefore) => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(many, ways, async (program, way) => {
        const answer = refuted(program, happensBefore, way);
        const { attacks } = await check(program, { ...searchOnly, happensBefore, limits });
        const searched = new Map(attacks.map(({ attack, verdict }) => [nameOf(attack), verdict]));
        const feasible = attacks.flatMap(({ attack, verdict }) =>
          verdict === 'feasible' ? [attack] : [],
        );
        expectNoneFeasible(feasible, answer);
        const infeasible = answer.open.filter((one) => searched.get(nameOf(one)) === 'infeasible');
        const byStages = new Set([...answer.byPaths, ...answer.byClosure].map(nameOf));
        const left = infeasible.filter((one) => !byStages.has(nameOf(one)));
        count.add([
          ...programFeatures(program),
          ...featuresOf(program, answer),
          ...(infeasible.length > 0 ? ['infeasible by search'] : []),
          ...(infeasible.length > 0 && left.length === 0 ? ['all of them refuted'] : []),
        ]);
      }),
      { numRuns: runs / 4, seed },
    );
    console.info(count.toString());
    for (const feature of [
      'refuted by paths',
      'by closure only',
      'by closure only, with lock blocks',
      'by closure only, one writer',
      'by closure only, several threads of one code',
      'loop',
    ])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 400);
    // The stages are there to refute nearly all infeasible attacks.
    const all = count.get('all of them refuted');
    expect(all).toBeGreaterThan(0.9 * count.get('infeasible by search'));
  },
);
