import { at, valueAt } from '@fencewright/ground/base/at.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Observation, ThreadView } from './observation.js';
import type { MachineLocal, MachineStep, MachineThread } from './machine-thread.js';

/**
 * A store is issued at once as long as the buffer holds fewer; behind that buffers grow by one
 * store in a step, as they do in the machine.
 */
const mostIssuedAtOnce = 16;

/** More local states than this, and the thread is taken to compute without end. */
const maxClosure = 4096;

/**
 * A local state at which a thread waits for something that others may notice or change (`waiting`),
 * from which nothing leaves (`end`), or in which no instruction can be executed, now or ever, that
 * anybody would notice (`still`).
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

/** Equal for buffers with the same stores. */
export function bufferKey({ buffer }: MachineLocal): string {
  return buffer.map(({ address, value }) => `${address}=${value}`).join(' ');
}

/** Equal for equal states. */
export function localKey(state: MachineLocal): string {
  const { location, registers, holdsLock, unfenced } = state;
  return `${location}:${registers.join()}:${holdsLock ? 'L' : ''}:${bufferKey(state)}:${unfenced.join()}`;
}

/** What a thread of the machine does at once, since nobody sees it. */
export class MachineClosure {
  /** A store found no room in the buffer. */
  isCut = false;
  readonly #thread: MachineThread;
  readonly #view: ThreadView;
  readonly #observation: Observation;
  readonly #onFailure: (transition: TransitionId, path: readonly MachineStep[]) => void;

  /** `onFailure` is told of steps that fail an assertion, and of the path through them. */
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

  /** A string that tells states apart as far as they are seen at every moment. */
  viewOf({ location, registers, buffer }: MachineLocal): string {
    const { locations, registers: seen, ended, drained } = this.#view;
    if (locations.size === 0 && seen.size === 0 && !ended && !drained) return '';
    const place = locations.has(location) ? location : '';
    const isEnd = ended && this.#thread.code.leaving(location).length === 0 ? 'e' : '';
    const values = [...seen].map((register) => at(registers, register)).join();
    return `${place}${isEnd}:${values}:${drained && buffer.length === 0 ? 'd' : ''}`;
  }

  /** Whether a local step has to be an action of a node. */
  isSeen(state: MachineLocal, results: readonly MachineLocal[]): boolean {
    const view = this.viewOf(state);
    const { issues, progress } = this.#observation;
    if (progress && results.length > 0 && this.#isChosen(state)) return true;
    const most = issues ? 0 : mostIssuedAtOnce;
    return results.some(
      (result) =>
        this.viewOf(result) !== view ||
        (result.buffer.length > most && result.buffer.length > state.buffer.length),
    );
  }

  /**
   * Whether some instruction of the thread waits here for memory, or for the own buffer, or is one
   * that nobody can count on.
   */
  #isChosen(state: MachineLocal): boolean {
    return this.#thread.code.leaving(state.location).some((step) => {
      if (step.transition.luck === 'chance') return true;
      const { waits, results } = this.#thread.local(state, step);
      return waits && results.length === 0;
    });
  }

  /** The states behind a state: what is done at once is done. */
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
    // Additions during the iteration are visited too.
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
   * The states of a closure that are to be nodes. Those at which the thread waits or has ended are;
   * others only if the thread gets to none of these from there, and nothing else stands for it: a
   * thread that does not go on is no more than one that stands still. Where progress is seen, dead
   * ends are nodes as well, and one state stands for the loops that lead to none of all these.
   */
  #kept(
    closure: readonly ClosureState[],
  ): readonly { readonly reached: ClosureState; readonly kind: KeptState['kind'] }[] {
    const { blocks, stuck, progress } = this.#observation;
    const kinds = new Map<ClosureState, KeptState['kind']>();
    const isHidden = ({ state }: ClosureState): boolean => state.holdsLock && !blocks;
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
      // What follows has the same view, and more to store.
      if (next.some((one) => bufferKey(one.state) !== bufferKey(state))) continue;
      const isStuck = stuck && next.length === 0;
      if (!isStuck && standing.has(stillKey(state))) continue;
      standing.add(stillKey(state));
      kinds.set(reached, 'still');
    }
    return [...kinds].map(([reached, kind]) => ({ reached, kind }));
  }
}

/** Equal for states of a closure that others cannot tell apart while the thread does nothing. */
function stillKey(state: MachineLocal): string {
  return `${state.holdsLock ? 'L' : ''}:${bufferKey(state)}`;
}
