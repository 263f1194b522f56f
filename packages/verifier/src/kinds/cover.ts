import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf } from '../claim.js';
import { type Configuration, type Net, netReaders, type NetRule, type Tokens } from '../net.js';
import { type KindReport, rejected } from '../report.js';
import { list, record, tagged } from '../shape.js';
import { countOf } from '../words.js';

/** Returns the number of tokens on a place. */
function at(tokens: Tokens, place: number): bigint | 'any' {
  return tokens.get(place) ?? 0n;
}

function isAtMost(a: bigint | 'any', b: bigint | 'any'): boolean {
  return b === 'any' || (a !== 'any' && a <= b);
}

/** Whether no place has more tokens in `small` than in `large`. */
function isCovered(small: Tokens, large: Tokens): boolean {
  return [...small].every(([place, count]) => isAtMost(count, at(large, place)));
}

/** Whether one of `elements` has the control of a configuration and covers the configuration. */
function covers(elements: readonly Configuration[], { control, tokens }: Configuration): boolean {
  return elements.some((one) => one.control === control && isCovered(tokens, one.tokens));
}

/**
 * Returns `tokens - take + give`; a place with fewer tokens than `take` counts as having 0 before
 * `give` is added.
 */
function exchange(
  tokens: Tokens,
  take: ReadonlyMap<number, bigint>,
  give: ReadonlyMap<number, bigint>,
): Tokens {
  const result = new Map(tokens);
  for (const place of new Set([...take.keys(), ...give.keys()])) {
    const count = at(tokens, place);
    if (count === 'any') continue;
    const left = count - (take.get(place) ?? 0n);
    result.set(place, (left < 0n ? 0n : left) + (give.get(place) ?? 0n));
  }
  return result;
}

/**
 * Returns the reason why an invariant does not show that no target can be covered; `undefined` if
 * the invariant does. The invariant is a list of configurations. The set of all configurations
 * covered by the list has to contain the initial configuration and all successors of members.
 * Checking the largest configurations suffices, since more tokens enable more rules and leave more
 * tokens behind. So every reachable configuration lies in the set, and no target is below a member,
 * as no target is below a largest member.
 */
function refuteInvariant(
  { initial, rules, targets }: Net,
  elements: readonly Configuration[],
  budget: Budget,
): string | undefined {
  if (!covers(elements, initial)) return 'the initial configuration lies outside the invariant';
  for (const { control, tokens } of elements) {
    if (targets.some((target) => target.control === control && isCovered(target.tokens, tokens)))
      return 'a target lies inside the invariant';
    for (const { from, to, take, give } of rules) {
      if (budget.spend() !== undefined) return undefined;
      if (from !== control || !isCovered(take, tokens)) continue;
      if (!covers(elements, { control: to, tokens: exchange(tokens, take, give) }))
        return 'a step leads out of the invariant';
    }
  }
  return undefined;
}

type Weights = ReadonlyMap<number, bigint>;

function weigh(weights: Weights, tokens: Tokens): bigint | 'any' {
  let sum = 0n;
  for (const [place, weight] of weights) {
    const count = at(tokens, place);
    if (count === 'any') return 'any';
    sum += weight * count;
  }
  return sum;
}

function isRaised(weights: Weights, { take, give }: NetRule): boolean {
  return !isAtMost(weigh(weights, give), weigh(weights, take));
}

/**
 * Returns the reason why a basis does not show that no target can be covered; `undefined` if the
 * basis does. The weights never rise, so no configuration heavier than the start is reachable. Let
 * `U` be all configurations that cover an element or weigh too much. Targets, and all
 * configurations above targets, lie in `U`; the start does not; and no step leads into `U` from
 * outside. If a successor covers an element, the step started above the least configuration from
 * which the rule leads above the element, and that configuration lies in `U`. If the successor
 * weighs too much, its predecessor weighs too much.
 */
function refuteBasis(
  { initial, rules, targets }: Net,
  elements: readonly Configuration[],
  weights: readonly Weights[],
  budget: Budget,
): string | undefined {
  if (weights.some((weight) => rules.some((rule) => isRaised(weight, rule))))
    return 'a rule raises one of the weights';
  const isTooHeavy = (tokens: Tokens): boolean =>
    weights.some((weight) => !isAtMost(weigh(weight, tokens), weigh(weight, initial.tokens)));
  const holds = ({ control, tokens }: Configuration): boolean =>
    isTooHeavy(tokens) ||
    elements.some((one) => one.control === control && isCovered(one.tokens, tokens));
  if (!targets.every(holds)) return 'a target lies outside the closure of the basis';
  if (elements.some((one) => covers([initial], one)))
    return 'the initial configuration lies inside the closure of the basis';
  for (const { control, tokens } of elements)
    for (const { from, to, take, give } of rules) {
      if (budget.spend() !== undefined) return undefined;
      if (to !== control) continue;
      // The smallest marking from which the rule leads to a marking above the element: the
      // element's tokens, without the tokens that the rule produces, plus the tokens that it
      // consumes.
      if (!holds({ control: from, tokens: exchange(tokens, give, take) }))
        return 'a step leads into the closure of the basis from outside';
    }
  return undefined;
}

/**
 * Checks certificates that no target of a net can be covered, with any number of tokens at the
 * start where the net says `any`.
 */
export function checkCover(net: Net, body: CertificateBody, budget: Budget): KindReport {
  const { configuration, counts } = netReaders(net.places, net.controls);
  const { proof } = record({
    proof: tagged<
      | { kind: 'invariant'; elements: readonly Configuration[] }
      | { kind: 'basis'; elements: readonly Configuration[]; weights: readonly Weights[] }
    >({
      invariant: record({ elements: list(configuration) }),
      basis: record({ elements: list(configuration), weights: list(counts) }),
    }),
  })(body, 'certificate');
  const flaw =
    proof.kind === 'invariant'
      ? refuteInvariant(net, proof.elements, budget)
      : refuteBasis(net, proof.elements, proof.weights, budget);
  if (flaw !== undefined) return rejected(flaw);
  const exhausted = budget.spend();
  if (exhausted !== undefined) return { kind: 'unknown', reason: exhausted };
  const { length } = net.targets;
  return {
    kind: 'accepted',
    claim: claimOf('not-coverable'),
    proves: [
      length === 0
        ? 'there is no target'
        : `no target can be covered (${countOf(length, 'target')})`,
    ],
    assumes: [],
  };
}
