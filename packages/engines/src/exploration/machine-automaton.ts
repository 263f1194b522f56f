import { memoryModels } from '@fencewright/model/trace/memory-model.js';
import { at } from '@fencewright/ground/base/at.js';
import { accessEffect, type AccessEffect } from '../automata/access-effect.js';
import type { CellDirectory } from '../automata/cell-directory.js';
import { locationsOnCycles } from '../automata/sequential-automaton.js';
import type { AutomatonSource, Outcome } from '@fencewright/ground/product/tables.js';
import { isHandOver, isLocal } from '@fencewright/model/program/instruction.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { type AheadState, IssuesAhead } from './issues-ahead.js';
import { bufferKey, localKey, MachineClosure, type KeptState } from './machine-closure.js';
import type { Observation } from './observation.js';
import {
  flushOldest,
  type MachineLocal,
  type MachineStep,
  type MachineThread,
} from './machine-thread.js';

/**
 * A local state of a thread that is a node of the thread's automaton. A node of kind `begin`
 * represents a thread that has not begun yet, if several first states are possible.
 */
export interface AutomatonNode {
  readonly state: MachineLocal;
  readonly kind: KeptState['kind'] | 'begin';
}

type NodeAction =
  | { readonly kind: 'begin'; readonly cell: -1 }
  | {
      readonly kind: 'flush';
      readonly cell: number;
      readonly value: number;
      readonly place: number;
    }
  | { readonly kind: 'issue'; readonly cell: -1; readonly ahead: AheadState }
  | { readonly kind: 'local'; readonly cell: -1; readonly step: CodeTransition }
  | {
      readonly kind: 'access';
      readonly cell: number;
      readonly step: CodeTransition;
      readonly effect: AccessEffect;
      /**
       * The thread's state right before the access. Present if the thread issues stores into its
       * buffer immediately before the access.
       */
      readonly ahead?: AheadState;
    };

/**
 * An access to shared memory that a thread at a node may make next; the address of a `lock` is -1.
 */
export interface AccessAhead {
  readonly kind: AccessEffect['kind'];
  readonly address: number;
  readonly transition: TransitionId;
  /** Whether the access stores if its cell holds `value`. */
  readonly writes: (value: number) => boolean;
}

/** A node of a thread's automaton, and the steps by which the thread reaches the node. */
interface ReachedNode {
  readonly node: number;
  readonly path: () => readonly MachineStep[];
}

/** An action that a thread executes at a node, with the value of the accessed cell. */
export interface TakenAction {
  readonly node: number;
  readonly action: number;
  readonly value: number;
}

/**
 * An assertion that fails in the local steps after the action `behind`, or before the thread's
 * first action; `path` has the steps after the action, up to and including the assertion.
 */
export interface AssertionFailure {
  readonly transition: TransitionId;
  readonly behind: TakenAction | undefined;
  readonly path: readonly MachineStep[];
}

/**
 * A thread of the SC or TSO machine as an automaton over cells. Nodes are the local states that
 * wait for something other threads may notice or change, and the local states with nothing left to
 * do; unseen steps are done at once. Under TSO the store buffer is part of the node, and a store
 * leaving the buffer is an action on its cell. Issuing a store, or loading from the own buffer,
 * concerns no other thread. Lock blocks run as in `SequentialAutomaton`, unless the observation
 * sees the inside of blocks.
 *
 * Moving an unseen step to the front, after the last step of its thread on which the step depends,
 * keeps a run of the machine a run with an equal end: the step does not touch memory, and in the
 * buffer, appending a store does not affect a store that leaves. The one exception is a load from
 * the own buffer, whose value in memory may differ later: the thread waits at such loads as well.
 * Steps of other threads while a thread holds the bus lock touch no memory and can be done before.
 */
export class MachineAutomaton implements AutomatonSource {
  /** The largest number of stores in the thread's buffer at any node found so far. */
  longestBuffer = 0;
  readonly #thread: MachineThread;
  readonly #cells: CellDirectory;
  readonly #closure: MachineClosure;
  readonly #issuesAhead: IssuesAhead;
  readonly #observation: Observation;
  readonly #storedInLock: readonly boolean[];
  readonly #nodes: AutomatonNode[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #actions: (readonly NodeAction[])[] = [];
  readonly #failed = new Set<TransitionId>();
  readonly #onFailure: (failure: AssertionFailure) => void;
  #behind: TakenAction | undefined;
  #bytes = 0;

