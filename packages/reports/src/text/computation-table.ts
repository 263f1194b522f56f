import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { labelOf, placeCell, threadName } from '../words/action-words.js';
import { instructionTexts, saysNothing } from '../words/instruction-texts.js';
import type { Palette } from './palette.js';
import { type TableCell, type TableColumn, renderTable, withoutEmptyColumns } from './table.js';
import { accessedValue, cellValueText } from '../words/pointer-values.js';

function valueText(program: Program, action: Action): string {
  switch (action.kind) {
    case 'issue':
    case 'store':
    case 'load':
      return accessedValue(program, action);
    case 'rmw':
      return action.written === undefined
        ? accessedValue(program, action)
        : `${accessedValue(program, action)} -> ${cellValueText(program, action.address, action.written)}`;
    case 'local':
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
      return '';
  }
}

const columns: readonly TableColumn[] = [
  { title: 'step', align: 'right' },
  { title: 'thread' },
  { title: 'action' },
  { title: 'label' },
  { title: 'line', align: 'right' },
  { title: 'address' },
  { title: 'value', align: 'right' },
  { title: 'instruction' },
];

/** Whether an action executes a text mark. */
function isMark({ threads }: Program, { thread, transition }: Action): boolean {
  return threads[thread]?.transitions[transition]?.origin.mark !== undefined;
}

/**
 * Returns the steps of a computation, numbered from 1, as an aligned table; the actions of `cycle`
 * are highlighted. Steps of C within a thread that say nothing about memory are left out.
 */
export function computationTable(
  program: Program,
  computation: Computation,
  cycle: readonly CycleEdge[],
  palette: Palette,
): string[] {
  const onCycle = new Set(cycle.flatMap((edge) => [edge.from, edge.to]));
  const texts = instructionTexts(program, computation);
  const shown = computation.flatMap((action, i) =>
    isMark(program, action) || saysNothing(program, action, at(texts, i)) ? [] : [{ action, i }],
  );
  const rows = shown.map(({ action, i }): TableCell[] => {
    const { thread, transition } = action;
    const paint = onCycle.has(i) ? palette.strong : undefined;
    const cell = (text: string): TableCell => (paint ? { text, paint } : text);
    return [
      { text: String(i + 1), paint: palette.faint },
      cell(threadName(program, thread)),
      cell(action.kind === 'load' && action.early ? 'load (early)' : action.kind),
      cell(labelOf(program, thread, transition) ?? ''),
      cell(placeCell(program, thread, transition)),
      cell('address' in action ? formatAddress(program, action.address) : ''),
      cell(valueText(program, action)),
      { text: at(texts, i), paint: palette.faint },
    ];
  });
  const table = withoutEmptyColumns(columns, rows);
  return renderTable(table.columns, table.rows, {
    indent: '  ',
    gap: '  ',
    heading: palette.accent,
  });
}
