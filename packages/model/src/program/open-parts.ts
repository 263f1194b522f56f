import { readsRegister, selfRegister } from './expression.js';
import type { Thread } from './program.js';
import { operandsOf } from './read-before-written.js';
import type { Templates } from './templates.js';

/** How many cells an array without bounds has in an instance. */
export const instanceCells = 64;

/** What a program has that only proofs can treat; empty for programs that searches take. */
export function openParts({ templates, unbounded }: Templates): readonly string[] {
  return [
    ...templates.symbols
      .filter(({ isBoundless }) => isBoundless)
      .map(({ name }) => `the array '${name}' has no bounds`),
    ...unbounded
      .map((id) => templates.threads[id])
      .filter((thread) => thread !== undefined && readsSelf(thread))
      .map((thread) => `any number of copies of '${thread?.name}' are told apart by self`),
  ];
}

/** Whether code of the thread asks which of the copies it is. */
export function readsSelf({ transitions }: Thread): boolean {
  return transitions.some(({ instruction }) =>
    operandsOf(instruction).some((operand) => readsRegister(operand, selfRegister)),
  );
}
