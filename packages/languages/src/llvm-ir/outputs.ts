import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { LoweredValue } from './value.js';

/** An output of a thread: its result, an exit status, or a printed value. */
export type Output =
  | { readonly kind: 'return' }
  /** The output is the status with which the thread ends the process. */
  | { readonly kind: 'exit' }
  /**
   * A value printed by a call, at `index` among the `of` values of the call, or the format of the
   * call.
   */
  | {
      readonly kind: 'print';
      /**
       * The position of the call among the thread's calls, from 0 on, or the line of a call that
       * may run several times.
       */
      readonly call: number | { readonly line: number | undefined };
      readonly index: number | 'format';
      readonly of: number;
      readonly shows: Shows;
      /**
       * The number of bits of the printed number, if it is unsigned; absent for all other values.
       */
      readonly unsignedBits?: number;
    };

/**
 * How users see a value: as a number, as the text at an address, or as the object at an address.
 */
export type Shows = 'number' | 'text' | 'pointer';

/** A memory cell for an output, which no access of the program hits. */
export interface OutputCell {
  readonly thread: ThreadId;
  readonly output: Output;
}

/**
 * A value printed by a call, with the properties of the output that differ between the values of
 * the call.
 */
export interface PrintedValue extends Pick<
  Extract<Output, { kind: 'print' }>,
  'index' | 'shows' | 'unsignedBits'
> {
  readonly value: LoweredValue;
}

/** Records the outputs of a thread: printed values, and the result at the end. */
export interface ThreadOutputs {
  /** Records the values printed by one call; `of` is the number of values without the format. */
  readonly print: (values: readonly PrintedValue[], of: number) => void;
  /**
   * Judges a text read by a function of C's library: no other thread may store to the text. Returns
   * whether this thread made the text; the letters of such a text are unknown. Throws
   * `Unsupported`.
   */
  readonly readText: (text: LoweredValue) => boolean;
  /** Records the result of the thread, or the exit status of the process. */
  readonly ended: (kind: 'return' | 'exit', value: LoweredValue) => void;
  /** Records the cells of this thread alone that are shown by final states. */
  readonly observe: () => void;
}

/** The name of an output of a thread in final states, such as `return of t`. */
export function outputName(thread: string, output: Output): string {
  switch (output.kind) {
    case 'return':
      return `return of ${thread}`;
    case 'exit':
      return `exit status by ${thread}`;
    case 'print': {
      const { call, index, of } = output;
      const which =
        typeof call === 'number'
          ? ` #${call + 1}`
          : call.line === undefined
            ? ' at last'
            : `, line ${call.line + 1}`;
      if (index === 'format') return `text printed by ${thread}${which}`;
      return `printed by ${thread}${which}${of > 1 ? `.${index + 1}` : ''}`;
    }
  }
}

/**
 * The operands that a function of C's library prints: those from `first` on, by a format if
 * present.
 */
interface Printing {
  readonly first: number;
  /** The number of printed operands; all that follow `first`, if absent. */
  readonly count?: number;
  readonly format?: number;
  /** The form of printed operands for users, for a function without a format. */
  readonly shows: Shows;
  /** Whether the function prints an unsigned number. */
  readonly isUnsigned?: true;
}

/** The printing functions of C's library, and the functions that `std::cout` calls, by name. */
export const printing: ReadonlyMap<string, Printing> = new Map<string, Printing>([
  ['printf', { format: 0, first: 1, shows: 'text' }],
  ['fprintf', { format: 1, first: 2, shows: 'text' }],
  ['puts', { first: 0, shows: 'text' }],
  ['putchar', { first: 0, shows: 'number' }],
  ['fputs', { first: 0, count: 1, shows: 'text' }],
  ['perror', { first: 0, shows: 'text' }],
  ['__fencewright_print_number', { first: 0, shows: 'number' }],
  ['__fencewright_print_unsigned', { first: 0, shows: 'number', isUnsigned: true }],
  ['__fencewright_print_text', { first: 0, shows: 'text' }],
  ['__fencewright_print_pointer', { first: 0, shows: 'pointer' }],
]);
