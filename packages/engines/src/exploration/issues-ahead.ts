import { at } from '@fencewright/ground/base/at.js';
import { transitionsTo } from '@fencewright/model/program/leaving.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { drainsBuffer, isBuffered } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { localKey } from './machine-closure.js';
import type { MachineLocal, MachineStep, MachineThread } from './machine-thread.js';

/**
 * The maximum number of local states computed ahead by issuing stores; a further state becomes a
 * node.
 */
const mostAhead = 64;

/**
 * A local state that a thread reaches by issuing stores into the buffer, and the steps to this
 * state.
 */
export interface AheadState {
  readonly state: MachineLocal;
  readonly path: readonly MachineStep[];
  /**
   * Whether this state has to be a node of the automaton, because too many states follow to be
   * found in one step. For other states, only the thread's next access to memory matters.
   */
  readonly isCut: boolean;
}

/**
 * Finds the local states in which a thread has issued stores and may access memory before these
 * stores leave the buffer. Each execution that ends with empty buffers has a variant with an equal
 * end, in which a store either reaches memory at once, or is issued immediately before a later
 * access of the issuing thread. Proof: an issue moves after the next steps of other threads and
 * after flushes of older stores, together with the local steps that follow the issue, up to an
 * access of this kind or to the store's own flush. A load of the issued store's value becomes a
 * load from memory immediately after the flush, if no access of this kind follows the load.
 */
export class IssuesAhead {
  readonly #thread: MachineThread;
  /** The locations from which some path leads to an access with a non-empty buffer. */
  readonly #leadsToAccess: ReadonlySet<LocationId>;

  constructor(program: Program, thread: MachineThread) {
    this.#thread = thread;
    this.#leadsToAccess = locationsBeforeAccesses(at(program.threads, thread.code.thread));
  }

  /** Returns the states that the thread reaches from `start` by issuing stores into the buffer. */
  from(start: MachineLocal): readonly AheadState[] {
    const { execution, code } = this.#thread;
    if (!execution.issuesLate || start.holdsLock) return [];
    const found = new Map<string, AheadState>();
    const add = (state: MachineLocal, path: readonly MachineStep[]): void => {
      if (!this.#leadsToAccess.has(state.location)) return;
      const key = localKey(state);
      if (!found.has(key)) found.set(key, { state, path, isCut: found.size >= mostAhead });
    };
    const issue = ({ state, path }: Omit<AheadState, 'isCut'>): void => {
      if (state.buffer.length >= execution.capacity) return;
      for (const step of code.leaving(state.location)) {
        if (!isBuffered(step.transition.instruction)) continue;
        if (code.isUnnoticed(state.registers, step)) continue;
        const issued = this.#thread.issued(state, step);
        if (issued) add(issued, [...path, { transition: step.id }]);
      }
    };
    issue({ state: start, path: [] });
    // The loop also visits elements added during the loop.
    for (const ahead of found.values()) {
      if (ahead.isCut) continue;
      issue(ahead);
      for (const step of code.leaving(ahead.state.location)) {
        const { results, steps } = this.#thread.local(ahead.state, step);
        results.forEach((next, i) => {
          add(next, [...ahead.path, at(steps, i)]);
        });
      }
    }
    return [...found.values()];
  }
}

/**
 * Returns the locations from which a thread may access memory before the next drain of the store
 * buffer.
 */
function locationsBeforeAccesses(thread: Thread): ReadonlySet<LocationId> {
  const before = new Set<LocationId>();
  for (const { from, instruction } of thread.transitions) {
    const { kind } = instruction;
    if (kind === 'load' || (kind === 'rmw' && !drainsBuffer(instruction))) before.add(from);
  }
  // The loop also visits elements added during the loop.
  for (const location of before)
    for (const { from, instruction } of transitionsTo(thread, location))
      if (!drainsBuffer(instruction)) before.add(from);
  return before;
}
