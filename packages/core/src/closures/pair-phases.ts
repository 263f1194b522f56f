import { at } from '../base/at.js';
import type { Mark } from '../automata/access-levels.js';
import { AttackStarts } from '../automata/attack-starts.js';
import type { ProgramAutomata } from '../automata/program-automata.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Attack } from '../verdict/attack.js';
import type { OwnId, OwnValues } from './own-values.js';
import {
  GaveUp,
  PairClosure,
  PairStates,
  SecondWriter,
  nobody,
  type Effort,
  type Failure,
  type PairComponent,
} from './pair-closure.js';
import type { ItemSet } from './pair-relation.js';

export interface PairStatistics {
  closures: number;
  ends: number;
  words: number;
}

type Threads = Extract<PairComponent, { kind: 'threads' }>;

/** Which components keep cells in their local states. */
interface Keeping {
  readonly keepers: readonly (number | undefined)[];
  readonly inboxes: ReadonlySet<number>;
}

interface FirstPhase {
  readonly states: PairStates;
  readonly keeping: Keeping;
}

const ownsPerNode = 2 ** 24;

/** An end of an attack: where the attacker stands, and what it does as its last load. */
interface End {
  readonly item: number;
  readonly found: number;
}

/** Ends with the same marks. */
interface EndGroup {
  readonly target: { readonly cell: number; readonly mark: Mark };
  readonly load: { readonly cell: number; readonly mark: Mark };
  readonly ends: End[];
}

export class PairRefuter {
  readonly statistics: PairStatistics = { closures: 0, ends: 0, words: 0 };
  readonly #automata: ProgramAutomata;
  readonly #own: OwnValues;
  readonly #attacker: ThreadId;
  readonly #starts: AttackStarts;
  readonly #effort: Effort;
  readonly #thirds: boolean;
  readonly #withInboxes: boolean;
  /** The attacker is this component. */
  readonly #component: number;
  readonly #components: readonly Threads[];
  #all: FirstPhase | Failure | undefined;
  #allBefore: ReadonlyMap<number, ReadonlySet<number>> = new Map();
  trace = false;

  constructor(
    automata: ProgramAutomata,
    own: OwnValues,
    attacker: ThreadId,
    effort: Effort,
    thirds: boolean,
    inboxes = false,
  ) {
    this.#withInboxes = inboxes;
    this.#automata = automata;
    this.#own = own;
    this.#attacker = attacker;
    this.#effort = effort;
    this.#thirds = thirds;
    const { sequential, attacker: delaying } = at(automata.threads, attacker);
    this.#starts = new AttackStarts(sequential, delaying);
    const others = automata.classes.flatMap((members): Threads[] => {
      const count = members.filter((member) => member !== attacker).length;
      const automaton = at(automata.threads, at(members, 0)).sequentialNumber;
      return count > 0 ? [{ kind: 'threads', automaton, count }] : [];
    });
    const automaton = at(automata.threads, attacker).sequentialNumber;
    this.#component = others.length;
    this.#components = [...others, { kind: 'threads', automaton, count: 1, notesSteps: true }];
  }

