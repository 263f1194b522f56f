import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RepairedText, SourceRepair } from '@fencewright/model/program/source-repair.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { Position, Span } from '@fencewright/ground/source/span.js';
import {
  applyEdits,
  insertion,
  lineAt,
  lineBreakOf,
  replacement,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import { startReading } from './litmus-reading.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { type Sections, splitSections } from './sections.js';
import { cFencePlace, repairC } from './repair-c.js';
import { readColumn, type X86Code } from './x86-column.js';
import { splitGrid } from './x86-grid.js';
import { isMemory } from './x86-instruction.js';
import type { X86Architecture } from './x86-registers.js';

/** The code of an assembler test, read again with the positions that changes of the code need. */
interface Grid {
  readonly text: string;
  /** The text of the litmus test, with blanks in place of its comments. */
  readonly bare: string;
  readonly codes: readonly X86Code[];
  /**
   * For each thread, the ranges of the cells of its column that hold an instruction or a label, in
   * the order of the lines.
   */
  readonly cells: readonly (readonly TextRange[])[];
  readonly offsetOf: (position: Position) => number;
}

function readGrid(text: string, sections: Sections, architecture: X86Architecture): Grid {
  const reading = startReading(text);
  const columns = splitGrid(reading, sections.text, sections.code);
  return {
    text,
    bare: sections.text,
    codes: columns.map((column) => readColumn({ reading, architecture }, sections.text, column)),
    cells: columns.map(({ cells }) => cells.filter(({ start, end }) => end > start)),
    offsetOf: ({ line, column }) => reading.index.startOf(line) + column,
  };
}

function isSame(a: Span, b: Span): boolean {
  return (
    a.start.line === b.start.line &&
    a.start.column === b.start.column &&
    a.end.line === b.end.line &&
    a.end.column === b.end.column
  );
}

/**
 * Returns the line before which a fence at the location is inserted; `undefined` inside an
 * instruction and before the registers are set.
 */
function lineOfFence(
  { transitions }: Program['threads'][number],
  { lines }: X86Code,
  location: LocationId,
): number | undefined {
  const leaving = transitions.find(({ from }) => from === location)?.origin.span;
  if (!leaving) return undefined;
  const first = transitions.find(({ origin }) => origin.span && isSame(origin.span, leaving));
  let line = lines.findIndex(({ span }) => isSame(span, leaving));
  if (line < 0 || first?.from !== location) return undefined;
  // The fence does not go between a comparison and its jump, although harmless there.
  while (line > 0 && lines[line]?.labels.length === 0 && isSilent(lines[line - 1])) line -= 1;
  return line;
}

function isSilent(line: X86Code['lines'][number] | undefined): boolean {
  if (line?.instruction.kind === 'nothing') return true;
  if (line?.instruction.kind !== 'compare') return false;
  return !isMemory(line.instruction.left) && !isMemory(line.instruction.right);
}

function readingOf(text: string): Grid | undefined {
  const sections = splitSections(text);
  const { architecture } = sections;
  if (architecture !== 'X86' && architecture !== 'X86_64') return undefined;
  return readGrid(text, sections, architecture);
}

/**
 * Returns a function from a location to the place for a fence there; the function returns
 * `undefined` if no fence can be inserted. `program` is the parsed text.
 */
export function litmusFencePlace(
  text: string,
  program: Program,
): (thread: ThreadId, location: LocationId) => Position | undefined {
  const sections = splitSections(text);
  if (sections.architecture === 'C') return cFencePlace(sections);
  const grid = readingOf(text);
  return (thread, location) => {
    const code = grid?.codes[thread];
    const owner = program.threads[thread];
    const line = code && owner && lineOfFence(owner, code, location);
    return line === undefined ? undefined : code?.lines[line]?.span.start;
  };
}

/**
 * Returns the repaired text, with everything else unchanged. In an assembler test, a fence becomes
 * a separate row, with MFENCE in the thread's column and the labels of the following instruction.
 * In a C test, a fence becomes a call before the statement. Exchanges are refused, since an
 * exchange needs a register.
 */
export function repairLitmusText(
  text: string,
  program: Program,
  repairs: readonly SourceRepair[],
): RepairedText {
  const sections = splitSections(text);
  if (sections.architecture === 'C') return repairC(text, sections, program, repairs);
  const grid = readingOf(text);
  const refusals: Diagnostic[] = [];
  const edits = repairs.flatMap((repair): readonly TextEdit[] => {
    const code = grid?.codes[repair.thread];
    const owner = program.threads[repair.thread];
    if (!grid || !code || !owner) return [];
    if (repair.kind === 'fence') {
      const line = lineOfFence(owner, code, repair.location);
      if (line !== undefined) return insertFence(grid, repair.thread, line);
      const place = owner.locations[repair.location]?.span;
      refusals.push(notSupported(place, 'no fence can stand inside of an instruction'));
      return [];
    }
    const span = owner.transitions[repair.transition]?.origin.span;
    const line = code.lines.findIndex((other) => span && isSame(other.span, span));
    if (repair.kind === 'remove' && code.lines[line]?.instruction.kind === 'fence')
      return removeFence(grid, repair.thread, line);
    refusals.push(
      notSupported(
        span,
        'this store cannot become an exchange: the exchange needs a register',
        'convert the program to the native format first, or ask for fences only',
      ),
    );
    return [];
  });
  if (refusals.length > 0) return { diagnostics: refusals };
  return { text: applyEdits(text, edits), diagnostics: [] };
}

function fenceWord({ text }: Grid): string {
  return /\bMFENCE\b|^X86\b(?!_64)(?=[\s\S]*\bMOV\b)/.test(text) ? 'MFENCE' : 'mfence';
}

/**
 * Returns the edits that insert a row before the row of the line, with a fence in this thread's
 * column only.
 */
function insertFence(grid: Grid, thread: ThreadId, line: number): readonly TextEdit[] {
  const { text, bare, cells } = grid;
  const cell = cells[thread]![line]!;
  const start = startOfRow(bare, cell.start);
  const end = bare.indexOf(';', cell.end);
  const row = bare.slice(start, end < 0 ? text.length : end + 1);
  const { span } = grid.codes[thread]!.lines[line]!;
  const labels = bare.slice(cell.start, grid.offsetOf(span.start));
  const word = labels + fenceWord(grid);
  // All other cells become blanks of equal width.
  const parts = row.split('|').map((part, position, all) => {
    const isLast = position === all.length - 1;
    const inside = isLast ? part.slice(0, -1) : part;
    const lead = /^\s*/.exec(inside)?.[0].replace(/[\r\n]/g, '') ?? '';
    const width = inside.replace(/[\r\n]/g, '').length;
    const content =
      position === columnOf(bare, start, cell.start)
        ? `${`${lead}${word}`.padEnd(width - 1)} `
        : ' '.repeat(width);
    return isLast ? `${content};` : content;
  });
  const edits = [insertion(start, parts.join('|') + lineBreakOf(text))];
  if (labels === '') return edits;
  const blank = ' '.repeat(labels.length);
  return [...edits, replacement(cell.start, cell.start + labels.length, blank)];
}

/**
 * Returns the offset at which the row of a cell starts: after the previous row, if possible at the
 * start of a line.
 */
function startOfRow(text: string, offset: number): number {
  const before = Math.max(text.lastIndexOf(';', offset - 1), text.lastIndexOf('}', offset - 1));
  const line = lineAt(text, before + 1);
  return line.next <= offset ? firstLineOf(text, line.next, offset) : before + 1;
}

/**
 * Returns the start of the first line, from `from` on, that belongs to the row of `offset`: a line
 * with `|`, or the line of `offset`.
 */
function firstLineOf(text: string, from: number, offset: number): number {
  let start = from;
  for (let line = lineAt(text, start); line.next <= offset; line = lineAt(text, start)) {
    if (text.slice(line.start, line.end).includes('|')) return start;
    if (line.next === start) return start;
    start = line.next;
  }
  return start;
}

function columnOf(text: string, start: number, offset: number): number {
  return text.slice(start, offset).split('|').length - 1;
}

function removeFence(grid: Grid, thread: ThreadId, line: number): readonly TextEdit[] {
  const { text, offsetOf } = grid;
  const { span, labels } = grid.codes[thread]!.lines[line]!;
  const [start, end] = [offsetOf(span.start), offsetOf(span.end)];
  const word = labels.length > 0 ? (/[a-z]/.test(text.slice(start, end)) ? 'nop' : 'NOP') : '';
  return [replacement(start, end, word.padEnd(end - start))];
}
