import type { CWishes } from '../run-settings.js';
import { choice, common, grouped, parsed, renamed, text, texts, type ValuesOf } from './declare.js';
import { parseArgumentCount, assumption, outsideWishes } from './outside.js';
import { wholeFrom } from './values.js';

/** The values of `--headers`. */
const headerChoices = ['own', 'machine'] as const;

/** Options for compiling C; all verbs that read programs have them. */
export const cOptions = grouped('C and C++:', {
  clang: text('--clang <path>', 'the clang to use, of version 15 or later'),
  include: renamed(texts('--include <folder>', 'a folder with headers'), '-- -IFOLDER'),
  define: renamed(texts('--define <name>', 'a macro, NAME or NAME=VALUE'), '-- -DNAME=VALUE'),
  std: renamed(text('--std <language>', 'the version of the language'), '-- -std=LANGUAGE'),
  ccArg: renamed(texts('--cc-arg <argument>', 'an argument for clang'), '-- ARGUMENT'),
  headers: choice(
    '--headers <which>',
    "whose headers are found first: fencewright's own, or the machine's (as docs/c.md says)",
    headerChoices,
  ),
  link: common(texts('--link <file>', 'a further file of the program; may be repeated')),
  compileCommands: common(
    text('--compile-commands <file>', 'a compile_commands.json that says how files are compiled'),
  ),
  pool: parsed(
    '--pool <n>',
    'how many blocks each call of malloc in a thread may give (4)',
    wholeFrom(1),
  ),
  args: parsed('--args <n>', 'what argc is: N, or MIN..MAX (any from 1 on)', parseArgumentCount),
  assume: parsed(
    '--assume <name>',
    'what a function gives, NAME=VALUE or NAME=MIN..MAX; may be repeated',
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
