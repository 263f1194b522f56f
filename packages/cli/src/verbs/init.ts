import { diagnosticsText, quoteArgument, quoteName } from '@fencewright/core';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { formatOf } from '../formats.js';
import { cOptions, cWishes } from '../options/c-files.js';
import { argumentsForClang } from '../options/clang-arguments.js';
import { colourOptions, coloursOf } from '../options/common.js';
import { common, text, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { programNamed, programTemplate } from '../program-template.js';
import { readSource } from '../read-source.js';
import { verb } from '../verb.js';
import { writeWhole } from '../write-whole.js';

const { clang, include, define, std, ccArg, headers } = cOptions;

const options = {
  for: common(
    text('--for <header>', 'write a harness in C that calls the functions of this header'),
  ),
  ...{ clang, include, define, std, ccArg, headers },
  ...colourOptions,
};

type InitValues = ValuesOf<typeof options>;

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Writes a new file, and prints the next step for the user; returns the exit status. */
async function writeNew(file: string, content: string, next: string): Promise<ExitCode> {
  if (await exists(file)) {
    process.stderr.write(`fencewright: ${quoteName(file)} exists already, and was not changed\n`);
    return exitCodes.usage;
  }
  const failure = await writeWhole(file, content);
  if (failure !== undefined) {
    process.stderr.write(failure);
    return exitCodes.usage;
  }
  process.stdout.write(`${quoteName(file)} ${next}\n`);
  return exitCodes.robust;
}

/**
 * Returns the source file of a header, if it is in the header's folder, or in a folder `src` in it
 * or beside it; otherwise `undefined`.
 */
async function sourceOf(header: string): Promise<string | undefined> {
  const { dir, name } = path.parse(header);
  for (const folder of [dir, path.join(dir, 'src'), path.join(dir, '..', 'src')]) {
    const file = path.join(folder, `${name}.c`);
    if (await exists(file)) return file;
  }
  return undefined;
}

/**
 * Returns the arguments for clang that a command about the harness has, with `--` before them;
 * empty if there are none.
 */
function argumentsOf(
  { include = [], ...values }: InitValues,
  header: string,
  source: string | undefined,
): string {
  const own = path.dirname(header);
  const isApart = source !== undefined && path.dirname(source) !== own;
  return argumentsForClang({ ...values, include: [...include, ...(isApart ? [own] : [])] });
}

/** Whether an option or an argument is for clang. */
function isForClang({ clang, include, define, std, ccArg, headers }: Partial<InitValues>): boolean {
  return [clang, include, define, std, ccArg, headers].some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
}

/**
 * Returns the complaint about a header in C++, of which no harness is made: template arguments,
 * constructors and the meaning of methods cannot be guessed.
 */
function aboutCpp(header: string): string {
  const { base, name } = path.parse(header);
  return (
    `--for takes a header in C, and ${quoteName(header)} is C++, whose template arguments and ` +
    `constructors only you know. Write ${quoteName(`${name}_test.cpp`)} by hand: include "${base}", ` +
    'declare one object outside of main, start two threads in main, such as ' +
    'std::thread a([] { object.push(1); }), join them, and assert what has to hold'
  );
}

async function writeHarness(header: string, file: string, values: InitValues): Promise<ExitCode> {
  const palette = terminalPalette(coloursOf(values).stderr);
  const read = await readSource(header);
  if (read.kind === 'failure') {
    process.stderr.write(diagnosticsText(header, undefined, [read.diagnostic], palette));
    return exitCodes.input;
  }
  const { openHeader } = await import('../open-header.js');
  const unused = { link: undefined, compileCommands: undefined, pool: undefined };
  const wishes = cWishes({ ...values, ...unused, args: undefined, assume: undefined });
  const opened = await openHeader(header, read.text, wishes);
  if ('kind' in opened) {
    process.stderr.write(diagnosticsText(header, read.text, opened.diagnostics, palette));
    return exitCodes.input;
  }
  const { headerHarness } = await import('../header-harness.js');
  const included = path.relative(path.dirname(file), header).split(path.sep).join('/');
  const source = await sourceOf(header);
  const linked = source === undefined ? '' : `--link ${quoteArgument(source)} `;
  const behind = argumentsOf(values, header, source);
  const harness = headerHarness(opened, {
    text: read.text,
    include: included,
    before: opened.before,
    linked,
    operands: `${quoteArgument(file)}${behind}`,
  });
  if (!harness) {
    process.stderr.write(
      `fencewright: ${quoteName(header)} declares no function that a thread could call\n`,
    );
    return exitCodes.input;
  }
  const { threads, command, needsLink, claims } = harness;
  const bodies =
    needsLink && source === undefined
      ? '\nThe header lacks bodies of these functions: name their file with --link FILE.c'
      : '';
  const calls = claims
    ? `calls ${[...new Set(threads)].join(', ')} in ${threads.length} threads; change them to your question`
    : `calls ${threads.join(', ')}, each in a thread; put in what has to hold`;
  return writeNew(file, harness.text, `${calls}, then try\n` + `  fencewright ${command}${bodies}`);
}

/** The verb `init`: writes a new file, an example program or a harness for a header. */
export const initVerb = verb(
  {
    name: 'init',
    options,
    examples: [
      ['fencewright init lock.fw', 'write a commented program of the native language'],
      [
        'fencewright init --for queue.h',
        'write queue_test.c, which calls the functions of queue.h',
      ],
    ],
    complaint: ({ for: header, ...values }, [file]) => {
      if (header !== undefined) {
        if (/\.(?:hpp|hh|hxx|h\+\+)$/.test(header)) return aboutCpp(header);
        if (!header.endsWith('.h'))
          return `--for takes a header in C, whose name ends with .h, not ${quoteName(header)}`;
        return file === undefined || file.endsWith('.c')
          ? undefined
          : `a harness is a program in C: call it ${quoteName(`${path.parse(file).name}.c`)}`;
      }
      if (file === undefined) return 'init takes the name of a new file, or --for HEADER';
      if (isForClang(values))
        return 'options and arguments for clang are about a header: name the header with --for HEADER';
      return formatOf(file) === 'native' && file !== '-'
        ? undefined
        : `${quoteName(file)} is not a name for a program of the native language; call the file ${quoteName(`${path.parse(file).name}.fw`)}`;
    },
  },
  async (values, [given]) => {
    const { for: header } = values;
    if (header !== undefined)
      return writeHarness(header, given ?? `${path.parse(header).name}_test.c`, values);
    const file = given!;
    return writeNew(
      file,
      programTemplate(programNamed(path.parse(file).name), file),
      `has two threads, an assertion and a property; now try\n  fencewright ${quoteArgument(file)}`,
    );
  },
);
