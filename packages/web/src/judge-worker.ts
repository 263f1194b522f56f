// The thread that judges answers, one at a time; for another answer, the page ends the thread and
// starts anew.
import { type Answer, type Exercise, judge, type Judgement } from './judge.js';

/** The message with which the page asks the worker for a judgement. */
export interface Submission {
  readonly exercise: Exercise;
  readonly answer: Answer;
}

/** The message with which the worker answers the page. */
export type Ruling = Judgement | { readonly kind: 'failed'; readonly words: string };

const limits = { timeout: 10_000, maxMemory: 512 * 1024 * 1024 };

async function rule({ exercise, answer }: Submission): Promise<Ruling> {
  try {
    return await judge(exercise, answer, limits);
  } catch (error) {
    return { kind: 'failed', words: `This went wrong: ${String(error)}.` };
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<Submission>) => {
  void rule(data).then((ruling) => postMessage(ruling));
});
