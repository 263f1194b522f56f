import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { Program } from '../../src/program/program.js';
import { compileExpression } from '../../src/program/evaluate.js';
import { admittedBy } from '../../src/semantics/admitted.js';
import { replayStates } from '../../src/semantics/replay.js';
import { meetingThreads, withGuesses } from '@fencewright/reference/testing/with-guesses.js';
import { flush, initialState, successors } from '../../src/semantics/machine.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Action, Computation } from '../../src/trace/computation.js';
import { hasCycle, shortestHappensBeforeCycle } from '../../src/trace/cycle.js';
import { buildTrace, relationBetween } from '../../src/trace/trace.js';
import { relationsByDefinition, type Admits } from './by-definition.js';

/**
 * Returns a random TSO computation that ends with empty buffers; `undefined` if a lock keeps some
 * store from memory.
 */
function randomComputation(program: Program, choices: readonly number[]): Computation | undefined {
  const code = compileProgram(program);
  let state = initialState(program);
  const computation: Action[] = [];
  for (const choice of choices) {
    const { steps } = successors('TSO', code, state);
    const others = steps.filter(({ actions: [action] }) => action?.kind !== 'store');
    // Stores stay buffered for a while, so that other actions come in between.
    const candidates = choice % 5 > 0 && others.length > 0 ? others : steps;
    const step = candidates[choice % Math.max(1, candidates.length)];
    if (!step) break;
    computation.push(...step.actions);
    ({ state } = step);
  }
  for (let thread = 0; thread < program.threads.length; thread++)
    while ((state.buffers[thread]?.length ?? 0) > 0) {
      const step = flush(state, thread);
      if (!step) return undefined;
      computation.push(...step.actions);
      ({ state } = step);
    }
  return computation;
}

test.each(['standard', 'value'] as const)(
  'traces are those of the inductive definition, on random computations: %s',
  (happensBefore) => {
    const seen = { computations: 0, cyclic: 0, early: 0 };
    fc.assert(
      fc.property(
        fc.oneof(randomProgram(), randomProgram({ fewValues: true })),
        fc.array(fc.nat(1000), { minLength: 5, maxLength: 30, size: 'max' }),
        (program, choices) => {
          const computation = randomComputation(program, choices);
          if (!computation) return;
          const expected = relationsByDefinition(computation, happensBefore);
          const trace = buildTrace(computation);
          const pairs = new Set<string>();
          trace.nodes.forEach((from, i) =>
            trace.nodes.forEach((to, j) => {
              const relation = relationBetween(trace, i, j, happensBefore);
              if (!relation) return;
              expect(expected).toContain(`${from.issuedAt} ${relation} ${to.issuedAt}`);
              pairs.add(`${from.issuedAt} ${to.issuedAt}`);
            }),
          );
          expect(pairs).toEqual(new Set([...expected].map((name) => name.replace(/ \w+ /, ' '))));
          const cycle = shortestHappensBeforeCycle(trace, happensBefore);
          expect(hasCycle(trace, happensBefore)).toBe(cycle !== undefined);
          seen.computations++;
          if (cycle) seen.cyclic++;
          if (computation.some((action) => action.kind === 'load' && action.early)) seen.early++;
        },
      ),
      { numRuns: randomRuns(2500, 50_000), seed: randomSeed(2) },
    );
    expect(seen.cyclic).toBeGreaterThan(25);
    expect(seen.early).toBeGreaterThan(200);
  },
);

test('SC computations have no cycles', () => {
  fc.assert(
    fc.property(randomProgram(), fc.array(fc.nat(1000), { maxLength: 25 }), (program, choices) => {
      const code = compileProgram(program);
      let state = initialState(program);
      const computation: Action[] = [];
      for (const choice of choices) {
        const { steps } = successors('SC', code, state);
        const step = steps[choice % Math.max(1, steps.length)];
        if (!step) break;
        computation.push(...step.actions);
        ({ state } = step);
      }
      expect(hasCycle(buildTrace(computation), 'standard')).toBe(false);
    }),
    { numRuns: randomRuns(300, 6000), seed: randomSeed(3) },
  );
});

// [BEMT18] Sect. 5. This test evaluates the conditions independently of the trace: with the
// registers that the thread had at the access.
test('read abstractions conflict with the stores that make their conditions false', () => {
  const seen = { loads: 0, spared: 0, open: 0, cyclic: 0 };
  fc.assert(
    fc.property(
      withGuesses(meetingThreads()),
      fc.array(fc.nat(1000), { minLength: 5, maxLength: 30, size: 'max' }),
      (program, choices) => {
        const computation = randomComputation(program, choices);
        if (!computation) return;
        const states = replayStates(program, computation)!;
        const admits: Admits = (place) => {
          const { thread, transition } = computation[place]!;
          const { instruction, to } = program.threads[thread]!.transitions[transition]!;
          const own = program.threads[thread]!;
          const isHidden = own.locations[to]!.hidden;
          if (instruction.kind !== 'load' || !isHidden) return undefined;
          seen.loads++;
          const next = computation.findIndex(
            (action, at) => at > place && action.thread === thread && action.kind === 'local',
          );
          const havoc = own.transitions.find(({ from }) => from === to)!.instruction;
          if (next < 0 || havoc.kind !== 'havoc') {
            seen.open++;
            return () => true;
          }
          const behind = states[next + 1]!.registers[thread]!;
          const condition = compileExpression(havoc.where!, program.symbols);
          return (value) => {
            const holds = condition(behind.with(instruction.into, value), 0) !== 0;
            if (holds && value !== (computation[place] as { value: number }).value) seen.spared++;
            return holds;
          };
        };
        const expected = relationsByDefinition(computation, 'value', admits);
        const trace = buildTrace(computation, admittedBy(program)(computation));
        const pairs = new Set<string>();
        trace.nodes.forEach((from, i) =>
          trace.nodes.forEach((to, j) => {
            if (relationBetween(trace, i, j, 'value')) pairs.add(`${from.issuedAt} ${to.issuedAt}`);
          }),
        );
        expect(pairs).toEqual(new Set([...expected].map((name) => name.replace(/ \w+ /, ' '))));
        if (hasCycle(trace, 'value')) seen.cyclic++;
      },
    ),
    { numRuns: randomRuns(1000, 20_000), seed: randomSeed(20180716) },
  );
  console.info(JSON.stringify(seen));
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
