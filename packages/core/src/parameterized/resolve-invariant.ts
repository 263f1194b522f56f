import { InternalError } from '../base/unreachable.js';
import type { Configuration } from '../petri/counter-system.js';
import { entriesOf, markingOf, omega } from '../petri/marking.js';
import type { AttackSystem } from './attack-system.js';
import type { WrittenConfiguration } from './certificate.js';
import { StateDescription } from './describe-state.js';

/** The numbers that a system gives to states with these names, so far. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Set<number>();

  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** Whether the number is new. */
  add(number: number, describe: (number: number) => unknown): boolean {
    if (this.#known.has(number)) return false;
    this.#known.add(number);
    const name = JSON.stringify(describe(number));
    if (this.#numbers.has(name)) throw new InternalError(`two states are called ${name}`);
    this.#numbers.set(name, number);
    return true;
  }
}

/** An element by its names. */
interface NamedElement {
  readonly control: string;
  readonly places: readonly (readonly [name: string, count: number])[];
}

function namesOf({ control, threads }: WrittenConfiguration): NamedElement {
  return {
    control: JSON.stringify(control),
    places: threads.map(({ count, ...thread }) => [
      JSON.stringify(thread),
      count === 'any' ? omega : count,
    ]),
  };
}

/**
 * The elements of a written invariant as configurations of `system`, whose numbers are given to states as they are met: from the start on,
 * the steps of elements are followed. `undefined` if an element speaks of states that are not met.
 */
export function resolveInvariant(
  system: AttackSystem,
  written: readonly WrittenConfiguration[],
): readonly Configuration[] | undefined {
  const describe = new StateDescription(system);
  const controls = new Names();
  const places = new Names();
  const addControl = (control: number): boolean =>
    controls.add(control, (number) => describe.control(number));
  const addPlaces = (marking: Configuration['marking']): boolean =>
    entriesOf(marking)
      .map(([place]) => places.add(place, (number) => describe.place(number)))
      .includes(true);
  addControl(system.initial.control);
  addPlaces(system.initial.marking);
  const elements = written.map(namesOf);
  const followed = new Set<string>();
  const follow = (control: number, place: number): boolean => {
    const pair = `${control} ${place}`;
    if (followed.has(pair)) return false;
    followed.add(pair);
    const news = system
      .rules(control, place)
      .flatMap(({ to, post }) => [addControl(to), addPlaces(post)]);
    return news.includes(true);
  };
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const { control, places: marked } of elements) {
      const at = controls.numberOf(control);
      if (at === undefined) continue;
      for (const place of [-1, ...marked.flatMap(([name]) => places.numberOf(name) ?? [])])
        if (follow(at, place)) hasGrown = true;
    }
  }
  const resolved = elements.map((element): Configuration | undefined => {
    const control = controls.numberOf(element.control);
    const counts = element.places.map(([name, count]) => [places.numberOf(name), count] as const);
    const known = counts.flatMap(([place, count]) =>
      place === undefined ? [] : [[place, count] as const],
    );
    if (control === undefined || known.length < counts.length) return undefined;
    return { control, marking: markingOf(known) };
  });
  return resolved.every((element) => element !== undefined) ? resolved : undefined;
}
