import { Budget } from '@fencewright/ground/base/budget.js';
import { machines, type Machine, seenOn } from '@fencewright/model/c11/seen-on.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { programOf } from '../robustness/native-program.js';
import { type ArmExecution, armExecutions } from './armv8-judge.js';
import { compileForArm, programOfArm, textOfArm } from './armv8-sketch.js';
import {
  candidates,
  outcomeOf,
  straightSketch,
  type StraightSketch,
  tsoOutcomes,
} from './seen-on-judges.js';

const accesses = new Set(['load', 'store', 'rmw', 'fence']);

/** Returns the transitions of each thread's statements, in the order of the text. */
function transitionsOf({ threads }: Program): readonly (readonly number[])[] {
  return threads.map(({ transitions }) =>
    [...transitions.keys()].filter((id) => {
      const { instruction } = transitions[id]!;
      return accesses.has(instruction.kind) || (instruction.kind === 'skip' && instruction.fence);
    }),
  );
}

/**
 * Returns, for each outcome of a program and each machine, the answers about all graphs with this
 * outcome.
 */
function answersOf(
  sketch: StraightSketch,
  model: 'c11' | 'ra' = 'c11',
): ReadonlyMap<string, Readonly<Record<Machine, ReadonlySet<string>>>> {
  const program = programOfArm(sketch);
  const found = new Map<string, Record<Machine, Set<string>>>();
  for (const { graph, outcome } of candidates(sketch, transitionsOf(program))) {
    const known = found.get(outcome) ?? { x86: new Set(), ARMv8: new Set(), POWER: new Set() };
    found.set(outcome, known);
    for (const { machine, answer } of seenOn(program, graph, model)) known[machine].add(answer);
  }
  return found;
}

/** Returns the outcomes on ARMv8, for each choice that compilers have. */
function armOutcomes(sketch: StraightSketch, isRA: boolean): readonly ReadonlySet<string>[] {
  const of = ({ registers, memory }: ArmExecution): string =>
    outcomeOf(
      registers,
      new Map(
        memory
          .split(' ')
          .filter((one) => one !== '')
          .map((one) => {
            const [cell, value] = one.split('=');
            return [cell!, Number(value)];
          }),
      ),
    );
  return [false, true].flatMap((hasRcpc) =>
    [false, true].map((hasLse) => {
      const mapping = { hasRcpc, hasLse, isRA, keepsAssertions: true };
      return new Set((armExecutions(compileForArm(sketch, mapping), 100_000) ?? []).map(of));
    }),
  );
}

test('x86 and ARMv8: outcomes of random programs, by a machine and by the axioms of ARM', () => {
  const counts: Record<string, number> = {};
  const count = (word: string): number => (counts[word] = (counts[word] ?? 0) + 1);
  const wrongs: string[] = [];
  const first = randomSeed(61_000);
  for (let seed = first; seed < first + randomRuns(150, 5000); seed++) {
    const sketch = straightSketch(seed);
    const isRA = seed % 4 === 0;
    const onTSO = isRA ? undefined : tsoOutcomes(sketch);
    const onARM = armOutcomes(sketch, isRA);
    const wrong = (text: string): number =>
      wrongs.push(`seed ${seed}: ${text}\n${textOfArm(sketch)}`);
    for (const [outcome, { x86, ARMv8, POWER }] of answersOf(sketch, isRA ? 'ra' : 'c11')) {
      if (x86.has('unknown')) wrong(`${outcome}: x86 is unknown`);
      if (onTSO && x86.has('yes') !== onTSO.has(outcome)) wrong(`${outcome}: x86`);
      const isNever = [...ARMv8].every((one) => one === 'no');
      if (ARMv8.has('yes') && !onARM.every((all) => all.has(outcome))) wrong(`${outcome}: ARM yes`);
      if (isNever && onARM.some((all) => all.has(outcome))) wrong(`${outcome}: ARM no`);
      count(`x86 ${x86.has('yes') ? 'yes' : 'no'}`);
      count(`ARMv8 ${ARMv8.has('yes') ? 'yes' : isNever ? 'no' : 'unknown'}`);
      if (POWER.has('yes') && isNever) count('POWER alone');
    }
  }
  if (isCampaign) console.log(counts);
  expect(wrongs).toEqual([]);
  for (const word of ['x86 yes', 'x86 no', 'ARMv8 yes', 'ARMv8 no', 'ARMv8 unknown', 'POWER alone'])
    expect(counts[word] ?? 0, word).toBeGreaterThan(0);
});