  constructor(
    program: Program,
    thread: MachineThread,
    cells: CellDirectory,
    observation: Observation,
    onFailure: (failure: AssertionFailure) => void,
  ) {
    this.#thread = thread;
    this.#cells = cells;
    this.#observation = observation;
    this.#issuesAhead = new IssuesAhead(program, thread);
    const id = thread.code.thread;
    this.#closure = new MachineClosure(thread, observation, (transition, path) => {
      this.#fail(transition, path);
    });
    this.#storedInLock = locationsOnCycles(at(program.threads, id));
    this.#onFailure = onFailure;
  }

  /** The estimated number of bytes that the automaton's nodes take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a store was left out because the buffer was full. */
  get isCut(): boolean {
    return this.#closure.isCut;
  }

  /**
   * Whether some thread computes locally without end, so that some of the thread's states were left
   * out.
   */
  get isEndless(): boolean {
    return this.#thread.code.isEndless;
  }

  node(node: number): AutomatonNode {
    return at(this.#nodes, node);
  }

  /** Returns the accesses to shared memory that the thread may make next at a node. */
  accesses(node: number): readonly AccessAhead[] {
    return this.#actionsOf(node).flatMap((action): AccessAhead[] => {
      if (action.kind !== 'access') return [];
      const { cell, effect, step } = action;
      const address = cell < 0 ? -1 : this.#cells.address(cell);
      const { code } = this.#thread;
      const writes = (value: number): boolean =>
        code.guarded(step.id, () => effect.apply(value))?.written !== undefined;
      return [{ kind: effect.kind, address, transition: step.id, writes }];
    });
  }

  /**
   * Returns a string for the parts of a node on which the observation depends at every moment;
   * different parts have different strings.
   */
  viewOf(node: number): string {
    return this.#closure.viewOf(this.node(node).state);
  }

  /**
   * Returns the thread's first node. If several first states are possible, the node has the kind
   * `begin`. The path to the node begins in the initial state of the machine.
   */
  initial(): ReachedNode {
    const state = { ...this.#thread.code.initial, buffer: [], unfenced: [] };
    const [first, ...others] = this.#numbered(this.#closure.from(state));
    if (first && others.length === 0) return first;
    return { node: this.#number(state, 'begin'), path: () => [] };
  }

  /**
   * Whether a thread at this node runs in a loop that neither accesses shared memory nor depends on
   * chance.
   */
  isBusy(node: number): boolean {
    const { kind, state } = this.node(node);
    if (kind === 'end') return false;
    const steps = this.#thread.code.leaving(state.location);
    const isNoAccess = ({ transition: { instruction } }: CodeTransition): boolean =>
      isLocal(instruction) || ['fence', 'heavy-fence'].includes(instruction.kind);
    if (kind !== 'still' && !steps.every(isNoAccess)) return false;
    return steps.some(
      (step) =>
        step.transition.luck !== 'chance' && this.#thread.local(state, step).results.length > 0,
    );
  }

  /**
   * Whether the action is possible only by chance, so that a proof of progress must not rely on it.
   */
  isLuck(node: number, action: number): boolean {
    const taken = at(this.#actionsOf(node), action);
    return 'step' in taken && taken.step.transition.luck === 'chance';
  }

  /** Whether the action issues stores that stay in the buffer. */
  issuesStores(node: number, action: number): boolean {
    return 'ahead' in at(this.#actionsOf(node), action);
  }

  /**
   * Whether the execution ends at the node without being explored further, as an `assume` excludes
   * it.
   */
  isCutOff(node: number): boolean {
    const { kind, state } = this.node(node);
    return kind === 'still' && this.#thread.isCutOff(state);
  }

  actionCells(node: number): readonly number[] {
    return this.#actionsOf(node).map(({ cell }) => cell);
  }

  isBlind(node: number, action: number): boolean {
    const taken = this.#actionsOf(node)[action];
    return taken?.kind === 'flush' || (taken?.kind === 'access' && taken.effect.kind === 'store');
  }

  isExclusive(node: number): boolean {
    return this.node(node).state.holdsLock;
  }

  outcomes(node: number, action: number, value: number): readonly Outcome[] {
    const { written, nodes } = this.continuation({ node, action, value });
    const { cell } = at(this.#actionsOf(node), action);
    const after = written === undefined ? value : this.#cells.id(cell, written);
    return nodes.map((next) => ({
      value: after,
      node: next.node,
      transient: this.#isTransient(next.node),
    }));
  }

  /**
   * Returns the value written by an action (`undefined` without a write), and the nodes after the
   * action.
   */
  continuation(taken: TakenAction): {
    readonly written: number | undefined;
    readonly nodes: readonly ReachedNode[];
  } {
    const { node, action, value } = taken;
    const { state, kind } = this.node(node);
    const chosen = at(this.#actionsOf(node), action);
    this.#behind = chosen.kind === 'begin' ? undefined : taken;
    switch (chosen.kind) {
      case 'begin':
        return { written: undefined, nodes: this.#numbered(this.#closure.from(state)) };
      case 'issue': {
        const { state: issued, path } = chosen.ahead;
        return { written: undefined, nodes: this.#numbered(this.#closure.from(issued, path)) };
      }
      case 'flush': {
        const { place } = chosen;
        const flush: MachineStep = { flushed: place };
        const next = { ...state, buffer: state.buffer.toSpliced(place, 1) };
        const nodes =
          kind === 'still'
            ? [{ node: this.#number(next, kind), path: (): readonly MachineStep[] => [flush] }]
            : this.#numbered(this.#closure.from(next, [flush]));
        return { written: chosen.value, nodes };
      }
      case 'local': {
        const { results, steps } = this.#thread.local(state, chosen.step);
        const nodes = results.flatMap((next, i) =>
          this.#numbered(this.#closure.from(next, [at(steps, i)])),
        );
        return { written: undefined, nodes };
      }
      case 'access':
        return this.#access(state, chosen, value);
    }
  }

  #access(
    from: MachineLocal,
    { step, cell, effect, ahead }: Extract<NodeAction, { kind: 'access' }>,
    value: number,
  ): ReturnType<MachineAutomaton['continuation']> {
    const { state, path } = ahead ?? { state: from, path: [] };
    const old = cell < 0 ? 0 : this.#cells.value(cell, value);
    const result = this.#thread.code.guarded(step.id, () => effect.apply(old));
    if (!result) return { written: undefined, nodes: [] };
    const { written, registers } = result;
    const isStore = effect.kind === 'store';
    const next = this.#thread.after(state, step, registers, {
      ...(effect.kind === 'lock' && { holdsLock: true }),
      ...(isStore && { unfenced: this.#thread.unfencedAfter(state, this.#cells.address(cell)) }),
    });
    const own = { transition: step.id };
    const isFlushed = isStore && memoryModels[this.#thread.execution.model].hasBuffers;
    const steps: readonly MachineStep[] = isFlushed ? [own, flushOldest] : [...path, own];
    return { written, nodes: this.#numbered(this.#closure.from(next, steps)) };
  }

  /**
   * Whether a node is inside a lock block but not on a cycle of the block. States with this node
   * need not be stored.
   */
  #isTransient(node: number): boolean {
    const { state, kind } = this.node(node);
    return (
      state.holdsLock &&
      kind === 'waiting' &&
      !this.#observation.blocks &&
      this.#storedInLock[state.location] !== true
    );
  }

  #number(state: MachineLocal, kind: AutomatonNode['kind']): number {
    // For a thread that stands still only the observed parts and the buffered stores count.
    const { stuck } = this.#observation;
    const key =
      kind === 'still' && !stuck
        ? `${kind}:${this.#closure.viewOf(state)}:${state.holdsLock ? 'L' : ''}:${bufferKey(state)}`
        : `${kind}:${localKey(state)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#nodes.push({ state, kind }) - 1;
    this.longestBuffer = Math.max(this.longestBuffer, state.buffer.length);
    this.#numbers.set(key, number);
    this.#bytes += 500 + 2 * key.length + 16 * state.registers.length + 60 * state.buffer.length;
    return number;
  }

  #actionsOf(node: number): readonly NodeAction[] {
    return (this.#actions[node] ??= this.#actionsAt(this.node(node)));
  }

  #actionsAt({ state, kind }: AutomatonNode): readonly NodeAction[] {
    if (kind === 'begin') return [{ kind: 'begin', cell: -1 }];
    const { leaving } = memoryModels[this.#thread.execution.model];
    const flushes = leaving(state.buffer).map((place): NodeAction => {
      const { address, value } = at(state.buffer, place);
      return { kind: 'flush', cell: this.#cells.cell(address), value, place };
    });
    if (kind !== 'waiting') return flushes;
    const own = this.#thread.code
      .leaving(state.location)
      .flatMap((step) => this.#actionOf(state, step) ?? []);
    const late = this.#issuesAhead.from(state).flatMap((ahead) => this.#actionsAhead(ahead));
    return [...flushes, ...own, ...late];
  }

  #actionsAhead(ahead: AheadState): readonly NodeAction[] {
    if (ahead.isCut) return [{ kind: 'issue', cell: -1, ahead }];
    return this.#thread.code.leaving(ahead.state.location).flatMap((step): NodeAction[] => {
      const action = this.#actionOf(ahead.state, step);
      return action?.kind === 'access' ? [{ ...action, ahead }] : [];
    });
  }

  #actionOf(state: MachineLocal, step: CodeTransition): NodeAction | undefined {
    const { results, waits } = this.#thread.local(state, step);
    if (this.#closure.isSeen(state, results)) return { kind: 'local', cell: -1, step };
    if (!waits || results.length > 0) return undefined;
    const { instruction } = step.transition;
    const { buffer, registers } = state;
    if (instruction.kind === 'lock')
      return buffer.length > 0
        ? undefined
        : {
            kind: 'access',
            cell: -1,
            step,
            effect: { kind: 'lock', apply: () => ({ written: undefined, registers }) },
          };
    if (instruction.kind === 'store' && !this.#thread.storesDirectly(state)) return undefined;
    if (instruction.kind === 'rmw' && buffer.length > 0 && !isHandOver(instruction))
      return undefined;
    const effect = accessEffect(this.#thread.code, registers, step);
    const address = effect && this.#thread.address(state, step);
    if (!effect || address === undefined) return undefined;
    return { kind: 'access', cell: this.#cells.cell(address), step, effect };
  }

  #numbered(kept: readonly KeptState[]): readonly ReachedNode[] {
    return kept.map(({ state, kind, path }) => ({ node: this.#number(state, kind), path }));
  }

  #fail(transition: TransitionId, path: readonly MachineStep[]): void {
    if (this.#failed.has(transition)) return;
    this.#failed.add(transition);
    this.#onFailure({ transition, behind: this.#behind, path });
  }
}
