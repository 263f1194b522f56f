import {
  automataToJson,
  frontEnds,
  type Instrumented,
  type Model,
  printPromela,
  printPromelaOfAttack,
  type PrintResult,
  type Program,
  programToDot,
} from '@fencewright/core';
import type { OtherFormat, ProgramFormat } from './formats.js';

/** How programs are written in one format. */
export interface Printer {
  readonly program: (program: Program) => PrintResult | Promise<PrintResult>;
  /** Absent where an instrumented program is written as the ordinary program that it can be lowered to; `program` is the original. */
  readonly instrumented?: (
    instrumented: Instrumented,
    program: Program,
  ) => PrintResult | Promise<PrintResult>;
}

/** The automata of a program as JSON, for programs of their own that judge what is said of it. */
export function automataText(about: Program | Model): string {
  return `${JSON.stringify(automataToJson(about), null, 1)}\n`;
}

const others: Readonly<Record<OtherFormat, Printer>> = {
  promela: { program: printPromela, instrumented: printPromelaOfAttack },
  smt2: {
    program: async () => {
      const { attackNeeded } = await import('@fencewright/core/horn');
      return { diagnostics: [attackNeeded('smt2')] };
    },
    instrumented: async (...task) => (await import('@fencewright/core/horn')).hornText(...task),
  },
  automata: { program: (program) => ({ text: automataText(program), diagnostics: [] }) },
  dot: {
    program: (program) => ({ text: programToDot(program), diagnostics: [] }),
    instrumented: ({ program }) => ({ text: programToDot(program), diagnostics: [] }),
  },
};

/** How `convert` writes programs in a format. */
export function printerOf(format: ProgramFormat): Printer {
  const print = frontEnds.find(({ id }) => id === format)?.print;
  return print ? { program: print } : others[format as OtherFormat];
}
