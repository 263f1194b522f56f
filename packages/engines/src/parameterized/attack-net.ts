import { computeCounterBlind } from '@fencewright/ground/petri/counter-blind.js';
import type { Marking } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { type Spend, unwatched } from '@fencewright/ground/petri/watch.js';
import type { AttackSystem } from './attack-system.js';

/**
 * Returns the attack system as an explicit net, restricted to the steps that are possible if
 * numbers of threads are ignored: the net has the runs of the system. `undefined` if the net has
 * more than `mostRules` steps.
 */
export function attackNet(
  name: string,
  system: AttackSystem,
  mostRules = 200_000,
  spend: Spend = unwatched,
): Net | undefined {
  const blind = computeCounterBlind(system, mostRules, spend);
  if (!blind) return undefined;
  const controls = new Map<number, number>();
  const places = new Map<number, number>();
  const numberOf = (map: Map<number, number>, key: number): number => {
    const known = map.get(key);
    if (known !== undefined) return known;
    map.set(key, map.size);
    return map.size - 1;
  };
  const moved = (marking: Marking): Marking =>
    marking.map((value, i) => (i % 2 === 0 ? numberOf(places, value) : value));
  const initial = {
    control: numberOf(controls, system.initial.control),
    marking: sorted(moved(system.initial.marking)),
  };
  const rules = blind.rules.map(({ from, to, pre, post }, id) => ({
    id,
    from: numberOf(controls, from),
    to: numberOf(controls, to),
    pre: sorted(moved(pre)),
    post: sorted(moved(post)),
  }));
  const least = sorted(moved(system.least));
  const goals = [...controls].flatMap(([control, number]) =>
    system.targets(control).map((marking) => ({ control: number, marking })),
  );
  return {
    name,
    places: [...places.keys()].map((place) => system.placeName(place)),
    controls: [...controls.keys()].map((control) => system.controlName(control)),
    rules,
    initial,
    least,
    targets: goals,
    claims: [],
  };
}

/** Returns a marking whose pairs of a place and a number are sorted by place. */
function sorted(marking: Marking): Marking {
  const pairs = Array.from({ length: marking.length / 2 }, (_, i) => [
    marking[2 * i]!,
    marking[2 * i + 1]!,
  ]);
  return Float64Array.from(pairs.sort(([a = 0], [b = 0]) => a - b).flat());
}
