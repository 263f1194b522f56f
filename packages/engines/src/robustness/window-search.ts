import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import {
  computeCycleClosers,
  computeReachableAvoiding,
} from '@fencewright/model/analysis/control-flow.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { drainsBuffer, isBuffered, isLocal } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  executeTransition,
  flush,
  initialState,
  isInHeavyFence,
  type Successor,
} from '@fencewright/model/semantics/machine.js';
import {
  compileProgram,
  leavingTransitions,
  type CodeTransition,
  type ProgramCode,
} from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import {
  threadsOnCycle,
  onColours,
  readInWindow,
  withAccess,
  writtenBack,
  type Colours,
  type Delayed,
} from './window-colours.js';

/**
 * The time in which a thread delays stores: `open` from the first delayed store on, `halted` from
 * the last load on, `closed` after all delayed stores have reached memory.
 */
interface Window {
  readonly phase: 'open' | 'halted' | 'closed';
  readonly store: TransitionId;
  readonly load?: TransitionId;
  /**
   * For each address, the newest store delayed by the thread in this window, in the order of the
   * stores.
   */
  readonly delayed: readonly Delayed[];
}

interface Node {
  readonly state: MachineState;
  /**
   * The window of each thread (the time in which the thread delays stores), indexed by thread;
   * absent before the thread's first delayed store.
   */
  readonly windows: readonly (Window | undefined)[];
  readonly colours: Colours;
  readonly actions: readonly Action[];
  readonly before: Node | undefined;
}

/** A computation in which several threads delay stores, with the delays of a cycle. */
interface WindowsFound {
  readonly computation: Computation;
  readonly delays: readonly Attack[];
}

/**
 * The answer of the search: the computation found; `none` if no computation exists; otherwise the
 * reason why the search was not complete.
 */
type WindowAnswer = WindowsFound | 'none' | 'faults' | Exhaustion;

const nodesPerCheckpoint = 128;
const bytesPerNode = 1200;

function keyOf({ state, windows, colours }: Node): string {
  const { locations, registers, memory, asked = [] } = state;
  const cells = [...memory].sort(([a], [b]) => a - b);
  const held = windows.map((window) => window && [window.phase, window.delayed]);
  const levels = colours.map(
    (colour) => colour && [colour.on, colour.links, [...colour.levels].sort(([a], [b]) => a - b)],
  );
  return JSON.stringify([locations, registers, cells, asked, held, levels]);
}

function computationTo(node: Node): Computation {
  const parts: (readonly Action[])[] = [];
  for (let at: Node | undefined = node; at; at = at.before) parts.push(at.actions);
  return parts.reverse().flat();
}

/**
 * Searches for computations with a cycle of happens-before in which at most `count` threads delay
 * stores, each in one window: the thread's stores go into its buffer, and all of them reach memory
 * at once after its last load. All other steps are executed as under SC. From each last load on, a
 * colour spreads along happens-before, like the path of [BDM13] Fig. 7. If an access of the colour
 * meets a delayed store, the last load happens before this store. If such meetings form a cycle,
 * happens-before has a cycle. docs/asymmetric.md says why this search is enough.
 *
 * Programs with lock blocks are not supported.
 */
export class WindowSearch {
  readonly #program: Program;
  readonly #code: ProgramCode;
  readonly #count: number;
  readonly #live: readonly (readonly (readonly boolean[])[])[];
  /** By thread and location: whether the thread, while it delays stores, can still reach a load. */
  readonly #reachesLoad: readonly (readonly boolean[])[];
  /**
   * By thread and location: whether the location closes a cycle of local steps
   * (`computeCycleClosers`).
   */
  readonly #closers: readonly (readonly boolean[])[];
  readonly #seen = new Set<string>();
  readonly #pending: Node[] = [];
  #isFaulty = false;

