import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  computationTo,
  machineStateKey,
  type SearchNode,
} from '@fencewright/model/semantics/explore-machine.js';
import { type FaultyStep, initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { raceAt, type RaceSearch, type Unfenced } from './race-at.js';

/** Returns the addresses of the thread's unfenced stores after one more action of the thread. */
export function afterAction(unfenced: Unfenced, action: Action): Unfenced {
  switch (action.kind) {
    case 'issue':
      return unfenced.includes(action.address)
        ? unfenced
        : [...unfenced, action.address].sort((a, b) => a - b);
    case 'fence':
    case 'heavy-fence':
    case 'rmw':
    case 'lock':
    case 'unlock':
      return [];
    case 'store':
    case 'load':
    case 'local':
      return unfenced;
  }
}

/**
 * A state of a search, with the addresses of each thread's unfenced stores (`UnfencedState`);
 * indexed by `ThreadId`.
 */
export interface RaceSearchNode extends SearchNode {
  readonly unfenced: readonly Unfenced[];
}

/**
 * Finds a triangular race like `findTriangularRace`, but by exploring the machine itself, state by
 * state.
 */
export async function findRaceByMachine(program: Program, budget: Budget): Promise<RaceSearch> {
  const code = compileProgram(program);
  const seen = new Set<string>();
  const faults = new Map<string, FaultyStep>();
  let bytes = 0;
  const nodes: RaceSearchNode[] = [];
  const visit = (node: RaceSearchNode): void => {
    const key = `${machineStateKey(node.state)}|${node.unfenced.join('/')}`;
    if (seen.has(key)) return;
    seen.add(key);
    bytes += 400 + 3 * key.length;
    nodes.push(node);
  };
  const finish = (found: Pick<RaceSearch, 'race' | 'incomplete'>): RaceSearch => {
    budget.finishSearch(seen.size, bytes);
    return { states: seen.size, faults: [...faults.values()], ...found };
  };
  const unfenced = program.threads.map((): Unfenced => []);
  visit({ state: initialState(program), unfenced, before: undefined, step: undefined });
  for (let number = 0; number < nodes.length; number++) {
    const incomplete =
      number % 64 === 0
        ? await budget.checkpoint(seen.size, bytes)
        : budget.exceededBy(seen.size, bytes);
    if (incomplete) return finish({ incomplete });
    const node = at(nodes, number);
    const { steps, faults: faulty } = successors('SC', code, node.state);
    for (const fault of faulty)
      faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
    for (const step of steps) {
      const race = raceAt(code, { ...node, computation: () => computationTo(node) }, step);
      if (race) return finish({ race });
      const thread = at(step.actions, 0).thread;
      const after = step.actions.reduce(afterAction, node.unfenced[thread] ?? []);
      const next = node.unfenced.with(thread, after);
      visit({ state: step.state, unfenced: next, before: node, step });
    }
  }
  return finish({});
}
