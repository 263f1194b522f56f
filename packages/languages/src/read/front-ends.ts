import { c } from '../c/front-end.js';
import { litmus } from '../litmus/front-end.js';
import { llvmIr } from '../llvm-ir/front-end.js';
import { memorax } from '../memorax/front-end.js';
import { native } from '../native/front-end.js';
import { trencher } from '../trencher/front-end.js';
import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/**
 * The front ends of all languages in which programs are read; the first is the language of standard
 * input. No other list of formats exists.
 */
const registry = [native, trencher, litmus, memorax, llvmIr, c] as const;

export type InputFormat = (typeof registry)[number]['id'];

export const frontEnds: readonly (FrontEnd & { readonly id: InputFormat })[] = registry;

export function frontEndOf(format: InputFormat): FrontEnd {
  return frontEnds.find(({ id }) => id === format)!;
}

/** Whether files of a format can only be read with a compiler; false for an unknown format. */
export function needsCompiler(format: string | undefined): boolean {
  return frontEnds.some(({ id, needsCompiler: needs }) => id === format && needs === true);
}
