import type { Control, WaitingPlace, AttackSteps } from '../../src/attack/steps.js';

/** Returns the text of a value, with maps written out. */
function nameOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map ? [...(part as Map<number, unknown>)].sort(([a], [b]) => a - b) : part,
  );
}

/**
 * Whether the verifier's steps reach the end of an attack, from the start of an instance with the
 * given number of threads of each code; `undefined` if there are more than `most` states.
 */
export function reachesGoal(
  steps: AttackSteps,
  threads: readonly number[],
  most = 20_000,
): boolean | undefined {
  type State = { readonly control: Control; readonly places: readonly WaitingPlace[] };
  const known = new Set<string>();
  const states: State[] = [];
  const add = (control: Control, places: readonly WaitingPlace[]): void => {
    const sorted = places.map((place) => [nameOf(place), place] as const);
    sorted.sort(([a], [b]) => (a < b ? -1 : 1));
    const name = `${nameOf(control)} ${sorted.map(([own]) => own).join()}`;
    if (known.has(name)) return;
    known.add(name);
    states.push({ control, places: sorted.map(([, place]) => place) });
  };
  const begin = (from: number, places: readonly WaitingPlace[]): void => {
    const code = threads[from];
    if (code === undefined) add({ phase: 'before', memory: new Map() }, places);
    else
      for (const place of steps.starts(code)) begin(from + 1, place ? [...places, place] : places);
  };
  begin(0, []);
  for (const { control, places } of states) {
    if (states.length > most) return undefined;
    if (control.phase === 'delaying')
      for (const step of steps.ofAttacker(control)) {
        if (step.kind === 'goal') return true;
        add(step.control, places);
      }
    for (const [i, place] of places.entries()) {
      const others = places.filter((_, j) => j !== i);
      for (const step of steps.ofPlace(control, place)) {
        if (step.kind === 'goal') return true;
        add(step.control, step.place ? [...others, step.place] : others);
      }
    }
  }
  return false;
}
