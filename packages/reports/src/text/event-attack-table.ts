import { at } from '@fencewright/ground/base/at.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { DecidedEventAttack } from '@fencewright/model/verdict/event-check-result.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventInstructionText, siteLine } from '../words/event-words.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { inToneOf, notes, say, tables, withoutEmptyColumns } from '../words/blocks.js';
import type { Block, Column, TonedText } from '../words/document.js';

const columns: readonly Column[] = [
  { title: 'in' },
  { title: 'store' },
  { title: 'line', align: 'right' },
  { title: 'in' },
  { title: 'overtaken by' },
  { title: 'line', align: 'right' },
  { title: 'verdict' },
];

/** Returns the attacks with verdicts; attacks ruled out by control flow are only counted. */
export function eventAttackBlocks(
  { program }: EventSubject,
  attacks: readonly DecidedEventAttack[],
): readonly Block[] {
  if (attacks.length === 0) return [say('none')];
  const place = (site: Site): TonedText[] => [
    at(program.bodies, site.body).name,
    eventInstructionText(program, site),
    String(siteLine(program, site) ?? ''),
  ];
  const searched = attacks.filter(({ verdict }) => verdict !== 'by-cfg');
  const rows = searched.map(({ store, end, verdict }) => {
    return [...place(store), ...place(end.site), inToneOf(verdict)];
  });
  const rest = attacks.length - searched.length;
  return [
    ...tables(withoutEmptyColumns({ columns, rows })),
    ...(rest > 0 ? notes([`${countOf(rest, 'attack')} ruled out by the control flow`]) : []),
  ];
}
