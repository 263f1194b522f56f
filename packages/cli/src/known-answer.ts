import { endedEarly, type Question, type Result, type WhyEnded } from '@fencewright/core';
import type { FileFinding, ReadFile } from './finding.js';
import type { Hooks } from './run-settings.js';

/**
 * The part of an answer about a file that is known while work goes on; plain data for sending
 * between threads.
 */
export interface KnownAnswer {
  readonly read: ReadFile;
  readonly result: Result;
  /** Whether the verdict of the answer is final, although work on further parts goes on. */
  readonly isFinal: boolean;
}

/**
 * The functions for reporting the progress of the work on a file and the answers so far, and the
 * signal with which the user stops the work.
 */
export interface FileHooks extends Hooks {
  /** Called with the answer when the verdict is found, and at each later finding. */
  readonly onKnown?: (known: KnownAnswer) => void;
}

/** The end of work that was cut short. */
export type EarlyEnd = Extract<FileFinding, { kind: 'overrun' | 'failed' | 'too-deep' }>;

/** Whether work on a file was cut short, so that an answer known by then counts. */
export function isEarlyEnd(finding: FileFinding): finding is EarlyEnd {
  return ['overrun', 'failed', 'too-deep'].includes(finding.kind);
}

/**
 * Returns the final result for a file. If the work was cut short (`finding` says how), the result
 * is the last answer known by then, in which the parts without an answer are marked as open.
 * `lastKnown` returns that answer, and is called only in this case.
 */
export async function withKnown(
  finding: FileFinding,
  lastKnown: () => KnownAnswer | undefined,
  question: Question,
): Promise<FileFinding> {
  if (!isEarlyEnd(finding)) return finding;
  const known = lastKnown();
  if (!known) return finding;
  const { read, result } = known;
  const endedBy = async (why: WhyEnded): Promise<Extract<FileFinding, { kind: 'answer' }>> => {
    return { kind: 'answer', read, result: await endedEarly(read.model, question, result, why) };
  };
  switch (finding.kind) {
    case 'overrun':
      return endedBy(finding.reason);
    case 'failed':
      return { ...(await endedBy('unsupported')), failure: finding.failure };
    case 'too-deep':
      return endedBy('memory');
  }
}
