import { at } from '@fencewright/ground/base/at.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Location, Origin, Register, Thread, Transition } from './program.js';
import { failingBranch } from './weak-rmw.js';

/**
 * A point of a thread that is being built. Points become locations; several points may become one
 * location.
 */
export type DraftLocation = number;

/**
 * The annotations of an instruction: the cost of a fence before the instruction, or that a fence
 * there is forbidden; and the reason why progress must not rely on the step.
 */
export type Marks = Pick<Transition, 'cost' | 'nofence' | 'luck'>;

/** The way in which a source language numbers and names locations. Users see numbers and names. */
interface LocationStyle {
  /**
   * The order in which locations are numbered. `made`: in order of creation. `used`: the start
   * first, then in order of mention in transitions.
   */
  readonly order: 'made' | 'used';
  /**
   * Returns the suffix for the name of the `n`-th unlabelled location of a line, from `n` = 2 on;
   * the first one has a name without suffix, `L12`.
   */
  readonly suffix?: (n: number) => string;
}

/**
 * Builds a thread point by point. Registers are numbered in order of first mention. Two points are
 * merged if control passes from one to the next without an instruction. Each class of merged points
 * is a location, named after its first label; without a label the location is hidden and named
 * after its line (`L12`). `Extra` are instructions beyond those of all threads.
 */
export class AutomatonBuilder<Extra = never> {
  readonly #name: string;
  readonly #style: LocationStyle;
  /** The parent of each point in the union-find forest of merged points. */
  readonly #parents: DraftLocation[] = [];
  /**
   * The source text of each point, indexed by point; a class of merged points has the text of its
   * root.
   */
  readonly #spans: Span[] = [];
  /**
   * Whether control may enter a class of merged points from outside the thread; indexed by point,
   * valid for roots.
   */
  readonly #pinned: boolean[] = [];
  /** The labels with their points, in the order of the points. */
  readonly #labels: { readonly name: string; readonly point: DraftLocation }[] = [];
  readonly #labelled = new Map<string, DraftLocation>();
  readonly #hiddenNames = new Map<DraftLocation, string>();
  readonly #registers: Register[] = [];
  readonly #registerIds = new Map<string, RegisterId>();
  readonly #transitions: Transition<Instruction | Extra>[] = [];
  #ids: ReadonlyMap<DraftLocation, LocationId> = new Map();

  constructor(name: string, style: LocationStyle = { order: 'made' }) {
    this.#name = name;
    this.#style = style;
  }

  /** Returns the register with the given name, created at its first mention. */
  register(name: string): RegisterId {
    return this.#declare(name, false);
  }

  /**
   * Returns a hidden register made by the front end. Equal names give equal registers; no register
   * of the user may have the name.
   */
  hidden(name: string): RegisterId {
    return this.#declare(name, true);
  }

  /**
   * Returns a new point for the code at `span`. A labelled point can be a jump target, so it is
   * kept even if unreachable.
   */
  location(span: Span, label?: string): DraftLocation {
    const point = this.#parents.length;
    this.#parents.push(point);
    this.#spans.push(span);
    this.#pinned.push(label !== undefined);
    if (label !== undefined) this.#labels.push({ name: label, point });
    return point;
  }

  /** The point with the given label, created at its first mention. */
  labelled(label: string, span: Span): DraftLocation {
    const known = this.#labelled.get(label);
    if (known !== undefined) return known;
    const point = this.location(span, label);
    this.#labelled.set(label, point);
    return point;
  }

  /** A new point hidden from the user; `nameOf` makes its name from the number of the point. */
  hiddenLocation(span: Span, nameOf: (point: DraftLocation) => string): DraftLocation {
    const point = this.location(span);
    this.#hiddenNames.set(point, nameOf(point));
    return point;
  }

