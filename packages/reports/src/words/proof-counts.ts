import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';

/** How many abstractions and movers a proof rests on, as [BEMT18] Table 1 counts. */
export interface ProofCounts {
  /** Loads that may return more than the cell's value. */
  readonly readAbstractions: number;
  /** Rmws that may fail at any time; not in the paper. */
  readonly weakRmws: number;
  /** Loads that have to be right movers, each once. */
  readonly rightMovers: number;
  /** Stores that have to be left movers. */
  readonly leftMovers: number;
}

export function countMovers({ abstractions, stores }: ProveResult): ProofCounts {
  const loads = stores.flatMap(({ store, loads: behind, argument }) =>
    argument.kind === 'right-movers' ? behind.map((load) => `${store.thread}.${load}`) : [],
  );
  return {
    readAbstractions: abstractions.filter(({ kind }) => kind === 'read').length,
    weakRmws: abstractions.filter(({ kind }) => kind === 'rmw').length,
    rightMovers: new Set(loads).size,
    leftMovers: stores.filter(({ argument }) => argument.kind === 'left-mover').length,
  };
}
