import { readText, needsCompiler, decide, type Question } from '@fencewright/core';
import type { EngineAnswer, EngineQuestion, Engine } from './engine.js';

function withText(question: Question, { format, text }: EngineQuestion): Question {
  return question.kind === 'fence' || question.kind === 'explain'
    ? { ...question, text: { format, source: text } }
    : question;
}

/**
 * An engine that answers on the calling thread, for use without another thread: searches let other
 * work run several times a second. Programs in C are refused, as C needs a compiler.
 */
export const engineHere: Engine = {
  async ask(asked: EngineQuestion, signal: AbortSignal): Promise<EngineAnswer> {
    const { format, text, question, limits } = asked;
    if (needsCompiler(format))
      return { kind: 'failed', message: 'there is no compiler for C here' };
    const { model, diagnostics } = await readText(format, text);
    if (!model) return { kind: 'unread', diagnostics };
    try {
      const result = await decide(model, withText(question, asked), { ...limits, signal });
      return signal.aborted
        ? { kind: 'stopped', reason: 'cancelled' }
        : { kind: 'answer', model, result, diagnostics };
    } catch (error) {
      return { kind: 'failed', message: String(error) };
    }
  },
};
