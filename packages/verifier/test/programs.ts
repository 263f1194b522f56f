import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ParseResult } from '@fencewright/core';
import { parseTrencher } from '@fencewright/core/trencher';
import { parseLitmus } from '@fencewright/core/litmus';
import { parseMemorax } from '@fencewright/core/memorax';
import { parseNative } from '@fencewright/core/native';

const root = path.resolve(import.meta.dirname, '../../..');
const parsers = {
  '.fw': parseNative,
  '.txt': parseTrencher,
  '.trencher': parseTrencher,
  '.litmus': parseLitmus,
  '.rmm': parseMemorax,
};

/** Returns all readable programs of the repository, by file. */
export function programsOfRepository(): readonly (readonly [file: string, ParseResult])[] {
  return ['corpus', 'examples'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((file) => {
      const parse = parsers[path.extname(file) as keyof typeof parsers];
      const parsed = parse?.(readFileSync(path.join(root, folder, file), 'utf8'));
      return parsed ? [[`${folder}/${file}`, parsed] as const] : [];
    }),
  );
}
