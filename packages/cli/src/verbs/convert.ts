import {
  anyNumberRefused,
  diagnosticsText,
  type FiniteModel,
  finiteProgram,
  frontEnds,
  inspectedProgram,
  type Model,
  type UnboundedModel,
  type Attack,
  attacksByName,
  type Instrumented,
  type Limits,
  instrumentProgram,
  lowerForExport,
  type NetOutputFormat,
  nestedTooDeeply,
  notSupported,
  onlyProofs,
  openParts,
  printAttacksAsNet,
  type PrintResult,
  type Program,
  quoteName,
} from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { reasonOfOverrun } from '../file-report.js';
import {
  type InputFormat,
  netOutputFormats,
  type OutputFormat,
  type ProgramFormat,
} from '../formats.js';
import { type LoadedFile, loadProgram } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import { isTooDeep } from '../too-deep.js';
import { automataText, type Printer, printerOf } from '../printers.js';
import { writeWhole } from '../write-whole.js';

/** Few languages have words for any number of copies; the automata have a place for them. */
async function printTemplates(model: Model, format: ProgramFormat): Promise<PrintResult> {
  if (format === 'automata') return { text: automataText(model), diagnostics: [] };
  const print = frontEnds.find(({ id }) => id === format)?.printModel;
  return print ? print(model) : { diagnostics: [anyNumberRefused('this format')] };
}

export interface ConvertSettings {
  readonly from?: InputFormat;
  readonly to: OutputFormat;
  /** Write the program that is instrumented for this attack, or for any. */
  readonly attack?: string;
  /** A file; standard output where absent. */
  readonly output?: string;
  readonly limits: Pick<Limits, 'timeout' | 'maxMemory'>;
  readonly colour: boolean;
}

/** The program, or what the attacks make of it. */
async function print(
  program: Program,
  to: ProgramFormat,
  attacks: readonly Attack[] | undefined,
): Promise<PrintResult> {
  const printer = printerOf(to);
  if (!attacks) return printer.program(program);
  const instrumented = instrumentProgram(program, attacks);
  return printer.instrumented
    ? printer.instrumented(instrumented, program)
    : printLowered(printer, program, instrumented);
}

async function printLowered(
  printer: Printer,
  program: Program,
  instrumented: Instrumented,
): Promise<PrintResult> {
  const lowered = lowerForExport(program, instrumented);
  const printed = await printer.program(lowered.program);
  return { ...printed, diagnostics: [...lowered.diagnostics, ...printed.diagnostics] };
}

/** All attacks on a program, or one of them, as a net. */
async function printNet(
  model: FiniteModel | UnboundedModel,
  to: NetOutputFormat,
  { attack, limits }: ConvertSettings,
): Promise<PrintResult> {
  if (attack === undefined) {
    const hint = 'give --attack thread:store:load, or --attack any';
    return { diagnostics: [notSupported(undefined, 'a net is made of an attack', hint)] };
  }
  if (attack === 'any') return printAttacksAsNet(model, to, undefined, limits);
  const { attacks, diagnostics } = attacksByName(inspectedProgram(model), attack);
  return attacks.length > 0 ? printAttacksAsNet(model, to, attacks, limits) : { diagnostics };
}

function isNetFormat(format: OutputFormat): format is NetOutputFormat {
  return (netOutputFormats as readonly string[]).includes(format);
}

/** `convert`: the program in another format, in a file or on standard output. */
export async function convertFile(file: string, settings: ConvertSettings): Promise<ExitCode> {
  try {
    return await convert(file, settings);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    const palette = terminalPalette(settings.colour);
    process.stderr.write(diagnosticsText(file, undefined, [nestedTooDeeply()], palette));
    return exitCodes.input;
  }
}

async function convert(file: string, settings: ConvertSettings): Promise<ExitCode> {
  const { to } = settings;
  const palette = terminalPalette(settings.colour);
  const loaded = await loadProgram(file, settings.from);
  const { model, source, diagnostics } = loaded;
  process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
  if (!model) return exitCodes.input;
  if (isNetFormat(to)) {
    if (model.kind !== 'open')
      return write(file, settings, await printNet(model, to, settings), loaded);
    const refusals = [onlyProofs(`'convert --to ${to}'`, openParts(model))];
    process.stderr.write(diagnosticsText(file, source, refusals, palette));
    return exitCodes.input;
  }
  const program = finiteProgram(model);
  const named =
    program && settings.attack !== undefined ? attacksByName(program, settings.attack) : undefined;
  process.stderr.write(diagnosticsText(file, source, named?.diagnostics ?? [], palette));
  if (named?.attacks.length === 0) return exitCodes.input;
  const printed = program
    ? await print(program, to, named?.attacks)
    : await printTemplates(model, to);
  return write(file, settings, printed, loaded);
}

/** Writes what was made of a file, or says why there is nothing. */
async function write(
  file: string,
  { to, output, colour }: ConvertSettings,
  printed: PrintResult,
  { source, byteOrderMark = '' }: LoadedFile,
): Promise<ExitCode> {
  const palette = terminalPalette(colour);
  process.stderr.write(diagnosticsText(file, source, printed.diagnostics, palette));
  if (printed.reached !== undefined) {
    process.stderr.write(`fencewright: ${quoteName(file)}: ${reasonOfOverrun[printed.reached]}\n`);
    return exitCodes.unknown;
  }
  if (printed.text === undefined) {
    process.stderr.write(`fencewright: ${quoteName(file)} cannot be written in the format ${to}\n`);
    return exitCodes.input;
  }
  if (output === undefined || output === '-') {
    process.stdout.write(printed.text);
    return exitCodes.robust;
  }
  const read = source === undefined ? undefined : { file, text: byteOrderMark + source };
  const failure = await writeWhole(output, printed.text, read);
  if (failure === undefined) return exitCodes.robust;
  process.stderr.write(failure);
  return exitCodes.usage;
}
