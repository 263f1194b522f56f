/** What the user asked for on the command line. */
export interface Settings {
  /** Only these families; all where empty. */
  readonly families: readonly string[];
  readonly maxStates: number;
  /** CPU seconds for each run of the search. */
  readonly timeout: number;
  /** CPU seconds for each run of the reference engine; 0 leaves it out. */
  readonly referenceTimeout: number;
  /** CPU seconds for each run of SPIN; 0 leaves it out. */
  readonly spinTimeout: number;
  /** Runs of each measurement, of which the median counts. */
  readonly runs: number;
}
