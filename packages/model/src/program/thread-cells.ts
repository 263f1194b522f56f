import type { Program } from './program.js';

/**
 * The uses of the cells by which front ends start, end and join threads, and of the cell that holds
 * the futex on which a thread sleeps.
 */
export type ThreadCellUse = 'start' | 'done' | 'argument' | 'result' | 'sleep';

const words: Readonly<Record<ThreadCellUse, string>> = {
  start: 'started',
  done: 'ended',
  argument: 'argument',
  result: 'result',
  sleep: 'sleeps',
};

/** Returns the name of a cell by which the thread of this name is started, ended or joined. */
export function threadCellName(use: ThreadCellUse, thread: string): string {
  return `${words[use]}(${thread})`;
}

/** A cell that a front end added for a thread. */
export interface ThreadCell {
  readonly use: ThreadCellUse;
  readonly thread: string;
}

/** Returns the cells that a front end added for threads, by address. */
export function threadCells({ symbols }: Program): ReadonlyMap<number, ThreadCell> {
  const cells = new Map<number, ThreadCell>();
  for (const { base, name, isInternal } of symbols) {
    if (!isInternal) continue;
    const [, word, thread] = /^(\w+)\((.*)\)$/s.exec(name) ?? [];
    const use = (['start', 'done', 'argument', 'result', 'sleep'] as const).find(
      (u) => words[u] === word,
    );
    if (use && thread !== undefined) cells.set(base, { use, thread });
  }
  return cells;
}

/** Returns the addresses of all cells that a front end added, which users do not know. */
export function addedCells({ symbols }: Program): ReadonlySet<number> {
  return new Set(
    symbols.flatMap(({ base, length, isInternal }) =>
      isInternal ? Array.from({ length }, (_, offset) => base + offset) : [],
    ),
  );
}
