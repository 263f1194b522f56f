import { at } from '@fencewright/ground/base/at.js';
import type { StartEntry } from '../automata/attack-starts.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { ClosureSession } from './closure-session.js';
import { closePairs, type ClosedPairs } from './pair-closure.js';
import { localStateId, PairStates, type PairThreads } from './pair-states.js';
import {
  GaveUp,
  noKeeper,
  SecondWriter,
  type Keeping,
  type PairContext,
  type PairEffort,
} from './pair-steps.js';
import { TabulatedActions } from './tabulated-actions.js';

/** Threads with equal code as one component, represented by one of the threads. */
interface Group {
  readonly thread: ThreadId;
  readonly count: number;
}

/**
 * The first phase of the attacks of a thread with a given store: the closed relation of the SC
 * steps that are possible while the attacker can still reach the store.
 */
export interface PairFirstPhase {
  readonly closed: ClosedPairs;
  /**
   * The index in `threads` of the attacker's component, which is a group of threads with equal
   * code.
   */
  readonly place: number;
  /**
   * A thread of each component of threads, which represents the component; indexed by component.
   */
  readonly threads: readonly ThreadId[];
}

/**
 * The maximum work for the closed relation of all SC executions. The relation is larger if local
 * states include inboxes, hence the second number.
 */
const workForAll = { plain: 400_000, withInboxes: 6_000_000 } as const;

const writtenByOne: Keeping = { keepers: [], inboxes: new Set() };

/**
 * The first phases of a program's attacks (the SC executions before the first delayed store), as
 * closed relations.
 */
export class PairFirstPhases {
  /** The actions of the sequential automata, with values as the contents of cells. */
  readonly actions: TabulatedActions;
  readonly #session: ClosureSession;
  readonly #groups: readonly Group[];
  readonly #isOver: () => boolean;
  #work = 0;
  readonly #all = new Map<keyof typeof workForAll, ClosedPairs | GaveUp | undefined>();

