import { at, valueAt } from '@fencewright/ground/base/at.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Observation, ThreadView } from './observation.js';
import type { MachineLocal, MachineStep, MachineThread } from './machine-thread.js';
import { isBuffered } from '@fencewright/model/program/instruction.js';

/**
 * The maximum number of buffered stores up to which a thread issues a store at once, without
 * waiting at a node; a fuller buffer grows by one store per step, as in the machine.
 */
const mostIssuedAtOnce = 16;

/**
 * The maximum number of local states that a thread reaches from one state by invisible steps; a
 * thread with more counts as computing without end.
 */
const maxClosure = 4096;

/**
 * A local state that becomes a node: the thread waits for a visible step (`waiting`), has no
 * leaving transitions (`end`), or never executes a visible instruction any more (`still`).
 */
export interface KeptState {
  readonly state: MachineLocal;
  readonly kind: 'waiting' | 'end' | 'still';
  readonly path: () => readonly MachineStep[];
}

interface ClosureState {
  readonly state: MachineLocal;
  readonly key: string;
  readonly before: ClosureState | undefined;
  readonly step: MachineStep | undefined;
  readonly next: ClosureState[];
  waits: boolean;
}

function pathTo(reached: ClosureState): readonly MachineStep[] {
  const steps: MachineStep[] = [];
  for (let at: ClosureState | undefined = reached; at?.step !== undefined; at = at.before)
    steps.push(at.step);
  return steps.reverse();
}

/** Returns a key of the buffer; buffers with equal stores have equal keys. */
export function bufferKey({ buffer }: MachineLocal): string {
  return buffer.map(({ address, value }) => `${address}=${value}`).join(' ');
}

/** Returns a key of the local state; equal states have equal keys. */
export function localKey(state: MachineLocal): string {
  const { location, registers, holdsLock, unfenced } = state;
  return `${location}:${registers.join()}:${holdsLock ? 'L' : ''}:${bufferKey(state)}:${unfenced.join()}`;
}

/**
 * Finds the local states that a thread of the machine reaches by invisible steps: steps that need
 * no node.
 */
export class MachineClosure {
  /** Whether a store was left out because the buffer was full. */
  isCut = false;
  readonly #thread: MachineThread;
  readonly #view: ThreadView;
  readonly #observation: Observation;
  readonly #onFailure: (transition: TransitionId, path: readonly MachineStep[]) => void;

  /**
   * Prepares the closure of a thread. `onFailure` receives the transitions that fail an assertion,
   * and the path through the transition.
   */
  constructor(
    thread: MachineThread,
    observation: Observation,
    onFailure: (transition: TransitionId, path: readonly MachineStep[]) => void,
  ) {
    this.#thread = thread;
    this.#observation = observation;
    this.#view = at(observation.threads, thread.code.thread);
    this.#onFailure = onFailure;
  }

  /**
   * Returns a string for the parts of a local state on which the observation depends at every
   * moment; different parts have different strings.
   */
  viewOf({ location, registers, buffer }: MachineLocal): string {
    const { locations, registers: seen, ended, drained } = this.#view;
    if (locations.size === 0 && seen.size === 0 && !ended && !drained) return '';
    const place = locations.has(location) ? location : '';
    const isEnd = ended && this.#thread.code.leaving(location).length === 0 ? 'e' : '';
    const values = [...seen].map((register) => at(registers, register)).join();
    return `${place}${isEnd}:${values}:${drained && buffer.length === 0 ? 'd' : ''}`;
  }

  /**
   * Whether a local step changes a part on which the observation depends, so that the step has to
   * be an action of a node.
   */
  isSeen(state: MachineLocal, results: readonly MachineLocal[]): boolean {
    const view = this.viewOf(state);
    const { progress } = this.#observation;
    if (progress && results.length > 0 && this.#isChosen(state)) return true;
    // A loop may pass the label without any other action.
    if (progress && results.some(({ location }) => this.#view.locations.has(location))) return true;
    return results.some(
      (result) =>
        this.viewOf(result) !== view ||
        (result.buffer.length > mostIssuedAtOnce && result.buffer.length > state.buffer.length),
    );
  }

  /**
   * Whether the thread waits in this state, since some instruction is possible only after an event
   * in memory, after a store has left the thread's own buffer, or by chance.
   */
  #isChosen(state: MachineLocal): boolean {
    return this.#thread.code.leaving(state.location).some((step) => {
      if (step.transition.luck === 'chance') return true;
      // Without buffers, a thread can always store.
      if (isBuffered(step.transition.instruction)) return false;
      const { waits, results } = this.#thread.local(state, step);
      return waits && results.length === 0;
    });
  }

