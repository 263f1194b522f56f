import type { Marking } from './marking.js';

/**
 * A step of a counter system: removes tokens `pre`, adds tokens `post`, and changes the control to
 * `to`.
 */
export interface Rule {
  /** A unique identifier of the rule in its system. */
  readonly id: number;
  readonly to: number;
  readonly pre: Marking;
  readonly post: Marking;
}

/** A state of a counter system: a control, and tokens on places. */
export interface Configuration {
  readonly control: number;
  readonly marking: Marking;
}

/**
 * A finite control over counters without zero tests: a Petri net with a control state (plain nets
 * have only one), or a thread-transition system. Rules may be created on first access. Places and
 * controls are numbers from 0 on.
 */
export interface CounterSystem {
  /**
   * The configuration in which the counter system starts; `omega` means any initial number of
   * tokens.
   */
  readonly initial: Configuration;
  /**
   * The minimum numbers of tokens on the places that start with any number of tokens; no minimum if
   * absent.
   */
  readonly least?: Marking;
  /**
   * Returns the rules that fire at `control` and have `place` as the first place in `pre`; -1 for
   * rules without `pre`. Equal calls return the identical array.
   */
  rules(control: number, place: number): readonly Rule[];
  /** Returns the minimal markings to be covered at `control`. */
  targets(control: number): readonly Marking[];
}

/**
 * A run of a counter system that covers a target: fires the rules of `steps` in order from
 * `initial`, which has no `omega`.
 */
export interface CoveringRun {
  readonly initial: Configuration;
  readonly steps: readonly Rule[];
}
