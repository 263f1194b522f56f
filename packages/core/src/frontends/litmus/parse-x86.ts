import type { ParseResult } from '../../program/parse-result.js';
import type { Program, Thread } from '../../program/program.js';
import { unknownName } from '../../source/diagnostic.js';
import { type Final, mentionedRegisters, readFinal, toProperty } from './condition.js';
import { type InitialRegister, readInitialState } from './initial-state.js';
import { lowerX86 } from './lower-x86.js';
import { startReading, type LitmusReading } from './litmus-reading.js';
import type { Sections } from './sections.js';
import { readColumn } from './x86-column.js';
import { type Column, splitGrid } from './x86-grid.js';
import { canonicalRegister, type X86Architecture } from './x86-registers.js';

/** What a file says of registers outside of its code. */
interface Outside {
  readonly initial: readonly InitialRegister[];
  readonly final: Final;
}

/** The program of a litmus test in an assembler of x86. */
export function parseX86(sections: Sections, architecture: X86Architecture): ParseResult {
  const { text, name } = sections;
  const reading = startReading(text);
  const initial = sections.initial ? readInitialState(reading, text, sections.initial) : [];
  const columns = splitGrid(reading, text, sections.code);
  const final = readFinal(reading, text, sections.final);
  const outside = { initial: knownRegisters(reading, architecture, columns, initial), final };
  const threads = columns.map((column) =>
    lowerColumn(reading, architecture, text, column, outside),
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
  const program: Program = { name: name || 'litmus', symbols, threads, properties };
  return { program, diagnostics };
}

function indexOf(columns: readonly Column[], number: number): number | undefined {
  const index = columns.findIndex((column) => column.number === number);
  return index < 0 ? undefined : index;
}

/** The entries of the initial state whose threads and registers exist, under their canonical names. */
function knownRegisters(
  { errors }: LitmusReading,
  architecture: X86Architecture,
  columns: readonly Column[],
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

function lowerColumn(
  reading: LitmusReading,
  architecture: X86Architecture,
  text: string,
  column: Column,
  { initial, final }: Outside,
): Thread {
  const code = readColumn({ reading, architecture }, text, column);
  const mentioned = mentionedRegisters(final, column.number).flatMap(
    (register) => canonicalRegister(architecture, register) ?? [],
  );
  return lowerX86(reading, {
    name: `P${column.number}`,
    span: column.span,
    code,
    accumulator: architecture === 'X86' ? 'EAX' : 'rax',
    initial: initial.filter(({ thread, value }) => thread === column.number && value !== 0),
    mentioned,
  });
}
