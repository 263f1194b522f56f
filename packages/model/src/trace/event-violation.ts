/** An edge between two actions of a run, as indices of `EventRun.actions`. */
export interface RunEdge {
  readonly from: number;
  readonly to: number;
}

/**
 * The reasons why one action of a run on several threads precedes another ([BDM13] Sect. 2):
 * program order, source, store order, conflict, posting, waiting for a milestone, lock block.
 */
export type EventRelation = 'po' | 'src' | 'st' | 'cf' | 'post' | 'cause' | 'lock';

/**
 * The reason why no serial order ([BEMR18] Def. 1), or no sequentially consistent order (Def. 2),
 * explains a run. Accesses are identified by the action with which they reach memory.
 */
export type EventViolation =
  /**
   * Two accesses of one cell by tasks of one event, in an order that contradicts the depth-first
   * order of the event's posted tasks: the task of the first access is after the task of the second
   * access in that order.
   */
  | ({ readonly kind: 'dfs-order' } & RunEdge)
  /**
   * A cycle of events, each related to the next by a conflict or by a cause: a milestone (label)
   * for which the event waited.
   */
  | {
      readonly kind: 'event-cycle';
      readonly edges: readonly (RunEdge & { readonly relation: 'conflict' | 'cause' })[];
    }
  /** A cycle of the happens-before relation between actions of the run. */
  | {
      readonly kind: 'happens-before';
      readonly edges: readonly (RunEdge & { readonly relation: EventRelation })[];
    };

/** The indices of the actions that take part in a violation. */
export function actionsInViolation(violation: EventViolation): ReadonlySet<number> {
  const edges = violation.kind === 'dfs-order' ? [violation] : violation.edges;
  return new Set(edges.flatMap(({ from, to }) => [from, to]));
}
