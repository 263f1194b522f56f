import { at } from '@fencewright/ground/base/at.js';
import { evaluateExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { leavesOf } from '@fencewright/model/analysis/state-leaves.js';
import {
  hasPart,
  type BinaryOperator,
  type UnaryOperator,
} from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Property, StateExpression, StateLeaf } from '@fencewright/model/program/program.js';
import { compileProgram, leavingTransitions } from '@fencewright/model/semantics/thread-code.js';
import { any, noHolder, type Minor } from './minor.js';
import {
  maxTargets,
  nodesOf,
  unknown,
  whilePending,
  withLocks,
  type TargetContext,
} from './target-context.js';
import type { GraphEffect } from './thread-graph.js';

/** Returns descriptions of all configurations in which an assertion is about to fail. */
export function failingAssertion(
  context: TargetContext,
  thread: ThreadId,
  transition: number,
): readonly Minor[] {
  const { program, graphs } = context;
  const code = compileProgram(program);
  const { states } = at(graphs.threads, thread);
  return nodesOf(context, thread).flatMap((node) => {
    const { location, registers } = at(states, node);
    const leaving = leavingTransitions(code, thread, location);
    const fails = leaving.some(({ id, value }) => id === transition && value(registers, 0) === 0);
    if (!fails) return [];
    const whole = unknown(context);
    return whilePending(context, { ...whole, nodes: whole.nodes.with(thread, node) }, false);
  });
}

const harmless: readonly (BinaryOperator | UnaryOperator)[] = [
  ...(['==', '!=', '<', '<=', '>', '>='] as const),
  ...(['&&', '||', '!'] as const),
];

/**
 * Returns conditions whose disjunction is equivalent to the condition: the operands of `||`. An
 * operand that may fault is not split off from the preceding operands.
 */
function alternatives(condition: StateExpression): readonly StateExpression[] {
  if (condition.kind !== 'binary' || condition.operator !== '||') return [condition];
  const mayFault = hasPart<StateLeaf>(
    condition.right,
    (part) =>
      (part.kind === 'binary' || part.kind === 'unary') && !harmless.includes(part.operator),
  );
  if (mayFault) return [condition];
  return [...alternatives(condition.left), ...alternatives(condition.right)];
}

/** Nodes of a thread, or values of a cell, that the property's condition treats alike. */
type Alike = readonly number[];

/**
 * A thread, a store buffer, or a cell, with its nodes or values in groups that the property's
 * condition treats alike. The values of a store buffer are 0 (empty) and 1 (not empty).
 */
interface Aspect {
  readonly kind: 'thread' | 'cell' | 'buffer';
  readonly index: number;
  readonly kinds: readonly Alike[];
}

/**
 * The kinds of steps that a thread with an empty buffer cannot make while another thread holds the
 * bus lock.
 */
const waitsForLock: readonly GraphEffect['kind'][] = ['load', 'rmw', 'lock'];

/**
 * Computes the target configurations of a backward search for one property. Thread states, buffers
 * and cell values that the property's condition cannot distinguish are treated alike.
 */
class PropertyTargets {
  readonly #context: TargetContext;
  readonly #property: Property;
  /**
   * Whether the property asks about last states. A last state is a final state, or a state with
   * empty buffers in which no step is possible.
   */
  readonly #isLast: boolean;
  readonly #leaves: readonly StateLeaf[];
  /** For each node, the effects of the outgoing steps, indexed by thread, then by node. */
  readonly #leaving: readonly (readonly (readonly GraphEffect['kind'][])[])[];
  readonly #isEnd: (thread: ThreadId, node: number) => boolean;

