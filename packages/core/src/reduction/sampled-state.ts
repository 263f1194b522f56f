import { applyBinary, applyUnary, ExecutionFault } from '../program/evaluate.js';
import { selfRegister } from '../program/expression.js';
import type { LocationId, ThreadId } from '../program/ids.js';
import type { InvariantExpression, SharedSymbol } from '../program/program.js';

/** A thread of a state that an instance was seen in. */
export interface SampledThread {
  /** The template. */
  readonly thread: ThreadId;
  readonly self: number;
  readonly location: LocationId;
  /** Indexed by `RegisterId`; those that nobody will look at are 0. */
  readonly registers: readonly number[];
}

/** A state that some small instance reaches under SC, all of its threads at resting places. It only tells what is not true. */
export interface SampledState {
  readonly memory: ReadonlyMap<number, number>;
  readonly threads: readonly SampledThread[];
}

/** What an expression of an invariant is in a sampled state; `undefined` where the instance has no such cell, or on a fault. */
export function evaluateInSample(
  expression: InvariantExpression,
  symbols: readonly SharedSymbol[],
  { memory }: SampledState,
  bound: readonly SampledThread[],
): number | undefined {
  const evaluate = (each: InvariantExpression): number => {
    switch (each.kind) {
      case 'constant':
        return each.value;
      case 'at':
        return bound[each.binder]?.location === each.location ? 1 : 0;
      case 'ended':
        throw new ExecutionFault('address');
      case 'register': {
        const thread = bound[each.binder];
        return each.register === selfRegister
          ? (thread?.self ?? 0)
          : (thread?.registers[each.register] ?? 0);
      }
      case 'cell': {
        const { base = 0, length = 0 } = symbols[each.symbol] ?? {};
        const index = each.index ? evaluate(each.index) : 0;
        if (index < 0 || index >= length) throw new ExecutionFault('index');
        return memory.get(base + index) ?? 0;
      }
      case 'unary':
        return applyUnary(each.operator, evaluate(each.operand));
      case 'binary':
        return applyBinary(each.operator, evaluate(each.left), evaluate(each.right));
    }
  };
  try {
    return evaluate(expression);
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}
