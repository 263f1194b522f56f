import { diagnosticsText, type PrintResult, quoteName, type Refusal } from '@fencewright/core';
import {
  eventOutputFormats,
  netKinds,
  netOutputFormats,
  outputFormats,
} from '@fencewright/core/words';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type PrintedReport, reasonOfOverrun } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { copiesOf, countOptions, inputOptions, timeAndMemory } from '../options/common.js';
import { choice, mandatory, text, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { fileVerb } from '../file-verb.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...inputOptions,
  ...timeAndMemory,
  ...countOptions,
  to: mandatory(choice('--to <format>', 'format of the output', outputFormats)),
  attack: text(
    '--attack <thread:store:load>',
    'write the program instrumented for one attack (store and load are labels or lines), or for all attacks together (any)',
  ),
  net: choice(
    '--net <kind>',
    'for nets: flat has a place for each cell and value, product has all cells in the control (default: flat)',
    netKinds,
  ),
  output: text('-o, --output <file>', 'file to write, as a whole or not at all; else stdout'),
};

type ConvertValues = ValuesOf<typeof options>;

const cannotBe = (file: string, to: string): string =>
  `fencewright: ${quoteName(file)} cannot be written in the format ${to}\n`;

/** Returns a further line for a file that cannot be converted. */
function remark({ kind }: Refusal, file: string, { to }: ConvertValues): string {
  const isNet = netOutputFormats.some((format) => format === to);
  const isAboutFormat =
    kind === 'attack-needed' || (kind === 'any-number' && !isNet) || (kind === 'attack' && isNet);
  return isAboutFormat ? cannotBe(file, to) : '';
}

/** Writes the converted text to the output file; returns the report. */
async function write(
  { file, byteOrderMark = '', source }: ReadFile,
  { text: made, reached }: PrintResult,
  { to, output }: ConvertValues,
): Promise<Pick<PrintedReport, 'exitCode' | 'stdout' | 'stderr'>> {
  const end = (exitCode: ExitCode, stderr: string, stdout = '') => ({ exitCode, stderr, stdout });
  if (reached !== undefined)
    return end(exitCodes.unknown, `fencewright: ${quoteName(file)}: ${reasonOfOverrun[reached]}\n`);
  if (made === undefined) return end(exitCodes.input, cannotBe(file, to));
  if (output === undefined || output === '-') return end(exitCodes.robust, '', made);
  const failure = await writeWhole(output, made, { file, text: byteOrderMark + source });
  return failure === undefined ? end(exitCodes.robust, '') : end(exitCodes.usage, failure);
}

/** The verb `convert`: writes the program in another format, to a file or to standard output. */
export const convertVerb = fileVerb<typeof options, 'convert'>({
  name: 'convert',
  options,
  examples: [
    ['fencewright convert --to litmus lock.fw', 'prints the program as a litmus test'],
    ['fencewright convert --to dot -o lock.dot lock.fw', 'writes the automata for Graphviz'],
    [
      'fencewright convert --to native --attack any lock.fw',
      'writes a program whose goal is reached under SC if lock.fw is not robust',
    ],
  ],
  complaint: ({ to, net, ...counts }) => {
    if (net !== undefined && !netOutputFormats.some((format) => format === to))
      return `--net is for the formats ${netOutputFormats.join(', ')}`;
    const asked = copiesOf(counts);
    return asked && asked.length > 1
      ? 'convert takes one number of copies for each thread'
      : undefined;
  },
  request: ({ to, attack, net }) => ({
    question: {
      ...{ kind: 'convert', to },
      ...(attack !== undefined && { attack }),
      ...(net && { net }),
    },
  }),
  subjectOf: ({ to }) =>
    [...netOutputFormats, ...eventOutputFormats].some((format) => format === to)
      ? `'convert --to ${to}'`
      : 'this format',
  remark,
  makesText: true,
  print: async (read, { printed }, run, values) => {
    const { file, source, diagnostics } = read;
    const palette = terminalPalette(run.colours.stderr);
    const messages = [diagnostics, printed.diagnostics]
      .map((some) => diagnosticsText(file, source, some, palette))
      .join('');
    const written = await write(read, printed, values);
    return { ...written, stderr: messages + written.stderr };
  },
});
