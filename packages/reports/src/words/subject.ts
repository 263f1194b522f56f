import type { AdviceInWords } from './advice.js';
import type { Program } from '@fencewright/model/program/program.js';

/** What a report is about. */
export interface Subject {
  /** As the user named it. */
  readonly file: string;
  readonly source: string;
  readonly program: Program;
  /** How the user can go on; reports are silent about it where it is absent. */
  readonly advise?: AdviceInWords;
}
