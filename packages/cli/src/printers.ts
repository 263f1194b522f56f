import {
  automataToJson,
  type Instrumented,
  type Model,
  printPromela,
  printPromelaOfAttack,
  printTrencher,
  type PrintResult,
  type Program,
  programToDot,
} from '@fencewright/core';
import type { ProgramFormat } from './formats.js';

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

/** A printer for every format that `convert` writes. */
export const printers: Readonly<Record<ProgramFormat, Printer>> = {
  native: {
    program: async (program) => {
      const { printNative } = await import('@fencewright/core/native');
      return { text: printNative(program), diagnostics: [] };
    },
  },
  trencher: { program: printTrencher },
  promela: { program: printPromela, instrumented: printPromelaOfAttack },
  litmus: {
    program: async (program) => (await import('@fencewright/core/litmus')).printLitmus(program),
  },
  memorax: {
    program: async (program) => (await import('@fencewright/core/memorax')).printMemorax(program),
  },
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
