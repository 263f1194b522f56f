import type { Budget } from '../base/budget.js';
import { DrainedGraph, drainedObservation } from '../exploration/drained-graph.js';
import { PackedExploration } from '../exploration/packed-exploration.js';
import type { ViolationSearch } from '../fences/find-violation.js';
import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { lostUnderSc } from '../progress/find-hangs.js';
import { statesAtRest } from '../progress/states-at-rest.js';
import type { MemoryModel } from '../semantics/machine.js';

/**
 * Looks for threads that wait for ever under TSO although SC always lets them get on. Of a program
 * with fences SC says the same as of the program without: it is explored once.
 */
export class HangSearch {
  readonly #budget: Budget;
  #underSc: ReadonlySet<ThreadId> | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** A computation to a state with empty buffers from which a thread waits for ever. */
  async find(model: MemoryModel, program: Program): Promise<ViolationSearch> {
    const observation = drainedObservation(program);
    const exploration = new PackedExploration(program, { model, observation });
    const open = (incomplete: ViolationSearch['incomplete']): ViolationSearch => ({
      violation: undefined,
      incomplete,
      faults: exploration.faults,
    });
    const end = await exploration.explore(this.#budget, () => true);
    if (exploration.faults.length > 0) return open(undefined);
    if (end !== 'complete') return open(end === 'endless' || end === 'done' ? 'undecided' : end);
    const graph = new DrainedGraph(program, exploration);
    const found = await statesAtRest(program, graph, this.#budget);
    if (typeof found === 'string') return open(found);
    if (model === 'SC') {
      this.#underSc = new Set(lostUnderSc(found.rests).map(({ thread }) => thread));
      return open(undefined);
    }
    const known = this.#underSc;
    if (!known) return open('undecided');
    const hang = found.rests.find(({ lost }) => lost.some(({ thread }) => !known.has(thread)));
    if (!hang) return open(undefined);
    const { computation } = exploration.runTo(hang.state);
    return { violation: { kind: 'hang', computation }, incomplete: undefined, faults: [] };
  }
}
