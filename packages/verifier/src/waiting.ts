import { type Automata, type Instruction, localKinds, type Thread } from './automata.js';
import type { Budget, Exhausted } from './budget.js';
import { reachableFrom } from './control-flow.js';
import { evaluate } from './evaluate.js';
import { subtermsOf } from './liveness.js';
import { type Machine, type State, stateKey } from './machine.js';

/**
 * Returns the locations of a thread from which every path leads to a condition marked `choice`: the
 * thread has chosen an alternative that may not exist.
 */
function openChoices({ transitions }: Thread): ReadonlySet<number> {
  const open = new Set<number>();
  for (let before = -1; before < open.size;) {
    before = open.size;
    for (const { from } of transitions) {
      const leaving = transitions.filter((one) => one.from === from);
      if (leaving.every(({ to, luck }) => luck === 'choice' || open.has(to))) open.add(from);
    }
  }
  return open;
}

/**
 * Finds out which states of a program are drained: all buffers are empty, and no thread is in a
 * lock block.
 */
export class Drained {
  readonly #open: readonly ReadonlySet<number>[];

  constructor({ threads }: Automata) {
    this.#open = threads.map(openChoices);
  }

  /** Whether no thread is in a lock block, or between a choice and its condition. */
  isSettled({ locations, holder }: State): boolean {
    return holder === undefined && locations.every((at, thread) => !this.#open[thread]!.has(at));
  }

  /** Whether a state is settled (`isSettled`), and no store waits in a buffer. */
  has(state: State): boolean {
    return state.buffers.every((buffer) => buffer.length === 0) && this.isSettled(state);
  }
}

/** Whether a thread is written to run for ever: no path of its text leads to an end. */
function serves(thread: Thread): boolean {
  const reached = [...reachableFrom(thread, [thread.initial])];
  return reached.every((at) => thread.transitions.some(({ from }) => from === at));
}

/**
 * Returns the address accessed by an instruction; `any` for a computed address, `undefined` without
 * an access.
 */
function addressIn(automata: Automata, instruction: Instruction): number | 'any' | undefined {
  if (!('address' in instruction)) return undefined;
  const parts = subtermsOf(instruction.address);
  if (parts.some(({ kind }) => kind === 'register' || kind === 'self')) return 'any';
  return evaluate(instruction.address, [], automata.symbols);
}

/**
 * Returns, for each thread, which addresses count: a thread that serves (runs for ever by design)
 * makes progress by changing the value at a counted address. Addresses named by other threads
 * count. If the thread writes to no such address, all addresses count.
 */
function countedAddresses(automata: Automata): readonly ((address: number) => boolean)[] {
  const named = (thread: Thread, isWanted: (kind: Instruction['kind']) => boolean) =>
    new Set(
      thread.transitions.flatMap(({ instruction }) =>
        isWanted(instruction.kind) ? (addressIn(automata, instruction) ?? []) : [],
      ),
    );
  const all = automata.threads.map((thread) => named(thread, () => true));
  return automata.threads.map((thread, t) => {
    const others = all.filter((_, other) => other !== t);
    const isNamed = (address: number): boolean =>
      others.some((names) => names.has('any') || names.has(address));
    const written = [...named(thread, (kind) => kind !== 'load')];
    const isWritten = written.some((address) => address === 'any' || isNamed(address));
    return isWritten ? isNamed : () => true;
  });
}

/**
 * A node of the graph of drained states: a state with its steps. `to` of a step is the index of a
 * node; `isChance`: the step happens by chance, so that a proof of progress must not rely on it.
 */
interface Node {
  readonly state: State;
  readonly steps: { readonly thread: number; readonly to: number; readonly isChance: boolean }[];
}

/**
 * The graph of the drained states that are reached without store buffers, beginning with the
 * initial state.
 */
class DrainedGraph {
  readonly nodes: Node[] = [];
  /** Whether some instruction faults in a state of the graph. */
  faults = false;
  readonly #machine: Machine;
  readonly #drained: Drained;
  readonly #index = new Map<string, number>();
  readonly #counts: readonly ((address: number) => boolean)[];

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#drained = new Drained(machine.automata);
    this.#counts = countedAddresses(machine.automata);
  }

