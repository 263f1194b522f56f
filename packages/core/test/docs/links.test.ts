import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile } from '../corpus/load-corpus.js';
import { pages } from './pages.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Targets of links to files of the repository. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

describe('links between pages', () => {
  test.each(pages)('%s leads nowhere but to files that exist', (page) => {
    const missing = linksIn(readRepositoryFile(page)).filter(
      (target) => !existsSync(path.join(root, path.dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });
});

/** Paths of the repository that a page names in code marks. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:packages|docs|tools|corpus|examples|bench)\/[\w./+-]+)`/g)].map(
    ([, named = '']) => named,
  );
}

describe('paths that pages name', () => {
  test.each(pages)('%s names only what exists', (page) => {
    const missing = pathsIn(readRepositoryFile(page)).filter(
      (named) => !existsSync(path.join(root, named)),
    );
    expect(missing).toEqual([]);
  });
});
