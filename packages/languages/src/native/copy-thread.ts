import { constantValue } from '@fencewright/model/program/evaluate.js';
import { copyOf } from '@fencewright/model/program/instantiate.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import {
  type ElementExpression,
  SelfReplacement,
} from '@fencewright/model/program/replace-self.js';
import { indexOutOfBounds } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';

/**
 * Returns the copies 0 to `count - 1` of a thread, with `self` replaced by the number of each copy.
 * Reports indices outside of their arrays.
 */
export function copyThread(
  lowered: LoweredThread,
  count: number,
  symbols: readonly SharedSymbol[],
  problems: ProblemList,
): readonly LoweredThread[] {
  const reported = new Set<string>();
  const checkIndex = ({ symbol, index }: ElementExpression, span: Span | undefined): void => {
    const { name = '', length = 0, isBoundless } = symbols[symbol] ?? {};
    const value = constantValue(index, symbols);
    if (isBoundless || value === undefined || (value >= 0 && value < length) || !span) return;
    const key = `${span.start.line}:${span.start.column}:${value}`;
    if (reported.has(key)) return;
    reported.add(key);
    problems.add(indexOutOfBounds(span, name, value, length));
  };
  return Array.from({ length: count }, (_, copy) => {
    const { thread } = lowered;
    const transitions = thread.transitions.map((transition) => {
      const { span } = transition.origin;
      const replacement = new SelfReplacement(copy, (element) => checkIndex(element, span));
      return { ...transition, instruction: replacement.instruction(transition.instruction) };
    });
    return { ...lowered, thread: copyOf({ ...thread, transitions }, copy) };
  });
}
