import { at } from '@fencewright/ground/base/at.js';
import type { Column, Table, TonedText } from './document.js';
import type { PageData } from './page-data.js';

/**
 * The index of the first column for buffers and cells, after the columns of every table: the number
 * of the step, the action, and the line.
 */
export const firstStateColumn = 3;

/**
 * Returns one row for the start and for each step of `data`: the action, then the contents of
 * buffers (oldest store first), cells and the registers that a claim reads after the action.
 * Changes are highlighted. `inBuffer` joins stores such as `x = 1`.
 */
export function stepTable(
  { threads, cells, registers, read, steps, frames }: PageData,
  inBuffer = (stores: readonly string[]): string => stores.join(', '),
): Table {
  const isUsed = threads.map((_, t) => frames.some(({ buffers }) => at(buffers, t).length > 0));
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    ...[right('step'), { title: 'what happens' }, right('line')],
    ...threads.filter((_, t) => isUsed[t]).map((name) => ({ title: `buffer of ${name}` })),
    ...cells.map(right),
    ...read.map(([t, r]) => right(`${at(threads, t)}.${at(at(registers, t), r)}`)),
  ];
  const contents = frames.map((frame) => [
    ...frame.buffers.filter((_, t) => isUsed[t]).map((stores) => inBuffer(stores) || '-'),
    ...frame.memory,
    ...read.map(([t, r]) => at(at(frame.registers, t), r)),
  ]);
  const rows = contents.map((here, i): TonedText[] => {
    const before = contents[i - 1];
    const step = steps[i - 1];
    const state = here.map((text, c): TonedText => {
      if (before && before[c] !== text) return { text, tone: 'strong' };
      return text === '-' ? { text, tone: 'faint' } : text;
    });
    const number: TonedText = { text: String(step?.number ?? 0), tone: 'faint' };
    if (!step) return [number, { text: 'the start', tone: 'faint' }, '', ...state];
    return [number, step.sentence, step.place, ...state];
  });
  return { columns, rows };
}
