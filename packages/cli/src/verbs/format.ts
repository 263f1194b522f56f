import { diagnosticsText, notSupported, quoteName } from '@fencewright/core';
import { formatSound } from '@fencewright/core/text';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { formatOf } from '../formats.js';
import { colourOptions, coloursOf } from '../options/common.js';
import { flag, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { readSource } from '../read-source.js';
import { verb } from '../verb.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...colourOptions,
  check: flag('--check', 'write nothing; print the names of the files that would change'),
};

type FormatValues = ValuesOf<typeof options>;

const foreign = notSupported(
  undefined,
  'only programs of the native language can be laid out',
  'convert it to the native language',
);

async function formatFile(
  file: string,
  { check }: FormatValues,
  isColoured: boolean,
): Promise<ExitCode> {
  const read = await readSource(file);
  const source = read.kind === 'text' ? read.text : undefined;
  const formatted =
    read.kind === 'failure'
      ? { kind: 'unreadable' as const, diagnostics: [read.diagnostic] }
      : formatOf(file) === 'native'
        ? formatSound(read.text)
        : { kind: 'unreadable' as const, diagnostics: [foreign] };
  if (formatted.kind === 'unreadable' || read.kind === 'failure') {
    const palette = terminalPalette(isColoured);
    const diagnostics = 'diagnostics' in formatted ? formatted.diagnostics : [];
    process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
    return exitCodes.input;
  }
  const { text } = formatted;
  if (check) {
    if (text === read.text) return exitCodes.robust;
    process.stdout.write(`${quoteName(file)} is laid out in another way\n`);
    return exitCodes.notRobust;
  }
  const mark = read.byteOrderMark ?? '';
  if (file === '-') {
    process.stdout.write(mark + text);
    return exitCodes.robust;
  }
  if (text === read.text) return exitCodes.robust;
  const failure = await writeWhole(file, mark + text, { file, text: mark + read.text });
  if (failure === undefined) return exitCodes.robust;
  process.stderr.write(failure);
  return exitCodes.usage;
}

/** The verb `format`: rewrites the files of programs in the usual layout. */
export const formatVerb = verb(
  { name: 'format', options, formats: ['native'] },
  async (values, files) => {
    const isColoured = coloursOf(values).stderr;
    const codes: ExitCode[] = [];
    for (const file of files) codes.push(await formatFile(file, values, isColoured));
    return worstOf(codes);
  },
);
