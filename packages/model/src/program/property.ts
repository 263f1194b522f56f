import { hasPart } from './expression.js';
import type { Property, StateExpression } from './program.js';

/** Whether the property claims that there is a state, and not that there is none. */
export function claimsExistence({ kind }: Pick<Property, 'kind'>): boolean {
  return kind === 'exists' || kind === 'stuck';
}

/** What a condition looks at. */
interface Mentions {
  readonly memory: boolean;
  /** Where threads stand, whether they have ended, their registers. */
  readonly threads: boolean;
  /** Whether store buffers are empty. */
  readonly buffers: boolean;
}

/** What the condition looks at, whether its value depends on it or not. */
export function mentionsOf(condition: StateExpression): Mentions {
  const mentions = (...kinds: readonly StateExpression['kind'][]): boolean =>
    hasPart(condition, ({ kind }) => kinds.includes(kind));
  return {
    memory: mentions('memory'),
    threads: mentions('at', 'ended', 'register'),
    buffers: mentions('drained'),
  };
}