  /** The thread whose automata a component runs. */
  #threadOf(component: number): ThreadId {
    const threads = at(this.#components, component);
    return this.#automata.threads.findIndex(
      ({ sequentialNumber }) => sequentialNumber === threads.automaton,
    );
  }

  refute(open: readonly Attack[]): Attack[] {
    const byStore = new Map<TransitionId, Attack[]>();
    for (const attack of open) byStore.set(attack.store, [...(byStore.get(attack.store) ?? []), attack]);
    const refuted: Attack[] = [];
    for (const [store, attacks] of byStore) refuted.push(...this.#refuteStore(store, attacks));
    return refuted;
  }

  #refuteStore(store: TransitionId, attacks: readonly Attack[]): readonly Attack[] {
    try {
      const first = this.#firstPhase(store);
      if (typeof first === 'string') return [];
      const second = this.#secondPhase(first, store);
      return attacks.filter((attack) => this.#isRefuted(first, second, attack));
    } catch (error) {
      if (error instanceof GaveUp || error instanceof SecondWriter) return [];
      throw error;
    }
  }

  /** The first phase without and with restrictions of the attacker. */
  #firstPhase(store: TransitionId): FirstPhase | Failure {
    if (!this.#all) {
      let its = this.#close(undefined, { keepers: [], inboxes: new Set() });
      if (typeof its !== 'string' && this.#withInboxes) {
        const { phase: { keeping }, closure } = its;
        const keepers = [...keeping.keepers];
        const inboxes = new Set<number>();
        keepers.forEach((keeper, cell) => {
          const reader = closure.soleReader(cell);
          if (keeper !== nobody || reader === undefined || at(this.#components, reader).count > 1) return;
          keepers[cell] = reader;
          inboxes.add(cell);
        });
        if (inboxes.size > 0) its = this.#close(undefined, { keepers, inboxes });
      }
      if (typeof its === 'string') this.#all = its;
      else {
        this.#all = its.phase;
        this.#allBefore = its.closure.before;
      }
    }
    let phase = this.#all;
    let before = this.#allBefore;
    for (;;) {
      if (typeof phase === 'string') return phase;
      const { states } = phase;
      const items = [...states.itemsOf(this.#component)];
      const reached = new Set(items.filter((item) => this.#startsOf(states, item, store).length > 0));
      for (const item of reached) for (const from of before.get(item) ?? []) reached.add(from);
      if (reached.size === items.length) return phase;
      const allowed = new Set<number>();
      for (const item of reached)
        allowed.add(at(states.nodes, item) * ownsPerNode + at(states.owns, item));
      const closed = this.#close(allowed, phase.keeping);
      if (typeof closed === 'string') return closed;
      phase = closed.phase;
      before = closed.closure.before;
    }
  }

  #startsOf(states: PairStates, item: number, store: TransitionId) {
    return this.#starts
      .at(at(states.nodes, item))
      .flatMap((start) => (start.store === store ? start.entries : []));
  }

  #close(
    allowed: ReadonlySet<number> | undefined,
    { keepers: known, inboxes }: Keeping,
  ): { readonly phase: FirstPhase; readonly closure: PairClosure } | Failure {
    let keepers = [...known];
    const components = this.#components.map((threads, c) =>
      c === this.#component && allowed
        ? { ...threads, allows: (node: number, own: OwnId) => allowed.has(node * ownsPerNode + own) }
        : threads,
    );
    const several = new Set<number>();
    for (;;) {
      const states = new PairStates(components);
      const starts = components.map((threads, c) => {
        const { sequential } = at(this.#automata.threads, this.#threadOf(c));
        return [...new Set(sequential.initialNodes().map(({ node }) => node))]
          .filter((node) => threads.allows?.(node, 0) ?? true)
          .map((node) => states.add(c, node, 0));
      });
      starts.forEach((items, c) =>
        starts.forEach((others, d) => {
          if (c === d && at(components, c).count < 2) return;
          for (const item of items) for (const other of others) states.relation.relate(item, other);
        }),
      );
      const closure = new PairClosure(
        states,
        {
          tables: this.#automata.valueTables,
          own: this.#own,
          valueOf: (_, content) => content,
          keepers,
          isFixed: false,
          inboxes,
          thirds: this.#thirds,
        },
        this.#effort,
      );
      this.statistics.closures++;
      try {
        closure.close();
        this.statistics.words = Math.max(this.statistics.words, states.relation.words);
        return { phase: { states, keeping: { keepers, inboxes } }, closure };
      } catch (error) {
        if (error instanceof GaveUp) return error.failure;
        if (!(error instanceof SecondWriter)) throw error;
        several.add(error.cell);
        keepers = [...known];
        for (const cell of several) keepers[cell] = nobody;
      }
    }
  }

  /** From the local states at the store on, the attacker delays its stores. */
  #secondPhase({ states, keeping }: FirstPhase, store: TransitionId): PairStates {
    const starts = [...states.itemsOf(this.#component)]
      .map((item) => ({ item, entries: this.#startsOf(states, item, store) }))
      .filter(({ entries }) => entries.length > 0);
    const sets = starts.map(({ item }) => states.relation.row(item));
    const { attackerNumber } = at(this.#automata.threads, this.#attacker);
    const delaying = new PairStates(
      states.components.map((component, c): PairComponent =>
        c === this.#component
          ? { kind: 'threads', automaton: attackerNumber, count: 1 }
          : component,
      ),
      states.relation.restrictedTo(sets),
    );
    states.components.forEach((_, c) => {
      if (c !== this.#component)
        for (const item of states.itemsOf(c))
          delaying.put(item, c, at(states.nodes, item), at(states.owns, item));
    });
    starts.forEach(({ item, entries }, s) => {
      const own = at(states.owns, item);
      for (const { node } of entries) {
        const entered =
          delaying.find(this.#component, node, own) ?? delaying.add(this.#component, node, own);
        for (const other of members(at(sets, s))) delaying.relation.relate(entered, other);
      }
    });
    new PairClosure(
      delaying,
      {
        tables: this.#automata.valueTables,
        own: this.#own,
        valueOf: (_, content) => content,
        keepers: [...keeping.keepers],
        isFixed: true,
        inboxes: keeping.inboxes,
        thirds: this.#thirds,
      },
      this.#effort,
    ).close();
    this.statistics.closures++;
    return delaying;
  }

  #isRefuted({ keeping }: FirstPhase, states: PairStates, { load }: Attack): boolean {
    for (const group of this.#endsWith(states, load).values()) {
      const failure = this.#lastPhase(states, keeping, group);
      if (failure) return false;
    }
    return true;
  }

  #endsWith(states: PairStates, load: TransitionId): Map<string, EndGroup> {
    const { attacker } = at(this.#automata.threads, this.#attacker);
    const groups = new Map<string, EndGroup>();
    for (const item of states.itemsOf(this.#component)) {
      const node = at(states.nodes, item);
      for (const { transition, cell, isEnd } of attacker.loads(node)) {
        if (!isEnd || transition !== load) continue;
        const target = attacker.target(node);
        const component = states.cell(cell);
        for (const found of states.itemsOf(component)) {
          if (!states.relation.has(item, found)) continue;
          for (const { mark } of attacker.lastLoads(node, load, at(states.nodes, found))) {
            const key = `${item}:${target.cell}:${target.mark}:${cell}:${mark}`;
            const group = groups.get(key) ?? { target, load: { cell, mark }, ends: [] };
            groups.set(key, group);
            group.ends.push({ item, found });
          }
        }
      }
    }
    return groups;
  }

  /** Why some of the ends may lead to the goal. */
  #lastPhase(
    states: PairStates,
    keeping: Keeping,
    { target, load, ends }: EndGroup,
  ): Failure | undefined {
    this.statistics.ends++;
    const { marks, markTables } = this.#automata;
    const { relation } = states;
    states.cell(target.cell);
    states.cell(load.cell);
    const sets = ends.map(({ item, found }): ItemSet => {
      const set = relation.row(item);
      relation.keepRelated(set, found);
      set[found >>> 5]! |= 1 << (found & 31);
      return set;
    });
    const after = new PairStates(
      states.components.map((component, c): PairComponent => {
        if (component.kind === 'cell') return component;
        if (c === this.#component) return { ...component, count: 0 };
        const { pathNumber } = at(this.#automata.threads, this.#threadOf(c));
        return { kind: 'threads', automaton: pathNumber, count: component.count };
      }),
      relation.restrictedTo(sets),
    );
    states.components.forEach((component, c) => {
      if (c === this.#component) return;
      for (const item of states.itemsOf(c)) {
        if (!sets.some((set) => ((set[item >>> 5]! >>> (item & 31)) & 1) === 1)) continue;
        const node = at(states.nodes, item);
        if (component.kind === 'cell') {
          const { cell } = component;
          const mark = cell === target.cell ? target.mark : cell === load.cell ? load.mark : 0;
          after.put(item, c, marks.id(cell, node, mark), 0);
        } else {
          const { path } = at(this.#automata.threads, this.#threadOf(c));
          after.put(item, c, path.offPath(node), at(states.owns, item));
        }
      }
    });
    try {
      new PairClosure(
        after,
        {
          tables: markTables,
          own: this.#own,
          valueOf: (cell, content) => marks.value(cell, content),
          keepers: [...keeping.keepers],
          isFixed: true,
          inboxes: keeping.inboxes,
          thirds: this.#thirds,
        },
        this.#effort,
      ).close();
      return undefined;
    } catch (error) {
      if (error instanceof GaveUp) {
        if (error.failure === 'effort') throw error;
        return error.failure;
      }
      if (error instanceof SecondWriter) return 'writer';
      throw error;
    }
  }
}

function* members(set: ItemSet): Generator<number> {
  for (let w = 0; w < set.length; w++)
    for (let rest = set[w]!; rest !== 0; rest &= rest - 1)
      yield 32 * w + (31 - Math.clz32(rest & -rest));
}