  #add(state: State): number {
    const key = stateKey(state);
    const known = this.#index.get(key);
    if (known !== undefined) return known;
    this.#index.set(key, this.nodes.length);
    return this.nodes.push({ state, steps: [] }) - 1;
  }

  /**
   * Adds a state and all states reachable from it; returns the limit that was exhausted, if any.
   */
  addFrom(state: State, budget: Budget): Exhausted | undefined {
    let next = this.nodes.length;
    for (this.#add(state); next < this.nodes.length; next++) {
      const exhausted = budget.spend(1);
      if (exhausted !== undefined) return exhausted;
      this.#expand(this.nodes[next]!);
    }
    return undefined;
  }

  /**
   * Adds the steps from a node, without store buffers. A lock block is one step, and is a step only
   * if it can be completed; so is an alternative whose condition is marked `choice`.
   */
  #expand({ state, steps }: Node): void {
    for (const thread of state.locations.keys()) {
      const { transitions } = this.#machine.automata.threads[thread]!;
      const open = [{ from: state, isChance: false }];
      const seen = new Set<string>();
      for (const before of open) {
        const found = this.#machine.steps(before.from, thread, true);
        this.faults ||= found.faults.length > 0;
        for (const { id, state: after } of found.steps) {
          const { luck } = transitions[id]!;
          const isChance = before.isChance || luck === 'chance' || luck === 'choice';
          const key = `${stateKey(after)} ${isChance}`;
          if (this.#drained.isSettled(after))
            steps.push({ thread, to: this.#add(after), isChance });
          else if (!seen.has(key)) open.push({ from: after, isChance });
          seen.add(key);
        }
      }
    }
  }

  /** Returns the next nodes of each node by steps that do not depend on chance; indexed by node. */
  sureSteps(): Next {
    return this.nodes.map(({ steps }) =>
      steps.flatMap(({ isChance, to }) => (isChance ? [] : [to])),
    );
  }

  /**
   * Whether a step of the thread from the node counts as progress of a thread that serves (runs for
   * ever by design).
   */
  changes(node: number, thread: number): boolean {
    const { state, steps } = this.nodes[node]!;
    return steps.some((step) => {
      if (step.thread !== thread || step.isChance) return false;
      const { memory } = this.nodes[step.to]!.state;
      return [...new Set([...memory.keys(), ...state.memory.keys()])].some(
        (cell) =>
          this.#counts[thread]!(cell) && (memory.get(cell) ?? 0) !== (state.memory.get(cell) ?? 0),
      );
    });
  }

  hasEnded(node: number, thread: number): boolean {
    return this.#machine.hasEnded(this.nodes[node]!.state, thread);
  }

  /**
   * Whether executions are not examined beyond the node, as an excluding `assume` is false there.
   */
  isCutOff(node: number): boolean {
    const { state } = this.nodes[node]!;
    return this.#leaving(state).some((leaving, thread) =>
      leaving.some(({ id, instruction }) => {
        if (instruction.kind !== 'assume' || !instruction.cutsOff) return false;
        return this.#machine.steps(state, thread, true).steps.every((step) => step.id !== id);
      }),
    );
  }

  /**
   * Returns the location at which a thread waits in a node; `undefined` if the thread goes on by
   * itself: all instructions at the location are local, and a step of the thread does not depend on
   * chance.
   */
  waitingPlace(node: number, thread: number): number | undefined {
    const { state, steps } = this.nodes[node]!;
    const isLocal = this.#leaving(state)[thread]!.every(({ instruction: { kind } }) =>
      [...localKinds, 'fence'].includes(kind),
    );
    const goesOn = steps.some((step) => step.thread === thread && !step.isChance);
    return isLocal && goesOn ? undefined : state.locations[thread];
  }

  #leaving({ locations }: State) {
    const { leaving, automata } = this.#machine;
    return locations.map((at, thread) =>
      leaving[thread]![at]!.map((id) => ({
        id,
        instruction: automata.threads[thread]!.transitions[id]!.instruction,
      })),
    );
  }
}

type Next = readonly (readonly number[])[];

/** Returns the steps of a graph with their directions reversed. */
function reversed(next: Next): Next {
  const before = next.map((): number[] => []);
  next.forEach((all, node) => {
    for (const to of all) before[to]!.push(node);
  });
  return before;
}

/**
 * Returns the nodes reached from `root` that are not in `seen`, in the order in which a depth-first
 * search finishes them, and adds these nodes to `seen`.
 */
