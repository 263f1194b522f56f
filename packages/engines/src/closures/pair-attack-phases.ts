import { at } from '@fencewright/ground/base/at.js';
import type { Mark } from '../automata/access-levels.js';
import type { ClassAutomata } from '../automata/program-automata.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { ClosureSession } from './closure-session.js';
import { closePairs, type ClosedPairs } from './pair-closure.js';
import type { PairFirstPhase, PairFirstPhases } from './pair-first-phase.js';
import type { ItemSet } from './pair-relation.js';
import type { PairComponent } from './pair-states.js';
import { GaveUp, type Keeping, type PairEffort } from './pair-steps.js';
import { TabulatedActions } from './tabulated-actions.js';

/**
 * States at the end of attacks, grouped by the marks that the attacks leave on cells: facts about
 * the accesses on the happens-before path. Each of `sets` has the items (local states of threads,
 * contents of cells) that are possible together with one local state of the attacker and one
 * content of the loaded cell.
 */
interface End {
  readonly target: { readonly cell: number; readonly mark: Mark };
  readonly load: { readonly cell: number; readonly mark: Mark };
  readonly sets: readonly ItemSet[];
}

function withItem(set: ItemSet, item: number): ItemSet {
  set[item >>> 5]! |= 1 << (item & 31);
  return set;
}

/** The second and third phases of all attacks by one thread with one store, as closed relations. */
export class PairAttackPhases {
  readonly #session: ClosureSession;
  readonly #first: PairFirstPhase;
  readonly #effort: PairEffort;
  readonly #markedActions: TabulatedActions;
  /**
   * The closed relation of the second phase, in which the attacker delays stores: it starts at the
   * attacker's local states at the first delayed store.
   */
  readonly delaying: ClosedPairs;

  /**
   * Computes the second phase. Throws `GaveUp` and `SecondWriter`, as every closure of a relation
   * does.
   */
  constructor(
    session: ClosureSession,
    phases: PairFirstPhases,
    first: PairFirstPhase,
    attacker: ThreadId,
    store: TransitionId,
    effort: PairEffort,
  ) {
    this.#session = session;
    this.#first = first;
    this.#effort = effort;
    this.#markedActions = new TabulatedActions(session.automata.markTables);
    const { place, closed } = first;
    const { states, keeping } = closed;
    const starts = [...states.itemsOf(place)].flatMap((item) => {
      const entries = phases.entries(states, attacker, item, store);
      return entries.length > 0 ? [{ item, entries, set: states.relation.related(item) }] : [];
    });
    const automaton = this.#automataOf(place).attackerNumber;
    const delaying = states.restrictedTo(
      starts.map(({ set }) => set),
      states.components.map((component, c) =>
        c === place ? { kind: 'threads', automaton, count: 1 } : component,
      ),
      (item) => states.node(item),
    );
    for (const { item, entries, set } of starts)
      for (const { node } of entries) {
        const own = states.own(item);
        const entered = delaying.find(place, node, own) ?? delaying.add(place, node, own);
        delaying.relation.relateAll(entered, set);
      }
    const valueOf = (_: number, content: number): number => content;
    this.delaying = closePairs(delaying, phases.actions, this.#context(keeping, valueOf));
  }

  /**
   * Whether the attacks that end with the load are refuted: no access on the happens-before path
   * from the load reaches the cell of the first delayed store.
   */
  isRefuted(load: TransitionId): boolean {
    return this.#endsWith(load).every((end) => this.#missesGoal(end));
  }

  #automataOf(component: number): ClassAutomata {
    return at(this.#session.automata.threads, at(this.#first.threads, component));
  }

  #context(keeping: Keeping, valueOf: (cell: number, content: number) => number) {
    const { own } = this.#session;
    return { own, valueOf, keeping, findsKeepers: false, effort: this.#effort };
  }

  /** Returns the states in which the attack can end with `load`, grouped by marks of cells. */
  #endsWith(load: TransitionId): readonly End[] {
    const { place } = this.#first;
    const { states } = this.delaying;
    const { attacker } = this.#automataOf(place);
    const ends = new Map<string, End & { readonly sets: ItemSet[] }>();
    for (const item of states.itemsOf(place)) {
      const node = states.node(item);
      const target = attacker.target(node);
      const related = states.relation.related(item);
      const last = attacker.endAt(node, load);
      if (!last) continue;
      const { cell } = last;
      for (const found of states.relation.membersIn(related, states.cell(cell)))
        for (const { mark } of attacker.lastLoads(node, load, states.node(found))) {
          const key = `${target.cell}:${target.mark}:${cell}:${mark}`;
          const end = ends.get(key) ?? { target, load: { cell, mark }, sets: [] };
          ends.set(key, end);
          end.sets.push(withItem(states.relation.together(related, found), found));
        }
    }
    return [...ends.values()];
  }

  /**
   * Whether no happens-before path reaches the cell of the first delayed store. The third phase is
   * computed from the states in `sets`.
   */
  #missesGoal({ target, load, sets }: End): boolean {
    const { marks } = this.#session.automata;
    const { states, keeping } = this.delaying;
    const { place } = this.#first;
    const components = states.components.map((component, c): PairComponent => {
      if (component.kind === 'cell') return component;
      if (c === place) return { ...component, count: 0 };
      const { count } = component;
      return { kind: 'threads', automaton: this.#automataOf(c).pathNumber, count };
    });
    const markOf = (cell: number): Mark => {
      if (cell === target.cell) return target.mark;
      return cell === load.cell ? load.mark : 0;
    };
    const after = states.restrictedTo(sets, components, (item, c) => {
      const component = at(components, c);
      const node = states.node(item);
      if (component.kind === 'cell') return marks.id(component.cell, node, markOf(component.cell));
      return c === place ? undefined : this.#automataOf(c).path.offPath(node);
    });
    const valueOf = (cell: number, content: number): number => marks.value(cell, content);
    try {
      closePairs(after, this.#markedActions, this.#context(keeping, valueOf));
      return true;
    } catch (error) {
      if (error instanceof GaveUp && error.failure === 'goal') return false;
      throw error;
    }
  }
}
