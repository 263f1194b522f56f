import type { EventModel } from '../program/model.js';
import type { Question } from './question.js';
import type { Result } from './result.js';

/** The answer to a question about a program of events. */
export function decideEvents(_model: EventModel, _question: Question): Result {
  return { kind: 'refused', refusal: { kind: 'events' } };
}
