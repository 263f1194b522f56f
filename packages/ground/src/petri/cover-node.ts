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
   * The ancestors of the node with which a descendant is compared for acceleration (raising places
   * to `omega`); without ancestors covered by a later ancestor at the same control.
   */
  readonly lineage: readonly CoverNode[];
  /** The rule fired at the parent of the node to reach the node; `undefined` at the root. */
  readonly rule: Rule | undefined;
  /**
   * The reasons for which places of the node were raised to `omega`, in order of discovery;
   * `before` is the marking before the place was raised.
   */
  readonly pumps: readonly Pump[];
  /** Whether another node of the tree covers this node, so that it is not searched further. */
  isDead: boolean;
}
