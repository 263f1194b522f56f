import type { Property, StateExpression } from './program.js';

/** Whether the property claims that there is a state, and not that there is none. */
export function claimsExistence({ kind }: Pick<Property, 'kind'>): boolean {
  return kind === 'exists' || kind === 'stuck';
}

/** What a condition looks at. */
export interface Mentions {
  readonly memory: boolean;
  /** Where threads stand, whether they have ended, their registers. */
  readonly threads: boolean;
  /** Whether store buffers are empty. */
  readonly buffers: boolean;
}

const nothing: Mentions = { memory: false, threads: false, buffers: false };

/** What the condition looks at, whether its value depends on it or not. */
export function mentionsOf(condition: StateExpression): Mentions {
  switch (condition.kind) {
    case 'constant':
      return nothing;
    case 'memory':
      return { ...nothing, memory: true };
    case 'at':
    case 'ended':
    case 'register':
      return { ...nothing, threads: true };
    case 'drained':
      return { ...nothing, buffers: true };
    case 'unary':
      return mentionsOf(condition.operand);
    case 'binary': {
      const [left, right] = [mentionsOf(condition.left), mentionsOf(condition.right)];
      return {
        memory: left.memory || right.memory,
        threads: left.threads || right.threads,
        buffers: left.buffers || right.buffers,
      };
    }
  }
}
