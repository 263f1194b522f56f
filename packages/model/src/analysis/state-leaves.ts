import { hasPart } from '../program/expression.js';
import type { RegisterId, ThreadId } from '../program/ids.js';
import type { StateExpression, StateLeaf } from '../program/program.js';

/**
 * Returns the parts of a state (memory cells, registers, locations) that the conditions mention.
 */
export function leavesOf(conditions: readonly StateExpression[]): readonly StateLeaf[] {
  const leaves: StateLeaf[] = [];
  for (const condition of conditions)
    hasPart<StateLeaf>(condition, (part) => {
      if (part.kind === 'memory' || 'thread' in part) leaves.push(part);
      return false;
    });
  return leaves;
}

/** Returns the registers of the thread that occur among the leaves of conditions. */
export function registersIn(leaves: readonly StateLeaf[], thread: ThreadId): Set<RegisterId> {
  const registers = new Set<RegisterId>();
  for (const leaf of leaves)
    if (leaf.kind === 'register' && leaf.thread === thread) registers.add(leaf.register);
  return registers;
}
