import type { LocationId } from '../../program/ids.js';
import type { Instruction } from '../../program/instruction.js';
import type { Location, Transition } from '../../program/program.js';
import type { Span } from '../../source/span.js';
import type { Marks } from './read-annotations.js';
import type { Gap, Move, Point, TextFlow } from './text-flow.js';

export type { Point } from './text-flow.js';

interface Edge {
  readonly from: Point;
  readonly to: Point;
  readonly instruction: Instruction;
  readonly span: Span;
  readonly marks: Marks;
}

/** The locations and transitions that a thread has in the end. */
export interface BuiltAutomaton {
  readonly locations: readonly Location[];
  readonly initial: LocationId;
  readonly transitions: readonly Transition[];
  readonly labels: ReadonlyMap<string, LocationId>;
  readonly textFlow: TextFlow;
}

/**
 * Builds the automaton of a structured thread. Jumps make two points one instead of adding transitions; the points of one
 * class become one location, which bears the name of its first label.
 */
export class ThreadBuilder {
  /** Union-find forest over points, with path halving. */
  readonly #parents: Point[] = [];
  /** Where the statement at a point starts; that of a class is the one of its root. */
  readonly #spans: Span[] = [];
  /** Whether something outside may lead to the root's class. */
  readonly #pinned: boolean[] = [];
  readonly #labels = new Map<string, { readonly point: Point; readonly span: Span }>();
  readonly #edges: Edge[] = [];
  /** How control gets from point to point within a class. */
  readonly #moves: Move[] = [];

  /** A new point for the statement at `span`. */
  point(span: Span): Point {
    this.#spans.push(span);
    this.#pinned.push(false);
    return this.#parents.push(this.#parents.length) - 1;
  }

  /** Says that transitions from outside may lead to `point`, so that it cannot become one with a point of choice. */
  pin(point: Point): void {
    this.#pinned[this.#root(point)] = true;
  }

  /** A new point that the label names. */
  label(name: string, span: Span): Point {
    const point = this.point(span);
    this.pin(point);
    this.#labels.set(name, { point, span });
    return point;
  }

  /** A new point that is one with `from`, behind the gap. */
  pointBehind(gap: Gap, from: Point): Point {
    const point = this.#pointLike(from);
    this.#moves.push({ from, to: point, gap });
    return point;
  }

  /** A new point that is one with `to`, before the gap. */
  pointBefore(gap: Gap, to: Point): Point {
    const point = this.#pointLike(to);
    this.#moves.push({ from: point, to, gap });
    return point;
  }

  emit(from: Point, to: Point, instruction: Instruction, span: Span, marks: Marks): void {
    this.#edges.push({ from, to, instruction, span, marks });
  }

  /**
   * Goes on at `to` from `from`, where no instruction stands. Costs no transition, except in a loop without any
   * instruction: there a thread runs forever, and it needs a step to tell that from its end.
   */
  jump(from: Point, to: Point, span: Span): void {
    if (this.#root(from) === this.#root(to)) {
      this.emit(from, to, { kind: 'skip' }, span, {});
    } else {
      this.#moves.push({ from, to });
      this.#unite(from, to);
    }
  }

  /** Makes the branch that starts at `branch` leave from `from`: directly where its first instruction can, else by a `skip`. */
  adopt(branch: Point, from: Point, span: Span, marks: Marks): void {
    if (this.#pinned[this.#root(branch)] || this.#root(branch) === this.#root(from)) {
      this.emit(from, branch, { kind: 'skip' }, span, marks);
    } else {
      this.#moves.push({ from, to: branch });
      this.#unite(branch, from);
    }
  }

  /** The automaton without what neither the start nor a label leads to; locations are numbered in the order of the text. */
  build(initial: Point, end: Point): BuiltAutomaton {
    const labelled = [...this.#labels.values()].map(({ point }) => point);
    const reachable = this.#reachableFrom([initial, ...labelled]);
    const edges = this.#edges.filter(({ from }) => reachable.has(this.#root(from)));
    const ids = new Map<Point, LocationId>();
    const idOf = (point: Point): LocationId => {
      const root = this.#root(point);
      const known = ids.get(root) ?? ids.size;
      ids.set(root, known);
      return known;
    };
    const start = idOf(initial);
    const transitions = edges.map(({ from, to, instruction, span, marks }) => ({
      from: idOf(from),
      to: idOf(to),
      instruction,
      origin: { span },
      ...marks,
    }));
    const labels = new Map<string, LocationId>();
    for (const [name, { point }] of this.#labels) labels.set(name, idOf(point));
    const locations = this.#nameLocations([...ids.keys()]);
    const textFlow: TextFlow = {
      moves: this.#moves,
      entries: [initial, ...edges.map(({ to }) => to)],
      labels: labelled,
      end,
      exits: edges.map(({ from }) => from),
      locationOf: (point) => ids.get(this.#root(point)),
    };
    return { initial: start, locations, transitions, labels, textFlow };
  }

  #pointLike(other: Point): Point {
    const point = this.point(this.#spans[this.#root(other)]!);
    this.#unite(point, other);
    return point;
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
    const successors = new Map<Point, Point[]>();
    for (const { from, to } of this.#edges) {
      const root = this.#root(from);
      const known = successors.get(root);
      if (known) known.push(this.#root(to));
      else successors.set(root, [this.#root(to)]);
    }
    const reached = new Set(starts.map((point) => this.#root(point)));
    for (const point of reached) for (const next of successors.get(point) ?? []) reached.add(next);
    return reached;
  }

  /** Locations bear their first label; the others are called after their line: L12, L12b, ... */
  #nameLocations(roots: readonly Point[]): readonly Location[] {
    const labelled = new Map<Point, { readonly name: string; readonly span: Span }>();
    for (const [name, { point, span }] of this.#labels) {
      const root = this.#root(point);
      if (!labelled.has(root)) labelled.set(root, { name, span });
    }
    const taken = new Set(this.#labels.keys());
    return roots.map((root) => {
      const label = labelled.get(root);
      if (label) return { ...label, hidden: false };
      const span = this.#spans[root]!;
      const name = uniqueLineName(span.start.line + 1, taken);
      taken.add(name);
      return { name, span, hidden: true };
    });
  }
}

function uniqueLineName(line: number, taken: ReadonlySet<string>): string {
  const name = `L${line}`;
  if (!taken.has(name)) return name;
  for (const letter of 'bcdefghijklmnopqrstuvwxyz')
    if (!taken.has(name + letter)) return name + letter;
  let number = 27;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
