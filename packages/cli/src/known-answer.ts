import { endedEarly, type Question, type Result, type WhyEnded } from '@fencewright/core';
import type { Finding, ReadFile } from './finding.js';
import type { Hooks } from './run-settings.js';

/** What is known of a file while the work on it goes on; plain data, which threads can send. */
export interface KnownAnswer {
  readonly read: ReadFile;
  readonly result: Result;
  /** Whether nothing that is found out later changes the verdict. */
  readonly isFinal: boolean;
}

/** What work on a file and its user tell each other. */
export interface FileHooks extends Hooks {
  /** Told what is known as soon as there is a verdict, and each time more is. */
  readonly onKnown?: (known: KnownAnswer) => void;
}

/**
 * What was found out about a file where the work on it came to `finding`: an answer that was known
 * before is the answer, with what is missing of it said to be open.
 */
export async function withKnown(
  finding: Finding,
  known: KnownAnswer | undefined,
  question: Question,
): Promise<Finding> {
  if (!known) return finding;
  const { read, result } = known;
  const endedBy = async (why: WhyEnded): Promise<Extract<Finding, { kind: 'answer' }>> => {
    return { kind: 'answer', read, result: await endedEarly(read.model, question, result, why) };
  };
  switch (finding.kind) {
    case 'overrun':
      return endedBy(finding.reason);
    case 'failed':
      return { ...(await endedBy('unsupported')), failure: finding.failure };
    case 'too-deep':
      return endedBy('memory');
    default:
      return finding;
  }
}
