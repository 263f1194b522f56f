/** An edge between two actions of a run, as indices of `EventRun.actions`. */
export interface RunEdge {
  readonly from: number;
  readonly to: number;
}

/** Why one action of a run on several threads comes before another ([BDM13] Sect. 2). */
export type EventRelation = 'po' | 'src' | 'st' | 'cf' | 'post' | 'lock';

/**
 * What contradicts every serial order of a run ([BEMR18] Def. 1), or every sequentially consistent
 * one (Def. 2). Accesses are named by the action with which they reach memory.
 */
export type EventViolation =
  /** A task accesses a cell before a task of the same event that comes earlier in DFS order. */
  | ({ readonly kind: 'dfs-order' } & RunEdge)
  /** Conflicts that lead from event to event and back to the first one. */
  | { readonly kind: 'event-cycle'; readonly edges: readonly RunEdge[] }
  /** A cycle of happens-before. */
  | {
      readonly kind: 'happens-before';
      readonly edges: readonly (RunEdge & { readonly relation: EventRelation })[];
    };

/** The actions that a violation is about. */
export function actionsOf(violation: EventViolation): ReadonlySet<number> {
  const edges = violation.kind === 'dfs-order' ? [violation] : violation.edges;
  return new Set(edges.flatMap(({ from, to }) => [from, to]));
}
