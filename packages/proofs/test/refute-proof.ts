import { check } from '../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program } from '@fencewright/model/program/program.js';
import { exploreMachine, machineStateKey } from '@fencewright/model/semantics/explore-machine.js';
import { spellOutAbstractions } from '../src/abstractions/spell-out-abstractions.js';
import type { Conclusion, ProveResult } from '@fencewright/model/verdict/prove-result.js';

/** The maximum number of threads of an instance; larger instances are not searched. */
const mostThreads = 4;
const maxStates = 15_000;

/**
 * The parts of states with empty buffers and a free bus lock that are compared: all, or memory
 * alone.
 */
type View = 'everything' | 'memory';

interface Reached {
  readonly states: ReadonlySet<string>;
  readonly isComplete: boolean;
}

async function reach(model: 'SC' | 'TSO', program: Program, view: View): Promise<Reached> {
  const states = new Set<string>();
  const { incomplete } = await exploreMachine(
    model,
    program,
    new Budget({ maxStates }),
    {
      onState: ({ state }) => {
        if (state.lockHolder !== undefined || state.buffers.some(({ length }) => length > 0))
          return;
        const cells = [...state.memory].sort(([a], [b]) => a - b);
        states.add(view === 'memory' ? cells.join(' ') : machineStateKey(state));
      },
      onFailedAssertion: () => undefined,
    },
    // Larger buffers only add states, so these states are reachable with any buffers.
    { buffer: 2 },
  );
  return { states, isComplete: !incomplete };
}

/** The work and the result of searching small instances. */
export interface Refutation {
  readonly instances: number;
  /** The number of instances whose TSO states were all found among the SC states. */
  readonly compared: number;
  /** The reason why the conclusion is wrong; absent if none was found. */
  readonly because?: string;
}

/**
 * Searches instances with one, two and three copies for a contradiction to the conclusion of a
 * proof: a violation found by `check` under the same notion of happens-before, or a state reachable
 * under TSO but not under SC (with the abstraction, if there is one).
 */
export async function refuteProof(
  open: Templates,
  { abstraction }: Pick<ProveResult, 'abstraction'>,
  conclusion: Conclusion,
): Promise<Refutation> {
  let instances = 0;
  let compared = 0;
  for (const copies of open.unbounded.length === 0 ? [1] : [1, 2, 3]) {
    const counts = open.templates.threads.map(() => copies);
    const { program } = instantiate(open, counts);
    if (program.threads.length > mostThreads) continue;
    instances++;
    if (conclusion.kind === 'robust') {
      // Robust in the standard notion is robust by values.
      const happensBefores =
        conclusion.happensBefore === 'standard' ? ['standard', 'value'] : ['value'];
      for (const happensBefore of happensBefores as ('standard' | 'value')[]) {
        const { verdict } = await check(program, { happensBefore, limits: { maxStates: 50_000 } });
        if (verdict.kind === 'not-robust')
          return {
            instances,
            compared,
            because: `${copies} copies are not robust (${happensBefore})`,
          };
      }
    }
    const spelled = spellOutAbstractions(abstraction ?? open, { low: -1, high: 3 });
    if (!spelled.isExact) continue;
    const view = conclusion.kind === 'robust' ? 'everything' : 'memory';
    const sequential = await reach('SC', instantiate(spelled.open, counts).program, view);
    if (!sequential.isComplete) continue;
    const total = await reach('TSO', program, view);
    compared++;
    for (const state of total.states)
      if (!sequential.states.has(state))
        return { instances, compared, because: `${copies} copies reach ${state} under TSO only` };
  }
  return { instances, compared };
}
