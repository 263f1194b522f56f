import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { AdviceInWords } from './advice.js';

/** What a report on a program of events is about. */
export interface EventSubject {
  /** As the user named it. */
  readonly file: string;
  readonly source: string;
  readonly program: EventProgram;
  /** How the user can go on; reports are silent about it where it is absent. */
  readonly advise?: AdviceInWords;
}