  /** Returns a new point, merged at once with the point `other`: both become one location. */
  locationLike(other: DraftLocation): DraftLocation {
    const point = this.location(at(this.#spans, this.#root(other)));
    this.#unite(point, other);
    return point;
  }

  /**
   * Records that control may enter the thread at the point from outside, so that the point is kept.
   */
  pin(point: DraftLocation): void {
    this.#pinned[this.#root(point)] = true;
  }

  isPinned(point: DraftLocation): boolean {
    return at(this.#pinned, this.#root(point));
  }

  isSame(one: DraftLocation, other: DraftLocation): boolean {
    return this.#root(one) === this.#root(other);
  }

  emit(
    from: DraftLocation,
    to: DraftLocation,
    instruction: Instruction | Extra,
    span: Span,
    marks?: Marks,
    meant?: Omit<Origin, 'span'>,
  ): void {
    this.#transitions.push({ from, to, instruction, origin: { span, ...meant }, ...marks });
  }

  /** Adds an instruction from `from` to a new point, and returns the new point. */
  step(
    from: DraftLocation,
    instruction: Instruction,
    span: Span,
    meant?: Omit<Origin, 'span'>,
  ): DraftLocation {
    const to = this.location(span);
    this.emit(from, to, instruction, span, undefined, meant);
    return to;
  }

  /**
   * Adds the transitions by which a weak rmw may fail without effect, through `middle`, a point
   * without another use.
   */
  emitFailure(
    from: DraftLocation,
    to: DraftLocation,
    instruction: Instruction,
    middle: DraftLocation,
    span: Span,
  ): void {
    for (const each of failingBranch({ from, to, instruction, origin: {} }, middle))
      this.emit(each.from, each.to, each.instruction, span);
  }

  /**
   * Merges `from`, a point without instructions, with `to`; returns whether the points were merged.
   * If `from` and `to` are merged already, the thread would loop without an instruction: a `skip`
   * is added instead, to distinguish the loop from the end of the thread.
   */
  join(from: DraftLocation, to: DraftLocation, span: Span): boolean {
    if (this.isSame(from, to)) {
      this.emit(from, to, { kind: 'skip' }, span);
      return false;
    }
    this.#unite(from, to);
    return true;
  }

  /**
   * Returns the thread, without code unreachable from the start and from labels. May be called
   * repeatedly.
   */
  build(initial: DraftLocation): Thread<Instruction | Extra> {
    const reached = this.#reachableFrom([initial, ...this.#labels.map(({ point }) => point)]);
    const transitions = this.#transitions.filter(({ from }) => reached.has(this.#root(from)));
    const ids = new Map<DraftLocation, LocationId>();
    for (const root of this.#inOrder(initial, transitions, reached))
      if (!ids.has(root)) ids.set(root, ids.size);
    this.#ids = ids;
    const idOf = (point: DraftLocation): LocationId => ids.get(this.#root(point))!;
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

  /**
   * Returns the id of a point's location in the thread returned by the last `build`; `undefined` if
   * the location was left out.
   */
  idOf(point: DraftLocation): LocationId | undefined {
    return this.#ids.get(this.#root(point));
  }

  /**
   * The source and target points of the transitions of the thread that was built last, in the order
   * of the transitions.
   */
  get ends(): readonly { readonly from: DraftLocation; readonly to: DraftLocation }[] {
    return this.#transitions.filter(({ from }) => this.idOf(from) !== undefined);
  }

  /**
   * Returns the root points of the classes of merged points that become locations, in the order of
   * their numbers, possibly with repetitions.
   */
  #inOrder(
    initial: DraftLocation,
    transitions: readonly Transition<unknown>[],
    reached: ReadonlySet<DraftLocation>,
  ): readonly DraftLocation[] {
    if (this.#style.order === 'made')
      return [...this.#parents.keys()].filter((point) => reached.has(point));
    const used = transitions.flatMap(({ from, to }) => [from, to]);
    const labelled = this.#labels.map(({ point }) => point);
    return [initial, ...used, ...labelled].map((point) => this.#root(point));
  }

  #locations(roots: readonly DraftLocation[]): readonly Location[] {
    const labels = new Map<DraftLocation, Location>();
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

  #root(point: DraftLocation): DraftLocation {
    let current = point;
    for (;;) {
      const parent = this.#parents[current]!;
      if (parent === current) return current;
      const next = this.#parents[parent]!;
      this.#parents[current] = next;
      current = next;
    }
  }

  /** Merges the classes of two points; the merged class has the span of the class of `into`. */
  #unite(point: DraftLocation, into: DraftLocation): void {
    const root = this.#root(point);
    const target = this.#root(into);
    this.#parents[root] = target;
    this.#pinned[target] ||= this.#pinned[root]!;
  }

  #reachableFrom(starts: readonly DraftLocation[]): ReadonlySet<DraftLocation> {
    const reached = new Set(starts.map((point) => this.#root(point)));
    if (reached.size === this.#parents.length) return reached;
    const successors = new Map<DraftLocation, DraftLocation[]>();
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
