import type { Configuration, CounterSystem, Rule } from './counter-system.js';
import type { Marking } from './marking.js';

/** A rule of an explicit net. */
export interface NetRule extends Rule {
  readonly from: number;
  /** The name of the rule; absent if the format has no names for rules. */
  readonly name?: string;
}

/** An explicit net: all places, controls and rules are known. The `id` of a rule is its index. */
export interface Net {
  readonly name: string;
  /** The names of the places, indexed by place. */
  readonly places: readonly string[];
  /** The names of the controls, indexed by control; plain nets have only one control. */
  readonly controls: readonly string[];
  readonly rules: readonly NetRule[];
  readonly initial: Configuration;
  /**
   * The minimum numbers of tokens on the places that start with any number of tokens; no minimum if
   * absent.
   */
  readonly least?: Marking;
  /**
   * The configurations to be covered: the question is whether the net can cover at least one of
   * them.
   */
  readonly targets: readonly Configuration[];
  /**
   * Weights of places, each claimed to be an invariant: no rule of the net increases the weighted
   * sum of tokens. Callers must check these claims before using them.
   */
  readonly claims: readonly Marking[];
}

const none: readonly never[] = [];

/**
 * Estimated bytes of a net and of its counter system: per rule, and per name of a place or control.
 */
export const bytesOfNet = { rule: 1_100, name: 90 } as const;

/** Converts a net to a counter system, the input of searches. */
export function toSystem({ rules, initial, least, targets }: Net): CounterSystem {
  const filed = new Map<number, Map<number, Rule[]>>();
  for (const rule of rules) {
    const byPlace = filed.get(rule.from) ?? new Map<number, Rule[]>();
    filed.set(rule.from, byPlace);
    const place = rule.pre[0] ?? -1;
    const list = byPlace.get(place);
    if (list) list.push(rule);
    else byPlace.set(place, [rule]);
  }
  const goals = new Map<number, Marking[]>();
  for (const { control, marking } of targets)
    goals.set(control, [...(goals.get(control) ?? []), marking]);
  return {
    initial,
    ...(least && { least }),
    rules: (control, place) => filed.get(control)?.get(place) ?? none,
    targets: (control) => goals.get(control) ?? none,
  };
}
