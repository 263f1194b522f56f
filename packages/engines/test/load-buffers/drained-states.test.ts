import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { LoadBufferSearch } from '../../src/load-buffers/load-buffer-search.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

const runs = randomRuns(60, 3000, 20);
const seed = randomSeed(20180117);

const localKinds = ['skip', 'assign', 'assume', 'havoc'];

/**
 * Returns all states of the machine with empty buffers, no thread within a lock block, and no
 * thread before a local step, by the definition; dead registers are left out.
 */
async function drained(model: MemoryModel, program: Program, buffer: number | undefined) {
  const live = program.threads.map((thread) => {
    const shown = thread.registers.flatMap(({ hidden }, r) => (hidden ? [] : [r]));
    return computeLiveRegisters(thread, instructionAccess, [], shown);
  });
  const isPassed = (thread: number, location: number): boolean => {
    const leaving = program.threads[thread]!.transitions.filter(({ from }) => from === location);
    return (
      leaving.length > 0 &&
      location !== program.threads[thread]!.initial &&
      leaving.every(({ instruction }) => localKinds.includes(instruction.kind))
    );
  };
  const keyOf = ({ locations, registers, memory }: MachineState): string =>
    JSON.stringify([
      locations,
      registers.map((own, t) => own.map((value, r) => (live[t]![locations[t]!]![r] ? value : 0))),
      [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b),
    ]);
  const keys = new Set<string>();
  const { incomplete, isBounded, faults } = await exploreMachine(
    model,
    program,
    new Budget({ maxStates: 6_000 }),
    {
      onState: ({ state }) => {
        const isEmpty = state.buffers.every(({ length }) => length === 0);
        if (!isEmpty || state.lockHolder !== undefined) return;
        if (!state.locations.some((location, t) => isPassed(t, location))) keys.add(keyOf(state));
      },
      onFailedAssertion: () => undefined,
    },
    buffer === undefined ? {} : { buffer },
  );
  return { keys, keyOf, isPassed, isComplete: !incomplete && !isBounded, faults };
}

const shapes = [
  ['no loops', { maxThreads: 3 }, undefined],
  ['loops', { loops: true, endless: true, fewValues: true, maxThreads: 2 }, 3],
  ['stores at the ends', { finalStores: true, maxThreads: 2, maxItems: 3 }, undefined],
  ['lock blocks', { many: 'lock blocks', waiter: true, maxThreads: 2, maxItems: 2 }, undefined],
] as const;

test.each(shapes)('%s: drained states as the machine has them', async (name, options, buffer) => {
  const count = new FeatureCount();
  const programs = programWithQuestions({ ...options, maxProperties: 1 }).map(
    (program): Program => ({ ...program, properties: [] }),
  );
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const sc = await drained('SC', program, undefined);
      const tso = await drained('TSO', program, buffer);
      const isNew = [...tso.keys].some((key) => !sc.keys.has(key));
      const search = new LoadBufferSearch(program);
      for (const sizes of [[1, 2, 4, 8], []]) {
        const answer = await search.findDrainedState(new Budget({ maxStates: 8_000 }), { sizes });
        const judged = !sc.isComplete ? '?' : isNew ? 'new' : tso.isComplete ? 'same' : 'open';
        count.add([`${sizes.length === 0 ? 'backwards ' : ''}${answer.kind}, ${judged}`]);
        if (answer.kind === 'unknown') continue;
        expect(sc.faults).toEqual([]);
        if (judged === 'new') expect(answer.kind).toBe('reachable');
        if (judged === 'same') expect(answer.kind).toBe('unreachable');
        if (answer.kind !== 'reachable') continue;
        const end = replayStates(program, answer.computation)!.at(-1)!;
        expect(tso.keyOf(end)).toBe(tso.keyOf(answer.state));
        expect(end.buffers.flat()).toEqual([]);
        if (sc.isComplete && !end.locations.some((location, t) => sc.isPassed(t, location)))
          expect(sc.keys.has(sc.keyOf(end))).toBe(false);
      }
    }),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(name, count.toString());
});

// Only under TSO both load 0; no execution ends, so no final state shows the difference.
test('a program without ends', async () => {
  const { model } = parseNative(
    `program Endless
var x, y
thread a { local r; x = 1; r = y; while (true) { mfence; assume r < 2; } }
thread b { local r; y = 1; r = x; while (true) { mfence; assume r < 2; } }`,
  );
  const program = finiteProgram(model)!;
  const answer = await new LoadBufferSearch(program).findDrainedState(new Budget({}));
  expect(answer.kind).toBe('reachable');
});
