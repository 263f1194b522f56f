import type { Expression } from '@fencewright/model/program/expression.js';
import { negate, readsRegister, registerValue } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { type LoweredValue, toExpression } from './value.js';
import type { StepEdge, StepNode, LoweredStep, StepGraph } from './step.js';

/** One assignment of a parallel assignment. */
export interface RegisterAssignment {
  readonly into: RegisterId;
  readonly value: Expression;
}

/** Writes the graph of a thread step by step. */
export class GraphWriter {
  readonly #edges: StepEdge[] = [];
  readonly #registers: string[] = [];
  readonly #keys: string[] = [];
  readonly #registerIds = new Map<string, RegisterId>();
  #nodes = 0;

  node(): StepNode {
    return this.#nodes++;
  }

  /**
   * Returns the register of the graph with a key; `name` is the name of the register if it is new.
   */
  register(key: string, name: string): RegisterId {
    const known = this.#registerIds.get(key);
    if (known !== undefined) return known;
    const id = this.#registers.push(name) - 1;
    this.#keys.push(key);
    this.#registerIds.set(key, id);
    return id;
  }

  /**
   * Returns the assignments of a value to the registers of a variable, for a point where paths
   * meet, and the value that represents the registers after the point.
   */
  joined(
    key: string,
    name: string,
    value: LoweredValue,
  ): { readonly moves: readonly RegisterAssignment[]; readonly value: LoweredValue } {
    const into = this.register(key, name);
    const expression = registerValue(into);
    if (value.kind !== 'maybe')
      return {
        moves: [{ into, value: toExpression(value) }],
        value: { kind: 'expression', expression },
      };
    const isSet = this.register(`${key}?`, `${name}_is_set`);
    return {
      moves: [
        { into, value: value.expression },
        { into: isSet, value: value.defined },
      ],
      value: { kind: 'maybe', expression, defined: registerValue(isSet) },
    };
  }

  emit(from: StepNode, to: StepNode, step: LoweredStep, origin: Origin, nofence = false): void {
    this.#edges.push({ from, to, step, origin, ...(nofence && { nofence }) });
  }

  /**
   * Adds a step to a new node and returns the node. With `nofence`, no fence may stand before the
   * step.
   */
  step(from: StepNode, step: LoweredStep, origin: Origin, nofence = false): StepNode {
    const to = this.node();
    this.emit(from, to, step, origin, nofence);
    return to;
  }

  /**
   * Adds a parallel assignment, whose values all refer to the old registers; returns the last node.
   */
  moveAll(from: StepNode, moves: readonly RegisterAssignment[], origin: Origin): StepNode {
    let node = from;
    let pending = moves.filter(
      ({ into, value }) => value.kind !== 'register' || value.register !== into,
    );
    while (pending.length > 0) {
      const free = pending.find(({ into }) =>
        pending.every((other) => other.into === into || !readsRegister(other.value, into)),
      );
      const next = free ?? pending[0]!;
      if (free) node = this.step(node, { kind: 'assign', ...free }, origin);
      else {
        const spare = this.register(`spare${next.into}`, 'spare');
        node = this.step(node, { kind: 'assign', into: spare, value: next.value }, origin);
        const late: RegisterAssignment = { into: next.into, value: registerValue(spare) };
        pending = [...pending.filter((each) => each !== next), late];
        continue;
      }
      pending = pending.filter((each) => each !== next);
    }
    return node;
  }

  /** Sets a register to one of two values by a condition; returns the last node. */
  choose(
    from: StepNode,
    into: RegisterId,
    { condition, then, otherwise }: Record<'condition' | 'then' | 'otherwise', Expression>,
    origin: Origin,
  ): StepNode {
    const end = this.node();
    for (const [holds, value] of [
      [condition, then],
      [negate(condition), otherwise],
    ] as const) {
      const node = this.step(from, { kind: 'assume', condition: holds }, origin);
      this.emit(node, end, { kind: 'assign', into, value }, origin);
    }
    return end;
  }

  mark(): () => void {
    const [nodes, edges, registers] = [this.#nodes, this.#edges.length, this.#registers.length];
    return () => {
      this.#nodes = nodes;
      this.#edges.length = edges;
      this.#registers.length = registers;
      for (const key of this.#keys.splice(registers)) this.#registerIds.delete(key);
    };
  }

  graph(initial: StepNode): StepGraph {
    return {
      nodes: this.#nodes,
      initial,
      edges: this.#edges,
      registers: this.#registers,
    };
  }
}
