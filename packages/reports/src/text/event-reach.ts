import { formatAddress } from '@fencewright/model/program/format.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type {
  EventReachResult,
  EventSemanticsReach,
} from '@fencewright/model/verdict/event-reach-result.js';
import type { EventSubject } from '../words/event-subject.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { titleOf } from './check.js';
import { eventRun } from '../words/run.js';
import type { Palette } from './palette.js';
import { inToneOf, notes, say, section, tables } from '../words/blocks.js';
import type { Block, Column, TonedText } from '../words/document.js';
import { type Headline, said } from '../words/headline.js';
import { printText } from './print-text.js';

const sides = ['single', 'sc', 'tso'] as const;
type Side = (typeof sides)[number];

/** By semantics of programs of events, its name in reports. */
const sideNames: Readonly<Record<Side, string>> = {
  single: 'single thread',
  sc: 'SC',
  tso: 'TSO',
};

const mostRows = 40;

/** Returns the semantics that the question asked for. */
function asked(result: EventReachResult): readonly Side[] {
  return sides.filter((side) => result[side].incomplete !== 'not-asked');
}

/** A final content of memory, with the semantics that reach the content. */
interface EventFinal {
  readonly values: readonly number[];
  readonly sides: readonly Side[];
}

/**
 * Returns the cells that distinguish the final contents of memory, and the distinct final contents.
 */
function eventFinals(
  program: EventProgram,
  result: EventReachResult,
): { readonly cells: readonly string[]; readonly finals: readonly EventFinal[] } {
  const addresses = new Set(
    program.symbols.flatMap(({ base, length }) => Array.from({ length }, (_, cell) => base + cell)),
  );
  for (const side of sides)
    for (const { memory } of result[side].finalStates)
      for (const address of memory.keys()) addresses.add(address);
  const sorted = [...addresses].sort((a, b) => a - b);
  const finals = new Map<string, { values: readonly number[]; sides: Side[] }>();
  for (const side of sides)
    for (const { memory } of result[side].finalStates) {
      const values = sorted.map((address) => memory.get(address) ?? 0);
      const key = values.join(' ');
      const known = finals.get(key);
      if (known) known.sides.push(side);
      else finals.set(key, { values, sides: [side] });
    }
  return {
    cells: sorted.map((address) => formatAddress(program, address)),
    finals: [...finals.values()],
  };
}

function sideLine(side: Side, reach: EventSemanticsReach, result: EventReachResult): string {
  const { states, incomplete, bounds, blocked } = reach;
  const { allowed } = result;
  const limits = {
    instances: `no more than ${countOf(allowed.instances, 'instance')} of what there is any number of`,
    depth: `no more than ${allowed.depth} calls or postings deep`,
    buffer: `no more than ${countOf(allowed.buffer ?? 0, 'store')} in a buffer`,
  };
  const parts = [
    countOf(states, 'state'),
    ...(blocked.states > 0 ? [countOf(blocked.states, 'of them blocked', 'of them blocked')] : []),
    ...(incomplete === undefined || incomplete === 'not-asked'
      ? []
      : [`incomplete: ${reasonInWords[incomplete]}`]),
    ...bounds.map((bound) => limits[bound]),
  ];
  return `${sideNames[side]}: ${parts.join('; ')}`;
}

/**
 * Returns the answer as words that follow the program's name; `undefined` if no two semantics are
 * compared.
 */
function headlineOf(result: EventReachResult): Headline | undefined {
  const compared = (['sc', 'tso'] as const).filter(
    (side) => result[side].incomplete !== 'not-asked' && result.single.incomplete !== 'not-asked',
  );
  if (compared.length === 0) return undefined;
  const more = compared.filter((side) => result.isWithinSingle[side] === 'no');
  const than = ' than on a single one';
  if (more.length > 0) {
    const where = enumerate(more.map((side) => sideNames[side]));
    return said('bad', 'ends in ', 'other states', ` on several threads (${where})${than}`);
  }
  return compared.every((side) => result.isWithinSingle[side] === 'yes')
    ? said('good', 'ends in ', 'no other states', ` on several threads${than}`)
    : said('doubtful', 'is ', 'undecided', ': not all final states are known');
}

