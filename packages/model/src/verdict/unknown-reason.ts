/** Why a search ended before it knew the answer. */
export type UnknownReason =
  'states' | 'memory' | 'time' | 'cancelled' | 'unsupported' | 'undecided' | 'effort';
