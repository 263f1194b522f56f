import { at } from '@fencewright/ground/base/at.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { DecidedEventAttack } from '@fencewright/model/verdict/event-check-result.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventInstructionText, siteLine } from '../words/event-words.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { attackPaint, type Palette } from './palette.js';
import { type TableColumn, renderTable, type TableCell, withoutEmptyColumns } from './table.js';

const columns: readonly TableColumn[] = [
  { title: 'in' },
  { title: 'store' },
  { title: 'line', align: 'right' },
  { title: 'in' },
  { title: 'overtaken by' },
  { title: 'line', align: 'right' },
  { title: 'verdict' },
];

/**
 * Returns the attacks with their verdicts; attacks that control flow rules out are only counted.
 */
export function eventAttackLines(
  { program }: EventSubject,
  attacks: readonly DecidedEventAttack[],
  palette: Palette,
): string[] {
  if (attacks.length === 0) return ['  none'];
  const paint = attackPaint(palette);
  const place = (site: Site): TableCell[] => [
    at(program.bodies, site.body).name,
    eventInstructionText(program, site),
    String(siteLine(program, site) ?? ''),
  ];
  const searched = attacks.filter(({ verdict }) => verdict !== 'by-cfg');
  const rows = searched.map(({ store, end, verdict }): TableCell[] => [
    ...place(store),
    ...place(end.site),
    { text: verdict, paint: paint[verdict] },
  ]);
  const rest = attacks.length - searched.length;
  const restLine = `  ${palette.faint(`${countOf(rest, 'attack')} ruled out by the control flow`)}`;
  const table = withoutEmptyColumns(columns, rows);
  const style = { indent: '  ', gap: '  ', heading: palette.accent };
  return [
    ...(rows.length > 0 ? renderTable(table.columns, table.rows, style) : []),
    ...(rest > 0 ? [restLine] : []),
  ];
}