/** Returns the final states as a table, with the semantics under which each is reached. */
export function eventFinalBlocks(
  { program }: EventSubject,
  result: EventReachResult,
): readonly Block[] {
  const { cells, finals } = eventFinals(program, result);
  if (finals.length === 0) return [say('none: no run ends')];
  const shown = asked(result);
  const columns: Column[] = [
    ...cells.map((title) => ({ title, align: 'right' as const })),
    ...shown.map((side) => ({ title: sideNames[side] })),
  ];
  const rows = finals.slice(0, mostRows).map(({ values, sides: reached }): TonedText[] => [
    ...values.map(String),
    ...shown.map((side): TonedText => {
      if (reached.includes(side))
        return side !== 'single' && !reached.includes('single') && shown.includes('single')
          ? { text: 'yes', tone: 'bad' }
          : 'yes';
      return result[side].incomplete === undefined && result[side].bounds.length === 0 ? '-' : '?';
    }),
  ]);
  const rest = finals.length - rows.length;
  return [
    { kind: 'table', columns, rows },
    ...(rest > 0 ? [say(countOf(rest, 'more final state'))] : []),
  ];
}

function propertyTable({ program }: EventSubject, result: EventReachResult): readonly Block[] {
  const shown = asked(result);
  const columns = [{ title: 'property' }, ...shown.map((side) => ({ title: sideNames[side] }))];
  const rows = program.properties.map(({ name, kind }, i): TonedText[] => [
    `${name} (${kind})`,
    ...shown.map((side) => {
      const { verdict = 'unknown', isVacuous = false } = result[side].properties[i] ?? {};
      return inToneOf(verdict, isVacuous ? `${verdict} (no run ends)` : verdict);
    }),
  ]);
  return tables({ columns, rows });
}

/** A run for the report, with its title. */
interface ShownRun {
  readonly title: string;
  readonly run: EventRun;
}

/**
 * Returns one run for each property that is reached or fails, for each assertion that fails, and
 * for one final state that only several threads reach.
 */
export function shownRuns(
  { program }: EventSubject,
  result: EventReachResult,
): readonly ShownRun[] {
  const runs: ShownRun[] = [];
  for (const side of asked(result)) {
    const { finalStates, properties, failedAssertions } = result[side];
    const where = sideNames[side];
    const isNew = side !== 'single' && result.single.incomplete !== 'not-asked';
    const first = isNew ? finalStates.find(({ run }) => run !== undefined)?.run : undefined;
    if (first)
      runs.push({ title: `a final state that only several threads have (${where})`, run: first });
    properties.forEach(({ property, run, verdict }, i) => {
      const { kind = 'never' } = program.properties[i] ?? {};
      if (!run) return;
      const says = claimsExistence({ kind }) ? 'is reached' : 'is violated';
      if (claimsExistence({ kind }) || verdict === 'violated')
        runs.push({ title: `${property} ${says} (${where})`, run });
    });
    for (const { run } of failedAssertions)
      runs.push({ title: `an assertion fails (${where})`, run });
  }
  return runs;
}

/** Returns the final states and properties of a program of events, and the runs that show them. */
export function eventReachDetails(
  subject: EventSubject,
  result: EventReachResult,
): readonly Block[] {
  return [
    ...section('Final states', eventFinalBlocks(subject, result)),
    ...section('Properties', propertyTable(subject, result)),
  ];
}

/** Returns the report on the final states of a program of events. */
export function eventReachReport(
  subject: EventSubject,
  result: EventReachResult,
  palette: Palette,
): string {
  const title = titleOf(subject);
  const headline = headlineOf(result);
  const blocks: readonly Block[] = [
    headline
      ? { kind: 'headline', title, headline }
      : say([{ text: title, tone: 'strong' }, ': its final states'], 0),
    ...notes(asked(result).map((side) => sideLine(side, result[side], result))),
    ...notes([formatDuration(result.milliseconds)]),
    ...eventReachDetails(subject, result),
    ...shownRuns(subject, result).flatMap(({ title, run }) =>
      section(`A run: ${title}`, [{ kind: 'run', run: eventRun(subject.program, run, new Set()) }]),
    ),
  ];
  return printText(blocks, palette);
}
