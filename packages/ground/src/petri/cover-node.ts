import type { Configuration, Rule } from './counter-system.js';
import type { Marking } from './marking.js';

/**
 * The reason why a place of a node in the coverability tree holds `omega`: repeating a rule at the
 * node's control, or the whole path from an ancestor, adds tokens.
 */
export type Pump =
  | { readonly kind: 'rule'; readonly rule: Rule; readonly before: Marking }
  | { readonly kind: 'path'; readonly ancestor: CoverNode; readonly before: Marking };

/**
 * A node of the coverability tree: a reached configuration, with `omega` on places where tokens can
 * be added without bound.
 */
export interface CoverNode extends Configuration {
  readonly signature: number;
  readonly parent: CoverNode | undefined;
  /**
   * The ancestors of the node with which descendants are compared for acceleration (raising places
   * to `omega`). An ancestor is left out if a later ancestor at the same control covers it.
   */
  readonly lineage: readonly CoverNode[];
  /** The rule that was fired at the parent to reach the node; `undefined` at the root. */
  readonly rule: Rule | undefined;
  /**
   * Why places of the node hold `omega`: one reason for each raising of a place, in the order in
   * which the places were raised; `before` is the marking before the raising.
   */
  readonly pumps: readonly Pump[];
  /** Whether another node of the tree covers this node, so that the search leaves this node out. */
  isDead: boolean;
}
