import type { AdviceInWords } from './advice.js';
import type { Program } from '@fencewright/model/program/program.js';

/** The subject of a report. */
export interface Subject {
  /** The file name as given by the user. */
  readonly file: string;
  readonly source: string;
  readonly program: Program;
  /** The words for advice; reports without this function give no advice. */
  readonly advise?: AdviceInWords;
}
