import type { Configuration, CounterSystem } from './counter-system.js';
import {
  entriesOf,
  fire,
  isCovered,
  type Marking,
  omega,
  TooManyTokens,
  unfire,
} from './marking.js';
import type { Net } from './net.js';
import { type Spend, unwatched } from './watch.js';
import { isNeverRaised } from './weights.js';

/**
 * Why no target can be covered. `invariant`: configurations that cover the initial configuration
 * and all their successors, but no target. `basis`: configurations whose upward closure contains
 * all targets and all its predecessors, but not the initial configuration; markings of more weight
 * than the initial marking are exempt.
 */
export type CoverCertificate =
  | { readonly kind: 'invariant'; readonly elements: readonly Configuration[] }
  | {
      readonly kind: 'basis';
      readonly elements: readonly Configuration[];
      readonly weights: readonly Marking[];
    };

function byControl(elements: readonly Configuration[]): ReadonlyMap<number, readonly Marking[]> {
  const map = new Map<number, Marking[]>();
  for (const { control, marking } of elements)
    map.set(control, [...(map.get(control) ?? []), marking]);
  return map;
}

/**
 * Returns the error in a supposed inductive invariant, in words; `undefined` if the invariant shows
 * that no target can be covered.
 */
export function refuteInvariant(
  system: CounterSystem,
  elements: readonly Configuration[],
  spend: Spend = unwatched,
): string | undefined {
  const known = byControl(elements);
  const holds = (control: number, marking: Marking): boolean => {
    const larger = known.get(control) ?? [];
    spend(larger.length + 1);
    return larger.some((one) => isCovered(marking, one));
  };
  const { initial } = system;
  if (!holds(initial.control, initial.marking))
    return 'the initial configuration lies outside the invariant';
  for (const { control, marking } of elements) {
    if (system.targets(control).some((target) => isCovered(target, marking)))
      return 'a target lies inside the invariant';
    const places = [-1, ...entriesOf(marking).map(([place]) => place)];
    for (const place of places)
      for (const { pre, post, to } of system.rules(control, place))
        if (isCovered(pre, marking) && !holds(to, fire(marking, pre, post)))
          return 'a step leads out of the invariant';
  }
  return undefined;
}

/**
 * Returns the weight of a marking, computed with bigints and independently of the search; `omega`
 * if unbounded.
 */
function weightOf(weights: Marking, marking: Marking): number | bigint {
  const counts = new Map(entriesOf(marking));
  let sum = 0n;
  for (const [place, weight] of entriesOf(weights)) {
    const count = counts.get(place) ?? 0;
    if (count === omega) return omega;
    sum += BigInt(weight) * BigInt(count);
  }
  return sum;
}

/**
 * Returns the error in a supposed basis, in words; `undefined` if the basis shows that no target
 * can be covered.
 */
export function refuteBasis(
  net: Net,
  elements: readonly Configuration[],
  weights: readonly Marking[],
  spend: Spend = unwatched,
): string | undefined {
  if (!weights.every((weight) => isNeverRaised(net, weight)))
    return 'a rule raises one of the weights';
  const { initial } = net;
  const isTooHeavy = (marking: Marking): boolean =>
    weights.some((weight) => weightOf(weight, marking) > weightOf(weight, initial.marking));
  const known = byControl(elements);
  const holds = (control: number, marking: Marking): boolean => {
    const smaller = known.get(control) ?? [];
    spend(smaller.length + 10 * weights.length + 1);
    return isTooHeavy(marking) || smaller.some((one) => isCovered(one, marking));
  };
  if (!net.targets.every(({ control, marking }) => holds(control, marking)))
    return 'a target lies outside the closure of the basis';
  if (known.get(initial.control)?.some((element) => isCovered(element, initial.marking)))
    return 'the initial configuration lies inside the closure of the basis';
  for (const { control, marking } of elements)
    for (const { from, to, pre, post } of net.rules)
      if (to === control && !holds(from, unfire(marking, pre, post)))
        return 'a step leads into the closure of the basis from outside';
  return undefined;
}

/**
 * Returns the error in a certificate for a net, in words; `undefined` if the certificate is valid.
 */
export function refuteCoverCertificate(
  net: Net,
  system: CounterSystem,
  certificate: CoverCertificate,
  spend: Spend = unwatched,
): string | undefined {
  const { elements } = certificate;
  try {
    return certificate.kind === 'invariant'
      ? refuteInvariant(system, elements, spend)
      : refuteBasis(net, elements, certificate.weights, spend);
  } catch (error) {
    if (error instanceof TooManyTokens) return 'a step leads to numbers beyond 2^53';
    throw error;
  }
}
