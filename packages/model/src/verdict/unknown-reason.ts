/** The reason why a search ended without an answer. */
export type UnknownReason =
  | 'states'
  | 'work'
  | 'memory'
  | 'time'
  | 'cancelled'
  | 'unsupported'
  | 'undecided'
  | 'effort'
  /** No single thread's delays break robustness; delays of several threads might. */
  | 'several-delays';
