import type { Diagnostic, Exhaustion, Model, Result } from '@fencewright/core';
import type { InputFormat } from './formats.js';
import type { ErrorData } from './internal-error.js';
import type { LoadedFile } from './load-program.js';
import type { OtherText } from './open-for-repairs.js';

/** A file read without errors. */
export interface ReadFile {
  /** The name of the file, as given by the user. */
  readonly file: string;
  readonly source: string;
  /**
   * The byte order mark at the start of the file; `source` does not include the mark. Absent for a
   * file without a mark.
   */
  readonly byteOrderMark?: string;
  readonly format: InputFormat;
  readonly model: Model;
  /** The diagnostics that reading the file has produced. */
  readonly diagnostics: readonly Diagnostic[];
  /** The header or linked file that the repairs of the result change, in place of the file. */
  readonly other?: OtherText;
}

/**
 * The result of work on a file, or the reason for a missing result; plain data, so that a thread
 * can send it.
 */
export type FileFinding =
  | {
      readonly kind: 'answer';
      readonly read: ReadFile;
      readonly result: Result;
      /** An internal error that occurred after the verdict was known. */
      readonly failure?: ErrorData;
    }
  /** The program cannot be read. */
  | { readonly kind: 'unread'; readonly loaded: LoadedFile }
  /** The file with costs, given besides the program, cannot be read. */
  | { readonly kind: 'unread-costs'; readonly loaded: LoadedFile }
  /** The program is nested so deeply that the stack was too small. */
  | { readonly kind: 'too-deep' }
  /** The user stopped the run before work on the file began. */
  | { readonly kind: 'cancelled' }
  /** The work on the file exceeded the limits, and was ended. */
  | { readonly kind: 'overrun'; readonly reason: Exclude<Exhaustion, 'states' | 'work'> }
  | { readonly kind: 'failed'; readonly failure: ErrorData };
