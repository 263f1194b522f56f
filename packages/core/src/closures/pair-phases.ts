import { at } from '../base/at.js';
import type { Mark } from '../automata/access-levels.js';
import type { StartEntry } from '../automata/attack-starts.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Attack } from '../verdict/attack.js';
import type { ClosureSession } from './closure-session.js';
import { closePairs, type ClosedPairs } from './pair-closure.js';
import { localKey, PairStates, type PairComponent, type PairThreads } from './pair-states.js';
import { GaveUp, nobody, SecondWriter, type Keeping, type PairContext } from './pair-steps.js';
import type { ItemSet } from './pair-relation.js';
import { TabulatedActions } from './tabulated-actions.js';
import type { Effort } from './thread-closure.js';

/** The three phases of attacks of one thread, as closed relations between pairs of components. */
export class PairPhases {
  readonly #session: ClosureSession;
  readonly #attacker: ThreadId;
  readonly #effort: Effort;
  /** Over values, and over marked values. */
  readonly #actions: TabulatedActions;
  readonly #markedActions: TabulatedActions;
  /** The threads, the attacker last. */
  readonly #threads: readonly PairThreads[];
  /** Indexed as `#threads`: a thread with its automata. */
  readonly #representatives: readonly ThreadId[];

  constructor(session: ClosureSession, attacker: ThreadId, effort: Effort) {
    const { automata } = session;
    this.#session = session;
    this.#attacker = attacker;
    this.#effort = effort;
    this.#actions = new TabulatedActions(automata.valueTables);
    this.#markedActions = new TabulatedActions(automata.markTables);
    const groups = automata.classes.flatMap((members) => {
      const count = members.filter((member) => member !== attacker).length;
      return count > 0 ? [{ thread: at(members, 0), count }] : [];
    });
    const all = [...groups, { thread: attacker, count: 1 }];
    this.#representatives = all.map(({ thread }) => thread);
    this.#threads = all.map(({ thread, count }) => {
      const { sequentialNumber } = at(automata.threads, thread);
      return { kind: 'threads', automaton: sequentialNumber, count };
    });
  }

  /** The component of the attacker. */
  get #place(): number {
    return this.#threads.length - 1;
  }

  #automataOf(component: number) {
    return at(this.#session.automata.threads, at(this.#representatives, component));
  }

  /** The first phase, of the attacks with any store. Throws `GaveUp`, as all phases do. */
  first(keeping: Keeping): ClosedPairs {
    return this.#closeFirst(keeping, undefined);
  }

  /**
   * Which cells threads keep when they also keep those that they alone read; `undefined` if these
   * are no more than in `first`.
   */
  inboxesOf({ keeping: { keepers }, readers }: ClosedPairs): Keeping | undefined {
    const inboxes = new Set<number>();
    const all = keepers.map((keeper, cell) => {
      const [reader, ...others] = readers[cell] ?? [];
      if (keeper !== nobody || reader === undefined || others.length > 0) return keeper;
      if (at(this.#threads, reader).count > 1) return keeper;
      inboxes.add(cell);
      return reader;
    });
    return inboxes.size > 0 ? { keepers: all, inboxes } : undefined;
  }

  /** The part of the first phase in which the attacker can still get to the store. */
  firstBefore(store: TransitionId, whole: ClosedPairs): ClosedPairs {
    let phase = whole;
    for (;;) {
      const { states, before, keeping } = phase;
      const its = [...states.itemsOf(this.#place)];
      const reached = new Set(its.filter((item) => this.#entries(states, item, store).length > 0));
      for (const item of reached) for (const from of before.get(item) ?? []) reached.add(from);
      if (reached.size === its.length) return phase;
      const allowed = new Set<number>();
      for (const item of reached) allowed.add(localKey(states.node(item), states.own(item)));
      phase = this.#closeFirst(keeping, allowed);
    }
  }

  /** From the local states at the store on, the attacker delays its stores. */
  second({ states, keeping }: ClosedPairs, store: TransitionId): ClosedPairs {
    const starts = [...states.itemsOf(this.#place)].flatMap((item) => {
      const entries = this.#entries(states, item, store);
      return entries.length > 0 ? [{ item, entries, set: states.relation.related(item) }] : [];
    });
    const { attackerNumber } = this.#automataOf(this.#place);
    const delaying = states.restrictedTo(
      starts.map(({ set }) => set),
      states.components.map((component, c) =>
        c === this.#place ? { kind: 'threads', automaton: attackerNumber, count: 1 } : component,
      ),
      (item) => states.node(item),
    );
    for (const { item, entries, set } of starts)
      for (const { node } of entries) {
        const own = states.own(item);
        const entered =
          delaying.find(this.#place, node, own) ?? delaying.add(this.#place, node, own);
        delaying.relation.relateAll(entered, set, () => undefined);
      }
    return closePairs(delaying, this.#actions, this.#context(keeping, false));
  }

  /** Whether no end of the attack leads to the first delayed store. */
  isRefutedBehind({ states, keeping }: ClosedPairs, { load }: Attack): boolean {
    return this.#endsWith(states, load).every((end) => this.#missesGoal(states, keeping, end));
  }

  #entries(states: PairStates, item: number, store: TransitionId): readonly StartEntry[] {
    return this.#session
      .starts(this.#attacker)
      .at(states.node(item))
      .flatMap((start) => (start.store === store ? start.entries : []));
  }

  #context(keeping: Keeping, findsKeepers: boolean): PairContext {
    const { own } = this.#session;
    const valueOf = (_: number, content: number): number => content;
    return { own, valueOf, keeping, findsKeepers, effort: this.#effort };
  }

  /** The first phase, with the attacker in the allowed local states only. */
  #closeFirst(keeping: Keeping, allowed: ReadonlySet<number> | undefined): ClosedPairs {
    const components = this.#threads.map((threads, c) =>
      c === this.#place && allowed
        ? { ...threads, allows: (node: number, own: number) => allowed.has(localKey(node, own)) }
        : threads,
    );
    let { keepers } = keeping;
    for (;;)
      try {
        const states = this.#initial(components);
        const context = this.#context({ ...keeping, keepers }, true);
        return closePairs(states, this.#actions, context);
      } catch (error) {
        if (!(error instanceof SecondWriter)) throw error;
        const others = [...keepers];
        others[error.cell] = nobody;
        keepers = others;
      }
  }

  #initial(components: readonly PairThreads[]): PairStates {
    const states = new PairStates(components);
    const starts = components.map(({ allows }, c) => {
      const nodes = this.#automataOf(c).sequential.initialNodes();
      return [...new Set(nodes.map(({ node }) => node))]
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

  /** The ends of attacks with a load, those with the same marks together. */
  #endsWith(states: PairStates, load: TransitionId): readonly End[] {
    const { attacker } = this.#automataOf(this.#place);
    const ends = new Map<string, End & { readonly sets: ItemSet[] }>();
    for (const item of states.itemsOf(this.#place)) {
      const node = states.node(item);
      const target = attacker.target(node);
      for (const { transition, cell, isEnd } of attacker.loads(node)) {
        if (!isEnd || transition !== load) continue;
        for (const found of states.itemsOf(states.cell(cell))) {
          if (!states.relation.has(item, found)) continue;
          for (const { mark } of attacker.lastLoads(node, load, states.node(found))) {
            const key = `${target.cell}:${target.mark}:${cell}:${mark}`;
            const end = ends.get(key) ?? { target, load: { cell, mark }, sets: [] };
            ends.set(key, end);
            end.sets.push(
              withItem(states.relation.together(states.relation.related(item), found), found),
            );
          }
        }
      }
    }
    return [...ends.values()];
  }

  /** The third phase, from the ends of attacks on. */
  #missesGoal(states: PairStates, keeping: Keeping, { target, load, sets }: End): boolean {
    const { marks } = this.#session.automata;
    states.cell(target.cell);
    const components = states.components.map((component, c): PairComponent => {
      if (component.kind === 'cell') return component;
      if (c === this.#place) return { ...component, count: 0 };
      return { ...component, automaton: this.#automataOf(c).pathNumber };
    });
    const markOf = (cell: number): Mark => {
      if (cell === target.cell) return target.mark;
      return cell === load.cell ? load.mark : 0;
    };
    const after = states.restrictedTo(sets, components, (item, c) => {
      const component = at(components, c);
      const node = states.node(item);
      if (component.kind === 'cell') return marks.id(component.cell, node, markOf(component.cell));
      return c === this.#place ? undefined : this.#automataOf(c).path.offPath(node);
    });
    const context: PairContext = {
      ...this.#context(keeping, false),
      valueOf: (cell, content) => marks.value(cell, content),
    };
    try {
      closePairs(after, this.#markedActions, context);
      return true;
    } catch (error) {
      if (error instanceof GaveUp && error.failure === 'goal') return false;
      throw error;
    }
  }
}

/** Ends of attacks: the marks that they leave, and what else may be the case at each. */
interface End {
  readonly target: { readonly cell: number; readonly mark: Mark };
  readonly load: { readonly cell: number; readonly mark: Mark };
  readonly sets: readonly ItemSet[];
}

function withItem(set: ItemSet, item: number): ItemSet {
  set[item >>> 5]! |= 1 << (item & 31);
  return set;
}
