/** The reason why a search ended without an answer. */
export type UnknownReason =
  'states' | 'memory' | 'time' | 'cancelled' | 'unsupported' | 'undecided' | 'effort';
