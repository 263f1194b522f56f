import type { Diagnostic, Exhaustion, Model, Result } from '@fencewright/core';
import type { InputFormat } from './formats.js';
import type { Failure } from './internal-error.js';
import type { LoadedFile } from './load-program.js';

/** A file that has been read without errors. */
export interface ReadFile {
  /** As the user named it. */
  readonly file: string;
  readonly source: string;
  /** What stood before `source` in the file, if anything. */
  readonly byteOrderMark?: string;
  readonly format: InputFormat;
  readonly model: Model;
  /** Those of reading the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What was found out about a file, or why nothing was; plain data, so that a worker can send it.
 */
export type Finding =
  | {
      readonly kind: 'answer';
      readonly read: ReadFile;
      readonly result: Result;
      /** A fault of ours in what followed when the verdict was known. */
      readonly failure?: Failure;
    }
  /** The program cannot be read. */
  | { readonly kind: 'unread'; readonly loaded: LoadedFile }
  /** What was given besides the program cannot be read. */
  | { readonly kind: 'unread-costs'; readonly loaded: LoadedFile }
  /** Nothing is known, since the stack was not large enough. */
  | { readonly kind: 'too-deep' }
  /** It was not reached before the user stopped the run. */
  | { readonly kind: 'cancelled' }
  /** The work on it would not keep to its limits, and was ended. */
  | { readonly kind: 'overrun'; readonly reason: Exclude<Exhaustion, 'states'> }
  | { readonly kind: 'failed'; readonly failure: Failure };
