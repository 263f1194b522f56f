import { readsRegister, selfRegister } from './expression.js';
import type { Thread } from './program.js';
import { operandsOf } from './rewrite.js';
import type { Templates } from './templates.js';

/** The length of an unbounded array in an instance. */
export const instanceCells = 64;

/**
 * Descriptions of the parts of a program that only proofs can handle; empty if searches can handle
 * the program.
 */
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

/** Whether the thread's code reads the number of its copy. */
export function readsSelf({ transitions }: Thread): boolean {
  return transitions.some(({ instruction }) =>
    operandsOf(instruction).some((operand) => readsRegister(operand, selfRegister)),
  );
}
