import type { Program } from '@fencewright/model/program/program.js';
import { threadCells, type ThreadCellUse } from '@fencewright/model/program/thread-cells.js';

type Nouns = Readonly<Record<'read' | 'written', string>>;

const nouns: Readonly<Record<ThreadCellUse, Nouns>> = {
  start: { read: 'begin', written: 'start' },
  done: { read: 'join', written: 'end' },
  argument: { read: 'argument', written: 'argument' },
  result: { read: 'result', written: 'result' },
  sleep: { read: 'sleep', written: 'sleep' },
};

/**
 * Returns what an access to a cell that a front end added does to a thread, as a noun such as `join
 * of t1`; `undefined` if the cell belongs to the program's text.
 */
export function threadCellNoun(
  program: Program,
  address: number | undefined,
  isWritten: boolean,
): string | undefined {
  const cell = address === undefined ? undefined : threadCells(program).get(address);
  return cell && `${nouns[cell.use][isWritten ? 'written' : 'read']} of ${cell.thread}`;
}
