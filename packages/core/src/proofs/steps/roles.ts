import type { ThreadId } from '../../program/ids.js';
import type { ProofProgram } from './proof-program.js';

/** A thread that a proof speaks of: some copy of a template, or a single thread. */
export interface Role {
  /** Distinct within a question, and made of numbers: names of programs may be anything, and meet. */
  readonly name: string;
  readonly thread: ThreadId;
}

/** The role of a single thread; of a thread in any number of copies, that of one whose number in the question is `copy`. */
export function roleOf(
  { unbounded }: Pick<ProofProgram, 'unbounded'>,
  thread: ThreadId,
  copy: number,
): Role {
  return { name: unbounded.includes(thread) ? `${thread}_${copy}` : String(thread), thread };
}

/** The role that `roleOf` gave this name. */
export function roleOfName(name: string): Role {
  return { name, thread: Number.parseInt(name, 10) };
}

/** The role in words: `t`, or `t#2` for the second copy that a question speaks of. */
export function roleTitle(
  { templates }: Pick<ProofProgram, 'templates'>,
  { name, thread }: Role,
): string {
  const copy = name.split('_')[1];
  return `${templates.threads[thread]?.name ?? ''}${copy === undefined ? '' : `#${copy}`}`;
}
