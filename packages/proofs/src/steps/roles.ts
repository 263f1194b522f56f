import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ProofProgram } from './proof-program.js';

/** A thread in a question of a proof: some copy of a template, or a single thread. */
export interface Role {
  /**
   * The name of the role, distinct within a question and made of numbers, since names in programs
   * may be arbitrary, and coincide.
   */
  readonly name: string;
  readonly thread: ThreadId;
  /** The number of the copy that the role is in the question; absent for single threads. */
  readonly copy?: number;
}

/**
 * Returns the role of a thread: of a single thread its only role, of a template with any number of
 * copies the role of copy number `copy`.
 */
export function roleOf(
  { unbounded }: Pick<ProofProgram, 'unbounded'>,
  thread: ThreadId,
  copy: number,
): Role {
  if (!unbounded.includes(thread)) return { name: String(thread), thread };
  return { name: `${thread}_${copy}`, thread, copy };
}

/** Returns the role's title for messages: `t`, or `t#2` for the second copy in a question. */
export function roleTitle(
  { templates }: Pick<ProofProgram, 'templates'>,
  { thread, copy }: Role,
): string {
  return `${at(templates.threads, thread).name}${copy === undefined ? '' : `#${copy}`}`;
}
