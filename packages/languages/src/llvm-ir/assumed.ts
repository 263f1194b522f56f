import type { Assumption } from '@fencewright/model/program/assumption.js';

/** What the model of functions takes for granted, by the function. */
export const assumptions = {
  malloc: { name: 'malloc', text: 'malloc never fails' },
  newBlocks: { name: 'malloc', text: 'malloc gives no memory again that was given back' },
  knownTail: { name: 'main', text: 'what main shows behind its last join follows from memory' },
} as const satisfies Readonly<Record<string, Assumption>>;

/** That an integer of which nothing is known is no address, computed with on that line, if any. */
export function noAddress(line: number | undefined): Assumption {
  const where = line === undefined ? 'is computed with' : `line ${line} computes with`;
  return { name: 'addresses', text: `no integer that ${where} holds an address` };
}

/** That a function of that name never fails. */
export function neverFails(name: string): Assumption {
  return { name, text: `${name} never fails` };
}

const keyOf = ({ name, text }: Assumption): string => `${name} ${text}`;

/** Assumptions as they come up, each once. */
export class Assumed {
  readonly #all = new Map<string, Assumption>();

  note(assumption: Assumption): void {
    this.#all.set(assumption.text, assumption);
  }

  /** By their names and texts. */
  get all(): readonly Assumption[] {
    return [...this.#all.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }
}
