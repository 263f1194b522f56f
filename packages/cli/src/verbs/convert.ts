import {
  anyNumberRefused,
  diagnosticsText,
  type ParameterizedProgram,
  printTrencher,
  type PrintResult,
  type Program,
  programToDot,
} from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { InputFormat, OutputFormat } from '../formats.js';
import { loadProgram } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import { writeWhole } from '../write-whole.js';

type Printed = PrintResult;

async function print(program: Program, format: OutputFormat): Promise<Printed> {
  switch (format) {
    case 'native': {
      const { printNative } = await import('@fencewright/core/native');
      return { text: printNative(program), diagnostics: [] };
    }
    case 'trencher':
      return printTrencher(program);
    case 'dot':
      return { text: programToDot(program), diagnostics: [] };
  }
}

/** Only the native language has words for any number of copies. */
async function printTemplates(
  program: ParameterizedProgram,
  format: OutputFormat,
): Promise<Printed> {
  if (format !== 'native') return { diagnostics: [anyNumberRefused('this format')] };
  const { printNative } = await import('@fencewright/core/native');
  return { text: printNative(program), diagnostics: [] };
}

export interface ConvertSettings {
  readonly from?: InputFormat;
  readonly to: OutputFormat;
  /** A file; standard output where absent. */
  readonly output?: string;
  readonly colour: boolean;
}

/** `convert`: the program in another format, in a file or on standard output. */
export async function convertFile(file: string, settings: ConvertSettings): Promise<ExitCode> {
  const { to, output } = settings;
  const palette = terminalPalette(settings.colour);
  const { program, parameterized, source, diagnostics } = await loadProgram(file, settings.from);
  process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
  const printed = program
    ? await print(program, to)
    : parameterized && (await printTemplates(parameterized, to));
  if (!printed) return exitCodes.input;
  process.stderr.write(diagnosticsText(file, source, printed.diagnostics, palette));
  if (printed.text === undefined) {
    process.stderr.write(`fencewright: ${file} cannot be written in the format ${to}\n`);
    return exitCodes.input;
  }
  if (output === undefined || output === '-') {
    process.stdout.write(printed.text);
    return exitCodes.robust;
  }
  const failure = await writeWhole(output, printed.text);
  if (failure === undefined) return exitCodes.robust;
  process.stderr.write(`fencewright: ${output} cannot be written: ${failure}\n`);
  return exitCodes.usage;
}
