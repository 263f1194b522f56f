import { hasPart } from './expression.js';
import type { Property, StateExpression } from './program.js';

/** Whether the property claims that a state exists, rather than that none does. */
export function claimsExistence({ kind }: Pick<Property, 'kind'>): boolean {
  return kind === 'exists' || kind === 'stuck';
}

/** The parts of a state read by a condition. */
interface Mentions {
  readonly memory: boolean;
  /** Whether the condition reads positions of threads, their ends, or registers. */
  readonly threads: boolean;
  /** Whether the condition reads if store buffers are empty. */
  readonly buffers: boolean;
}

/** The parts of a state read by the condition, even if its value does not depend on them. */
export function mentionsOf(condition: StateExpression): Mentions {
  const mentions = (...kinds: readonly StateExpression['kind'][]): boolean =>
    hasPart(condition, ({ kind }) => kinds.includes(kind));
  return {
    memory: mentions('memory'),
    threads: mentions('at', 'ended', 'register'),
    buffers: mentions('drained'),
  };
}
