import { at } from '@fencewright/ground/base/at.js';
import type {
  Configuration,
  CounterSystem,
  Rule,
} from '@fencewright/ground/petri/counter-system.js';
import { entriesOf, markingOf, omega, type Marking } from '@fencewright/ground/petri/marking.js';
import type { Crowd } from './crowd.js';
import type { Kinds } from './crowd-search.js';
import { any, noHolder } from './minor.js';
import type { GraphEffect, ThreadGraphEdge } from './thread-graph.js';

/**
 * The part of a state under SC that counters do not represent: everything but the copies that do
 * not hold the bus lock.
 */
interface Control {
  /** The value of each cell. */
  readonly memory: readonly number[];
  /** The node of each single thread. */
  readonly singles: readonly number[];
  /** The thread with the bus lock; for a single thread, the node is the node in `singles`. */
  readonly holder?: { readonly kind: number; readonly node: number };
}

/**
 * A control with the data computed for it so far: its rules, by the first place of each rule, and
 * the markings that cover a target.
 */
interface Known {
  readonly control: Control;
  readonly rules: Map<number, readonly Rule[]>;
  targets?: readonly Marking[];
}

/** The control after steps of one thread, and the node at which the thread is then. */
interface Stepped {
  readonly control: Control;
  readonly node: number;
}

const noPlace = -1;

/**
 * All instances of a program under SC as one counter system: the control is memory, the nodes of
 * single threads, and the holder of the bus lock; a place counts the copies of a kind at a node.
 * Any number of copies starts. Irrelevant cells keep the first value. While a thread holds the bus
 * lock, only this thread takes steps: local steps of further threads can be taken before.
 */
export class SequentialCrowds implements CounterSystem {
  readonly initial: Configuration;
  readonly #kinds: Kinds;
  readonly #targets: readonly Crowd[];
  /**
   * Whether a lock block is one rule: true if no target is about a state inside of a block. Targets
   * of `isBeforeBlock` do not count.
   */
  readonly #skipsBlocks: boolean;
  readonly #known: Known[] = [];
  readonly #numbers = new Map<string, number>();
  /**
   * The number of the first place of each kind. The places of a kind are the nodes of its graph.
   */
  readonly #base: readonly number[];
  /** For each kind and node, the edges that leave the node. */
  readonly #leaving: readonly (readonly (readonly ThreadGraphEdge[])[])[];
  /**
   * For each cell, whether its value matters: a step reads the cell, or a target asks for the
   * value.
   */
  readonly #matters: readonly boolean[];
  #rules = 0;

