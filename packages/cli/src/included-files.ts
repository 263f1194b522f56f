import path from 'node:path';
import { needsCompiler, formatOf } from './formats.js';
import { textOf } from '@fencewright/core/node';

const directive = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

/**
 * Returns the files that a file in C may include, directly or indirectly, whether they exist or
 * not; conditions of the preprocessor are ignored. `folders` are searched besides the folder of the
 * file.
 */
export function includedFiles(file: string, folders: readonly string[]): readonly string[] {
  if (!needsCompiler(formatOf(file))) return [];
  const places = new Set<string>();
  const visit = (from: string): void => {
    for (const [, quoted, angled] of (textOf(from) ?? '').matchAll(directive)) {
      const own = quoted === undefined ? [] : [path.dirname(from)];
      for (const folder of [...own, ...folders]) {
        const place = path.join(folder, quoted ?? angled!);
        if (places.has(place)) continue;
        places.add(place);
        visit(place);
      }
    }
  };
  visit(file);
  return [...places];
}
