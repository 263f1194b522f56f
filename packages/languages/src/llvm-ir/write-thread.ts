import { isModelLimitName } from '@fencewright/ground/source/model-limits.js';
import {
  binary,
  constant,
  isSame,
  negate,
  registerValue,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { Luck, Thread } from '@fencewright/model/program/program.js';
import { modelLimit } from '@fencewright/model/program/model-limit.js';
import type { RmwName } from '@fencewright/model/program/rmw.js';
import { hasTag } from './tag-sums.js';
import { liveRegisters } from './graph-passes.js';
import { numberThread, type WrittenStep, type WrittenThread } from './number-thread.js';
import { lowerBinary, lowerCompare } from './lower-arithmetic.js';
import {
  withMeaning,
  type AccessStep,
  type StepEdge,
  type FaultReason,
  type StepNode,
  type LoweredStep,
  type StepGraph,
} from './step.js';
import { noValue } from './unset-cells.js';

/**
 * The addresses of the cells for starting a thread, for announcing the thread's end, and for
 * passing the argument; absent if not needed.
 */
export interface ThreadCells {
  readonly start?: number;
  readonly done?: number;
  readonly result?: number;
  readonly argument?: number;
}

/** The properties of the program on which the writing of a thread depends. */
interface ThreadContext {
  readonly cellsOf: (thread: number) => ThreadCells;
  /** Returns the index of the shared symbol at an address; `undefined` if there is none. */
  readonly symbolAt: (address: number) => number | undefined;
  /**
   * Returns the condition under which the address of an edge's access is right; `undefined` if it
   * is always right.
   */
  readonly guardOf: (edge: number) => Expression | undefined;
  /** Returns whether the access of an edge may hit an uninitialised cell. */
  readonly mayBeUnset: (edge: number) => boolean;
}

const fetches: Readonly<Record<string, RmwName>> = {
  xchg: 'xchg',
  add32: 'fetch_add32',
  sub32: 'fetch_sub32',
  add64: 'fetch_add64',
  sub64: 'fetch_sub64',
  and: 'fetch_and',
  or: 'fetch_or',
  xor: 'fetch_xor',
  max: 'fetch_max',
  min: 'fetch_min',
};

/**
 * An instruction that always faults, as an error of the program, in a form that text formats allow.
 */
function mistake(register: RegisterId): Instruction {
  const own = registerValue(register);
  const value = binary('/', constant(1), binary('!=', own, own));
  return { kind: 'assign', into: register, value };
}

/** By step that ends the thread, the location of the ended thread. */
export type WrittenEnds = Pick<WrittenThread, 'ends'>;

/** The thread of a graph: each step as one or several instructions. Throws `Unsupported`. */
export function writeThread(
  id: number,
  name: string,
  graph: StepGraph,
  context: ThreadContext,
): WrittenThread {
  const writer = new ThreadWriter(id, graph, context);
  return writer.write(name);
}

class ThreadWriter {
  readonly #written: WrittenStep[] = [];
  readonly #registers: string[];
  /** By step that ends the thread, the node of the ended thread. */
  readonly #ends = new Map<LoweredStep, StepNode>();
  readonly #live: readonly ReadonlySet<RegisterId>[];
  #nodes: number;
  /** The index of the edge that is being written. */
  #edge = -1;

  constructor(
    readonly id: number,
    readonly graph: StepGraph,
    readonly context: ThreadContext,
  ) {
    this.#registers = [...graph.registers];
    this.#live = liveRegisters(graph);
    this.#nodes = graph.nodes;
  }

  write(name: string): WrittenThread {
    const initial = this.#begin();
    this.graph.edges.forEach((edge, index) => {
      this.#edge = index;
      this.#writeEdge(edge, index);
    });
    return numberThread(name, initial, this.#written, {
      ends: this.#ends,
      registers: this.#registers,
      symbolAt: this.context.symbolAt,
      ...(this.graph.outcomes && { outcomes: this.graph.outcomes }),
    });
  }

  #node(): StepNode {
    return this.#nodes++;
  }

  #spare(name: string): RegisterId {
    return this.#registers.push(name) - 1;
  }

  /**
   * Returns the initial node. From the initial node, a thread started by another thread waits for
   * the start.
   */
  #begin(): StepNode {
    const { start } = this.context.cellsOf(this.id);
    const { initial, edges } = this.graph;
    const origin = edges.find(({ from }) => from === initial)?.origin ?? {};
    if (start === undefined) return initial;
    const first = this.#node();
    this.#wait(first, initial, start, { origin });
    return first;
  }

  /** Writes instructions that lead from `from` to `to` once the cell is not 0. */
  #wait(
    from: StepNode,
    to: StepNode,
    cell: number,
    edge: Pick<StepEdge, 'origin' | 'nofence'>,
  ): void {
    const register = this.#spare('started');
    this.#chain(from, to, edge, [
      { kind: 'lock', order: 'acquire' },
      { kind: 'load', into: register, address: constant(cell) },
      { kind: 'assume', condition: registerValue(register) },
      { kind: 'unlock' },
    ]);
  }

  /** Writes instructions in sequence; a fence may be inserted only before the first. */
  #chain(
    from: StepNode,
    to: StepNode,
    { origin, nofence }: Pick<StepEdge, 'origin' | 'nofence'>,
    instructions: readonly Instruction[],
    luck?: Luck,
  ): void {
    let at = from;
    instructions.forEach((instruction, i) => {
      const next = i === instructions.length - 1 ? to : this.#node();
      const isInner = i > 0 || nofence;
      this.#written.push({
        from: at,
        to: next,
        instruction,
        origin,
        edge: this.#edge,
        ...(isInner && { nofence: true }),
        ...(luck && { luck }),
      });
      at = next;
    });
  }

  #writeEdge(edge: StepEdge, index: number): void {
    const guard = this.context.guardOf(index);
    if (!guard) {
      this.#writeStep(edge);
      return;
    }
    const { from, origin } = edge;
    const [right, wrong] = [this.#node(), this.#node()];
    this.#chain(from, right, edge, [{ kind: 'assume', condition: guard }]);
    this.#chain(from, wrong, edge, [{ kind: 'assume', condition: negate(guard) }]);
    this.#fault(wrong, this.#node(), { origin }, 'no-object');
    this.#writeStep({ ...edge, from: right });
  }

  #fault(
    from: StepNode,
    to: StepNode,
    { origin, nofence }: Pick<StepEdge, 'origin' | 'nofence'>,
    reason: FaultReason,
  ): void {
    const into = this.#spare('fault');
    const meant = {
      origin: reason === 'division' ? origin : { ...origin, fault: reason },
      ...(nofence && { nofence }),
    };
    this.#chain(from, to, meant, [isModelLimitName(reason) ? modelLimit(into) : mistake(into)]);
  }

  /** Continues after a read if the value is initialised; otherwise the execution faults. */
  #checkValue(from: StepNode, to: StepNode, { origin }: StepEdge, register: RegisterId): void {
    const inner = { origin, nofence: true } as const;
    const value = registerValue(register);
    const wrong = this.#node();
    this.#chain(from, to, inner, [
      { kind: 'assume', condition: binary('!=', value, constant(noValue)) },
    ]);
    this.#chain(from, wrong, inner, [
      { kind: 'assume', condition: binary('==', value, constant(noValue)) },
    ]);
    this.#fault(wrong, this.#node(), inner, 'no-value');
  }

  /** Writes an instruction, and a check of the value read if `needsValue`. */
  #read(edge: StepEdge, instruction: Instruction, register: RegisterId, needsValue: boolean): void {
    const { from, to } = edge;
    if (!needsValue || !this.context.mayBeUnset(this.#edge)) {
      this.#chain(from, to, edge, [instruction]);
      return;
    }
    const middle = this.#node();
    this.#chain(from, middle, edge, [instruction]);
    this.#checkValue(middle, to, edge, register);
  }

  #writeStep(unmarked: StepEdge): void {
    const edge = withMeaning(unmarked);
    const { from, to, step } = edge;
    switch (step.kind) {
      case 'store':
        this.#chain(from, to, edge, [
          step.isLocked
            ? lockedStore(step.address, step.value, step.order)
            : { kind: 'store', address: step.address, value: step.value, ...ordered(step) },
        ]);
        return;
      case 'load':
        this.#read(
          edge,
          { kind: 'load', into: step.into, address: step.address, ...ordered(step) },
          step.into,
          this.#live[to]!.has(step.into),
        );
        return;
      case 'modify':
        this.#modify(edge, step);
        return;
      case 'exchange-if':
        this.#exchangeIf(edge, step);
        return;
      case 'create':
        this.#create(edge, step);
        return;
      case 'join':
        this.#join(edge, step);
        return;
      case 'end':
        this.#end(edge, step);
        return;
      case 'fault':
        this.#fault(from, to, withWords(edge, step), step.reason);
        return;
      case 'assign': {
        const { kind, into, value } = step;
        this.#chain(from, to, edge, [{ kind, into, value }]);
        return;
      }
      case 'observe':
        this.#chain(from, to, edge, [{ kind: 'skip' }]);
        return;
      case 'havoc': {
        const { hint: _, ...instruction } = step;
        this.#chain(from, to, edge, [instruction]);
        return;
      }
      case 'fence': {
        const { order } = step;
        const isFull = order === 'seq_cst';
        this.#chain(from, to, edge, [isFull ? { kind: 'fence' } : { kind: 'skip', fence: order }]);
        return;
      }
      case 'assume': {
        const { luck, ...instruction } = step;
        this.#chain(from, to, edge, [instruction], luck);
        return;
      }
      case 'assert':
      case 'heavy-fence':
      case 'unlock':
        this.#chain(from, to, edge, [step]);
        return;
      case 'lock':
        this.#chain(from, to, edge, [{ kind: 'lock', ...ordered(step) }]);
        return;
      case 'skip': {
        const { mark, luck, label } = step;
        const origin = {
          ...edge.origin,
          ...(mark !== undefined && { mark }),
          ...(label !== undefined && { label }),
        };
        this.#chain(from, to, { ...edge, origin }, [{ kind: 'skip' }], luck);
      }
    }
  }

  #modify(edge: StepEdge, step: Extract<AccessStep, { kind: 'modify' }>): void {
    const { from, to } = edge;
    const { operation, bits, address, operand, into } = step;
    const isTagged = hasTag(step);
    if (isTagged) {
      this.#removeTag(edge, step, isTagged);
      return;
    }
    const isSum = operation === 'add' || operation === 'sub';
    const name = fetches[isSum ? `${operation}${bits}` : operation];
    if (name !== undefined) {
      const needsValue = this.#live[to]!.has(into) || operation !== 'xchg';
      const isRead =
        this.#live[to]!.has(into) || (needsValue && this.context.mayBeUnset(this.#edge));
      const rmw: Instruction = {
        kind: 'rmw',
        address,
        operation: { name, operands: [operand] },
        ...(isRead && { into }),
        ...ordered(step),
      };
      this.#read(edge, rmw, into, needsValue);
      return;
    }
    const old = registerValue(into);
    const load = { kind: 'load', into, address } as const;
    if (operation === 'umax' || operation === 'umin') {
      const isKept = lowerCompare(operation === 'umax' ? 'uge' : 'ule', bits, old, operand);
      this.#choice(edge, step, load, isKept, [], [{ kind: 'store', address, value: operand }]);
      return;
    }
    const value =
      operation === 'nand'
        ? unary('~', binary('&', old, operand))
        : lowerBinary(operation, bits, old, operand);
    const store: Instruction = { kind: 'store', address, value };
    const [lock, unlock] = locking(step);
    if (!this.context.mayBeUnset(this.#edge)) {
      this.#chain(from, to, edge, [...lock, load, store, ...unlock]);
      return;
    }
    const [read, checked] = [this.#node(), this.#node()];
    this.#chain(from, read, edge, [...lock, load]);
    this.#checkValue(read, checked, edge, into);
    this.#chain(checked, to, { origin: edge.origin, nofence: true }, [store, ...unlock]);
  }

  /** Writes a subtraction under the bus lock; executions fault if `isTagged` does not hold. */
  #removeTag(
    edge: StepEdge,
    step: Extract<AccessStep, { kind: 'modify' }>,
    isTagged: Expression,
  ): void {
    const { from, to, origin } = edge;
    const { address, operand, into } = step;
    const [lock, unlock] = locking(step);
    const inner = { origin, nofence: true } as const;
    const [read, checked, wrong] = [this.#node(), this.#node(), this.#node()];
    this.#chain(from, read, edge, [...lock, { kind: 'load', into, address }]);
    if (this.context.mayBeUnset(this.#edge)) this.#checkValue(read, checked, edge, into);
    else this.#chain(read, checked, inner, [{ kind: 'skip' }]);
    const value = lowerBinary('sub', step.bits, registerValue(into), operand);
    this.#chain(checked, to, inner, [
      { kind: 'assume', condition: isTagged },
      { kind: 'store', address, value },
      ...unlock,
    ]);
    this.#chain(checked, wrong, inner, [{ kind: 'assume', condition: negate(isTagged) }]);
    this.#fault(wrong, this.#node(), inner, 'layout');
  }

  #exchangeIf(edge: StepEdge, step: Extract<AccessStep, { kind: 'exchange-if' }>): void {
    const { from, to } = edge;
    const { old, success, address, expected, desired } = step;
    const live = this.#live[to]!;
    if (!live.has(old) && !this.context.mayBeUnset(this.#edge)) {
      this.#chain(from, to, edge, [
        {
          kind: 'rmw',
          address,
          operation: { name: 'cas', operands: [expected, desired] },
          ...(live.has(success) && { into: success }),
          ...ordered(step),
        },
      ]);
      return;
    }
    const isSameValue = binary('==', registerValue(old), expected);
    const store: Instruction = { kind: 'store', address, value: desired };
    const result = (value: number): readonly Instruction[] =>
      live.has(success) ? [{ kind: 'assign', into: success, value: constant(value) }] : [];
    const load = { kind: 'load', into: old, address } as const;
    this.#choice(edge, step, load, isSameValue, [store, ...result(1)], result(0));
  }

  /**
   * Writes a load and a choice by `condition` between the instructions `then` and `otherwise`, all
   * under the bus lock.
   */
  #choice(
    edge: StepEdge,
    access: LockedStep,
    load: Extract<Instruction, { kind: 'load' }>,
    condition: Expression,
    then: readonly Instruction[],
    otherwise: readonly Instruction[],
  ): void {
    const { from, to, origin } = edge;
    const middle = this.#node();
    const [lock, unlock] = locking(access);
    if (this.context.mayBeUnset(this.#edge)) {
      const read = this.#node();
      this.#chain(from, read, edge, [...lock, load]);
      this.#checkValue(read, middle, edge, load.into);
    } else this.#chain(from, middle, edge, [...lock, load]);
    const inner = { origin, nofence: true } as const;
    const ways = [
      [condition, then],
      [negate(condition), otherwise],
    ] as const;
    for (const [test, way] of ways)
      this.#chain(middle, to, inner, [{ kind: 'assume', condition: test }, ...way, ...unlock]);
  }

  #create(edge: StepEdge, { thread, argument }: Extract<LoweredStep, { kind: 'create' }>): void {
    const cells = this.context.cellsOf(thread);
    const instructions: Instruction[] = [];
    if (cells.argument !== undefined && argument)
      instructions.push({ kind: 'store', address: constant(cells.argument), value: argument });
    if (cells.start !== undefined)
      instructions.push(lockedStore(constant(cells.start), constant(1), 'release'));
    this.#chain(
      edge.from,
      edge.to,
      edge,
      instructions.length > 0 ? instructions : [{ kind: 'skip' }],
    );
  }

  #join(edge: StepEdge, { thread, into }: Extract<LoweredStep, { kind: 'join' }>): void {
    const { from, to } = edge;
    const { done, result } = this.context.cellsOf(thread);
    if (done === undefined) {
      this.#chain(from, to, edge, [{ kind: 'skip' }]);
      return;
    }
    if (result === undefined || !this.#live[to]!.has(into)) {
      this.#wait(from, to, done, edge);
      return;
    }
    const middle = this.#node();
    this.#wait(from, middle, done, edge);
    this.#chain(middle, to, { origin: edge.origin, nofence: true }, [
      { kind: 'load', into, address: constant(result) },
    ]);
  }

  #end(edge: StepEdge, step: Extract<LoweredStep, { kind: 'end' }>): void {
    const { value, isLast } = step;
    const { done, result } = isLast === 'exit' ? {} : this.context.cellsOf(this.id);
    const instructions: Instruction[] = [];
    if (done !== undefined && result !== undefined && value)
      instructions.push({ kind: 'store', address: constant(result), value });
    if (done !== undefined) instructions.push(lockedStore(constant(done), constant(1), 'release'));
    this.#ends.set(step, instructions.length > 0 ? edge.to : edge.from);
    if (instructions.length > 0) this.#chain(edge.from, edge.to, edge, instructions);
  }
}