  constructor(context: TargetContext, property: Property) {
    const { program, graphs } = context;
    const code = compileProgram(program);
    this.#context = context;
    this.#property = property;
    this.#isLast = property.kind !== 'never';
    this.#leaves = leavesOf([property.condition]);
    this.#leaving = graphs.threads.map(({ states, edges }) => {
      const kinds: GraphEffect['kind'][][] = states.map(() => []);
      for (const { from, effect } of edges) at(kinds, from).push(effect.kind);
      return kinds;
    });
    this.#isEnd = (thread, node) => {
      const { location } = at(at(graphs.threads, thread).states, node);
      return leavingTransitions(code, thread, location).length === 0;
    };
  }

  targets(): readonly Minor[] | undefined {
    const aspects = [...this.#threads(), ...this.#buffers(), ...this.#cells()];
    const targets: Minor[] = [];
    const sizes = aspects.map(({ kinds }) => kinds.length);
    if (sizes.reduce((product, size) => product * size, 1) > maxTargets) return undefined;
    let chosen: (readonly Alike[])[] = [[]];
    for (const { kinds } of aspects)
      chosen = chosen.flatMap((some) => kinds.map((own) => [...some, own]));
    for (const choice of chosen) {
      const isAskedFor = this.#isAskedFor(aspects, choice);
      if (isAskedFor === undefined) return undefined;
      if (!isAskedFor) continue;
      const size = choice.reduce((product, { length }) => product * length, 1);
      if (targets.length + size > maxTargets) return undefined;
      for (const minor of this.#minors(aspects, choice))
        targets.push(
          ...(this.#isLast
            ? withLocks(this.#context, minor).filter((one) => this.#isLastState(one))
            : whilePending(this.#context, minor, this.#addresses().length > 0)),
        );
    }
    return targets;
  }

  #addresses(): readonly number[] {
    const all = this.#leaves.flatMap((leaf) => (leaf.kind === 'memory' ? [leaf.address] : []));
    return [...new Set(all)];
  }

  #valueIn(leaf: StateLeaf, thread: ThreadId, node: number): number {
    const { location, registers } = at(at(this.#context.graphs.threads, thread).states, node);
    if (leaf.kind === 'at') return leaf.location === location ? 1 : 0;
    if (leaf.kind === 'ended') return this.#isEnd(thread, node) ? 1 : 0;
    if (leaf.kind === 'drained') return 1;
    return leaf.kind === 'register' ? at(registers, leaf.register) : 0;
  }

  /**
   * Whether the thread can be at the node in a state without further steps: no step leaves the
   * node, or each of them may wait for the bus lock.
   */
  #mayStay(thread: ThreadId, node: number): boolean {
    if (this.#property.kind !== 'stuck') return this.#isEnd(thread, node);
    return (this.#leaving[thread]?.[node] ?? []).every((kind) => waitsForLock.includes(kind));
  }

  /**
   * Whether no step is possible in the state. The caller has already found by `#mayStay` that each
   * thread can be at its node in a state without further steps.
   */
  #isLastState({ nodes, lock }: Minor): boolean {
    if (this.#property.kind !== 'stuck') return true;
    return (
      nodes.some((node, t) => !this.#isEnd(t, node)) &&
      nodes.every((node, t) => {
        const isFree = lock === noHolder || lock === t;
        return !isFree || (this.#leaving[t]?.[node] ?? []).length === 0;
      })
    );
  }

  /**
   * Yields the threads that the property mentions; if the property is about last states, all
   * threads.
   */
  *#threads(): Generator<Aspect> {
    for (const thread of this.#context.program.threads.keys()) {
      const own = this.#leaves.filter(
        (leaf) => leaf.kind !== 'drained' && 'thread' in leaf && leaf.thread === thread,
      );
      if (own.length === 0 && !this.#isLast) continue;
      const views = new Map<string, number[]>();
      for (const node of nodesOf(this.#context, thread)) {
        if (this.#isLast && !this.#mayStay(thread, node)) continue;
        const view = own.map((leaf) => this.#valueIn(leaf, thread, node)).join();
        const alike = views.get(view);
        if (alike) alike.push(node);
        else views.set(view, [node]);
      }
      yield { kind: 'thread', index: thread, kinds: [...views.values()] };
    }
  }

  /** Yields the store buffers that the property mentions; in last states, all buffers are empty. */
  *#buffers(): Generator<Aspect> {
    if (this.#isLast) return;
    for (const thread of this.#context.program.threads.keys())
      if (this.#leaves.some((leaf) => leaf.kind === 'drained' && leaf.thread === thread))
        yield { kind: 'buffer', index: thread, kinds: [[0], [1]] };
  }

  /**
   * Yields the cells mentioned in the property; a cell without accesses keeps the initial value.
   */
  *#cells(): Generator<Aspect> {
    const { graphs, cells } = this.#context;
    for (const address of this.#addresses()) {
      const cell = cells.cell(address);
      const count = graphs.values[cell];
      if (count === undefined) continue;
      yield { kind: 'cell', index: cell, kinds: Array.from({ length: count }, (_, id) => [id]) };
    }
  }

  /**
   * Returns whether the property asks for states with the chosen values. `undefined` if the
   * condition faults for these values; possibly no execution reaches them.
   */
  #isAskedFor(aspects: readonly Aspect[], choice: readonly Alike[]): boolean | undefined {
    const { cells } = this.#context;
    const { kind, condition } = this.#property;
    const chosen = (what: Aspect['kind'], which: number): number | undefined =>
      choice[aspects.findIndex((one) => one.kind === what && one.index === which)]?.[0];
    const valueOf = (leaf: StateLeaf): number => {
      if (leaf.kind === 'drained') return chosen('buffer', leaf.thread) === 1 ? 0 : 1;
      if (leaf.kind !== 'memory')
        return this.#valueIn(leaf, leaf.thread, chosen('thread', leaf.thread)!);
      const cell = cells.cell(leaf.address);
      return cells.value(cell, chosen('cell', cell) ?? 0);
    };
    try {
      return (evaluateExpression(condition, valueOf) !== 0) === (kind !== 'finally');
    } catch (error) {
      if (error instanceof ExecutionFault) return undefined;
      throw error;
    }
  }

  #minors(aspects: readonly Aspect[], choice: readonly Alike[]): readonly Minor[] {
    let minors: readonly Minor[] = [unknown(this.#context)];
    aspects.forEach(({ kind, index }, i) => {
      minors = minors.flatMap((minor) =>
        at(choice, i).map((one) => {
          if (kind === 'thread') return { ...minor, nodes: minor.nodes.with(index, one) };
          if (kind === 'cell') return { ...minor, memory: minor.memory.with(index, one) };
          const { pending = minor.nodes.map(() => any) } = minor;
          return { ...minor, pending: pending.with(index, one) };
        }),
      );
    });
    return minors;
  }
}

/**
 * Returns the target configurations of a search for the property: violations of a `never` or a
 * `finally`, or the states sought by an `exists` or a `stuck`. `undefined` if there are too many,
 * or if the condition faults for some values.
 */
export function propertyTargets(
  context: TargetContext,
  property: Property,
): readonly Minor[] | undefined {
  // A target for one operand of `||` leaves open what only the other operands mention.
  const asked = property.kind === 'never' ? alternatives(property.condition) : [property.condition];
  const targets: Minor[] = [];
  for (const condition of asked) {
    const own = new PropertyTargets(context, { ...property, condition }).targets();
    if (!own) return undefined;
    targets.push(...own);
  }
  return targets.length > maxTargets ? undefined : targets;
}
