import type { Net } from '@fencewright/ground/petri/net.js';

/** The number of tokens on each place; `undefined` for any number. */
type Counts = readonly (bigint | undefined)[];

interface State {
  readonly control: number;
  readonly counts: Counts;
}

function countsOf(net: Net, marking: Iterable<number>): Counts {
  const flat = [...marking];
  const counts: (bigint | undefined)[] = net.places.map(() => 0n);
  for (let i = 0; i < flat.length; i += 2)
    counts[flat[i]!] = Number.isFinite(flat[i + 1]!) ? BigInt(flat[i + 1]!) : undefined;
  return counts;
}

function isAtLeast(large: Counts, small: Counts): boolean {
  return large.every((count, place) => count === undefined || count >= small[place]!);
}

export type Judgement = 'coverable' | 'not-coverable' | 'open';

/**
 * Whether a target of the net can be covered, by the classical backward search ([ACJT96]) in large
 * integers, which neither round nor wrap: collects minimal markings from which a target can be
 * covered, until no marking is new or the start is above one. `open` after `most` markings. Shares
 * no code with the searches that it judges.
 */
export function coverByLargeIntegers(net: Net, most: number): Judgement {
  const start: State = { control: net.initial.control, counts: countsOf(net, net.initial.marking) };
  const rules = net.rules.map(({ from, to, pre, post }) => ({
    from,
    to,
    pre: countsOf(net, pre) as readonly bigint[],
    post: countsOf(net, post) as readonly bigint[],
  }));
  let frontier: State[] = net.targets.map(({ control, marking }) => ({
    control,
    counts: countsOf(net, marking),
  }));
  const least: State[] = [];
  const isKnown = ({ control, counts }: State): boolean =>
    least.some((one) => one.control === control && isAtLeast(counts, one.counts));
  while (frontier.length > 0) {
    const next: State[] = [];
    for (const state of frontier) {
      if (isKnown(state)) continue;
      if (state.control === start.control && isAtLeast(start.counts, state.counts))
        return 'coverable';
      if (least.push(state) > most) return 'open';
      for (const { from, to, pre, post } of rules) {
        if (to !== state.control) continue;
        const counts = state.counts.map((count, place) => {
          const before = count! - post[place]!;
          return (before > 0n ? before : 0n) + pre[place]!;
        });
        next.push({ control: from, counts });
      }
    }
    frontier = next;
  }
  return 'not-coverable';
}

/**
 * Whether the steps lead from the start to a target, computed in large integers; `start` has a
 * number for every place.
 */
export function reachesInLargeIntegers(
  net: Net,
  start: Iterable<number>,
  steps: readonly { readonly id: number }[],
): boolean {
  let control = net.initial.control;
  let counts = countsOf(net, start) as readonly bigint[];
  const allowed = countsOf(net, net.initial.marking);
  if (!counts.every((count, place) => allowed[place] === undefined || allowed[place] === count))
    return false;
  for (const { id } of steps) {
    const { from, to, pre, post } = net.rules[id]!;
    const [taken, given] = [countsOf(net, pre), countsOf(net, post)];
    if (from !== control || !isAtLeast(counts, taken)) return false;
    counts = counts.map((count, place) => count - taken[place]! + given[place]!);
    control = to;
  }
  return net.targets.some(
    (target) => target.control === control && isAtLeast(counts, countsOf(net, target.marking)),
  );
}