/** The edge of a fault, with the message of the library's source in the origin if there is one. */
function withWords(edge: StepEdge, { said, advice }: FaultStep): StepEdge {
  const words = { ...(said !== undefined && { said }), ...(advice !== undefined && { advice }) };
  return { ...edge, origin: { ...edge.origin, ...words } };
}

type FaultStep = Extract<LoweredStep, { kind: 'fault' }>;

/**
 * The instructions to write before and after a section under the bus lock; none if the thread holds
 * the lock already.
 */
function locking(step: LockedStep): readonly [readonly Instruction[], readonly Instruction[]] {
  return step.isInLock ? [[], []] : [[{ kind: 'lock', ...ordered(step) }], [{ kind: 'unlock' }]];
}

type LockedStep = Extract<AccessStep, { kind: 'modify' | 'exchange-if' }>;

interface Orders {
  readonly order?: MemoryOrder;
  readonly failureOrder?: MemoryOrder;
  readonly mayFail?: true;
}

/**
 * Returns the members of a step's instruction that only C11 uses: memory orders, and whether the
 * instruction may fail without reason.
 */
function ordered({ order, failureOrder, mayFail }: Orders): Orders {
  return {
    ...(order && { order }),
    ...(failureOrder && { failureOrder }),
    ...(mayFail && { mayFail }),
  };
}

/** A store made by x86 as an exchange with an unused result. */
function lockedStore(address: Expression, value: Expression, order?: MemoryOrder): Instruction {
  const operation = { name: 'xchg', operands: [value] } as const;
  return { kind: 'rmw', address, operation, isStore: true, ...(order && { order }) };
}

/** Whether two threads have equal locations, and instructions of the same kinds and places. */
export function areCopies(one: Thread, other: Thread): boolean {
  return (
    one.locations.length === other.locations.length &&
    one.initial === other.initial &&
    one.registers.length === other.registers.length &&
    one.transitions.length === other.transitions.length &&
    one.transitions.every((step, i) => {
      const match = other.transitions[i]!;
      return (
        step.from === match.from &&
        step.to === match.to &&
        step.instruction.kind === match.instruction.kind &&
        step.nofence === match.nofence &&
        step.luck === match.luck &&
        isSame(step.origin, match.origin)
      );
    })
  );
}
