import { diagnosticsText, enumerate, quoteArgument, quoteName } from '@fencewright/core';
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
    text('--for <header>', 'write a harness that calls the functions of this header in C or C++'),
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
 * Returns the source file of a header, whose name has one of `ends`, if it is in the header's
 * folder, or in a folder `src` in it or beside it; otherwise `undefined`.
 */
async function sourceOf(header: string, ends: readonly string[]): Promise<string | undefined> {
  const { dir, name } = path.parse(header);
  for (const folder of [dir, path.join(dir, 'src'), path.join(dir, '..', 'src')]) {
    for (const end of ends) {
      const file = path.join(folder, `${name}${end}`);
      if (await exists(file)) return file;
    }
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

/** Whether a program of this name is in C++. */
function isCxxFile(file: string): boolean {
  return /\.(?:cc|cpp|cxx|c\+\+|C)$/.test(file);
}

async function writeHarness(
  header: string,
  given: string | undefined,
  values: InitValues,
): Promise<ExitCode> {
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
  if (opened.kind === 'unread') {
    process.stderr.write(diagnosticsText(header, read.text, opened.diagnostics, palette));
    return exitCodes.input;
  }
  const isCxx = opened.kind === 'c++';
  const file = given ?? `${path.parse(header).name}_test.${isCxx ? 'cpp' : 'c'}`;
  if (isCxx !== isCxxFile(file)) {
    const end = isCxx ? 'cpp' : 'c';
    process.stderr.write(
      `fencewright: ${quoteName(header)} is in ${isCxx ? 'C++' : 'C'}: call the harness ${quoteName(`${path.parse(file).name}.${end}`)}\n`,
    );
    return exitCodes.usage;
  }
  const included = path.relative(path.dirname(file), header).split(path.sep).join('/');
  const source = await sourceOf(header, isCxx ? ['.cpp', '.cc', '.cxx'] : ['.c']);
  const linked = source === undefined ? '' : `--link ${quoteArgument(source)} `;
  const behind = argumentsOf(values, header, source);
  const names = {
    text: read.text,
    include: included,
    before: isCxx ? [] : opened.before,
    linked,
    operands: `${quoteArgument(file)}${behind}`,
  };
  const harness = isCxx
    ? (await import('../cxx-harness.js')).cxxHarness(opened, { ...names, file: header })
    : ((await import('../header-harness.js')).headerHarness(opened, names) ??
      'it declares no function that a thread could call');
  if (typeof harness === 'string') {
    process.stderr.write(`fencewright: no harness for ${quoteName(header)}: ${harness}\n`);
    return exitCodes.input;
  }
  const { threads, command, needsLink, claims } = harness;
  const bodies =
    needsLink && source === undefined
      ? '\nThe header lacks bodies of these functions: name their file with --link FILE'
      : '';
  const functions = [...new Set(threads)];
  // A pair has `and` between its functions.
  const called = functions.some((name) => name.includes(' '))
    ? functions.join(', ')
    : enumerate(functions);
  const calls = claims
    ? `calls ${called} in ${threads.length} threads; change them to your question`
    : `calls ${called}, each in a thread; put in what has to hold`;
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
        if (!/\.(?:h|hh|hpp|hxx|h\+\+)$/i.test(header))
          return `--for takes a header, whose name ends with .h or .hpp, not ${quoteName(header)}`;
        return file === undefined || isCxxFile(file) || file.endsWith('.c')
          ? undefined
          : `a harness is a program in C or C++: call it ${quoteName(`${path.parse(file).name}.c`)}`;
      }
      if (file === undefined) return 'init takes the name of a new file, or --for HEADER';
      if (isForClang(values))
        return 'options and arguments for clang are about a header: name the header with --for HEADER';
      return formatOf(file) === 'native' && file !== '-'
        ? undefined
        : `init writes programs of the native language, such as ${quoteName(`${path.parse(file).name}.fw`)}, and with --for HEADER a harness in C or C++`;
    },
  },
  async (values, [given]) => {
    const { for: header } = values;
    if (header !== undefined) return writeHarness(header, given, values);
    const file = given!;
    return writeNew(
      file,
      programTemplate(programNamed(path.parse(file).name), file),
      `has two threads, an assertion and a property; now try\n  fencewright ${quoteArgument(file)}`,
    );
  },
);