function searched(next: Next, root: number, seen: Set<number>): readonly number[] {
  const order: number[] = [];
  const open = [{ node: root, isExpanded: false }];
  for (let top = open.pop(); top; top = open.pop()) {
    const { node, isExpanded } = top;
    if (isExpanded) order.push(node);
    if (isExpanded || seen.has(node)) continue;
    seen.add(node);
    open.push({ node, isExpanded: true });
    for (const to of next[node]!) if (!seen.has(to)) open.push({ node: to, isExpanded: false });
  }
  return order;
}

/** Returns the nodes that can be reached from one of `from`. */
function reachedFrom(next: Next, from: readonly number[]): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const root of from) searched(next, root, seen);
  return seen;
}

/**
 * Returns the strongly connected sets of nodes that no step leaves. A second search, along reversed
 * steps and from the nodes that the first search finished last, finds one set after the other.
 */
function bottomSets(next: Next): readonly (readonly number[])[] {
  const before = reversed(next);
  const [first, second] = [new Set<number>(), new Set<number>()];
  const order = [...next.keys()].flatMap((root) => searched(next, root, first));
  const sets = order.toReversed().map((root) => searched(before, root, second));
  return sets.filter((set) => {
    const inside = new Set(set);
    return set.length > 0 && set.every((node) => next[node]!.every((to) => inside.has(to)));
  });
}

/**
 * Whether threads wait for ever from some of the drained states on, in a way in which threads never
 * wait under SC. From each state on, steps are without store buffers, and progress does not rely on
 * chance. Threads wait in a new way in two cases:
 *
 * - Some thread is lost in a state, but in no state of SC. A thread that has an end is lost in a
 *   state if no execution from the state leads to this end. A state in which an excluding `assume`
 *   fails counts as an end of all threads.
 * - In some set of states that no step leaves, threads wait at places, and no such set of states of
 *   SC has all these threads waiting at these places. A thread that has not ended waits in the set
 *   if none of its steps there changes memory that counts (`countedAddresses`).
 *
 * Fences do not change the answer, apart from the names of places: without store buffers a fence is
 * no obstacle. So the answer holds for a program with other fences, too.
 */
export function waitsAnew(
  machine: Machine,
  drained: readonly State[],
  budget: Budget,
): boolean | 'faults' | { readonly exhausted: Exhausted } {
  const graph = new DrainedGraph(machine);
  for (const state of [machine.initial, ...drained]) {
    const exhausted = graph.addFrom(state, budget);
    if (exhausted !== undefined) return { exhausted };
  }
  if (graph.faults) return 'faults';
  const { nodes } = graph;
  const sequential = reachedFrom(
    nodes.map(({ steps }) => steps.map(({ to }) => to)),
    [0],
  );
  const sure = graph.sureSteps();
  const before = reversed(sure);
  const { threads } = machine.automata;
  const isCutOff = nodes.map((_, node) => graph.isCutOff(node));
  // Threads that serve (run for ever by design) and make no progress are found by the sets of
  // states below.
  const isLostAnew = threads.some((one, thread) => {
    if (serves(one)) return false;
    const progress = [...nodes.keys()].filter(
      (node) => isCutOff[node] === true || graph.hasEnded(node, thread),
    );
    const free = reachedFrom(before, progress);
    const lost = [...nodes.keys()].filter((node) => !free.has(node));
    return lost.length > 0 && lost.every((node) => !sequential.has(node));
  });
  if (isLostAnew) return true;
  const rests = bottomSets(sure)
    .filter((set) => set.every((node) => !isCutOff[node]))
    .map((set) => ({
      ways: waysIn(graph, set, threads.length),
      isSequential: sequential.has(set[0]!),
    }));
  return rests.some(
    ({ ways, isSequential: isOfSc }) =>
      !isOfSc &&
      ways.length > 0 &&
      !rests.some((other) => other.isSequential && ways.every((way) => other.ways.includes(way))),
  );
}

/**
 * Returns texts for the threads that wait in a set of states, each with the locations at which the
 * thread waits.
 */
function waysIn(graph: DrainedGraph, set: readonly number[], threads: number): readonly string[] {
  const ways: string[] = [];
  for (let thread = 0; thread < threads; thread++) {
    if (set.some((node) => graph.changes(node, thread) || graph.hasEnded(node, thread))) continue;
    const places = new Set(set.flatMap((node) => graph.waitingPlace(node, thread) ?? []));
    ways.push(`${thread}: ${[...places].sort((a, b) => a - b).join()}`);
  }
  return ways;
}
