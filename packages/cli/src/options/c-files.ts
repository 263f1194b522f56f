import type { CWishes } from '../run-settings.js';
import { grouped, parsed, text, texts, type ValuesOf } from './declare.js';
import { wholeFrom } from './values.js';

/** Of verbs that read programs: how C is compiled. */
export const cOptions = grouped('C and C++:', {
  clang: text('--clang <path>', 'the clang to use, of version 15 or later'),
  include: texts('--include <folder>', 'a folder with headers; may be given several times'),
  define: texts('--define <name>', 'a macro, NAME or NAME=VALUE; may be repeated'),
  std: text('--std <language>', 'the version of the language (gnu11, C++: gnu++17)'),
  ccArg: texts('--cc-arg <argument>', 'an argument for clang as it is; may be repeated'),
  link: texts('--link <file>', 'a further file of the program; may be repeated'),
  compileCommands: text(
    '--compile-commands <file>',
    'a compile_commands.json that says how files are compiled',
  ),
  pool: parsed(
    '--pool <n>',
    'how many blocks each call of malloc in a thread may give (4)',
    wholeFrom(1),
  ),
});

/** What they come to. */
export function cWishes(values: ValuesOf<typeof cOptions>): CWishes {
  const { clang, include, define, std, ccArg, link, compileCommands, pool } = values;
  return {
    ...(clang !== undefined && { clang }),
    ...(include && { include }),
    ...(define && { define }),
    ...(std !== undefined && { std }),
    ...(ccArg && { ccArgs: ccArg }),
    ...(link && { link }),
    ...(compileCommands !== undefined && { compileCommands }),
    ...(pool !== undefined && { pool }),
  };
}
