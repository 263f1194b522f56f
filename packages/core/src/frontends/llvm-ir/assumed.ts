import type { Assumption } from '../../program/assumption.js';

/** What the model of functions takes for granted, by the function. */
export const assumptions = {
  malloc: { name: 'malloc', text: 'malloc never fails' },
} as const satisfies Readonly<Record<string, Assumption>>;

/** That a function of that name never fails. */
export function neverFails(name: string): Assumption {
  return { name, text: `${name} never fails` };
}

/** Assumptions as they come up, each once. */
export class Assumed {
  readonly #all = new Map<string, Assumption>();

  note(assumption: Assumption): void {
    this.#all.set(assumption.text, assumption);
  }

  /** By their names. */
  get all(): readonly Assumption[] {
    return [...this.#all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}