  /**
   * Creates the counter system for a program with `cells` cells. `targets` are the crowds, on the
   * SC machine, that the search is to cover.
   */
  constructor(kinds: Kinds, cells: number, targets: readonly Crowd[]) {
    this.#kinds = kinds;
    this.#targets = targets.filter((target) => !isBeforeBlock(target, targets));
    this.#skipsBlocks = this.#targets.every(({ minor }) => minor.lock === noHolder);
    const { graphs, singles } = kinds;
    let base = 0;
    this.#base = graphs.map(({ states }) => (base += states.length) - states.length);
    this.#leaving = graphs.map(({ states, edges }) => {
      const lists: ThreadGraphEdge[][] = states.map(() => []);
      for (const edge of edges) at(lists, edge.from).push(edge);
      return lists;
    });
    const read = new Set(graphs.flatMap(({ edges }) => edges.flatMap(cellsReadBy)));
    this.#matters = Array.from(
      { length: cells },
      (_, cell) => read.has(cell) || targets.some(({ minor }) => at(minor.memory, cell) !== any),
    );
    const start = {
      memory: Array.from({ length: cells }, () => 0),
      singles: graphs.slice(0, singles).map(({ initial }) => initial),
    };
    const copies = [...graphs.entries()].slice(singles);
    this.initial = {
      control: this.#number(start),
      marking: markingOf(
        copies.map(([kind, { initial }]) => [this.#place(kind, initial), omega] as const),
      ),
    };
  }

  /** The estimated size in bytes of the controls and rules. */
  get bytes(): number {
    return 300 * this.#known.length + 200 * this.#rules;
  }

  /** Returns the number of copies of each kind in a marking of initial nodes, at least one each. */
  copiesIn(marking: Marking): readonly number[] {
    const { graphs, singles } = this.#kinds;
    const tokens = new Map(entriesOf(marking));
    return graphs.map(({ initial }, kind) =>
      kind < singles ? 1 : (tokens.get(this.#place(kind, initial)) ?? 0),
    );
  }

  rules(control: number, place: number): readonly Rule[] {
    const known = at(this.#known, control);
    const made = known.rules.get(place) ?? this.#make(known.control, place);
    known.rules.set(place, made);
    return made;
  }

  targets(control: number): readonly Marking[] {
    const known = at(this.#known, control);
    known.targets ??= this.#targets.flatMap((target) => this.#targetAt(known.control, target));
    return known.targets;
  }

  #place(kind: number, node: number): number {
    return at(this.#base, kind) + node;
  }

  #kindOf(place: number): number {
    return this.#base.findLastIndex((base) => base <= place);
  }

  #number(control: Control): number {
    const { memory, singles, holder } = control;
    const held = holder ? `${holder.kind}:${holder.node}` : '';
    const key = `${memory.join()}|${singles.join()}|${held}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#known.push({ control, rules: new Map() }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  #make(control: Control, place: number): readonly Rule[] {
    const { singles: nodes, holder } = control;
    const { singles } = this.#kinds;
    const steps = (kind: number, node: number, pre: Marking): readonly Rule[] =>
      at(at(this.#leaving, kind), node).flatMap((edge) => this.#step(control, kind, edge, pre));
    const nothing = markingOf([]);
    if (holder) return place === noPlace ? steps(holder.kind, holder.node, nothing) : [];
    if (place === noPlace) return nodes.flatMap((node, kind) => steps(kind, node, nothing));
    const kind = this.#kindOf(place);
    if (kind < singles) return [];
    return steps(kind, place - at(this.#base, kind), markingOf([[place, 1]]));
  }

  #step(control: Control, kind: number, edge: ThreadGraphEdge, pre: Marking): readonly Rule[] {
    const first = this.#after(control, kind, edge);
    if (!first) return [];
    const ends = this.#skipsBlocks ? this.#behindBlock(first, kind) : [first];
    return ends.map(({ control: next, node }) => {
      const isCounted = kind >= this.#kinds.singles && !next.holder;
      const post = markingOf(isCounted ? [[this.#place(kind, node), 1]] : []);
      return { id: this.#rules++, to: this.#number(next), pre, post };
    });
  }

  /** The control after a step of a thread; `undefined` if memory does not allow the step. */
  #after(control: Control, kind: number, { to, effect }: ThreadGraphEdge): Stepped | undefined {
    const isLost = effect.kind === 'store' && !at(this.#matters, effect.cell);
    const memory = isLost ? control.memory : memoryAfter(control.memory, effect);
    if (!memory) return undefined;
    const isSingle = kind < this.#kinds.singles;
    const singles = isSingle ? control.singles.with(kind, to) : control.singles;
    const isHeld = effect.kind === 'lock' || (control.holder && effect.kind !== 'unlock');
    const next = { memory, singles, ...(isHeld && { holder: { kind, node: to } }) };
    return { control: next, node: to };
  }

  /**
   * Returns the results of a thread's step. If the step has begun a lock block, follows the block
   * to its end, and returns one result for each possible end.
   */
  #behindBlock(first: Stepped, kind: number): readonly Stepped[] {
    const ends: Stepped[] = [];
    const seen = new Set<string>();
    const open = [first];
    for (let now = open.pop(); now; now = open.pop()) {
      const { control, node } = now;
      const key = `${node}|${control.memory.join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (!control.holder) ends.push(now);
      else
        for (const edge of at(at(this.#leaving, kind), node)) {
          const next = this.#after(control, kind, edge);
          if (next) open.push(next);
        }
    }
    return ends;
  }

  /** The marking that covers the target at the control; none if the control excludes the target. */
  #targetAt({ memory, singles, holder }: Control, { minor, kinds }: Crowd): readonly Marking[] {
    const isSame = (asked: number, held: number): boolean => asked === any || asked === held;
    if (!minor.memory.every((value, cell) => isSame(value, at(memory, cell)))) return [];
    if (!singles.every((node, thread) => isSame(at(minor.nodes, thread), node))) return [];
    if (minor.lock === noHolder ? holder !== undefined : !holder) return [];
    if (holder) {
      if (at(kinds, minor.lock) !== holder.kind) return [];
      if (!isSame(at(minor.nodes, minor.lock), holder.node)) return [];
    }
    const counted = [...kinds.entries()]
      .slice(singles.length)
      // If a copy may be at any node, a copy that has not started is enough.
      .filter(([thread]) => thread !== minor.lock && at(minor.nodes, thread) !== any);
    return [
      markingOf(
        counted.map(([thread, kind]) => [this.#place(kind, at(minor.nodes, thread)), 1] as const),
      ),
    ];
  }
}

/**
 * Whether the target is superfluous: it is about states inside of lock blocks, and another target
 * is always covered before the block. The other target has the same nodes, no holder of the bus
 * lock, and any memory.
 */
function isBeforeBlock(
  { minor: { nodes, lock }, kinds }: Crowd,
  targets: readonly Crowd[],
): boolean {
  if (lock === noHolder) return false;
  return targets.some(
    (other) =>
      other.minor.lock === noHolder &&
      other.minor.memory.every((value) => value === any) &&
      other.kinds.join() === kinds.join() &&
      other.minor.nodes.join() === nodes.join(),
  );
}

function cellsReadBy({ effect }: ThreadGraphEdge): readonly number[] {
  return effect.kind === 'load' || effect.kind === 'rmw' ? [effect.cell] : [];
}

/** Returns the memory after an effect under SC; `undefined` if memory does not allow the effect. */
function memoryAfter(
  memory: readonly number[],
  effect: GraphEffect,
): readonly number[] | undefined {
  switch (effect.kind) {
    case 'load':
      return at(memory, effect.cell) === effect.value ? memory : undefined;
    case 'store':
      return memory.with(effect.cell, effect.value);
    case 'rmw':
      return at(memory, effect.cell) === effect.value
        ? memory.with(effect.cell, effect.written)
        : undefined;
    case 'local':
    case 'fence':
    case 'lock':
    case 'unlock':
      return memory;
  }
}
