import { at } from '@fencewright/ground/base/at.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { emptyMarking, type Marking, markingOf, omega } from '@fencewright/ground/petri/marking.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';
import { type Spend, unwatched } from '@fencewright/ground/petri/watch.js';
import { goalNode, type Outcome } from '@fencewright/ground/product/tables.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Mark } from '../automata/access-levels.js';
import { AttackStarts } from '../automata/attack-starts.js';
import { AttackerAutomaton } from '../automata/attacker-automaton.js';
import type { AttackJob } from './attack-system.js';
import { Interned } from './interned.js';
import type { TemplateAutomata } from './template-automata.js';

/**
 * The phases of an attack, as in `AttackSystem`, each with the bus lock free or held. In the phase
 * `marking`, the attacker has made its last load, and the next step gives the cell of the first
 * delayed store its mark.
 */
const controls = [
  'before',
  'before_locked',
  'delaying',
  'delaying_locked',
  'marking',
  'path',
  'path_locked',
  'goal',
] as const;
type Control = (typeof controls)[number];

/** The phases in which threads make steps. */
type Phase = 'before' | 'delaying' | 'path';

function controlOf(phase: Phase, isLocked: boolean): Control {
  return isLocked ? `${phase}_locked` : phase;
}

/** The meaning of a token on a place of the net. */
type Place =
  /** A token is a thread that has not chosen its first node. */
  | { readonly kind: 'start'; readonly class: number }
  /** A token is a thread off the happens-before path, at a node of its sequential automaton. */
  | { readonly kind: 'thread'; readonly class: number; readonly node: number }
  /** A token is a thread at a node of its path automaton, after the attack's last load. */
  | { readonly kind: 'on-path'; readonly class: number; readonly node: number }
  /** A token is the attacker while it delays stores, in the given state. */
  | {
      readonly kind: 'attacker';
      readonly job: number;
      readonly node: number;
      readonly loads: number;
    }
  /** A token says which cell the first delayed store writes, and the mark that the cell gets. */
  | { readonly kind: 'target'; readonly cell: number; readonly mark: Mark }
  /** A token says that a cell holds the value with this id and has the mark. */
  | { readonly kind: 'cell'; readonly cell: number; readonly value: number; readonly mark: Mark };

type CellContent = Extract<Place, { readonly kind: 'cell' }>;

/**
 * An access for which a thread or the attacker waits: the access is possible once its cell has a
 * suitable content.
 */
interface Waiting {
  readonly cell: number;
  /**
   * Whether the contents of the cell are values with marks, as they are after the attack's last
   * load.
   */
  readonly isMarked: boolean;
  readonly meet: (content: CellContent) => void;
}

const unmarked: Mark = 0;

/** The units of work counted for a place and for a rule. */
const work = { place: 20, rule: 5 } as const;

/** The estimated number of bytes of a rule and of a place. */
const bytesOf = { rule: 400, place: 500 } as const;

/**
 * Builds the attacks on all instances as a net whose size is linear in the number of cells: each
 * cell has a place for each value it may hold, and the control is the phase of the attack ([BDM13x]
 * Theorem 10; registers are part of the places of threads, as there). The target can be covered iff
 * an instance has a feasible attack. The net has only places and steps that are possible if numbers
 * of tokens are ignored.
 */
