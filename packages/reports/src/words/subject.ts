import type { AdviceInWords } from './advice.js';
import type { Program } from '@fencewright/model/program/program.js';

/** The subject of a report: the file and the program. */
export interface Subject {
  /** The name of the file as the user gave it. */
  readonly file: string;
  readonly source: string;
  readonly program: Program;
  /** The words for advice; without this function, reports give no advice. */
  readonly advise?: AdviceInWords;
}