  constructor(program: Program, count: number) {
    this.#program = program;
    this.#code = compileProgram(program);
    this.#count = count;
    this.#live = program.threads.map((thread) => computeLiveRegisters(thread, instructionAccess));
    this.#reachesLoad = program.threads.map((thread) =>
      thread.locations.map((_, location) => {
        const reached = computeReachableAvoiding(thread, location, ({ instruction }) =>
          drainsBuffer(instruction),
        );
        return thread.transitions.some(
          ({ from, instruction }) => instruction.kind === 'load' && reached[from],
        );
      }),
    );
    this.#closers = program.threads.map((thread) =>
      computeCycleClosers(thread, ({ instruction }) => isLocal(instruction)),
    );
  }

  get states(): number {
    return this.#seen.size;
  }

  /** The estimated number of bytes that the states found take. */
  get bytes(): number {
    return this.#seen.size * bytesPerNode;
  }

  /** Runs the search, breadth first. */
  async run(budget: Budget): Promise<WindowAnswer> {
    const { threads } = this.#program;
    const idle = threads.map(() => undefined);
    const state = this.#masked(initialState(this.#program));
    this.#reach({ state, windows: idle, colours: idle, actions: [], before: undefined });
    for (let next = 0; next < this.#pending.length; next++) {
      const exhausted =
        next % nodesPerCheckpoint === 0
          ? await budget.checkpoint(this.states, this.bytes)
          : budget.exceededBy(this.states, this.bytes);
      if (exhausted) return exhausted;
      const node = at(this.#pending, next);
      const cycle = threadsOnCycle(node.colours);
      if (cycle.length > 0) return this.#found(node, cycle);
      this.#expand(node);
    }
    return this.#isFaulty ? 'faults' : 'none';
  }

  #found(node: Node, cycle: readonly ThreadId[]): WindowsFound {
    let { state } = node;
    const computation = [...computationTo(node)];
    for (const thread of state.locations.keys())
      for (let step = flush(state, thread); step; step = flush(state, thread)) {
        computation.push(...step.actions);
        ({ state } = step);
      }
    const delays = cycle.flatMap((thread): Attack[] => {
      const { store, load } = node.windows[thread] ?? {};
      return store === undefined || load === undefined ? [] : [{ thread, store, load }];
    });
    return { computation, delays };
  }

  #masked(state: MachineState): MachineState {
    const registers = state.registers.map((values, t) => {
      const alive = at(this.#live, t)[at(state.locations, t)] ?? [];
      return values.map((value, r) => (alive[r] === false ? 0 : value));
    });
    return { ...state, registers };
  }

  #reach(node: Node): void {
    const masked = { ...node, state: this.#masked(node.state) };
    const key = keyOf(masked);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#pending.push(masked);
  }

  #expand(node: Node): void {
    const { state, windows } = node;
    const alone = state.locations.findIndex((_, thread) => this.#runsAlone(node, thread));
    for (const thread of alone < 0 ? state.locations.keys() : [alone]) {
      if (windows[thread]?.phase === 'halted') this.#writeBack(node, thread);
      else
        for (const step of leavingTransitions(this.#code, thread, at(state.locations, thread)))
          this.#execute(node, thread, step);
    }
  }

  /**
   * Whether all next steps of the thread are local and close no cycle of local steps. The search
   * then executes the steps without storing the state.
   */
  #runsAlone({ state, windows }: Node, thread: ThreadId): boolean {
    if (windows[thread]?.phase === 'halted' || isInHeavyFence(state, thread)) return false;
    const leaving = leavingTransitions(this.#code, thread, at(state.locations, thread));
    const isFree = ({ transition: { instruction, to } }: CodeTransition): boolean =>
      isLocal(instruction) && !this.#closes(thread, to);
    return (
      leaving.length > 0 &&
      leaving.every(isFree) &&
      leaving.some((step) => this.#resultsOf('TSO', state, thread, step).length > 0)
    );
  }

  #closes(thread: ThreadId, location: LocationId): boolean {
    return at(this.#closers, thread)[location] === true;
  }

  #resultsOf(
    model: 'SC' | 'TSO',
    state: MachineState,
    thread: ThreadId,
    step: CodeTransition,
  ): readonly Successor[] {
    try {
      return executeTransition(model, this.#code, state, thread, step);
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      this.#isFaulty = true;
      return [];
    }
  }

  #execute(node: Node, thread: ThreadId, step: CodeTransition): void {
    const { state } = node;
    const { instruction, to } = step.transition;
    const isOpen = node.windows[thread]?.phase === 'open';
    if (isBuffered(instruction)) {
      const reachesLoad = at(this.#reachesLoad, thread)[to] === true;
      const delays = node.windows.filter((window) => window !== undefined).length;
      const mayDelay = isOpen || (node.windows[thread] === undefined && delays < this.#count);
      if (mayDelay && reachesLoad)
        for (const result of this.#resultsOf('TSO', state, thread, step))
          this.#delay(node, thread, result);
      if (isOpen) return;
    }
    for (const result of this.#resultsOf(
      isBuffered(instruction) ? 'SC' : 'TSO',
      state,
      thread,
      step,
    ))
      this.#after(node, thread, to, result);
  }

  /**
   * Adds the node after a store of the thread into the thread's buffer; the first delayed store
   * begins the thread's window.
   */
  #delay(node: Node, thread: ThreadId, { actions, state }: Successor): void {
    const [issue] = actions;
    if (issue?.kind !== 'issue') return;
    const { address, value, transition } = issue;
    const known = node.windows[thread] ?? { phase: 'open', store: transition, delayed: [] };
    const before = known.delayed.find((one) => one.address === address);
    const others = known.delayed.filter((one) => one !== before);
    const on = onColours(node.colours, thread);
    const delayed = [...others, { address, value, on, readOn: before?.readOn ?? 0 }];
    const windows = node.windows.with(thread, { ...known, delayed });
    this.#reach({ ...node, state, windows, actions, before: node });
  }

  /**
   * Adds the nodes after any other step of the thread, which leads to the location `to`; a load in
   * an open window may also be the window's last.
   */
  #after(node: Node, thread: ThreadId, to: LocationId, { actions, state }: Successor): void {
    const window = node.windows[thread];
    const next = { ...node, state, actions, before: node };
    const access = actions.find(({ kind }) => ['store', 'load', 'rmw'].includes(kind));
    const stays = window?.phase !== 'open' || at(this.#reachesLoad, thread)[to] === true;
    if (!access || !('address' in access)) {
      if (stays) this.#reach(next);
      return;
    }
    const { address } = access;
    if (access.kind === 'load' && access.early) {
      const delayed = readInWindow(window?.delayed ?? [], address, node.colours, thread);
      if (window && stays)
        this.#reach({ ...next, windows: node.windows.with(thread, { ...window, delayed }) });
      return;
    }
    const writes =
      access.kind === 'store' || (access.kind === 'rmw' && access.written !== undefined);
    const reads = access.kind !== 'store';
    const colours = withAccess(node.colours, thread, address, { reads, writes });
    if (stays) this.#reach({ ...next, colours });
    if (window?.phase !== 'open' || access.kind !== 'load') return;
    // The last load of the window: a colour begins.
    const halted = { ...window, phase: 'halted', load: access.transition } as const;
    const begun = colours
      .map((colour) =>
        colour && (colour.on & (1 << thread)) !== 0
          ? { ...colour, links: colour.links | (1 << thread) }
          : colour,
      )
      .with(thread, { on: 1 << thread, links: 0, levels: new Map([[address, 1]]) });
    this.#reach({ ...next, colours: begun, windows: node.windows.with(thread, halted) });
  }

  /**
   * Adds the node in which all delayed stores of the thread have reached memory; the thread's
   * window is closed.
   */
  #writeBack(node: Node, thread: ThreadId): void {
    const window = node.windows[thread];
    if (!window) return;
    let { state } = node;
    const actions: Action[] = [];
    for (let step = flush(state, thread); step; step = flush(state, thread)) {
      actions.push(...step.actions);
      ({ state } = step);
    }
    const colours = writtenBack(node.colours, thread, window.delayed);
    const closed = { ...window, phase: 'closed', delayed: [] } as const;
    const windows = node.windows.with(thread, closed);
    this.#reach({ state, windows, colours, actions, before: node });
  }
}
