import path from 'node:path';
import type { CWishes } from '../run-settings.js';
import { foundDatabase } from '../compile-database.js';
import { textOf } from '@fencewright/core/node';

/**
 * A regular expression for `#include` anywhere in a C text, also inside comments and strings, so
 * that some found files are not needed. It allows comments within the line.
 */
const included = (() => {
  const between = String.raw`(?:[^\S\n]|/\*(?:[^*]|\*(?!/))*\*/)*`;
  const head = String.raw`(?:#|%:)${between}(?:include_next|include|import)\b${between}`;
  return new RegExp(String.raw`${head}(?:"([^"\n]+)"|<([^>\n]+)>|)`, 'g');
})();

/**
 * Matches C text with a possibly hidden inclusion, or with files included by other means than
 * `#include`.
 */
const hiding = /__has_include|__has_embed|\bembed\b|\bincbin\b|\?\?/;

/**
 * Returns the texts of the linked files, and of all files that they and a C file may include
 * whatever the macros, by name; a name without a file has the value `absent`. Returns `undefined`
 * if the files cannot be determined. Headers of the system, outside of the named folders, count as
 * unchanging.
 */
export function cInputs(
  file: string,
  text: string,
  wishes: CWishes,
): Readonly<Record<string, string>> | undefined {
  const { include = [], ccArgs, link = [], compileCommands } = wishes;
  // Compile databases and clang arguments name folders and files in further ways.
  if (compileCommands !== undefined || ccArgs || foundDatabase(file, wishes)) return undefined;
  const inputs: Record<string, string> = {};
  const visit = (from: string, content: string): boolean => {
    const spliced = content.replaceAll(/\\[^\S\n]*\n/g, '');
    if (hiding.test(spliced)) return false;
    for (const [, quoted, angled] of spliced.matchAll(included)) {
      const name = quoted ?? angled;
      // A macro holds the name.
      if (name === undefined) return false;
      const beside = quoted === undefined ? [] : [path.dirname(from)];
      for (const folder of [...beside, ...include]) {
        const candidate = path.relative('', path.resolve(folder, name));
        if (candidate in inputs) continue;
        const found = textOf(candidate);
        inputs[candidate] = found === undefined ? 'absent' : `text ${found}`;
        if (found !== undefined && !visit(candidate, found)) return false;
      }
    }
    return true;
  };
  if (!visit(file, text)) return undefined;
  for (const other of link) {
    const linked = textOf(other) ?? '';
    inputs[path.relative('', other)] = linked;
    if (!visit(other, linked)) return undefined;
  }
  return inputs;
}
