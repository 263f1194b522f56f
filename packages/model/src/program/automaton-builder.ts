import { at } from '@fencewright/ground/base/at.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Location, Register, Thread, Transition } from './program.js';
import { failingBranch } from './weak-rmw.js';

/** A location while its thread is built. Several may turn out to be one. */
export type Point = number;

/** What is said of the place of an instruction, besides the instruction. */
export type Marks = Pick<Transition, 'cost' | 'nofence' | 'luck'>;

/** How the locations of a language are numbered and named: users know them by both. */
export interface LocationStyle {
  /**
   * `made`: in the order in which they were made. `used`: from the start on, in the order in which
   * transitions mention them.
   */
  readonly order: 'made' | 'used';
  /**
   * What the `n`-th location without a label of one line has behind the name `L12` of its line, `n`
   * being 2 or more.
   */
  readonly suffix?: (n: number) => string;
}

/**
 * Builds a thread point by point. Registers are numbered by their first mention. Points become one
 * where control gets from one to the other without an instruction; such a class is a location,
 * which bears the first of its labels, or else is hidden and called after its line (`L12`).
 * `Extra` are instructions besides those of all threads.
 */
export class AutomatonBuilder<Extra = never> {
  readonly #name: string;
  readonly #style: LocationStyle;
  /** Union-find forest over points, with path halving. */
  readonly #parents: Point[] = [];
  /** Of a class, that of its root counts. */
  readonly #spans: Span[] = [];
  /** Whether something outside may lead to the class of that root. */
  readonly #pinned: boolean[] = [];
  /** In the order of their points. */
  readonly #labels: { readonly name: string; readonly point: Point }[] = [];
  readonly #labelled = new Map<string, Point>();
  readonly #hiddenNames = new Map<Point, string>();
  readonly #registers: Register[] = [];
  readonly #registerIds = new Map<string, RegisterId>();
  readonly #transitions: Transition<Instruction | Extra>[] = [];
  #ids: ReadonlyMap<Point, LocationId> = new Map();

  constructor(name: string, style: LocationStyle = { order: 'made' }) {
    this.#name = name;
    this.#style = style;
  }

  /** The register of that name. */
  register(name: string): RegisterId {
    return this.#declare(name, false);
  }

  /** A register of ours; the same one for the same name, which no register of the user may have. */
  hidden(name: string): RegisterId {
    return this.#declare(name, true);
  }

  /**
   * A new point for what stands at `span`. A label can be jumped to, so it stays whether or not
   * anything leads to it.
   */
  location(span: Span, label?: string): Point {
    const point = this.#parents.length;
    this.#parents.push(point);
    this.#spans.push(span);
    this.#pinned.push(label !== undefined);
    if (label !== undefined) this.#labels.push({ name: label, point });
    return point;
  }

  /** The point with that label; made when it is first mentioned. */
  labelled(label: string, span: Span): Point {
    const known = this.#labelled.get(label);
    if (known !== undefined) return known;
    const point = this.location(span, label);
    this.#labelled.set(label, point);
    return point;
  }

  /** A new point that the user does not see, whose name is made of its number. */
  hiddenLocation(span: Span, nameOf: (point: Point) => string): Point {
    const point = this.location(span);
    this.#hiddenNames.set(point, nameOf(point));
    return point;
  }

