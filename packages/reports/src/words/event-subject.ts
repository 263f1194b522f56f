import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { AdviceInWords } from './advice.js';

/** The subject of a report on a program of events: the file and the program. */
export interface EventSubject {
  /** The name of the file as the user gave it. */
  readonly file: string;
  readonly source: string;
  readonly program: EventProgram;
  /** The words for advice; without this function, reports give no advice. */
  readonly advise?: AdviceInWords;
}
