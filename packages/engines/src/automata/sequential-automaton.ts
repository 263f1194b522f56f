import { at } from '@fencewright/ground/base/at.js';
import { computeLocationsOnCycles } from '@fencewright/model/analysis/control-flow.js';
import { awaitsOthers, isAccess, isLocal } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { AutomatonSource, Outcome } from '@fencewright/ground/product/tables.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { accessEffect, type AccessEffect } from './access-effect.js';
import { holdsLockAfter } from './bus-lock.js';
import type { CellDirectory } from './cell-directory.js';
import {
  closeLocally,
  wholePath,
  type ClosedState,
  type LocalState,
  type LocalStep,
  type ThreadCode,
} from './local-closure.js';

/**
 * A memory instruction that a thread can execute at a node, with its address and effect evaluated.
 */
export interface NodeAction {
  readonly step: CodeTransition;
  /** The cell that the action accesses; -1 for `lock` and heavy fences. */
  readonly cell: number;
  readonly effect: AccessEffect;
}

/**
 * The nodes of a thread after an action and the value that the action writes, given one value of
 * the accessed cell.
 */
export interface Continuation {
  readonly written: number | undefined;
  readonly nodes: readonly { readonly node: number; readonly path: readonly LocalStep[] }[];
}

/**
 * A node after the load of a read abstraction and its choice, with the values that the load could
 * have read for this choice, as ascending ids.
 */
export interface GuessedNode {
  readonly node: number;
  readonly path: readonly LocalStep[];
  readonly admits: readonly number[];
}

function localKey({ location, registers, holdsLock }: LocalState): string {
  return `${location}:${registers.join(',')}${holdsLock ? 'L' : ''}`;
}

/**
 * Whether a location is on a cycle without an `unlock`, indexed by location. All locations of a
 * cycle count, since some may have only local steps, so that the automaton has no nodes there.
 */
export function locationsOnCycles(thread: Thread): readonly boolean[] {
  return computeLocationsOnCycles(thread, ({ instruction }) => instruction.kind !== 'unlock');
}

/**
 * A thread under SC as an automaton over cells: its nodes are the local states that wait for a
 * memory access, for the bus lock, or at a heavy fence, which may have to wait for an attacker.
 * Local steps, fences and unlocks are done at once. Node 0 is the end: nothing can happen any more.
 */
export class SequentialAutomaton implements AutomatonSource {
  readonly code: ThreadCode;
  readonly #cells: CellDirectory;
  readonly #nodes: (LocalState | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #actions: (readonly NodeAction[] | undefined)[] = [[]];
  readonly #storedInLock: readonly boolean[];
  readonly #bytesPerNode: number;

  constructor(program: Program, code: ThreadCode, cells: CellDirectory) {
    this.code = code;
    this.#cells = cells;
    this.#bytesPerNode = 400 + 24 * code.initial.registers.length;
    const thread = program.threads[code.thread];
    // States inside a lock block are not stored, except on cycles.
    this.#storedInLock = thread ? locationsOnCycles(thread) : [];
  }

  /** Returns the nodes at which the thread may start, with the local steps to each node. */
  initialNodes(): Continuation['nodes'] {
    return this.#close([{ state: this.code.initial, path: [] }]);
  }

  /** The estimated number of bytes that the automaton's nodes take. */
  get bytes(): number {
    return this.#nodes.length * this.#bytesPerNode;
  }

  local(node: number): LocalState | undefined {
    return this.#nodes[node];
  }

  actions(node: number): readonly NodeAction[] {
    const known = this.#actions[node];
    if (known) return known;
    const state = this.#nodes[node];
    const actions = state ? this.#actionsAt(state) : [];
    this.#actions[node] = actions;
    return actions;
  }

  actionCells(node: number): readonly number[] {
    return this.actions(node).map(({ cell }) => cell);
  }

  isBlind(node: number, action: number): boolean {
    return this.actions(node)[action]?.effect.kind === 'store';
  }

  isExclusive(node: number): boolean {
    return this.#nodes[node]?.holdsLock === true;
  }

  /**
   * Whether a node is inside a lock block but not on a cycle of the block. States with this node
   * need not be stored.
   */
  isTransient(node: number): boolean {
    const state = this.#nodes[node];
    return state?.holdsLock === true && this.#storedInLock[state.location] !== true;
  }

