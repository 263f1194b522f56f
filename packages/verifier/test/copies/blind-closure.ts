import type { WrittenElement } from '../../src/copies/invariant.js';
import type { Control, WaitingPlace, AttackSteps } from '../../src/attack/steps.js';

function nameOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map ? [...(part as Map<number, unknown>)].sort(([a], [b]) => a - b) : part,
  );
}

/**
 * Returns the strongest invariant that a forger can write: all states reached by any steps, with
 * any number of threads at each place. No step leaves the invariant, so the verifier can reject it
 * only because an attack ends in it. `undefined` if the invariant has more than `most` controls.
 */
export function blindClosure(
  steps: AttackSteps,
  most = 400,
): readonly WrittenElement[] | undefined {
  const known = new Map<string, { control: Control; places: Map<string, WaitingPlace> }>();
  let hasGrown = true;
  const add = (control: Control, places: Iterable<WaitingPlace>): void => {
    const name = nameOf(control);
    const element = known.get(name) ?? { control, places: new Map<string, WaitingPlace>() };
    if (!known.has(name)) hasGrown = true;
    known.set(name, element);
    for (const place of places) {
      const own = nameOf(place);
      if (element.places.has(own)) continue;
      element.places.set(own, place);
      hasGrown = true;
    }
  };
  const starts = steps.threads.flatMap((_, code) => steps.starts(code)).filter((place) => !!place);
  add({ phase: 'before', memory: new Map() }, starts);
  while (hasGrown) {
    hasGrown = false;
    for (const { control, places } of [...known.values()]) {
      if (known.size > most) return undefined;
      const here = [...places.values()];
      const taken = here.flatMap((place) => steps.ofPlace(control, place));
      if (control.phase === 'delaying') taken.push(...steps.ofAttacker(control));
      for (const step of taken)
        if (step.kind === 'move') add(step.control, step.place ? [...here, step.place] : here);
    }
  }
  return [...known.values()].map(({ control, places }) =>
    written(control, [...places.values()], steps),
  );
}

function written(
  control: Control,
  places: readonly WaitingPlace[],
  steps: AttackSteps,
): WrittenElement {
  const threadOf = (code: number): number => steps.codeOf.indexOf(code);
  const { phase } = control;
  const element: WrittenElement = {
    phase,
    memory: [...control.memory],
    threads: places.map(({ code, place: { location, registers }, onPath }) => ({
      thread: threadOf(code),
      location,
      registers,
      ...(onPath && { onPath: true as const }),
      count: 'any',
    })),
  };
  switch (phase) {
    case 'before':
      return element;
    case 'delaying': {
      const { code, buffer, delayed, location, registers } = control.attacker;
      const attacker = {
        thread: threadOf(code),
        location,
        registers,
        buffer: [...buffer],
        delayed,
      };
      return { ...element, attacker };
    }
    case 'path': {
      const marks = [...control.marks].map(
        ([address, { seen, stored }]): [number, number | 'many', boolean] => [
          address,
          seen,
          stored,
        ],
      );
      return { ...element, marks, delayed: control.delayed };
    }
  }
}