type Steps = StraightSketch['threads'];

const W = (cell: string, value: number, order: 'relaxed' | 'release' | 'seq_cst' = 'relaxed') =>
  ({ kind: 'store', at: { cell }, value, order }) as const;
const R = (to: string, cell: string, order: 'relaxed' | 'acquire' | 'seq_cst' = 'relaxed') =>
  ({ kind: 'load', to, at: { cell }, order }) as const;
const F = (order: 'release' | 'seq_cst' = 'seq_cst') => ({ kind: 'fence', order }) as const;

/*
 * Tests of [AMT14] by their names, with its verdicts for POWER (Table II and Sect. 6), and those of
 * x86 and ARMv8. `sync` is a `seq_cst` fence, `lwsync` a release fence, `ctrlisync` follows an
 * acquiring load. Registers in the order of threads, then memory.
 */
describe('tests with published verdicts: x86, ARMv8, POWER', () => {
  test.each<[string, Steps, string, string]>([
    [
      'sb',
      [
        [W('x', 1), R('r', 'y')],
        [W('y', 1), R('r', 'x')],
      ],
      '0,0,0; 0,0,0 | x=1 y=1 z=0',
      'yes yes yes',
    ],
    [
      'sb+syncs',
      [
        [W('x', 1), F(), R('r', 'y')],
        [W('y', 1), F(), R('r', 'x')],
      ],
      '0,0,0; 0,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'sb+lwsyncs',
      [
        [W('x', 1), F('release'), R('r', 'y')],
        [W('y', 1), F('release'), R('r', 'x')],
      ],
      // A release fence of C11 is `dmb ish` on ARM.
      '0,0,0; 0,0,0 | x=1 y=1 z=0',
      'yes no yes',
    ],
    [
      'mp',
      [
        [W('x', 1), W('y', 1)],
        [R('r', 'y'), R('s', 'x')],
      ],
      '0,0,0; 1,0,0 | x=1 y=1 z=0',
      'no yes yes',
    ],
    [
      'mp+lwsync+ctrlisync',
      [
        [W('x', 1), F('release'), W('y', 1)],
        [R('r', 'y', 'acquire'), R('s', 'x')],
      ],
      '0,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'mp+lwsync+po',
      [
        [W('x', 1), F('release'), W('y', 1)],
        [R('r', 'y'), R('s', 'x')],
      ],
      '0,0,0; 1,0,0 | x=1 y=1 z=0',
      'no yes yes',
    ],
    [
      'lb',
      [
        [R('r', 'x'), W('y', 1)],
        [R('r', 'y'), W('x', 1)],
      ],
      '1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no yes yes',
    ],
    [
      'lb+ctrlisync',
      [
        [R('r', 'x', 'acquire'), W('y', 1)],
        [R('r', 'y', 'acquire'), W('x', 1)],
      ],
      '1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      '2+2w',
      [
        [W('x', 1), W('y', 2)],
        [W('y', 1), W('x', 2)],
      ],
      '0,0,0; 0,0,0 | x=1 y=1 z=0',
      'no yes yes',
    ],
    [
      '2+2w+lwsyncs',
      [
        [W('x', 1), F('release'), W('y', 2)],
        [W('y', 1), F('release'), W('x', 2)],
      ],
      '0,0,0; 0,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'r+lwsync+sync',
      [
        [W('x', 1), F('release'), W('y', 1)],
        [W('y', 2), F(), R('r', 'x')],
      ],
      '0,0,0; 0,0,0 | x=1 y=2 z=0',
      'no no yes',
    ],
    [
      'r+syncs',
      [
        [W('x', 1), F(), W('y', 1)],
        [W('y', 2), F(), R('r', 'x')],
      ],
      '0,0,0; 0,0,0 | x=1 y=2 z=0',
      'no no no',
    ],
    [
      's+lwsync+ctrlisync',
      [
        [W('x', 2), F('release'), W('y', 1)],
        [R('r', 'y', 'acquire'), W('x', 1)],
      ],
      '0,0,0; 1,0,0 | x=2 y=1 z=0',
      'no no no',
    ],
    [
      'wrc+lwsync+ctrlisync',
      [[W('x', 1)], [R('r', 'x'), F('release'), W('y', 1)], [R('r', 'y', 'acquire'), R('s', 'x')]],
      '0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'wrc+ctrlisyncs',
      [[W('x', 1)], [R('r', 'x', 'acquire'), W('y', 1)], [R('r', 'y', 'acquire'), R('s', 'x')]],
      '0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no yes',
    ],
    [
      'iriw+ctrlisyncs',
      [
        [W('x', 1)],
        [W('y', 1)],
        [R('r', 'x', 'acquire'), R('s', 'y')],
        [R('r', 'y', 'acquire'), R('s', 'x')],
      ],
      '0,0,0; 0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no yes',
    ],
    [
      'iriw+lwsyncs',
      [
        [W('x', 1)],
        [W('y', 1)],
        [R('r', 'x'), F('release'), R('s', 'y')],
        [R('r', 'y'), F('release'), R('s', 'x')],
      ],
      '0,0,0; 0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no yes',
    ],
    [
      'iriw+syncs',
      [[W('x', 1)], [W('y', 1)], [R('r', 'x'), F(), R('s', 'y')], [R('r', 'y'), F(), R('s', 'x')]],
      '0,0,0; 0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'rwc+syncs',
      [[W('x', 1)], [R('r', 'x'), F(), R('s', 'y')], [W('y', 1), F(), R('r', 'x')]],
      '0,0,0; 1,0,0; 0,0,0 | x=1 y=1 z=0',
      'no no no',
    ],
    [
      'isa2+lwsync+ctrlisyncs',
      [
        [W('x', 1), F('release'), W('y', 1)],
        [R('r', 'y', 'acquire'), W('z', 1)],
        [R('r', 'z', 'acquire'), R('s', 'x')],
      ],
      '0,0,0; 1,0,0; 1,0,0 | x=1 y=1 z=1',
      'no no no',
    ],
    [
      'w+rwc+lwsync+ctrlisync+sync',
      [
        [W('x', 1), F('release'), W('y', 1)],
        [R('r', 'y', 'acquire'), R('s', 'z')],
        [W('z', 1), F(), R('r', 'x')],
      ],
      '0,0,0; 1,0,0; 0,0,0 | x=1 y=1 z=1',
      'no no yes',
    ],
  ])('%s', (_, threads, outcome, wanted) => {
    const cells = JSON.stringify(threads).includes('"z"') ? ['x', 'y', 'z'] : ['x', 'y'];
    const answers = answersOf({ cells, arrays: [], threads }).get(outcome);
    if (!answers) throw new Error(`no candidate has the outcome ${outcome}`);
    const known = machines.map((machine) => {
      const all = answers[machine];
      return all.has('yes') ? 'yes' : all.has('unknown') ? 'unknown' : 'no';
    });
    expect(known.join(' ')).toBe(wanted);
  });
});

test('a store of a loaded value may stay behind the load: ARMv8 and POWER are open', async () => {
  const { verdict } = await checkC11(
    programOf(`var x, y
      thread a { store(x, 2, relaxed); store(y, 1, release); }
      thread b { local r; r = load(y, relaxed); store(x, r, relaxed); }`),
    'c11',
    new Budget(),
  );
  if (verdict.kind !== 'not-robust') throw new Error(verdict.kind);
  const seen = verdict.violation.seenOn?.map(({ machine, answer }) => `${machine} ${answer}`);
  expect(seen).toEqual(['x86 no', 'ARMv8 unknown', 'POWER unknown']);
});
