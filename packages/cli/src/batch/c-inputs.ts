import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CWishes } from '../run-settings.js';

/**
 * What a text in C takes from other files, wherever that stands: what is in comments and texts is
 * taken in for nothing. Comments may stand in between.
 */
const included = (() => {
  const between = String.raw`(?:[^\S\n]|/\*(?:[^*]|\*(?!/))*\*/)*`;
  const head = String.raw`(?:#|%:)${between}(?:include_next|include|import)\b${between}`;
  return new RegExp(String.raw`${head}(?:"([^"\n]+)"|<([^>\n]+)>|)`, 'g');
})();

/** What could hide such a thing, or takes in files in another way. */
const hiding = /__has_include|__has_embed|\bembed\b|\bincbin\b|\?\?/;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * The texts that a file in C may take in, by name, whatever its macros say; also the names where
 * one of them was looked for and is not. `undefined` where they cannot be told. What lies outside
 * the folders that are named, the system's headers, is taken for unchanging.
 */
export function cInputs(
  file: string,
  text: string,
  { include = [], ccArgs, headers, link = [], compileCommands }: CWishes,
): Readonly<Record<string, string>> | undefined {
  // These name folders and files in ways of their own; the headers of a machine are on none other.
  if (compileCommands !== undefined || ccArgs || headers === 'machine') return undefined;
  const inputs: Record<string, string> = {};
  const visit = (from: string, content: string): boolean => {
    const spliced = content.replaceAll(/\\[^\S\n]*\n/g, '');
    if (hiding.test(spliced)) return false;
    for (const [, quoted, angled] of spliced.matchAll(included)) {
      const name = quoted ?? angled;
      // A macro says what it is.
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
