import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { AdviceInWords } from './advice.js';

/** The subject of a report on a program of events. */
export interface EventSubject {
  /** The file name as given by the user. */
  readonly file: string;
  readonly source: string;
  readonly program: EventProgram;
  /** The words for advice; reports without this function give no advice. */
  readonly advise?: AdviceInWords;
}
