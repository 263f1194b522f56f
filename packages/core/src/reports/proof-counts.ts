import type { ProveResult } from '../verdict/prove-result.js';

/** How many abstractions and movers a proof rests on, as [BEMT18] Table 1 counts. */
export interface ProofCounts {
  readonly abstractions: number;
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
    abstractions: abstractions.length,
    rightMovers: new Set(loads).size,
    leftMovers: stores.filter(({ argument }) => argument.kind === 'left-mover').length,
  };
}