  /** A new point that is one with `other`. */
  locationLike(other: Point): Point {
    const point = this.location(at(this.#spans, this.#root(other)));
    this.#unite(point, other);
    return point;
  }

  /** Says that transitions from outside may lead to the point. */
  pin(point: Point): void {
    this.#pinned[this.#root(point)] = true;
  }

  isPinned(point: Point): boolean {
    return at(this.#pinned, this.#root(point));
  }

  isSame(one: Point, other: Point): boolean {
    return this.#root(one) === this.#root(other);
  }

  emit(from: Point, to: Point, instruction: Instruction | Extra, span: Span, marks?: Marks): void {
    this.#transitions.push({ from, to, instruction, origin: { span }, ...marks });
  }

  /** An instruction that leads from `from` to a new point, which is returned. */
  step(from: Point, instruction: Instruction, span: Span): Point {
    const to = this.location(span);
    this.emit(from, to, instruction, span);
    return to;
  }

  /** How an rmw that is weak fails, by way of `middle`, a point of its own. */
  emitFailure(from: Point, to: Point, instruction: Instruction, middle: Point, span: Span): void {
    for (const each of failingBranch({ from, to, instruction, origin: {} }, middle))
      this.emit(each.from, each.to, each.instruction, span);
  }

  /**
   * Makes `from`, at which no instruction stands, one with `to`, and says whether it could. Where
   * they are one already, a thread would run in circles without an instruction: it gets a step that
   * does nothing, which tells that from its end.
   */
  join(from: Point, to: Point, span: Span): boolean {
    if (this.isSame(from, to)) {
      this.emit(from, to, { kind: 'skip' }, span);
      return false;
    }
    this.#unite(from, to);
    return true;
  }

  /** The thread, without what neither the start nor a label leads to. Can be asked for again. */
  build(initial: Point): Thread<Instruction | Extra> {
    const reached = this.#reachableFrom([initial, ...this.#labels.map(({ point }) => point)]);
    const transitions = this.#transitions.filter(({ from }) => reached.has(this.#root(from)));
    const ids = new Map<Point, LocationId>();
    for (const root of this.#inOrder(initial, transitions, reached))
      if (!ids.has(root)) ids.set(root, ids.size);
    this.#ids = ids;
    const idOf = (point: Point): LocationId => ids.get(this.#root(point))!;
    return {
      name: this.#name,
      registers: this.#registers,
      locations: this.#locations([...ids.keys()]),
      initial: idOf(initial),
      transitions: transitions.map((transition) => ({
        ...transition,
        from: idOf(transition.from),
        to: idOf(transition.to),
      })),
    };
  }

  /** The id of a point in the thread that `build` gave last; absent where it was left out. */
  idOf(point: Point): LocationId | undefined {
    return this.#ids.get(this.#root(point));
  }

  /** Where the transitions of the thread that `build` gave last start and end, in their order. */
  get ends(): readonly { readonly from: Point; readonly to: Point }[] {
    return this.#transitions.filter(({ from }) => this.idOf(from) !== undefined);
  }

  /** The roots that stay, some several times. */
  #inOrder(
    initial: Point,
    transitions: readonly Transition<unknown>[],
    reached: ReadonlySet<Point>,
  ): readonly Point[] {
    if (this.#style.order === 'made')
      return [...this.#parents.keys()].filter((point) => reached.has(point));
    const used = transitions.flatMap(({ from, to }) => [from, to]);
    const labelled = this.#labels.map(({ point }) => point);
    return [initial, ...used, ...labelled].map((point) => this.#root(point));
  }

  #locations(roots: readonly Point[]): readonly Location[] {
    const labels = new Map<Point, Location>();
    for (const { name, point } of this.#labels) {
      const root = this.#root(point);
      if (!labels.has(root))
        labels.set(root, { name, span: at(this.#spans, point), hidden: false });
    }
    const taken = this.#labels.map(({ name }) => name);
    const { suffix } = this.#style;
    const names = new UniqueNames(taken, { ...(suffix && { suffix }) });
    return roots.map((root) => {
      const label = labels.get(root);
      if (label) return label;
      const span = at(this.#spans, root);
      const name = this.#hiddenNames.get(root) ?? names.fresh(`L${span.start.line + 1}`);
      return { name, span, hidden: true };
    });
  }

  #declare(name: string, hidden: boolean): RegisterId {
    const known = this.#registerIds.get(name);
    if (known !== undefined) return known;
    const id = this.#registers.push({ name, hidden }) - 1;
    this.#registerIds.set(name, id);
    return id;
  }

  #root(point: Point): Point {
    let current = point;
    for (;;) {
      const parent = this.#parents[current]!;
      if (parent === current) return current;
      const next = this.#parents[parent]!;
      this.#parents[current] = next;
      current = next;
    }
  }

  /** Makes two classes one, with the span of that of `into`. */
  #unite(point: Point, into: Point): void {
    const root = this.#root(point);
    const target = this.#root(into);
    this.#parents[root] = target;
    this.#pinned[target] ||= this.#pinned[root]!;
  }

  #reachableFrom(starts: readonly Point[]): ReadonlySet<Point> {
    const reached = new Set(starts.map((point) => this.#root(point)));
    if (reached.size === this.#parents.length) return reached;
    const successors = new Map<Point, Point[]>();
    for (const { from, to } of this.#transitions) {
      const root = this.#root(from);
      const known = successors.get(root);
      if (known) known.push(this.#root(to));
      else successors.set(root, [this.#root(to)]);
    }
    for (const point of reached) for (const next of successors.get(point) ?? []) reached.add(next);
    return reached;
  }
}
