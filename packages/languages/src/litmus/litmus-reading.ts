import type { OutsideC11 } from '@fencewright/model/program/program.js';
import { SharedNames } from '@fencewright/model/program/shared-names.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import type { Reading } from '@fencewright/ground/source/reading.js';
import { tokenPattern } from '@fencewright/ground/source/tokens.js';

/** The parts of a litmus test on which answers about C11 depend. */
interface NotesOnC11 {
  /** The first part of the litmus test that has no meaning in C11; absent if there is none. */
  outside?: OutsideC11;
}

/** The state of reading a litmus test, with the locations that the file mentions. */
export interface LitmusReading extends Reading {
  readonly shared: SharedNames;
  readonly c11: NotesOnC11;
}

export function startReading(text: string): LitmusReading {
  return {
    errors: new ErrorList(),
    index: new LineIndex(text),
    shared: new SharedNames(),
    c11: {},
  };
}

/**
 * Tokens of assembler text: a name may contain dots and primes, and start with the percent sign of
 * a register.
 */
export const assemblerTokens = tokenPattern(/[A-Za-z_.%][\w.']*/);
