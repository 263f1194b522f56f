import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type {
  Configuration,
  CounterSystem,
  Rule,
} from '@fencewright/ground/petri/counter-system.js';
import { emptyMarking, type Marking, markingOf, omega } from '@fencewright/ground/petri/marking.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import { AttackStarts } from '../automata/attack-starts.js';
import { AttackerAutomaton, type BlockedSteps } from '../automata/attacker-automaton.js';
import { Interned } from './interned.js';
import type { TemplateAutomata, TemplateClass } from './template-automata.js';

/**
 * The attacks to be searched by one class of threads (threads with equal code), and the steps at
 * which a repair keeps the attacker from delaying stores.
 */
export interface AttackJob {
  readonly class: number;
  readonly open: ReadonlyMap<TransitionId, ReadonlySet<TransitionId>>;
  readonly blocked: BlockedSteps;
}

/**
 * For each cell, the id of the value that the cell holds; after the attack's last load, the id of
 * the value with its mark. Trailing zeros are left out.
 */
export type CellContents = readonly number[];

/**
 * A thread that holds the bus lock. Since no other thread moves meanwhile, this thread is part of
 * the control of the counter system and not of its counters.
 */
export interface Holder {
  readonly class: number;
  readonly node: number;
}

/**
 * The finite control of the counter system for attacks on instances of any size. The control needs
 * no flag for the attacker: an attack can start only in the first phase, and the attacker then
 * leaves the counters ([BDM13] Sect. 6).
 */
export type Control =
  | { readonly phase: 'before'; readonly cells: CellContents; readonly holder?: Holder }
  | {
      readonly phase: 'delaying';
      readonly cells: CellContents;
      readonly holder?: Holder;
      readonly job: number;
      readonly node: number;
      /**
       * The loads that may end the attack, as a number; `AttackSystem.loadSet` returns the loads of
       * a number.
       */
      readonly loads: number;
    }
  | { readonly phase: 'path'; readonly cells: CellContents; readonly holder?: Holder }
  | { readonly phase: 'goal' };

/**
 * A place at which threads are counted: threads about to start, threads before an access, or
 * threads before an access on the happens-before path.
 */
type CounterPlace =
  | { readonly kind: 'start'; readonly class: number }
  | { readonly kind: 'off-path'; readonly class: number; readonly node: number }
  | { readonly kind: 'on-path'; readonly class: number; readonly node: number };

export interface Attacker {
  readonly job: AttackJob;
  readonly automaton: AttackerAutomaton;
  readonly starts: AttackStarts;
}

const none: readonly never[] = [];

/**
 * Returns the contents of cells after `cell` got the content `id`, without trailing zeros;
 * unchanged if `cell` is negative.
 */
function withCell(cells: CellContents, cell: number, id: number): CellContents {
  if (cell < 0 || (cells[cell] ?? 0) === id) return cells;
  const changed = Array.from({ length: Math.max(cells.length, cell + 1) }, (_, i) =>
    i === cell ? id : (cells[i] ?? 0),
  );
  while (changed.at(-1) === 0) changed.pop();
  return changed;
}

/**
 * Estimated sizes in bytes: of a control (`control`) and each of its cells (`cell`); of the list of
 * rules for a control and a place (`file`) and each rule (`rule`); of a place (`place`).
 */
const bytesOf = { control: 1_000, cell: 12, file: 200, rule: 160, place: 700 } as const;

function controlKey(control: Control): string {
  switch (control.phase) {
    case 'goal':
      return 'goal';
    case 'before':
    case 'path': {
      const { holder } = control;
      return `${control.phase};${control.cells.join()};${holder ? `${holder.class}.${holder.node}` : ''}`;
    }
    case 'delaying': {
      const { cells, holder, job, node, loads } = control;
      const held = holder ? `${holder.class}.${holder.node}` : '';
      return `delaying;${cells.join()};${held};${job}.${node}.${loads}`;
    }
  }
}

