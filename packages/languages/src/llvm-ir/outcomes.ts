import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { wholeValue } from './integer-pieces.js';
import type { OwnCell } from './lowering-state.js';
import { mostChoices, withBoundedChoices } from './choice-ranges.js';
import { cutAt } from './own-cells.js';
import type { StepEdge, StepNode, LoweredStep, StepGraph } from './step.js';
import { Unsupported } from './unsupported.js';
import { noValue } from './unset-cells.js';
import { nothing, numberValue, toExpression, type LoweredValue } from './value.js';

/**
 * The graph with the same memory accesses, without the assignments to registers that final states
 * show.
 */
export function withoutOutcomes(graph: StepGraph): StepGraph {
  const edges = graph.edges.map((edge): StepEdge => {
    return edge.step.kind === 'observe' ? { ...edge, step: { kind: 'skip' } } : edge;
  });
  return { ...graph, edges };
}

/**
 * The graph with registers for the final values of cells that only this thread accesses. A cell
 * with the same constant value at all ends gets no register. `initialOf` returns the content of a
 * cell before threads start; `mayStay` says whether the initial content may also be final because
 * the thread may never be created.
 */
export function withOutcomes(
  graph: StepGraph,
  initialOf: (address: number, size: number) => bigint | undefined,
  mayStay: (address: number) => boolean,
): StepGraph {
  const ends = graph.edges.flatMap(({ step }) =>
    step.kind === 'observe' ? [new Map(step.cells)] : [],
  );
  for (const cells of ends) splitPieces(cells);
  cutAlike(ends);
  const sizes = new Map(
    ends.flatMap((cells) => [...cells].map(([address, { size }]) => [address, size] as const)),
  );
  const initial = (address: number, size: number): LoweredValue => {
    const number = initialOf(address, size);
    return number === undefined ? nothing : numberValue(number);
  };
  const rows = [...sizes]
    .sort(([a], [b]) => a - b)
    .flatMap(([address, size]) => {
      const row = ends.map((cells) => cells.get(address)?.value ?? initial(address, size));
      const values = row.map((value) => asOne(value, size));
      const known = mayStay(address) ? [...values, initial(address, size)] : values;
      return isConstant(known) ? [] : [{ address, values }];
    });

  const registers = [...graph.registers];
  const outcomes = new Map<RegisterId, number>();
  const intoOf = rows.map(({ address }) => {
    const into = registers.push('outcome') - 1;
    outcomes.set(into, address);
    return into;
  });
  let { nodes } = graph;
  let end = -1;
  const edges = graph.edges.flatMap((edge): readonly StepEdge[] => {
    if (edge.step.kind !== 'observe') return [edge];
    end += 1;
    const chain = new Chain(edge, () => nodes++);
    rows.forEach(({ values }, row) => {
      chain.set(intoOf[row]!, values[end]!);
    });
    return chain.edges;
  });
  return { ...graph, nodes, edges, registers, outcomes };
}

/**
 * A chain of edges that replaces an edge of the graph, to add assignments to registers that final
 * states show.
 */
class Chain {
  readonly #steps: StepEdge[] = [];
  #at: StepNode;

  constructor(
    readonly whole: StepEdge,
    readonly node: () => StepNode,
  ) {
    this.#at = whole.from;
  }

  get edges(): readonly StepEdge[] {
    return [...this.#steps, { ...this.whole, from: this.#at, step: { kind: 'skip' } }];
  }

  set(into: RegisterId, value: LoweredValue): void {
    const to = this.node();
    const assign = (expression: Expression): LoweredStep => ({
      ...{ kind: 'assign', into, value: expression, isOutcome: true },
    });
    if (value.kind === 'maybe')
      for (const [test, expression] of [
        ['!=', value.expression],
        ['==', constant(noValue)],
      ] as const) {
        const chosen = this.node();
        const condition = binary(test, value.defined, constant(0));
        this.#add(this.#at, chosen, { kind: 'assume', condition });
        this.#add(chosen, to, assign(expression));
      }
    else
      this.#add(
        this.#at,
        to,
        assign(value.kind === 'undefined' ? constant(noValue) : toExpression(value)),
      );
    this.#at = to;
  }

  #add(from: StepNode, to: StepNode, step: LoweredStep): void {
    this.#steps.push({ ...this.whole, from, to, step, nofence: true });
  }
}

/** Splits each cell whose pieces form no single value into a cell for each piece. */
function splitPieces(cells: Map<number, OwnCell>): void {
  for (const [address, { size, value }] of [...cells]) {
    if (value.kind !== 'parts' || !value.integer || hasWhole(value, size)) continue;
    const pieces = new Map(
      value.integer.cells.map((piece, i): [number, OwnCell] => [
        address + piece.offset,
        { size: piece.size, value: value.parts[i]! },
      ]),
    );
    splitPieces(pieces);
    cells.delete(address);
    for (const [at, piece] of pieces) cells.set(at, piece);
  }
}

function hasWhole(value: LoweredValue, size: number): boolean {
  try {
    asOne(value, size);
    return true;
  } catch (problem) {
    if (problem instanceof Unsupported) return false;
    throw problem;
  }
}

/** Cuts the cells of all ends of a thread at the same addresses. */
function cutAlike(ends: readonly Map<number, OwnCell>[]): void {
  for (let count = -1; ;) {
    const bounds = new Set(
      ends.flatMap((cells) => [...cells].flatMap(([at, { size }]) => [at, at + size])),
    );
    if (bounds.size === count) return;
    count = bounds.size;
    for (const cells of ends) for (const bound of bounds) cutAt(cells, bound);
  }
}

/** The content of a cell as a single value. Throws `Unsupported` if the pieces form none. */
function asOne(value: LoweredValue, size: number): LoweredValue {
  const whole = wholeValue(value);
  if (whole.kind === 'parts')
    throw new Unsupported(
      'a cell holds a structure when a thread ends: a final value has to be a single number',
      'assign the fields one by one',
    );
  return whole.kind === 'number' ? numberValue(BigInt.asIntN(8 * size, whole.number)) : whole;
}

function isConstant(values: readonly LoweredValue[]): boolean {
  const [first] = values;
  const isKnown = first?.kind === 'number' || first?.kind === 'undefined';
  const numberOf = (value: LoweredValue): bigint | undefined =>
    value.kind === 'number' ? value.number : undefined;
  return (
    isKnown &&
    values.every((value) => value.kind === first.kind && numberOf(value) === numberOf(first))
  );
}

/**
 * The graph with small ranges for its free choices, sufficient for all final states. A choice that
 * needs too many values, as for a printed number, gets its range from `after`, or one value if only
 * registers shown in final states depend on the choice. `before` is the graph without such
 * registers and without ranges; `after` is `before` with ranges.
 */
export function withRangesOf(graph: StepGraph, before: StepGraph, after: StepGraph): StepGraph {
  const ranges = new Map(before.edges.map(({ step }, i) => [step, after.edges[i]!.step]));
  const bounded = withBoundedChoices(graph, () => undefined);
  const edges = graph.edges.map((edge, i): StepEdge => {
    const { step } = edge;
    if (step.kind !== 'havoc') return edge;
    const told = bounded.edges[i]!.step;
    if (isNarrow(told)) return { ...edge, step: told };
    const { low } = step.range;
    return { ...edge, step: ranges.get(step) ?? { ...step, range: { low, high: low } } };
  });
  return { ...graph, edges };
}

const isNarrow = (step: LoweredStep): boolean =>
  step.kind === 'havoc' && step.range.high - step.range.low < mostChoices;
