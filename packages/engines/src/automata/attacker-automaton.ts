import { at } from '@fencewright/ground/base/at.js';
import { computeReachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import {
  drainsBuffer,
  endsAttack,
  isAccess,
  isHandOver,
} from '@fencewright/model/program/instruction.js';
import type { Thread, Transition } from '@fencewright/model/program/program.js';
import type { AutomatonSource, Outcome } from '@fencewright/ground/product/tables.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { mark, type AccessLevels, type Mark } from './access-levels.js';
import { accessEffect, type AccessEffect } from './access-effect.js';
import type { CellDirectory } from './cell-directory.js';
import {
  closeLocally,
  type ClosedState,
  type LocalState,
  type LocalStep,
  type ThreadCode,
} from './local-closure.js';
import type { SequentialAutomaton } from './sequential-automaton.js';

/**
 * The cell of the attack's first delayed store, and the mark of this cell after the attack's last
 * load.
 */
export interface DelayTarget {
  readonly cell: number;
  readonly mark: Mark;
}

/** The local state and the store buffer of an attacker after the first delayed store. */
interface DelayingState extends LocalState {
  /**
   * The attacker's store buffer: the newest buffered value of each address, in ascending order of
   * addresses.
   */
  readonly buffer: readonly (readonly [address: number, value: number])[];
  readonly target: DelayTarget;
  /**
   * The number of stores that the attacker has delayed, and the sum of their delays
   * (`countDelays`); absent if delays are not limited.
   */
  readonly delays?: { readonly stores: number; readonly sum: number };
}

/**
 * The result of executing the attack's last load or posting: the mark that the access leaves on its
 * cell, the id of the value that the cell holds then, and the instructions executed.
 */
interface LastLoad {
  readonly mark: Mark;
  readonly held: number;
  readonly path: readonly LocalStep[];
}

/** A load from memory, or an access to a mailbox, that the attacker can do next. */
export interface DelayedLoad {
  readonly transition: TransitionId;
  readonly cell: number;
  /** Whether this access can be the last load or posting of an attack. */
  readonly isEnd: boolean;
}

/**
 * An access for which the attacker waits at a node, with the access's effect on its cell and on the
 * registers.
 */
interface WaitingAccess extends DelayedLoad {
  readonly step: CodeTransition;
  readonly effect: AccessEffect;
}

/**
 * A node of the attacker's automaton, and the instructions by which the attacker gets to the node.
 */
interface AttackerEntry {
  readonly node: number;
  readonly path: readonly LocalStep[];
}

/**
 * The places at which only a repair makes the attacker's buffer drain. A fence search tries repairs
 * of this kind without changing the program.
 */
export interface BlockedSteps {
  /**
   * The locations at which a repair puts a fence before every instruction that leaves the location.
   */
  readonly locations: ReadonlySet<LocationId>;
  /**
   * The fence instructions that a repair keeps, and the stores that a repair changes into locked
   * exchanges.
   */
  readonly transitions: ReadonlySet<TransitionId>;
}

/** The `BlockedSteps` of no repair: the attacker's buffer drains only where the program says so. */
export const nothingBlocked: BlockedSteps = { locations: new Set(), transitions: new Set() };

function key({ location, registers, buffer, target, delays }: DelayingState): string {
  const name = `${location}:${registers.join(',')}:${buffer.join(';')}:${target.cell}:${target.mark}`;
  return delays ? `${name}:${delays.stores}:${delays.sum}` : name;
}

function withStore(
  buffer: DelayingState['buffer'],
  address: number,
  value: number,
): DelayingState['buffer'] {
  const others = buffer.filter(([other]) => other !== address);
  return [...others, [address, value] as const].sort(([a], [b]) => a - b);
}

/**
 * Whether the transition is possible only with an empty buffer of the attacker, because of the
 * instruction or of a repair.
 */
export function isDraining(
  { locations, transitions }: BlockedSteps,
  { from, instruction }: Transition,
  id: TransitionId,
): boolean {
  return drainsBuffer(instruction) || locations.has(from) || transitions.has(id);
}

/**
 * Returns the loads and postings that can be reached from a location without draining the buffer.
 * Results are computed when asked for, since the results for all locations would take quadratic
 * time.
 */
function loadsBeforeDrain(
  thread: Thread,
  blocked: BlockedSteps,
): (location: LocationId) => readonly TransitionId[] {
  const loads: (readonly TransitionId[] | undefined)[] = [];
  const loadsFrom = (location: LocationId): readonly TransitionId[] => {
    const reached = computeReachableAvoiding(thread, location, (transition, id) =>
      isDraining(blocked, transition, id),
    );
    return thread.transitions.flatMap((transition, id) =>
      endsAttack(transition.instruction) &&
      reached[transition.from] === true &&
      !isDraining(blocked, transition, id)
        ? [id]
        : [],
    );
  };
  return (location) => (loads[location] ??= loadsFrom(location));
}

/**
 * The attacker between its first delayed store and its last load or posting ([BDM13] Fig. 5).
 * Stores and loads from the attacker's own buffer are local. A node is a state in which the
 * attacker waits for a load from memory, or for access to a mailbox, which bypasses the buffer. The
 * attacker stops before any drain of the buffer.
 */
export class AttackerAutomaton implements AutomatonSource {
  readonly #code: ThreadCode;
  readonly #cells: CellDirectory;
  readonly #levels: AccessLevels;
  readonly #sequential: SequentialAutomaton;
  readonly #nodes: DelayingState[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #loads: (readonly WaitingAccess[])[] = [];
  readonly #blocked: BlockedSteps;
  readonly #bytesPerNode: number;
  readonly #loadsFrom: (location: LocationId) => readonly TransitionId[];
  readonly #entries = new Map<number, Map<number, readonly AttackerEntry[]>>();
  readonly #maxDelays: number | undefined;

  /**
   * With `maxDelays`, only attacks with at most this number of delays (`countDelays`) are possible.
   */
  constructor(
    thread: Thread,
    sequential: SequentialAutomaton,
    cells: CellDirectory,
    levels: AccessLevels,
    blocked: BlockedSteps,
    maxDelays?: number,
  ) {
    this.#maxDelays = maxDelays;
    this.#code = sequential.code;
    this.#blocked = blocked;
    this.#loadsFrom = loadsBeforeDrain(thread, blocked);
    this.#cells = cells;
    this.#levels = levels;
    this.#sequential = sequential;
    this.#bytesPerNode = 600 + 24 * sequential.code.initial.registers.length;
  }

  /**
   * Returns the nodes of the attacker that delays the store `action` at a node of the sequential
   * automaton.
   */
  enter(sequential: number, action: number): readonly AttackerEntry[] {
    let entries = this.#entries.get(sequential);
    if (!entries) {
      entries = new Map<number, readonly AttackerEntry[]>();
      this.#entries.set(sequential, entries);
    }
    const known = entries.get(action);
    if (known) return known;
    const fresh = this.#enter(sequential, action);
    entries.set(action, fresh);
    return fresh;
  }

  /** The estimated number of bytes that the automaton's nodes and entries take. */
  get bytes(): number {
    return this.#nodes.length * this.#bytesPerNode + this.#entries.size * 200;
  }

  /** Returns the attacker's local state and buffer at a node; `undefined` if there is no node. */
  delaying(node: number): DelayingState | undefined {
    return this.#nodes[node];
  }

  /**
   * Returns the loads from memory and the accesses to mailboxes for which the attacker waits at a
   * node.
   */
  loads(node: number): readonly DelayedLoad[] {
    return this.#loads[node] ?? [];
  }

  /**
   * Returns the load or posting `transition` for which the attacker waits at the node, if this step
   * may end an attack; otherwise `undefined`.
   */
  endAt(node: number, transition: TransitionId): DelayedLoad | undefined {
    return this.loads(node).find((load) => load.isEnd && load.transition === transition);
  }

  /**
   * Returns the loads and postings, including loads and postings at the node, that control flow
   * allows the attacker to reach from a node without draining the store buffer.
   */
  reachableLoads(node: number): readonly TransitionId[] {
    return this.#loadsFrom(at(this.#nodes, node).location);
  }

  target(node: number): DelayTarget {
    return this.#nodes[node]?.target ?? { cell: 0, mark: 0 };
  }

  actionCells(node: number): readonly number[] {
    return this.loads(node).map(({ cell }) => cell);
  }

  isExclusive(): boolean {
    return false;
  }

  outcomes(node: number, action: number, value: number): readonly Outcome[] {
    const after = this.#heldAfter(node, action, value);
    return this.explainedOutcomes(node, action, value).map((entry) => ({
      value: after,
      node: entry.node,
      transient: false,
    }));
  }

  /**
   * Returns the effect of an access on a cell that holds the value with id `value`; `undefined` if
   * the access blocks.
   */
  #effectOf(node: number, action: number, value: number): ReturnType<AccessEffect['apply']> {
    const access = this.#loads[node]?.[action];
    if (!access) return undefined;
    const { step, cell, effect } = access;
    return this.#code.guarded(step.id, () => effect.apply(this.#cells.value(cell, value)));
  }

  /**
   * Returns the id of the value that the access's cell has after the access, given the id `value`
   * of the value before.
   */
  #heldAfter(node: number, action: number, value: number): number {
    const written = this.#effectOf(node, action, value)?.written;
    const cell = this.#loads[node]?.[action]?.cell;
    return written === undefined || cell === undefined ? value : this.#cells.id(cell, written);
  }

  /**
   * Returns the nodes after a load, each with the instructions that lead to the node. The nodes are
   * in the order in which the method `outcomes` returns them; `value` is the id of the value read.
   */
  explainedOutcomes(node: number, action: number, value: number): readonly AttackerEntry[] {
    const state = this.#nodes[node];
    const load = this.#loads[node]?.[action];
    const done = this.#effectOf(node, action, value);
    if (!state || !load || !done) return [];
    const past = this.#pastOne(state, false);
    if (!past) return [];
    const location = load.step.transition.to;
    const next: DelayingState = {
      ...past,
      location,
      registers: this.#code.masked(done.registers, location),
    };
    return this.#close({ state: next, path: [{ transition: load.transition }] });
  }

  /**
   * Returns the possible executions of a load as the attack's last load, if its cell holds the
   * value with id `value`.
   */
  lastLoads(node: number, transition: TransitionId, value: number): readonly LastLoad[] {
    const state = this.#nodes[node];
    const action = this.#loads[node]?.findIndex((waiting) => waiting.transition === transition);
    const load = action === undefined ? undefined : this.#loads[node]?.[action];
    const levels = this.#levels;
    if (!state || !load || action === undefined || !this.#pastOne(state, false)) return [];
    if (load.effect.kind === 'rmw') return [this.#lastPosting(load, node, action, value)];
    const plain = { mark: levels.afterLoad, held: value, path: [{ transition }] };
    if (!levels.countsValues) return [plain];
    const { cell, step } = load;
    const guesses = this.#code.guesses(state, step, this.#cells.value(cell, value));
    if (!guesses) return [plain];
    const byMark = new Map<Mark, LastLoad>();
    for (const { path, admits } of guesses) {
      const access = {
        reads: true,
        held: value,
        written: undefined,
        admits: this.#cells.ids(cell, admits),
      };
      const cellMark = levels.after(mark.none, access, true);
      if (!byMark.has(cellMark)) byMark.set(cellMark, { mark: cellMark, held: value, path });
    }
    return [...byMark.values()];
  }

  /**
   * Returns the end of an attack by a posting; the happens-before path begins with the begin of the
   * posted task.
   */
  #lastPosting(posting: WaitingAccess, node: number, action: number, value: number): LastLoad {
    const written = this.#heldAfter(node, action, value);
    const access = { reads: true, held: value, written };
    return {
      mark: this.#levels.after(mark.none, access, true),
      held: written,
      path: [{ transition: posting.transition }],
    };
  }

  #enter(sequential: number, action: number): readonly AttackerEntry[] {
    const state = this.#sequential.local(sequential);
    const taken = this.#sequential.actions(sequential)[action];
    if (!state || taken?.effect.kind !== 'store') return [];
    if (this.#blocked.transitions.has(taken.step.id)) return [];
    const { step, cell } = taken;
    const effect = this.#code.guarded(step.id, () => taken.effect.apply(0));
    if (effect?.written === undefined) return [];
    const location = step.transition.to;
    const next: DelayingState = {
      location,
      registers: this.#code.masked(effect.registers, location),
      holdsLock: false,
      buffer: [[this.#cells.address(cell), effect.written]],
      target: { cell, mark: this.#levels.target(this.#cells.id(cell, effect.written)) },
      ...(this.#maxDelays !== undefined && { delays: { stores: 1, sum: 0 } }),
    };
    return this.#close({ state: next, path: [{ transition: step.id }] });
  }

  /**
   * Returns the state with the delays counted for one more action of the attacker: each delayed
   * store is delayed past the action. If the action is a store, the action is itself delayed by all
   * earlier delayed stores. `undefined` if the delays exceed the limit.
   */
  #pastOne(state: DelayingState, isStore: boolean): DelayingState | undefined {
    const { delays } = state;
    if (!delays || this.#maxDelays === undefined) return state;
    const { stores } = delays;
    const sum = delays.sum + (isStore ? 2 * stores : stores);
    if (sum > this.#maxDelays) return undefined;
    return { ...state, delays: { stores: isStore ? stores + 1 : stores, sum } };
  }

  #close(start: ClosedState<DelayingState>): readonly AttackerEntry[] {
    const { waiting } = closeLocally(this.#code, [start], key, (state, step) =>
      this.#next(state, step),
    );
    return waiting.map(({ state, path }) => ({ node: this.#number(state), path }));
  }

  #next(
    state: DelayingState,
    step: CodeTransition,
  ): readonly ClosedState<DelayingState>[] | undefined {
    const { instruction, to } = step.transition;
    const { registers, buffer } = state;
    const past = this.#pastOne(state, instruction.kind === 'store');
    if (!past) return [];
    const move = (
      after: readonly number[],
      changed: DelayingState['buffer'],
      taken: LocalStep,
    ): ClosedState<DelayingState> => ({
      state: {
        ...past,
        location: to,
        registers: this.#code.masked(after, to),
        buffer: changed,
      },
      path: [taken],
    });
    const taken = { transition: step.id };
    if (isDraining(this.#blocked, step.transition, step.id)) return [];
    const local = this.#code.local(state, step);
    if (local)
      return local.map(({ registers: after, choice }) =>
        move(after, buffer, { ...taken, ...(choice !== undefined && { choice }) }),
      );
    if (!isAccess(instruction)) return [];
    switch (instruction.kind) {
      case 'store': {
        const stored = this.#code.guarded(step.id, () => ({
          address: step.address(registers, 0),
          value: this.#code.inDomain(step.value(registers, 0)),
        }));
        if (!stored) return [];
        return [move(registers, withStore(buffer, stored.address, stored.value), taken)];
      }
      case 'load': {
        const address = this.#code.guarded(step.id, () => step.address(registers, 0));
        if (address === undefined) return [];
        const own = buffer.find(([other]) => other === address);
        return own ? [move(registers.with(instruction.into, own[1]), buffer, taken)] : undefined;
      }
      case 'rmw':
        return isHandOver(instruction) ? undefined : [];
    }
  }

  #number(state: DelayingState): number {
    const name = key(state);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#nodes.push(state) - 1;
    this.#numbers.set(name, number);
    this.#loads.push(
      this.#code.leaving(state.location).flatMap((step) => {
        const { instruction } = step.transition;
        if (instruction.kind !== 'load' && !isHandOver(instruction)) return [];
        const effect = accessEffect(this.#code, state.registers, step);
        if (!effect || this.#code.isUnnoticed(state.registers, step)) return [];
        const address = this.#code.guarded(step.id, () => step.address(state.registers, 0));
        if (address === undefined || state.buffer.some(([own]) => own === address)) return [];
        const isEnd = endsAttack(instruction);
        return [{ transition: step.id, cell: this.#cells.cell(address), isEnd, step, effect }];
      }),
    );
    return number;
  }
}