export class FlatAttackNet {
  readonly #templates: TemplateAutomata;
  readonly #attackers: readonly {
    readonly job: AttackJob;
    readonly automaton: AttackerAutomaton;
    readonly starts: AttackStarts;
  }[];
  readonly #places = new Interned<Place>((place) => JSON.stringify(Object.values(place)));
  readonly #loadSets = new Interned<ReadonlySet<TransitionId>>((loads) =>
    [...loads].sort((a, b) => a - b).join(),
  );
  readonly #rules: NetRule[] = [];
  readonly #waiting: Waiting[][] = [];
  readonly #contents: CellContent[][] = [];
  /** The places found so far whose outgoing rules have not been written yet. */
  readonly #found: Place[] = [];
  readonly #mostRules: number;

  /** Creates a builder of the net. The net is not built if it needs more than `mostRules` rules. */
  constructor(templates: TemplateAutomata, jobs: readonly AttackJob[], mostRules = 200_000) {
    this.#templates = templates;
    this.#mostRules = mostRules;
    const { all, pairs } = templates;
    this.#attackers = jobs.map((job) => {
      const { sequential } = at(templates.classes, job.class).automata;
      const thread = at(pairs.program.threads, at(at(all.classes, job.class), 0));
      const { cells, levels } = all;
      const automaton = new AttackerAutomaton(thread, sequential, cells, levels, job.blocked);
      return { job, automaton, starts: new AttackStarts(sequential, automaton) };
    });
  }

  /** The estimated number of bytes of the net so far. */
  get bytes(): number {
    return this.#rules.length * bytesOf.rule + this.#places.size * bytesOf.place;
  }

  /** Returns the net; `undefined` if it has too many rules, as it has for data without bounds. */
  build(name: string, spend: Spend = unwatched): Net | undefined {
    const starts = this.#templates.classes.map((_, own) => this.#start(own));
    for (let place = this.#found.pop(); place; place = this.#found.pop()) {
      if (this.#rules.length > this.#mostRules) return undefined;
      const before = this.#rules.length;
      this.#stepsOf(place);
      spend(work.place + (this.#rules.length - before) * work.rule);
    }
    const held = this.#contents.flatMap((_, cell): readonly (readonly [number, number])[] => [
      [this.#number({ kind: 'cell', cell, value: 0, mark: unmarked }), 1],
    ]);
    const threads = starts.flatMap((place, own): readonly (readonly [number, number])[] => {
      const { single, unbounded } = at(this.#templates.classes, own);
      return place === undefined ? [] : [[place, unbounded.length > 0 ? omega : single]];
    });
    const least = starts.flatMap((place, own): readonly (readonly [number, number])[] => {
      const { single, unbounded } = at(this.#templates.classes, own);
      return place === undefined || unbounded.length === 0 ? [] : [[place, single]];
    });
    const goal: Configuration = { control: controls.indexOf('goal'), marking: emptyMarking };
    return {
      name,
      places: Array.from({ length: this.#places.size }, (_, place) => this.#nameOf(place)),
      controls,
      rules: this.#rules,
      initial: { control: controls.indexOf('before'), marking: markingOf([...threads, ...held]) },
      least: markingOf(least),
      targets: [goal],
      claims: [],
    };
  }

  /**
   * Returns the place for the threads of a class that have not started yet; `undefined` if these
   * threads have no steps.
   */
  #start(own: number): number | undefined {
    const { sequential } = at(this.#templates.classes, own).automata;
    const nodes = sequential.initialNodes().map(({ node }) => node);
    const [only] = nodes;
    if (nodes.length === 1 && only !== undefined) return this.#threadAt(own, only);
    const start = this.#number({ kind: 'start', class: own });
    for (const node of nodes) this.#rule('before', 'before', [start], [this.#threadAt(own, node)]);
    return start;
  }

  /**
   * Returns the place for threads that are off the happens-before path, at a node; `undefined` if
   * the node is the end, where a thread has no steps.
   */
  #threadAt(own: number, node: number): number | undefined {
    return node === 0 ? undefined : this.#number({ kind: 'thread', class: own, node });
  }

  #number(place: Place): number {
    const known = this.#places.size;
    const number = this.#places.number(place);
    if (number === known) {
      this.#found.push(place);
      // A cell holds its initial value at the start.
      if (place.kind === 'cell' && (place.value !== 0 || place.mark !== unmarked))
        this.#open(place.cell);
    }
    return number;
  }

  #open(cell: number): void {
    this.#number({ kind: 'cell', cell, value: 0, mark: unmarked });
  }

  #rule(
    from: Control,
    to: Control,
    pre: readonly number[],
    post: readonly (number | undefined)[],
  ): void {
    const tokens = (places: readonly (number | undefined)[]): Marking =>
      markingOf(places.flatMap((place) => (place === undefined ? [] : [[place, 1] as const])));
    this.#rules.push({
      id: this.#rules.length,
      from: controls.indexOf(from),
      to: controls.indexOf(to),
      pre: tokens(pre),
      post: tokens(post),
    });
  }

  #stepsOf(place: Place): void {
    switch (place.kind) {
      case 'start':
        return;
      case 'thread':
        this.#threadSteps(place);
        this.#attackStarts(place);
        if (this.#attackers.length > 0)
          this.#pathSteps(place.class, this.#pathOf(place.class).offPath(place.node), place);
        return;
      case 'on-path':
        this.#pathSteps(place.class, place.node, place);
        return;
      case 'attacker':
        this.#attackerSteps(place);
        return;
      case 'target':
        this.#targetSteps(place);
        return;
      case 'cell':
        this.#contentsOf(place.cell).push(place);
        for (const waiting of this.#waitingOn(place.cell).slice())
          if (waiting.isMarked || place.mark === unmarked) waiting.meet(place);
    }
  }

  #pathOf(own: number) {
    return at(this.#templates.classes, own).automata.path;
  }

  #contentsOf(cell: number): CellContent[] {
    while (this.#contents.length <= cell) this.#contents.push([]);
    return at(this.#contents, cell);
  }

  #waitingOn(cell: number): Waiting[] {
    while (this.#waiting.length <= cell) this.#waiting.push([]);
    return at(this.#waiting, cell);
  }

  /**
   * Writes a rule for each known content of the accessed cell, and registers the access for
   * contents found later.
   */
  #await(waiting: Waiting): void {
    this.#open(waiting.cell);
    this.#waitingOn(waiting.cell).push(waiting);
    for (const content of this.#contentsOf(waiting.cell).slice())
      if (waiting.isMarked || content.mark === unmarked) waiting.meet(content);
  }

  /** Writes the rules for the steps that a thread can make up to the attack's last load. */
  #threadSteps(place: Extract<Place, { readonly kind: 'thread' }>): void {
    const { class: own, node } = place;
    const { sequential, delayed } = at(this.#templates.classes, own).automata;
    const from = this.#number(place);
    const isLocked = sequential.isExclusive(node);
    for (const [action, cell] of sequential.actionCells(node).entries()) {
      const write = (content: CellContent | undefined): void => {
        const value = content?.value ?? 0;
        for (const phase of ['before', 'delaying'] as const) {
          if (phase === 'delaying' && this.#attackers.length === 0) continue;
          const automaton = phase === 'before' ? sequential : delayed;
          for (const outcome of automaton.outcomes(node, action, value)) {
            const behind = this.#threadAt(own, outcome.node);
            const next = outcome.node !== 0 && sequential.isExclusive(outcome.node);
            const to = controlOf(phase, next);
            this.#move(controlOf(phase, isLocked), to, from, behind, content, {
              value: outcome.value,
              mark: unmarked,
            });
          }
        }
      };
      if (cell < 0) write(undefined);
      else this.#await({ cell, isMarked: false, meet: write });
    }
  }

  /** Writes a rule for a step of one thread, with the content of its cell before and after. */
  #move(
    from: Control,
    to: Control,
    thread: number,
    behind: number | undefined,
    content: CellContent | undefined,
    after: Pick<CellContent, 'value' | 'mark'>,
  ): void {
    if (!content) {
      this.#rule(from, to, [thread], [behind]);
      return;
    }
    const changed = this.#number({ ...content, ...after });
    this.#rule(from, to, [thread, this.#number(content)], [behind, changed]);
  }

  #attackStarts(place: Extract<Place, { readonly kind: 'thread' }>): void {
    const from = this.#number(place);
    for (const [number, { job, automaton, starts }] of this.#attackers.entries()) {
      if (job.class !== place.class) continue;
      for (const { store, entries } of starts.at(place.node)) {
        const open = job.open.get(store);
        if (!open) continue;
        const loads = this.#loadSets.number(open);
        for (const { node } of entries) {
          if (!automaton.reachableLoads(node).some((load) => open.has(load))) continue;
          const attacker = this.#number({ kind: 'attacker', job: number, node, loads });
          this.#rule('before', 'delaying', [from], [attacker]);
        }
      }
    }
  }

  /** Writes the rules for the loads of the attacker, each of which may be its last. */
  #attackerSteps(place: Extract<Place, { readonly kind: 'attacker' }>): void {
    const { job, node, loads } = place;
    const { automaton } = at(this.#attackers, job);
    const open = this.#loadSets.item(loads);
    const from = this.#number(place);
    const { levels } = this.#templates.all;
    for (const [action, { transition, cell }] of automaton.loads(node).entries())
      this.#await({
        cell,
        isMarked: false,
        meet: (content) => {
          const same = { value: content.value, mark: unmarked };
          for (const outcome of automaton.outcomes(node, action, content.value)) {
            if (!automaton.reachableLoads(outcome.node).some((load) => open.has(load))) continue;
            const behind = this.#number({ ...place, node: outcome.node });
            this.#move('delaying', 'delaying', from, behind, content, same);
          }
          if (!open.has(transition)) return;
          const { cell: written, mark } = automaton.target(node);
          const target = this.#number({ kind: 'target', cell: written, mark });
          const loaded = { value: content.value, mark: levels.afterLoad };
          this.#move('delaying', 'marking', from, target, content, loaded);
        },
      });
  }

  #targetSteps(place: Extract<Place, { readonly kind: 'target' }>): void {
    const { cell, mark } = place;
    const from = this.#number(place);
    this.#await({
      cell,
      isMarked: false,
      meet: (content) =>
        this.#move('marking', 'path', from, undefined, content, { value: content.value, mark }),
    });
  }

  /**
   * Writes the rules for the steps of a thread after the attack's last load, at a node of its path
   * automaton.
   */
  #pathSteps(own: number, node: number, place: Place): void {
    const { marks } = this.#templates.all;
    const path = this.#pathOf(own);
    const from = this.#number(place);
    const isLocked = path.isExclusive(node);
    const write = (content: CellContent | undefined, outcomes: readonly Outcome[]): void => {
      for (const outcome of outcomes) {
        if (outcome.node === goalNode) {
          const pre = content ? [from, this.#number(content)] : [from];
          this.#rule(controlOf('path', isLocked), 'goal', pre, []);
          continue;
        }
        const to = controlOf('path', outcome.node !== 0 && path.isExclusive(outcome.node));
        const behind =
          outcome.node === 0
            ? undefined
            : this.#number({ kind: 'on-path', class: own, node: outcome.node });
        const cell = content?.cell ?? 0;
        this.#move(controlOf('path', isLocked), to, from, behind, content, {
          value: marks.value(cell, outcome.value),
          mark: marks.mark(cell, outcome.value),
        });
      }
    };
    for (const [action, cell] of path.actionCells(node).entries()) {
      if (cell < 0) write(undefined, path.outcomes(node, action, 0));
      else
        this.#await({
          cell,
          isMarked: true,
          meet: (content) => {
            const marked = marks.id(cell, content.value, content.mark);
            write(content, path.outcomes(node, action, marked));
          },
        });
    }
  }

  #nameOf(number: number): string {
    const place = this.#places.item(number);
    switch (place.kind) {
      case 'start':
        return `${this.#className(place.class)}_start`;
      case 'thread':
        return `${this.#className(place.class)}_${place.node}`;
      case 'on-path':
        return `${this.#className(place.class)}_on_path_${place.node}`;
      case 'attacker':
        return `attacker_${place.job}_${place.node}_${place.loads}`;
      case 'target':
        return `target_${this.#cellName(place.cell)}_${place.mark}`;
      case 'cell': {
        const { cells, levels } = this.#templates.all;
        const value = String(cells.value(place.cell, place.value)).replace('-', 'minus_');
        const { level, target } = levels.describe(place.mark);
        const marked = place.mark === unmarked ? '' : `_${target ? 'target' : level}`;
        return `${this.#cellName(place.cell)}_is_${value}${marked}`;
      }
    }
  }

  #className(own: number): string {
    const { all, pairs } = this.#templates;
    const thread = pairs.program.threads[at(at(all.classes, own), 0)];
    return thread?.copy?.template ?? thread?.name ?? 't';
  }

  #cellName(cell: number): string {
    const { all, pairs } = this.#templates;
    const address = all.cells.address(cell);
    const symbol = pairs.program.symbols.find(
      ({ base, length }) => address >= base && address < base + length,
    );
    if (!symbol) return `cell_${address}`;
    return symbol.isArray ? `${symbol.name}_${address - symbol.base}` : symbol.name;
  }
}