  continuation(node: number, action: number, value: number): Continuation {
    const state = this.#nodes[node];
    const taken = this.actions(node)[action];
    if (!state || !taken) return { written: undefined, nodes: [] };
    const { step, cell, effect } = taken;
    const old = cell < 0 ? 0 : this.#cells.value(cell, value);
    const result = this.code.guarded(step.id, () => effect.apply(old));
    if (!result) return { written: undefined, nodes: [] };
    this.code.ran.add(step.id);
    const location = step.transition.to;
    const next: LocalState = {
      location,
      registers: this.code.masked(result.registers, location),
      holdsLock: state.holdsLock || effect.kind === 'lock',
    };
    return {
      written: result.written,
      nodes: this.#close([{ state: next, path: [{ transition: step.id }] }]),
    };
  }

  /**
   * Returns the nodes after the load of a read abstraction, separately for each choice of the
   * abstraction's `havoc`; `undefined` if the action is no load of a read abstraction.
   */
  guessedNodes(node: number, action: number, value: number): readonly GuessedNode[] | undefined {
    const state = this.#nodes[node];
    const taken = this.actions(node)[action];
    if (!state || !taken || taken.cell < 0) return undefined;
    const { step, cell } = taken;
    return this.code
      .guesses(state, step, this.#cells.value(cell, value))
      ?.flatMap(({ location, registers, path, admits }) => {
        const next = { location, registers, holdsLock: state.holdsLock };
        const ids = this.#cells.ids(cell, admits);
        return this.#close([{ state: next, path }]).map((behind) => ({ ...behind, admits: ids }));
      });
  }

  outcomes(node: number, action: number, value: number): readonly Outcome[] {
    const { written, nodes } = this.continuation(node, action, value);
    const cell = at(this.actions(node), action).cell;
    const after = written === undefined ? value : this.#cells.id(cell, written);
    return nodes.map((next) => ({
      value: after,
      node: next.node,
      transient: this.isTransient(next.node),
    }));
  }

  #number(state: LocalState): number {
    const key = localKey(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#nodes.push(state) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  #close(starts: readonly ClosedState<LocalState>[]): Continuation['nodes'] {
    const { all, waiting } = closeLocally(this.code, starts, localKey, (state, step) =>
      this.#localStep(state, step),
    );
    const nodes = waiting.map(({ state, path }) => ({ node: this.#number(state), path }));
    // A node at which the thread waits also represents the end, since a thread may wait for ever. A
    // thread with the bus lock has to release the lock before it may wait for ever.
    if (waiting.some(({ state }) => !state.holdsLock)) return nodes;
    const free = all.find(({ closed }) => !closed.state.holdsLock);
    return free ? [...nodes, { node: 0, path: wholePath(free) }] : nodes;
  }

  #localStep(
    state: LocalState,
    step: CodeTransition,
  ): readonly ClosedState<LocalState>[] | undefined {
    const results = this.#resultsOf(state, step);
    if (results && results.length > 0) this.code.ran.add(step.id);
    return results;
  }

  #resultsOf(
    state: LocalState,
    step: CodeTransition,
  ): readonly ClosedState<LocalState>[] | undefined {
    const { instruction, to } = step.transition;
    const move = (registers: readonly number[], holdsLock: boolean, taken: LocalStep) => ({
      state: { location: to, registers: this.code.masked(registers, to), holdsLock },
      path: [taken],
    });
    const taken = { transition: step.id };
    const local = this.code.local(state, step);
    if (local)
      return local.map(({ registers, choice }) =>
        move(registers, state.holdsLock, { ...taken, ...(choice !== undefined && { choice }) }),
      );
    if (isAccess(instruction) || isLocal(instruction)) return undefined;
    const holdsLock = holdsLockAfter(state.holdsLock, instruction);
    if (holdsLock === undefined) return [];
    return awaitsOthers(instruction) ? undefined : [move(state.registers, holdsLock, taken)];
  }

  #actionsAt(state: LocalState): NodeAction[] {
    return this.code.leaving(state.location).flatMap((step) => {
      const { instruction } = step.transition;
      const { registers, holdsLock } = state;
      if (awaitsOthers(instruction)) {
        if (holdsLockAfter(holdsLock, instruction) === undefined) return [];
        const apply = () => ({ written: undefined, registers });
        return [{ step, cell: -1, effect: { kind: instruction.kind, apply } }];
      }
      const effect = accessEffect(this.code, registers, step);
      if (!effect || this.code.isUnnoticed(registers, step)) return [];
      const address = this.code.guarded(step.id, () => step.address(registers, 0));
      return address === undefined ? [] : [{ step, cell: this.#cells.cell(address), effect }];
    });
  }
}
