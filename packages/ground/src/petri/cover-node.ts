import type { Configuration, Rule } from './counter-system.js';
import type { Marking } from './marking.js';

/**
 * The reason why a place of a node holds `omega`: a rule at the node's control was repeated, or the
 * whole path from an ancestor.
 */
export type Pump =
  | { readonly kind: 'rule'; readonly rule: Rule; readonly before: Marking }
  | { readonly kind: 'path'; readonly ancestor: CoverNode; readonly before: Marking };

/** A reached configuration, with `omega` on places where tokens can be pumped. */
export interface CoverNode extends Configuration {
  readonly signature: number;
  readonly parent: CoverNode | undefined;
  /**
   * The ancestors with which a descendant is compared for pumping: excludes ancestors covered by a
   * later ancestor at their control.
   */
  readonly lineage: readonly CoverNode[];
  /** The rule fired at the parent to reach this node; `undefined` at the start. */
  readonly rule: Rule | undefined;
  /**
   * How the places with `omega` came to hold it, in order of discovery; `before` is the marking
   * before the pump.
   */
  readonly pumps: readonly Pump[];
  /** Whether another node covers this node, so that it is no longer searched. */
  isDead: boolean;
}
