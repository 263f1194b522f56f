import { c } from '../c/front-end.js';
import { litmus } from '../litmus/front-end.js';
import { llvmIr } from '../llvm-ir/front-end.js';
import { memorax } from '../memorax/front-end.js';
import { native } from '../native/front-end.js';
import { trencher } from '../trencher/front-end.js';
import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/**
 * Every language that programs are read from; the first is that of standard input. Whoever wants to
 * know what formats there are looks here.
 */
const registry = [native, trencher, litmus, memorax, llvmIr, c] as const;

/** The word for a format that programs are read from. */
export type InputFormat = (typeof registry)[number]['id'];

export const frontEnds: readonly (FrontEnd & { readonly id: InputFormat })[] = registry;

/** The front end of a format. */
export function frontEndOf(format: InputFormat): FrontEnd {
  return frontEnds.find(({ id }) => id === format)!;
}

/** Whether a compiler has to read files of a format; not those of a format that is not known. */
export function needsCompiler(format: string | undefined): boolean {
  return frontEnds.some(({ id, needsCompiler: needs }) => id === format && needs === true);
}
