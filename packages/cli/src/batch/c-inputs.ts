import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CWishes } from '../run-settings.js';

/** What a text in C takes from other files. */
const included =
  /^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(.*))/gm;

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
  { include = [], ccArgs, link = [], compileCommands }: CWishes,
): Readonly<Record<string, string>> | undefined {
  // These name folders and files in ways of their own.
  if (compileCommands !== undefined || ccArgs) return undefined;
  const inputs: Record<string, string> = {};
  const visit = (from: string, content: string): boolean => {
    // Spliced lines could hide what is asked for here.
    if (/__has_include|__has_embed|#[ \t]*embed|\\\r?\n[ \t]*include/.test(content)) return false;
    for (const [, quoted, angled, computed] of content.matchAll(included)) {
      if (computed !== undefined) return false;
      const name = quoted ?? angled ?? '';
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
