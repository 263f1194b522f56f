import type { EventModel } from '../program/model.js';
import type { Question } from './question.js';
import { printEventProgram } from './print-model.js';
import type { Result } from './result.js';

/** The answer to a question about a program of events. */
export async function decideEvents({ program }: EventModel, question: Question): Promise<Result> {
  const refused: Result = { kind: 'refused', refusal: { kind: 'events' } };
  if (question.kind !== 'convert' || question.attack !== undefined) return refused;
  const printed = await printEventProgram(program, question.to);
  return printed ? { kind: 'convert', printed } : refused;
}
