import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { evaluateConstant } from './evaluate-constant.js';
import type { HavocInstruction } from './syntax-instructions.js';
import type { HavocStatement } from './syntax-statements.js';
import type { ProblemList } from './problem-list.js';
import { readTerm } from './read-term.js';
import { type SharedScope, lookUpShared } from './scope.js';
import { spanBetween } from '@fencewright/ground/source/span.js';

/**
 * Returns the constant range of a `havoc` after `in`; `undefined` if there is none, or after a
 * reported error.
 */
export function readHavocRange(
  { low: lowNode, high: highNode }: HavocInstruction | HavocStatement,
  shared: SharedScope,
  problems: ProblemList,
): { readonly low: number; readonly high: number } | undefined {
  if (!lowNode || !highNode) return undefined;
  const scope = {
    lookUp: (name: string) => lookUpShared(shared, name),
    candidates: () => shared.constants.keys(),
  };
  const [low, high] = [lowNode, highNode].map((node) => {
    const term = readTerm(node, problems);
    return term && evaluateConstant(term, scope, problems);
  });
  if (low === undefined || high === undefined) return undefined;
  if (low <= high) return { low, high };
  const span = spanBetween(lowNode.span, highNode.span);
  problems.add(
    wrongOperand(span, `the range ${low}..${high} is empty`, 'write the smaller number first'),
  );
  return undefined;
}
