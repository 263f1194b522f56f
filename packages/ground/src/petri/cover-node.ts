import type { Configuration, Rule } from './counter-system.js';
import type { Marking } from './marking.js';

/**
 * How a place of a node came to hold `omega`: by repeating a rule at its control, or all that
 * happened since an ancestor.
 */
export type Pump =
  | { readonly kind: 'rule'; readonly rule: Rule; readonly before: Marking }
  | { readonly kind: 'path'; readonly ancestor: CoverNode; readonly before: Marking };

/** A configuration that is reached, with `omega` where tokens can be pumped. */
export interface CoverNode extends Configuration {
  readonly signature: number;
  readonly parent: CoverNode | undefined;
  /**
   * The ancestors that a descendant may be pumped against: those that no later ancestor, which was
   * pumped against them, covers.
   */
  readonly lineage: readonly CoverNode[];
  /** Fired at the parent. */
  readonly rule: Rule | undefined;
  /** In the order in which they were found; `before` is the marking that each started from. */
  readonly pumps: readonly Pump[];
  /** No longer active: another node covers it. */
  isDead: boolean;
}
