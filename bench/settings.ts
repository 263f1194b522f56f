/** The settings of the benchmark, from the command line. */
export interface Settings {
  /** The names of the families to be measured; if empty, all families. */
  readonly families: readonly string[];
  readonly maxStates: number;
  /** The limit on each run of the search, in seconds of CPU time. */
  readonly timeout: number;
  /**
   * The limit on each run of the reference engine, in seconds of CPU time; 0 leaves the engine out.
   */
  readonly referenceTimeout: number;
  /** The limit on each run of SPIN, in seconds of CPU time; 0 leaves SPIN out. */
  readonly spinTimeout: number;
  /** The number of runs of each measurement, of which the median is taken. */
  readonly runs: number;
}
