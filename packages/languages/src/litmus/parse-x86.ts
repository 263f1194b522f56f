import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { unknownName } from '@fencewright/ground/source/diagnostic.js';
import { type Final, mentionedRegisters, readFinal, toProperty } from './condition.js';
import { type InitialRegister, readInitialState } from './initial-state.js';
import { lowerX86 } from './lower-x86.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { startReading, type LitmusReading } from './litmus-reading.js';
import type { Sections } from './sections.js';
import { readColumn, type X86Code } from './x86-column.js';
import { type ThreadColumn, splitGrid } from './x86-grid.js';
import { canonicalRegister, type X86Architecture } from './x86-registers.js';
import { refuseMixedWidths } from './x86-widths.js';

/** A register that the file names outside the code of its thread. */
interface NamedRegister {
  readonly register: string;
  readonly spelling: string;
  readonly span: Span;
  /** Whether the file names the register after the code, not before. */
  readonly isAsked: boolean;
}

/** A thread as read from the text, before lowering. */
interface ThreadSource {
  readonly column: ThreadColumn;
  readonly code: X86Code;
  readonly outside: readonly NamedRegister[];
}

/** Returns the program of a litmus test in an assembler of x86. */
export function parseX86(sections: Sections, architecture: X86Architecture): ParseResult {
  const { text, name } = sections;
  const reading = startReading(text);
  const initial = sections.initial ? readInitialState(reading, text, sections.initial) : [];
  const columns = splitGrid(reading, text, sections.code);
  const final = readFinal(reading, text, sections.final);
  const known = knownRegisters(reading, architecture, columns, initial);
  const sources = columns.map((column): ThreadSource => {
    const code = readColumn({ reading, architecture }, text, column);
    return { column, code, outside: namedOutside(architecture, column, initial, final) };
  });
  const accumulator = architecture === 'X86' ? 'EAX' : 'rax';
  refuseMixedWidths(reading, sources, accumulator, known);
  const threads = sources.map(({ column, code, outside }) =>
    lowerX86(reading, {
      name: `P${column.number}`,
      span: column.span,
      code,
      accumulator,
      initial: known.filter(({ thread, value }) => thread === column.number && value !== 0),
      mentioned: outside.filter(({ isAsked }) => isAsked).map(({ register }) => register),
    }),
  );
  const lookup = {
    threads,
    threadOf: (number: number) => indexOf(columns, number),
    canonical: (register: string) => canonicalRegister(architecture, register) ?? register,
  };
  const properties = final.condition ? [toProperty(reading, lookup, final.condition)] : [];
  const diagnostics = reading.errors.toDiagnostics();
  if (reading.errors.hasErrors) return { diagnostics };
  const symbols = reading.shared.toSymbols();
  const { start, end } = sections.architectureAt;
  const outsideC11 = { span: reading.index.spanOf(start, end), reason: 'assembler' } as const;
  const program: Program = { name: name || 'litmus', symbols, threads, properties, outsideC11 };
  return { model: { kind: 'finite', program }, diagnostics };
}

function indexOf(columns: readonly ThreadColumn[], number: number): number | undefined {
  const index = columns.findIndex((column) => column.number === number);
  return index < 0 ? undefined : index;
}

/**
 * Returns the entries of the initial state whose threads and registers exist, under canonical
 * names; reports the remaining ones.
 */
function knownRegisters(
  { errors }: LitmusReading,
  architecture: X86Architecture,
  columns: readonly ThreadColumn[],
  initial: readonly InitialRegister[],
): readonly InitialRegister[] {
  return initial.flatMap((entry) => {
    const { thread, register, span } = entry;
    const canonical = canonicalRegister(architecture, register);
    const threads = columns.map(({ number }) => `P${number}`);
    if (indexOf(columns, thread) === undefined)
      errors.error(() => unknownName(span, 'thread', `P${thread}`, threads));
    else if (canonical === undefined)
      errors.error(() => unknownName(span, 'register', register, ['EAX', 'rax']));
    else return [{ ...entry, register: canonical }];
    return [];
  });
}

/**
 * Returns the registers named in the file outside the code, by canonical name, without nonexistent
 * registers.
 */
function namedOutside(
  architecture: X86Architecture,
  { number }: ThreadColumn,
  initial: readonly InitialRegister[],
  final: Final,
): readonly NamedRegister[] {
  const set = initial.filter(({ thread }) => thread === number);
  const asked = mentionedRegisters(final, number);
  return [
    ...set.map((entry) => ({ ...entry, isAsked: false })),
    ...asked.map((entry) => ({ ...entry, isAsked: true })),
  ].flatMap(({ register: spelling, span, isAsked }) => {
    const register = canonicalRegister(architecture, spelling);
    return register === undefined ? [] : [{ register, spelling, span, isAsked }];
  });
}
