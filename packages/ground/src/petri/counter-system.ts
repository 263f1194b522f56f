import type { Marking } from './marking.js';

/**
 * A step that all systems of this folder take: tokens `pre` are taken, tokens `post` are put down,
 * and the control becomes `to`.
 */
export interface Rule {
  /** A name of the rule, unique in its system. */
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
 * A finite control over counters without zero tests: a Petri net with a control state (of which
 * plain nets have one), or a thread-transition system. Its rules may be made when they are first
 * asked for. Places and controls are numbers from 0 on.
 */
export interface CounterSystem {
  /** `omega` stands for any number of tokens to start with. */
  readonly initial: Configuration;
  /** Tokens that there are in any case on places with any number of them; none where absent. */
  readonly least?: Marking;
  /**
   * The rules that leave `control`, filed under the first place they take tokens from; under -1
   * those that take none. The same array each time.
   */
  rules(control: number, place: number): readonly Rule[];
  /** The minimal markings that are targets at `control`. */
  targets(control: number): readonly Marking[];
}

/** A way to a target: fires one after the other from `initial`, which has no `omega`. */
export interface Run {
  readonly initial: Configuration;
  readonly steps: readonly Rule[];
}