  /**
   * Returns the states that become nodes, among the states that the thread reaches from `start` by
   * invisible steps.
   */
  from(start: MachineLocal, before: readonly MachineStep[] = []): readonly KeptState[] {
    const first: ClosureState = {
      state: start,
      key: localKey(start),
      before: undefined,
      step: undefined,
      next: [],
      waits: false,
    };
    const seen = new Map([[first.key, first]]);
    // The loop also visits elements added during the loop.
    for (const reached of seen.values()) this.#expand(reached, seen, before);
    return this.#kept([...seen.values()]).map(({ reached, kind }) => ({
      state: reached.state,
      kind,
      path: () => [...before, ...pathTo(reached)],
    }));
  }

  #expand(
    reached: ClosureState,
    seen: Map<string, ClosureState>,
    before: readonly MachineStep[],
  ): void {
    const { state } = reached;
    for (const step of this.#thread.code.leaving(state.location)) {
      const { results, steps, waits, failsAssertion, isCut } = this.#thread.local(state, step);
      if (waits) reached.waits = true;
      if (isCut) this.isCut = true;
      if (failsAssertion)
        this.#onFailure(step.id, [...before, ...pathTo(reached), { transition: step.id }]);
      if (this.isSeen(state, results)) {
        reached.waits = true;
        continue;
      }
      results.forEach((next, i) => {
        const key = localKey(next);
        let known = seen.get(key);
        if (!known) {
          if (seen.size >= maxClosure) {
            this.#thread.code.isEndless = true;
            return;
          }
          known = { state: next, key, before: reached, step: at(steps, i), next: [], waits: false };
          seen.set(key, known);
        }
        reached.next.push(known);
      });
    }
  }

  /**
   * Returns the states of a closure that become nodes. States at which the thread waits or has
   * ended become nodes. A further state becomes a node only if the thread reaches no node from the
   * state, and no node represents the state: a thread without progress is like a thread that stands
   * still. If progress is observed, dead ends become nodes as well, and one state represents the
   * loops without a path to a node. Within a lock block, a dead end becomes a node only if the
   * execution ends at the dead end; otherwise the block cannot begin.
   */
  #kept(
    closure: readonly ClosureState[],
  ): readonly { readonly reached: ClosureState; readonly kind: KeptState['kind'] }[] {
    const { blocks, stuck, progress } = this.#observation;
    const kinds = new Map<ClosureState, KeptState['kind']>();
    const isHidden = ({ state }: ClosureState): boolean =>
      state.holdsLock && !blocks && !(progress && this.#thread.isCutOff(state));
    for (const reached of closure)
      if (reached.waits) kinds.set(reached, 'waiting');
      else if (this.#thread.code.leaving(reached.state.location).length === 0)
        kinds.set(reached, 'end');
      else if (progress && reached.next.length === 0 && !isHidden(reached))
        kinds.set(reached, 'still');
    if (kinds.size === closure.length)
      return closure.map((reached) => ({ reached, kind: valueAt(kinds, reached) }));
    const others = progress ? [] : [...kinds.keys()];
    const standing = new Set(others.map(({ state }) => stillKey(state)));
    const goesOn = new Set(kinds.keys());
    for (let size = -1; size !== goesOn.size;) {
      size = goesOn.size;
      for (let i = closure.length - 1; i >= 0; i--) {
        const reached = at(closure, i);
        if (reached.next.some((next) => goesOn.has(next))) goesOn.add(reached);
      }
    }
    for (const reached of closure) {
      const { state, next } = reached;
      if (goesOn.has(reached) || isHidden(reached)) continue;
      // `next` has a state with an equal view, but with further buffered stores.
      if (next.some((one) => bufferKey(one.state) !== bufferKey(state))) continue;
      const isStuck = stuck && next.length === 0;
      if (!isStuck && standing.has(stillKey(state))) continue;
      standing.add(stillKey(state));
      kinds.set(reached, 'still');
    }
    return [...kinds].map(([reached, kind]) => ({ reached, kind }));
  }
}

/**
 * Returns a key of the parts of a state that other threads can notice while the thread makes no
 * step.
 */
function stillKey(state: MachineLocal): string {
  return `${state.holdsLock ? 'L' : ''}:${bufferKey(state)}`;
}
