import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Value } from './value.js';

/** What a thread gives to the outside: what it ends with, or what it prints. */
export type Output =
  | { readonly kind: 'return' }
  /** The status with which it ends the process. */
  | { readonly kind: 'exit' }
  /** A value that it prints, one `of` so many of one call; or the format of the call. */
  | {
      readonly kind: 'print';
      /** Which call of the thread, from 0 on; or the line of a call that may come several times. */
      readonly call: number | { readonly line: number | undefined };
      readonly index: number | 'format';
      readonly of: number;
      readonly shows: Shows;
      /** A number without a sign has so many bits; absent for others. */
      readonly unsignedBits?: number;
    };

/** What a value is shown as: an address as the text there, or as what is there. */
export type Shows = 'number' | 'text' | 'pointer';

/** The memory of what is given to the outside, which no access is to. */
export interface OutputCell {
  readonly thread: ThreadId;
  readonly output: Output;
}

/** What is noted where a thread ends. */
export interface EndOfThread {
  /** The thread, or `main`, returns a value, or ends the process with it. */
  readonly ended: (kind: 'return' | 'exit', value: Value) => void;
  /** Keeps what the thread alone has, and is looked at in final states. */
  readonly observe: () => void;
}

/** How an output is called, of a thread of that name. */
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
      if (index === 'format') return `format printed by ${thread}${which}`;
      return `printed by ${thread}${which}${of > 1 ? `.${index + 1}` : ''}`;
    }
  }
}

/** Which operands a function of C's library prints: those from `first` on, as a format says. */
interface Printing {
  readonly first: number;
  readonly format?: number;
  /** As what, where no format says it. */
  readonly shows: Shows;
  /** It prints a number without a sign. */
  readonly isUnsigned?: true;
}

/** By name, the functions of C's library that print, and those that `std::cout` calls. */
export const printing: ReadonlyMap<string, Printing> = new Map<string, Printing>([
  ['printf', { format: 0, first: 1, shows: 'text' }],
  ['fprintf', { format: 1, first: 2, shows: 'text' }],
  ['puts', { first: 0, shows: 'text' }],
  ['putchar', { first: 0, shows: 'number' }],
  ['fputs', { first: 0, shows: 'text' }],
  ['perror', { first: 0, shows: 'text' }],
  ['__fencewright_print_number', { first: 0, shows: 'number' }],
  ['__fencewright_print_unsigned', { first: 0, shows: 'number', isUnsigned: true }],
  ['__fencewright_print_text', { first: 0, shows: 'text' }],
  ['__fencewright_print_pointer', { first: 0, shows: 'pointer' }],
]);
