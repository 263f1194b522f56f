import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program } from '@fencewright/model/program/program.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { attemptProof } from '../src/strategy/attempt.js';
import { inferAbstractions } from '../src/strategy/infer-abstractions.js';
import { Prover } from '../src/obligations/obligation.js';
import { spellOutAbstractions } from '../src/abstractions/spell-out-abstractions.js';
import { overallAgreement } from '../src/obligations/write-atomicity.js';
import { openProgram, useSolver } from './proving.js';
import { randomLockProgram } from './random-lock-text.js';

const numRuns = randomRuns(200, 4000, 50);
const seed = randomSeed(20_180_714);
const maxStates = inCampaign(6000, 20_000);

/**
 * Returns the reachable states with empty buffers and a free lock: memory, locations, and the
 * registers that `like` has. `undefined` if there are too many.
 */
async function statesOf(
  model: 'SC' | 'TSO',
  program: Program,
  like: Program,
): Promise<ReadonlySet<string> | undefined> {
  const states = new Set<string>();
  const visitor = {
    onState: ({ state }: { state: Parameters<typeof keyOf>[0] }) => {
      if (state.lockHolder === undefined && state.buffers.every((buffer) => buffer.length === 0))
        states.add(keyOf(state, like));
    },
    onFailedAssertion: () => undefined,
  };
  const { incomplete } = await exploreMachine(model, program, new Budget({ maxStates }), visitor);
  return incomplete ? undefined : states;
}

function keyOf(
  state: {
    readonly memory: ReadonlyMap<number, number>;
    readonly locations: readonly number[];
    readonly registers: readonly (readonly number[])[];
    readonly buffers: readonly (readonly unknown[])[];
    readonly lockHolder?: number | undefined;
  },
  { threads }: Program,
): string {
  const memory = [...state.memory].sort(([a], [b]) => a - b);
  const registers = state.registers.map((values, id) =>
    values.slice(0, threads[id]?.registers.length).join(),
  );
  return `${memory.join(' ')}|${state.locations.join()}|${registers.join('/')}`;
}

const solver = useSolver();

it('an abstraction with weak rmws reaches under SC what the program reaches under TSO', async () => {
  const seen = { programs: 0, weak: 0, compared: 0, states: 0, onlyTso: 0, inLoops: 0 };
  await fc.assert(
    fc.asyncProperty(randomLockProgram, async ({ text, copies }) => {
      const open = openProgram(text);
      // The invariants are given, as inferring them takes most of the time of `prove --infer`.
      const given = open.templates.invariants ?? [];
      const prover = new Prover(solver);
      const first = await attemptProof(open, given, prover);
      if ('unsupported' in first) throw new Error(first.unsupported.kind);
      const premises = { written: given, helpers: [] };
      const { attempt, abstractions } = await inferAbstractions(first, premises, prover);
      seen.programs++;
      if (!abstractions.some(({ relaxation }) => relaxation.kind === 'may-fail')) return;
      if (overallAgreement(attempt.stores) === undefined) return;
      if (attempt.weakRmws.some(({ finding }) => finding.kind !== 'holds')) return;
      seen.weak++;
      const instance = (from: Templates): Program =>
        instantiate(from, copies, { low: 0, high: 3 }).program;
      const program = instance(open);
      const { open: spelled, isExact } = spellOutAbstractions(attempt.open, {
        low: -1,
        high: 4,
      });
      const tso = await statesOf('TSO', program, program);
      const sc = tso && (await statesOf('SC', instance(spelled), program));
      if (!tso || !sc) return;
      seen.compared++;
      seen.states += tso.size;
      if (/loop|while/.test(text)) seen.inLoops++;
      const lost = [...tso].filter((state) => !sc.has(state));
      // Only states with values that were not tried could be missing.
      if (lost.length > 0 && !isExact) throw new Error(`raise the candidates: ${text}`);
      expect(lost, text).toEqual([]);
      const plain = await statesOf('SC', program, program);
      if (plain && [...tso].some((state) => !plain.has(state))) seen.onlyTso++;
    }),
    { numRuns, seed },
  );
  console.log('weak rmws', seen);
  expect(seen.compared).toBeGreaterThan(numRuns / 12);
  expect(seen.onlyTso).toBeGreaterThan(0);
});
