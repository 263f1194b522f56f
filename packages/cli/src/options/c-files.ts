import type { CWishes } from '../run-settings.js';
import { choice, common, grouped, parsed, renamed, text, texts, type ValuesOf } from './declare.js';
import { parseArgumentCount, assumption, outsideWishes } from './outside.js';
import { wholeFrom } from './values.js';

/** The values of `--headers`. */
const headerChoices = ['own', 'machine'] as const;

/** The options for compiling C, common to all verbs that read programs. */
export const cOptions = grouped('C and C++:', {
  clang: text('--clang <path>', 'the clang to use, of version 15 or later'),
  include: renamed(texts('--include <folder>', 'a folder with headers'), '-- -IFOLDER'),
  define: renamed(texts('--define <name>', 'a macro, NAME or NAME=VALUE'), '-- -DNAME=VALUE'),
  std: renamed(text('--std <language>', 'the version of the language'), '-- -std=LANGUAGE'),
  ccArg: renamed(texts('--cc-arg <argument>', 'an argument for clang'), '-- ARGUMENT'),
  headers: choice(
    '--headers <which>',
    'the headers that are found first: those of this machine (default) or those of fencewright (own); see docs/c.md',
    headerChoices,
  ),
  link: common(texts('--link <file>', 'another source file of the same program; may be repeated')),
  compileCommands: common(
    text(
      '--compile-commands <file>',
      'the compile_commands.json with the flags of each file (default: that of the repository), or none',
    ),
  ),
  pool: parsed(
    '--pool <n>',
    'maximal number of blocks from one call of malloc in a thread (default: 4)',
    wholeFrom(1),
  ),
  args: parsed(
    '--args <n>',
    'the value of argc: N, or MIN..MAX (default: any from 1)',
    parseArgumentCount,
  ),
  assume: parsed(
    '--assume <name>',
    'the result of a function, NAME=VALUE or NAME=MIN..MAX; may be repeated',
    assumption,
  ),
});

/** Returns the settings for compiling C from the values of the options. */
export function cWishes(values: ValuesOf<typeof cOptions>): CWishes {
  const { clang, include, define, std, ccArg, headers, link, compileCommands, pool } = values;
  const outside = outsideWishes(values.args, values.assume);
  return {
    ...(clang !== undefined && { clang }),
    ...(include && { include }),
    ...(define && { define }),
    ...(std !== undefined && { std }),
    ...(ccArg && { ccArgs: ccArg }),
    ...(headers && { headers }),
    ...(link && { link }),
    ...(compileCommands !== undefined && { compileCommands }),
    ...(pool !== undefined && { pool }),
    ...(outside && { outside }),
  };
}
