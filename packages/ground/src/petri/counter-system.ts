import type { Marking } from './marking.js';

/**
 * A step of any system in this folder: removes tokens `pre`, adds tokens `post`, and changes the
 * control to `to`.
 */
export interface Rule {
  /** A unique identifier of the rule in its system. */
  readonly id: number;
  readonly to: number;
  readonly pre: Marking;
  readonly post: Marking;
}

/** A control state with tokens. */
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
  /** `omega` stands for any initial number of tokens. */
  readonly initial: Configuration;
  /** A minimum number of tokens on places with any number of tokens; none if absent. */
  readonly least?: Marking;
  /**
   * The rules with source `control` and with `place` as the first place in `pre`; -1 for rules
   * without `pre`. Always returns the identical array.
   */
  rules(control: number, place: number): readonly Rule[];
  /** The minimal target markings at `control`. */
  targets(control: number): readonly Marking[];
}

/** A path to a target: fires the steps in order from `initial`, which has no `omega`. */
export interface Run {
  readonly initial: Configuration;
  readonly steps: readonly Rule[];
}
