import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf } from '../claim.js';
import { type Configuration, type Net, netReaders, type NetRule, type Tokens } from '../net.js';
import { type Cover, inVain, whyNotInductive } from '../inductive.js';
import { type KindReport, reportOf } from '../report.js';
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

/**
 * Whether one of `elements` covers a configuration: the control is equal, and no place has fewer
 * tokens in the element.
 */
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
 * Returns the cover of a certificate with an invariant. If the cover is inductive, no target can be
 * covered. The invariant is a list of configurations. The set of all configurations covered by the
 * list has to contain the initial configuration and all successors of members. Checking the largest
 * configurations suffices, since more tokens enable more rules and leave more tokens afterwards. So
 * every reachable configuration lies in the set, and no target is below a member, as no target is
 * below a largest member.
 */
function invariantOf(
  { initial, rules, targets }: Net,
  elements: readonly Configuration[],
): Cover<Configuration, Configuration> {
  return {
    starts: () => [
      { state: initial, otherwise: 'the initial configuration lies outside the invariant' },
    ],
    parts: elements,
    contains: (one) => covers(elements, one),
    *after({ control, tokens }) {
      if (targets.some((target) => target.control === control && isCovered(target.tokens, tokens)))
        yield { bad: 'a target lies inside the invariant' };
      for (const { from, to, take, give } of rules)
        if (from === control && isCovered(take, tokens))
          yield {
            state: { control: to, tokens: exchange(tokens, take, give) },
            otherwise: 'a step leads out of the invariant',
          };
    },
  };
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
 * Returns the cover of a certificate with a basis; this cover follows steps backwards. If the cover
 * is inductive, no target can be covered. The weights never rise, so no configuration heavier than
 * the start is reachable. Let `U` be all configurations that cover an element or weigh too much.
 * Targets, and all configurations above targets, lie in `U`; the start does not; and no step leads
 * into `U` from outside. If a successor covers an element, the step started above the least
 * configuration from which the rule leads above the element, and that configuration lies in `U`. If
 * the successor weighs too much, its predecessor weighs too much.
 */
function basisOf(
  { initial, rules, targets }: Net,
  elements: readonly Configuration[],
  weights: readonly Weights[],
): Cover<Configuration, Configuration> {
  const isTooHeavy = (tokens: Tokens): boolean =>
    weights.some((weight) => !isAtMost(weigh(weight, tokens), weigh(weight, initial.tokens)));
  return {
    *starts() {
      if (weights.some((weight) => rules.some((rule) => isRaised(weight, rule))))
        yield { bad: 'a rule raises one of the weights' };
      const otherwise = 'a target lies outside the closure of the basis';
      yield* targets.map((state) => ({ state, otherwise }));
      if (elements.some((one) => covers([initial], one)))
        yield { bad: 'the initial configuration lies inside the closure of the basis' };
    },
    parts: elements,
    contains: ({ control, tokens }) =>
      isTooHeavy(tokens) ||
      elements.some((one) => one.control === control && isCovered(one.tokens, tokens)),
    *after({ control, tokens }) {
      for (const { from, to, take, give } of rules)
        // The smallest marking from which the rule leads to a marking above the element: the
        // element's tokens, without the tokens that the rule produces, plus the tokens that it
        // consumes.
        if (to === control)
          yield {
            state: { control: from, tokens: exchange(tokens, give, take) },
            otherwise: 'a step leads into the closure of the basis from outside',
          };
    },
  };
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
  const cover =
    proof.kind === 'invariant'
      ? invariantOf(net, proof.elements)
      : basisOf(net, proof.elements, proof.weights);
  const finding = whyNotInductive(cover, budget);
  if (finding) return inVain(finding);
  const { length } = net.targets;
  const targets = `no target can be covered (${countOf(length, 'target')})`;
  return reportOf(claimOf('not-coverable'), {
    proved: [length === 0 ? 'there is no target' : targets],
  });
}