/**
 * The attacks on a parameterised program as a system of counters ([BDM13] Sect. 6): the control
 * holds shared memory, the attacker and the phase of the attack; the counters hold the number of
 * threads at each place. A target can be covered iff an instance has a feasible attack. Controls
 * and places are made on demand.
 */
export class AttackSystem implements CounterSystem {
  readonly initial: Configuration;
  readonly least: Marking;
  readonly templates: TemplateAutomata;
  readonly #attackers: readonly Attacker[];
  readonly #controls = new Interned<Control>(controlKey);
  readonly #places = new Interned<CounterPlace>((place) =>
    place.kind === 'start' ? `start ${place.class}` : `${place.kind} ${place.class}.${place.node}`,
  );
  readonly #loadSets = new Interned<ReadonlySet<TransitionId>>((loads) =>
    [...loads].sort((a, b) => a - b).join(),
  );
  readonly #rules = new Map<number, Map<number, readonly Rule[]>>();
  readonly #goal: number;
  readonly #single = new Map<number, Marking>();
  #ruleCount = 0;
  #files = 0;
  #cells = 0;

  constructor(templates: TemplateAutomata, jobs: readonly AttackJob[]) {
    this.templates = templates;
    const { all, pairs } = templates;
    this.#attackers = jobs.map((job): Attacker => {
      const { automata } = this.#class(job.class);
      const member = all.classes[job.class]![0]!;
      const thread = pairs.program.threads[member]!;
      const { sequential } = automata;
      const { cells, levels } = all;
      const automaton = new AttackerAutomaton(thread, sequential, cells, levels, job.blocked);
      return { job, automaton, starts: new AttackStarts(sequential, automaton) };
    });
    this.#goal = this.#controls.number({ phase: 'goal' });
    const starts = templates.classes.map((own, number) => this.#startOf(own, number));
    this.initial = {
      control: this.#controls.number({ phase: 'before', cells: [] }),
      marking: markingOf(starts.flatMap(({ tokens }) => tokens)),
    };
    this.least = markingOf(starts.flatMap(({ least }) => least));
  }

  targets(control: number): readonly Marking[] {
    return control === this.#goal ? [emptyMarking] : none;
  }

  rules(control: number, place: number): readonly Rule[] {
    let byPlace = this.#rules.get(control);
    if (!byPlace) {
      byPlace = new Map();
      this.#rules.set(control, byPlace);
    }
    const known = byPlace.get(place);
    if (known) return known;
    const fresh = this.#makeRules(this.#controls.item(control), control, place);
    byPlace.set(place, fresh);
    this.#files += 1;
    return fresh;
  }

  /** The estimated number of bytes of the controls, places and rules made so far. */
  get bytes(): number {
    return (
      this.#controls.size * bytesOf.control +
      this.#cells * bytesOf.cell +
      this.#files * bytesOf.file +
      this.#ruleCount * bytesOf.rule +
      this.#places.size * bytesOf.place
    );
  }

  /**
   * Returns the number of threads of each class (threads with equal code) in an initial marking.
   */
  threadsOf(marking: Marking): readonly number[] {
    const counts = this.templates.classes.map(() => 0);
    for (let i = 0; i < marking.length; i += 2)
      counts[this.#places.item(marking[i]!).class]! += marking[i + 1]!;
    return counts;
  }

  control(number: number): Control {
    return this.#controls.item(number);
  }

  place(number: number): CounterPlace {
    return this.#places.item(number);
  }

  attacker(job: number): Attacker {
    return this.#attackers[job]!;
  }

  /**
   * Returns the loads that may end an attack, given the number that represents them in controls.
   */
  loadSet(number: number): ReadonlySet<TransitionId> {
    return this.#loadSets.item(number);
  }

  /** Returns a unique name for a control. */
  controlName(control: number): string {
    const own = this.#controls.item(control);
    return own.phase === 'goal' ? 'goal' : `${own.phase}_${control}`;
  }

  /** Returns a unique name for a place. */
  placeName(place: number): string {
    const own = this.#places.item(place);
    const members = this.templates.all.classes[own.class] ?? [];
    const thread = this.templates.pairs.program.threads[at(members, 0)];
    const name = thread?.copy?.template ?? thread?.name ?? 't';
    if (own.kind === 'start') return `${name}_start`;
    return `${name}_${own.kind === 'on-path' ? 'on_path_' : ''}${own.node}`;
  }

  #class(number: number): TemplateClass {
    return this.templates.classes[number]!;
  }

  /**
   * Returns the initial tokens for the threads of a class. If single threads can start at several
   * nodes, their tokens are on a `start` place, and a rule makes the choice.
   */
  #startOf(
    own: TemplateClass,
    number: number,
  ): { tokens: (readonly [number, number])[]; least: (readonly [number, number])[] } {
    const nodes = own.automata.sequential.initialNodes().map(({ node }) => node);
    const isUnbounded = own.unbounded.length > 0;
    const [node] = nodes;
    if (nodes.length === 1 && node !== undefined) {
      if (node === 0) return { tokens: [], least: [] };
      const place = this.#places.number({ kind: 'off-path', class: number, node });
      return {
        tokens: [[place, isUnbounded ? omega : own.single]],
        least: isUnbounded ? [[place, own.single]] : [],
      };
    }
    const place = this.#places.number({ kind: 'start', class: number });
    return {
      tokens: [[place, isUnbounded ? omega : own.single]],
      least: isUnbounded ? [[place, own.single]] : [],
    };
  }

  #rule(to: Control, taken: number | undefined, given: number | undefined): Rule {
    const known = this.#controls.size;
    const number = this.#controls.number(to);
    if (number === known && to.phase !== 'goal') this.#cells += to.cells.length;
    return {
      id: this.#ruleCount++,
      to: number,
      pre: this.#oneAt(taken),
      post: this.#oneAt(given),
    };
  }

  /**
   * Returns the marking with a single token, at `place`; the empty marking if `place` is
   * `undefined`.
   */
  #oneAt(place: number | undefined): Marking {
    if (place === undefined) return emptyMarking;
    const known = this.#single.get(place);
    if (known) return known;
    const single = markingOf([[place, 1]]);
    this.#single.set(place, single);
    return single;
  }

  #makeRules(control: Control, number: number, place: number): readonly Rule[] {
    if (control.phase === 'goal') return none;
    const { holder } = control;
    if (holder) return place === -1 ? this.#moves(control, holder, undefined) : none;
    if (place === -1) return control.phase === 'delaying' ? this.#attackerLoads(control) : none;
    const own = this.#places.item(place);
    switch (own.kind) {
      case 'start': {
        const { automata } = this.#class(own.class);
        return automata.sequential.initialNodes().map(({ node }) => ({
          ...this.#rule(control, place, this.#placeOf('off-path', own.class, node)),
          to: number,
        }));
      }
      case 'off-path':
      case 'on-path':
        return [
          ...this.#moves(control, this.#standing(control, own), place),
          ...(control.phase === 'before' ? this.#attackStarts(control, own, place) : []),
        ];
      default:
        return unreachable(own);
    }
  }

  #placeOf(kind: 'off-path' | 'on-path', own: number, node: number): number | undefined {
    return node === 0 ? undefined : this.#places.number({ kind, class: own, node });
  }

  /**
   * Returns the class of threads and the node that a place represents; after the attack's last
   * load, the node is a node of the path automaton, on or off the happens-before path.
   */
  #standing(
    control: Control,
    place: CounterPlace & { readonly kind: 'off-path' | 'on-path' },
  ): Holder {
    if (control.phase !== 'path' || place.kind === 'on-path') return place;
    const { path } = this.#class(place.class).automata;
    return { class: place.class, node: path.offPath(place.node) };
  }

  /**
   * Returns the rules for the steps of a thread: of a thread at `place`, or of the holder of the
   * bus lock, which has no place.
   */
  #moves(
    control: Exclude<Control, { readonly phase: 'goal' }>,
    { class: own, node }: Holder,
    place: number | undefined,
  ): Rule[] {
    const { sequential, delayed, path } = this.#class(own).automata;
    const automaton = { before: sequential, delaying: delayed, path }[control.phase];
    const kind = control.phase === 'path' ? 'on-path' : 'off-path';
    return automaton.actionCells(node).flatMap((cell, action) => {
      const value = cell < 0 ? 0 : (control.cells[cell] ?? 0);
      return automaton.outcomes(node, action, value).map((outcome) => {
        if (outcome.node === goalNode) return this.#rule({ phase: 'goal' }, place, undefined);
        const cells = withCell(control.cells, cell, outcome.value);
        const { holder: _, ...rest } = control;
        if (outcome.node !== 0 && automaton.isExclusive(outcome.node))
          return this.#rule(
            { ...rest, cells, holder: { class: own, node: outcome.node } },
            place,
            undefined,
          );
        return this.#rule({ ...rest, cells }, place, this.#placeOf(kind, own, outcome.node));
      });
    });
  }

  /**
   * Returns the rules by which a thread begins an attack: it delays its first store, becomes the
   * attacker, and is no longer counted.
   */
  #attackStarts(
    control: Control & { readonly phase: 'before' },
    { class: own, node }: Holder,
    place: number,
  ): Rule[] {
    return this.#attackers.flatMap(({ job, automaton, starts }, number) => {
      if (job.class !== own) return [];
      return starts.at(node).flatMap(({ store, entries }) => {
        const open = job.open.get(store);
        if (!open) return [];
        const loads = this.#loadSets.number(open);
        return entries
          .filter((entry) => automaton.reachableLoads(entry.node).some((load) => open.has(load)))
          .map((entry) => {
            const { cells } = control;
            const next = {
              phase: 'delaying',
              cells,
              job: number,
              node: entry.node,
              loads,
            } as const;
            return this.#rule(next, place, undefined);
          });
      });
    });
  }

  /**
   * Returns the rules by which the attacker loads from memory and goes on, or makes its last load.
   */
  #attackerLoads(control: Control & { readonly phase: 'delaying' }): Rule[] {
    const { cells, job, node } = control;
    const { automaton } = this.#attackers[job]!;
    const open = this.#loadSets.item(control.loads);
    return automaton.loads(node).flatMap(({ transition, cell }, action) => {
      const goOn = automaton
        .outcomes(node, action, cells[cell] ?? 0)
        .filter((outcome) => automaton.reachableLoads(outcome.node).some((load) => open.has(load)))
        .map((outcome) => this.#rule({ ...control, node: outcome.node }, undefined, undefined));
      if (!open.has(transition)) return goOn;
      return [...goOn, this.#rule(this.#lastLoad(control, cell), undefined, undefined)];
    });
  }

  /**
   * Returns the control after the attack's last load. The attacker takes no further step, so its
   * node is dropped; each cell now has a mark beside its value, the level of its accesses.
   */
  #lastLoad(
    { cells, job, node }: Control & { readonly phase: 'delaying' },
    loaded: number,
  ): Control {
    const { marks, levels } = this.templates.all;
    const target = this.#attackers[job]!.automaton.target(node);
    const last = Math.max(cells.length - 1, loaded, target.cell);
    let marked: CellContents = [];
    for (let cell = 0; cell <= last; cell++) {
      const mark = cell === target.cell ? target.mark : cell === loaded ? levels.afterLoad : 0;
      marked = withCell(marked, cell, marks.id(cell, cells[cell] ?? 0, mark));
    }
    return { phase: 'path', cells: marked };
  }
}
