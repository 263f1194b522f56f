import { endedEarly, type Question, type Result, type WhyEnded } from '@fencewright/core';
import type { Finding, ReadFile } from './finding.js';
import type { Hooks } from './run-settings.js';

/**
 * The part of an answer about a file that is known while work goes on; plain data for sending
 * between threads.
 */
export interface KnownAnswer {
  readonly read: ReadFile;
  readonly result: Result;
  /** Whether the verdict can no longer change. */
  readonly isFinal: boolean;
}

/**
 * How the work on a file reports its progress and its answers so far, and how the user can stop the
 * work.
 */
export interface FileHooks extends Hooks {
  /** Called with the answer when the verdict is found, and at each later finding. */
  readonly onKnown?: (known: KnownAnswer) => void;
}

/**
 * Returns the final result for a file. If the work ended early with `finding`, the last known
 * answer becomes the result, with open parts marked.
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
