import type { ParseResult } from '../../program/parse-result.js';
import { notSupported } from '../../source/diagnostic.js';

/** The IR of a file, and what the file is called. */
export interface LlvmIrModule {
  readonly file: string;
  readonly text: string;
}

export interface LlvmIrOptions {
  /** Of the program; made of the name of the first file if absent. */
  readonly name?: string;
  /** How many blocks a call of `malloc` in a thread may give. */
  readonly pool?: number;
  /** The file that was to be read: places in it bear no name of a file. */
  readonly main?: string;
  /** The text of a source file by the name that the IR has for it. */
  readonly sourceOf?: (file: string) => string | undefined;
}

/**
 * The program of modules of LLVM IR that are linked by name; where two define a name, the first
 * one's counts. Never throws.
 */
export function parseLlvmIr(
  modules: readonly LlvmIrModule[],
  options: LlvmIrOptions = {},
): ParseResult {
  void [modules, options];
  return { diagnostics: [notSupported(undefined, 'LLVM IR is not read yet')] };
}
