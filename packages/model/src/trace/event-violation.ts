/** An edge between two actions of a run, as indices of `EventRun.actions`. */
export interface RunEdge {
  readonly from: number;
  readonly to: number;
}

/** Reasons why one action of a run on several threads precedes another ([BDM13] Sect. 2). */
export type EventRelation = 'po' | 'src' | 'st' | 'cf' | 'post' | 'cause' | 'lock';

/**
 * Why no serial order explains a run ([BEMR18] Def. 1), or no sequentially consistent order (Def.
 * 2). Accesses are identified by the action with which they reach memory.
 */
export type EventViolation =
  /**
   * Two accesses of one cell by tasks of one event, in an order that contradicts the DFS order: the
   * task of the first access is behind the task of the second access in DFS order.
   */
  | ({ readonly kind: 'dfs-order' } & RunEdge)
  /** A cycle from event to event, of conflicts and of causes: milestones that events waited for. */
  | {
      readonly kind: 'event-cycle';
      readonly edges: readonly (RunEdge & { readonly relation: 'conflict' | 'cause' })[];
    }
  /** A cycle of happens-before. */
  | {
      readonly kind: 'happens-before';
      readonly edges: readonly (RunEdge & { readonly relation: EventRelation })[];
    };

/** The indices of the actions that take part in a violation. */
export function actionsInViolation(violation: EventViolation): ReadonlySet<number> {
  const edges = violation.kind === 'dfs-order' ? [violation] : violation.edges;
  return new Set(edges.flatMap(({ from, to }) => [from, to]));
}
