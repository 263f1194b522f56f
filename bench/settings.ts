/** The settings from the command line. */
export interface Settings {
  /** Measures only these families; if empty, all families. */
  readonly families: readonly string[];
  readonly maxStates: number;
  /** CPU seconds for each run of the search. */
  readonly timeout: number;
  /** CPU seconds for each run of the reference engine; 0 leaves the engine out. */
  readonly referenceTimeout: number;
  /** CPU seconds for each run of SPIN; 0 leaves SPIN out. */
  readonly spinTimeout: number;
  /** Runs of each measurement; the median counts. */
  readonly runs: number;
}