  /** Creates the first phases for a session; `isOver` returns whether the time limit is reached. */
  constructor(session: ClosureSession, isOver: () => boolean) {
    this.#isOver = isOver;
    this.#session = session;
    this.actions = new TabulatedActions(session.automata.valueTables);
    this.#groups = session.automata.classes.map((members) => ({
      thread: at(members, 0),
      count: members.length,
    }));
  }

  /** The units of work spent so far on the relations that all attackers share. */
  get work(): number {
    return this.#work;
  }

  /**
   * Returns the closed relation of all SC executions in which the local state of a thread includes
   * its own cells only. Throws `GaveUp`, like the later phases.
   */
  plain(): ClosedPairs {
    return this.#once('plain', (effort) => this.#close(this.#groups, writtenByOne, effort))!;
  }

  /**
   * Returns the closed relation of all SC executions in which the local state of a thread also
   * includes the thread's inboxes (cells with no other reader); `undefined` if no thread has
   * inboxes. Throws `GaveUp`.
   */
  withInboxes(): ClosedPairs | undefined {
    const keeping = this.keepingInboxes();
    return this.#once('withInboxes', (effort) =>
      keeping.inboxes.size === 0 ? undefined : this.#close(this.#groups, keeping, effort),
    );
  }

  /**
   * Returns the keepers of cells: the threads whose local states include the values of the cells. A
   * thread keeps own cells and inboxes (cells with no other reader). Throws `GaveUp`.
   */
  keepingInboxes(): Keeping {
    return this.#inboxesOf(this.plain());
  }

  /**
   * Returns the closed relation of the SC executions in which the attacker can still reach the
   * store; `all` is the relation of all SC executions.
   */
  before(
    attacker: ThreadId,
    store: TransitionId,
    all: ClosedPairs,
    effort: PairEffort,
  ): PairFirstPhase {
    const place = this.#session.automata.classes.findIndex((threads) => threads.includes(attacker));
    const { count } = at(this.#groups, place);
    const isApart = count > 1;
    const groups = isApart
      ? [
          ...this.#groups.with(place, { ...at(this.#groups, place), count: count - 1 }),
          { thread: attacker, count: 1 },
        ]
      : this.#groups;
    const attackerPlace = isApart ? this.#groups.length : place;
    const threads = groups.map(({ thread }) => thread);
    let closed = all;
    for (let from = place, isFirst = isApart; ; from = attackerPlace, isFirst = false) {
      const allowed = this.#before(attacker, store, closed, from);
      if (!isFirst && allowed.size === [...closed.states.itemsOf(from)].length)
        return { closed, place: attackerPlace, threads };
      closed = this.#close(groups, closed.keeping, effort, { component: attackerPlace, allowed });
    }
  }

  /**
   * Returns the nodes at which the attacker may be after delaying the store at an item of the first
   * phase.
   */
  entries(
    states: PairStates,
    attacker: ThreadId,
    item: number,
    store: TransitionId,
  ): readonly StartEntry[] {
    return this.#session
      .starts(attacker)
      .at(states.node(item))
      .flatMap((start) => (start.store === store ? start.entries : []));
  }

  #once(
    name: keyof typeof workForAll,
    close: (effort: PairEffort) => ClosedPairs | undefined,
  ): ClosedPairs | undefined {
    if (!this.#all.has(name)) {
      const effort: PairEffort = { left: workForAll[name], isOver: this.#isOver };
      try {
        this.#all.set(name, close(effort));
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
        this.#all.set(name, error);
      }
      this.#work += workForAll[name] - effort.left;
    }
    const known = this.#all.get(name);
    if (known instanceof GaveUp) throw known;
    return known;
  }

  #inboxesOf({ keeping: { keepers }, readers }: ClosedPairs): Keeping {
    const inboxes = new Set<number>();
    const all = keepers.map((keeper, cell) => {
      const [reader, ...others] = readers[cell] ?? [];
      if (keeper !== noKeeper || reader === undefined || others.length > 0) return keeper;
      if (at(this.#groups, reader).count > 1) return keeper;
      inboxes.add(cell);
      return reader;
    });
    return { keepers: all, inboxes };
  }

  /** Returns the local states from which the attacker can reach the store, by `localStateId`. */
  #before(
    attacker: ThreadId,
    store: TransitionId,
    { states, before }: ClosedPairs,
    component: number,
  ): ReadonlySet<number> {
    const reached = new Set<number>();
    for (const item of states.itemsOf(component))
      if (this.entries(states, attacker, item, store).length > 0) reached.add(item);
    for (const item of reached) for (const from of before.get(item) ?? []) reached.add(from);
    return new Set([...reached].map((item) => localStateId(states.node(item), states.own(item))));
  }

  #close(
    groups: readonly Group[],
    keeping: Keeping,
    effort: PairEffort,
    only?: { readonly component: number; readonly allowed: ReadonlySet<number> },
  ): ClosedPairs {
    const { automata, own } = this.#session;
    const components = groups.map(({ thread, count }, c): PairThreads => {
      const automaton = at(automata.threads, thread).sequentialNumber;
      return only?.component === c
        ? {
            kind: 'threads',
            automaton,
            count,
            allows: (node, owned) => only.allowed.has(localStateId(node, owned)),
          }
        : { kind: 'threads', automaton, count };
    });
    let { keepers } = keeping;
    for (;;)
      try {
        const context: PairContext = {
          own,
          valueOf: (_, content) => content,
          keeping: { ...keeping, keepers },
          findsKeepers: true,
          effort,
        };
        return closePairs(this.#initial(groups, components), this.actions, context);
      } catch (error) {
        if (!(error instanceof SecondWriter)) throw error;
        const others = [...keepers];
        others[error.cell] = noKeeper;
        keepers = others;
      }
  }

  #initial(groups: readonly Group[], components: readonly PairThreads[]): PairStates {
    const states = new PairStates(components);
    const starts = components.map(({ allows }, c) => {
      const { sequential } = at(this.#session.automata.threads, at(groups, c).thread);
      const nodes = new Set(sequential.initialNodes().map(({ node }) => node));
      return [...nodes]
        .filter((node) => allows?.(node, 0) ?? true)
        .map((node) => states.add(c, node, 0));
    });
    starts.forEach((items, c) => {
      starts.forEach((others, d) => {
        if (c === d && at(components, c).count === 1) return;
        for (const item of items) for (const other of others) states.relation.relate(item, other);
      });
    });
    return states;
  }
}
