import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';
import {
  eventInstructionText,
  eventThreadName,
  siteLine,
  taskNames,
} from '../words/event-words.js';
import type { Palette } from './palette.js';
import { type TableColumn, renderTable, type TableCell, withoutEmptyColumns } from './table.js';

const columns: readonly TableColumn[] = [
  { title: 'step', align: 'right' },
  { title: 'thread' },
  { title: 'task' },
  { title: 'action' },
  { title: 'line', align: 'right' },
  { title: 'address' },
  { title: 'value', align: 'right' },
  { title: 'instruction' },
];

function valueText(action: EventAction): string {
  switch (action.kind) {
    case 'load':
    case 'issue':
    case 'store':
      return String(action.value);
    case 'rmw':
      return action.written === undefined
        ? String(action.read)
        : `${action.read} -> ${action.written}`;
    default:
      return '';
  }
}

/** Whether an action has a row in tables: local steps and starts of events have none. */
export function isShown({ kind }: EventAction): boolean {
  return kind !== 'silent' && kind !== 'start';
}

/**
 * Returns the steps of a run, numbered from 1 in the run, as an aligned table without local steps;
 * the actions of `marked` are highlighted.
 */
export function eventRunTable(
  program: EventProgram,
  run: EventRun,
  marked: ReadonlySet<number>,
  palette: Palette,
): string[] {
  const names = taskNames(program, run);
  const rows = run.actions.flatMap((action, step): TableCell[][] => {
    if (!isShown(action)) return [];
    const paint = marked.has(step) ? palette.strong : undefined;
    const cell = (text: string): TableCell => (paint ? { text, paint } : text);
    const site = 'site' in action ? action.site : undefined;
    const isEarly = action.kind === 'load' && action.fromBuffer;
    return [
      [
        { text: String(step + 1), paint: palette.faint },
        cell(eventThreadName(at(run.tasks, action.task).thread)),
        cell(at(names, action.task)),
        cell(isEarly ? 'load (early)' : action.kind),
        cell(String((site && siteLine(program, site)) ?? '')),
        cell('address' in action ? formatAddress(program, action.address) : ''),
        cell(valueText(action)),
        { text: site ? eventInstructionText(program, site) : '', paint: palette.faint },
      ],
    ];
  });
  const table = withoutEmptyColumns(columns, rows);
  return renderTable(table.columns, table.rows, {
    indent: '  ',
    gap: '  ',
    heading: palette.accent,
  });
}
