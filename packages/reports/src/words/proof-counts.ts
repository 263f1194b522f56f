import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';

/** The numbers of abstractions and movers that a proof uses, as [BEMT18] Table 1 counts them. */
export interface ProofCounts {
  /**
   * The number of loads that the proof replaces by read abstractions, which may return more than
   * the cell's value.
   */
  readonly readAbstractions: number;
  /** The number of rmws that the proof lets fail at any time; not in the paper. */
  readonly weakRmws: number;
  /** The number of loads required by the proof to be right movers, each counted once. */
  readonly rightMovers: number;
  /** The number of stores required by the proof to be left movers. */
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
