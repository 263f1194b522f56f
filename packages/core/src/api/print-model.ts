import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { Instrumented } from '@fencewright/reference/instrument/instrument.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { FrontEnd } from '@fencewright/model/program/front-end.js';
import { automataToJson, eventAutomataToJson } from '@fencewright/model/program/automata-json.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { onlyNative } from '@fencewright/model/program/instruction.js';
import {
  templatesOf,
  type ThreadModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { instrumentCopies, instrumentProgram, lowerForExport } from './instrument-program.js';
import { frontEndOf, frontEnds } from '@fencewright/languages/read/front-ends.js';
import { native } from '@fencewright/languages/native/front-end.js';
import {
  isEventFormat,
  otherFormats,
  type EventOutputFormat,
  type OtherFormat,
  type OutputFormat,
  type ProgramFormat,
} from './output-formats.js';

/** The functions for printing programs in a format. */
interface Printer {
  /** Prints a program; absent if the format can express only questions about attacks. */
  readonly program?: (program: Program) => PrintResult | Promise<PrintResult>;
  /**
   * Prints an instrumented program; `program` is the original. If absent, the instrumented program
   * is first translated to an ordinary program.
   */
  readonly instrumented?: (
    instrumented: Instrumented,
    program: Program,
  ) => PrintResult | Promise<PrintResult>;
}

/** Returns the automata of a program as JSON, for external programs such as the verifier. */
function automataText(about: Program | ThreadModel): string {
  return `${JSON.stringify(automataToJson(about, 'kept'), null, 1)}\n`;
}

async function dot(program: InstrumentedProgram): Promise<PrintResult> {
  const { programToDot } = await import('@fencewright/reports/graph/dot.js');
  return { text: programToDot(program), diagnostics: [] };
}

/** The printers for formats that no front end reads; large printers are loaded on demand. */
const others: Readonly<Record<OtherFormat, Printer>> = {
  c: {
    program: async (program) =>
      (await import('@fencewright/languages/printers/c/print-c.js')).printC(program),
  },
  promela: {
    program: async (program) => (await import('./print-promela-file.js')).printPromela(program),
    instrumented: async (...task) =>
      (await import('./print-promela-file.js')).printPromelaOfAttack(...task),
  },
  smt2: {
    instrumented: async (...task) => (await import('./horn-text.js')).hornText(...task),
  },
  automata: { program: (program) => ({ text: automataText(program), diagnostics: [] }) },
  dot: { program: dot, instrumented: ({ program }) => dot(program) },
};

function isOther(format: ProgramFormat): format is OtherFormat {
  return otherFormats.some((one) => one === format);
}

function printerOf(format: ProgramFormat): Printer {
  if (isOther(format)) return others[format];
  const { print } = frontEndOf(format);
  return print ? { program: print } : {};
}

/** Whether the format can express programs, and not only questions about attacks. */
export function holdsPrograms(format: ProgramFormat): boolean {
  return printerOf(format).program !== undefined;
}

/** Whether the format supports numbers of 64 bits. */
function hasWideNumbers(format: ProgramFormat): boolean {
  return format === 'native' || format === 'dot';
}

const noWideNumbers: PrintResult = {
  diagnostics: [notSupported(undefined, 'numbers of 64 bits do not exist in this format')],
};

/** Whether the format has heavy fences; no instrumented program has. */
function knowsHeavyFences(format: ProgramFormat): boolean {
  return format === 'native' || format === 'dot' || format === 'automata';
}

const noHeavyFences: PrintResult = {
  diagnostics: [notSupported(undefined, ...onlyNative('heavy-fence'))],
};
const noInstrumentedHeavyFences: PrintResult = {
  diagnostics: [
    notSupported(
      undefined,
      'the instrumentation knows no heavy fences',
      'check the program: no instrumentation is needed for the answer',
    ),
  ],
};

/** Prints a program, or the program instrumented for the attacks, in a format for programs. */
export async function printProgram(
  program: Program,
  format: ProgramFormat,
  attacks?: readonly Attack[],
): Promise<PrintResult> {
  if (!hasWideNumbers(format) && usesWideValues(program)) return noWideNumbers;
  if (hasHeavyFences(program)) {
    if (attacks) return noInstrumentedHeavyFences;
    if (!knowsHeavyFences(format)) return noHeavyFences;
  }
  const printer = printerOf(format);
  const print = printer.program ?? (() => ({ diagnostics: [] }));
  if (!attacks) return print(program);
  const instrumented = instrumentProgram(program, attacks);
  if (printer.instrumented) return printer.instrumented(instrumented, program);
  const lowered = lowerForExport(program, instrumented);
  const printed = await print(lowered.program);
  return { ...printed, diagnostics: [...lowered.diagnostics, ...printed.diagnostics] };
}

const nameOfConstruction = {
  seq: 'the sequential construction',
  'two-threads': 'the two-thread construction',
} as const satisfies Readonly<Record<EventOutputFormat, string>>;

function noFlag(construction: EventOutputFormat): Diagnostic {
  const message = `${nameOfConstruction[construction]} has a flag, and the domain has one value`;
  return notSupported(undefined, message, 'widen the domain');
}

function noMilestones(construction: EventOutputFormat): Diagnostic {
  return notSupported(
    undefined,
    `${nameOfConstruction[construction]} knows no events that wait for a place`,
    "remove 'after', which the construction does not support",
  );
}

/** Prints the program that a construction of [BEMR18] makes of a program of events. */
async function printConstruction(
  program: EventProgram,
  construction: EventOutputFormat,
): Promise<PrintResult> {
  if (program.milestones) return { diagnostics: [noMilestones(construction)] };
  if (construction === 'two-threads') {
    const { domain } = program;
    if (domain && domain.low === domain.high) return { diagnostics: [noFlag(construction)] };
    const { twoThreads } = await import('@fencewright/engines/events/two-threads/construct.js');
    return native.printEvents(twoThreads(program).program);
  }
  const { sequentialProgram } = await import('@fencewright/engines/events/sequential/construct.js');
  const made = sequentialProgram(program);
  switch (made.kind) {
    case 'sequential':
      return native.printEvents(made.program);
    case 'no-flag':
      return { diagnostics: [noFlag(construction)] };
    case 'impossible': {
      const { why, procedure, span } = made;
      const where = why === 'repeated' ? 'may be repeated' : 'is in a called procedure';
      const message = `the posting of '${procedure}' ${where} and is followed by accesses`;
      const hint = 'the sequential construction calls posted tasks: post behind all accesses';
      return { diagnostics: [notSupported(span, message, hint)] };
    }
  }
}

/**
 * Prints a program of events, or the program constructed from it by seq or 2-threads; returns
 * `undefined` for formats without programs of events.
 */
export async function printEventProgram(
  program: EventProgram,
  format: OutputFormat,
): Promise<PrintResult | undefined> {
  if (format === 'dot') {
    const { eventsToDot } = await import('@fencewright/reports/graph/dot.js');
    return { text: eventsToDot(program), diagnostics: [] };
  }
  if (format === 'automata')
    return { text: `${JSON.stringify(eventAutomataToJson(program), null, 1)}\n`, diagnostics: [] };
  if (isEventFormat(format)) return printConstruction(program, format);
  const frontEnd: FrontEnd | undefined = frontEnds.find(({ id }) => id === format);
  return frontEnd?.printEvents?.(program);
}

const longLockBlocks = notSupported(
  undefined,
  'the instrumentation for any number of copies knows no lock blocks with several accesses',
  'give each thread a number of copies',
);

/**
 * Prints a program with any number of copies, instrumented for the attacks, with the same threads
 * in any number of copies; `undefined` for formats without such programs.
 */
export async function printInstrumentedTemplates(
  { templates, unbounded }: UnboundedModel,
  format: ProgramFormat,
  attacks: readonly Attack[],
): Promise<PrintResult | undefined> {
  if (isOther(format) && format !== 'dot' && format !== 'automata') return undefined;
  if (!hasWideNumbers(format) && usesWideValues(templates)) return noWideNumbers;
  if (hasHeavyFences(templates)) return noInstrumentedHeavyFences;
  const instrumented = instrumentCopies({ templates, unbounded }, attacks);
  if (!instrumented) return { diagnostics: [longLockBlocks] };
  if (format === 'dot') return dot(instrumented.program);
  const lowered = lowerForExport(templates, instrumented, unbounded);
  const printed = await printTemplates(
    { kind: 'unbounded', templates: lowered.program, unbounded },
    format,
  );
  return printed && { ...printed, diagnostics: [...lowered.diagnostics, ...printed.diagnostics] };
}

/** Prints a model that is not a finite program; `undefined` for formats without such models. */
export async function printTemplates(
  model: ThreadModel,
  format: ProgramFormat,
): Promise<PrintResult | undefined> {
  const { templates } = templatesOf(model);
  if (!hasWideNumbers(format) && usesWideValues(templates)) return noWideNumbers;
  if (!knowsHeavyFences(format) && hasHeavyFences(templates)) return noHeavyFences;
  if (format === 'automata') return { text: automataText(model), diagnostics: [] };
  return isOther(format) ? undefined : frontEndOf(format).printModel?.(model);
}
