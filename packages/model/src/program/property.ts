import { hasPart } from './expression.js';
import type { Property, StateExpression } from './program.js';

/** Whether the property claims that a state exists, rather than that none does. */
export function claimsExistence({ kind }: Pick<Property, 'kind'>): boolean {
  return kind === 'exists' || kind === 'stuck';
}

/** The parts of a state read by a condition. */
interface Mentions {
  readonly memory: boolean;
  /** Positions of threads, whether they have ended, and registers. */
  readonly threads: boolean;
  /** Whether store buffers are empty. */
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
