import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile } from '../corpus/load-corpus.js';

const folder = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const map = readRepositoryFile('docs/paper-map.md');

interface Link {
  readonly text: string;
  readonly target: string;
}

function linksIn(cell: string): Link[] {
  return [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text = '', target = '']) => ({
    text,
    target,
  }));
}

/** The rows of all tables: the item of the paper, the place in the code, and the tests. */
const rows = map
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| in the '))
  .map((line) => {
    const [what = '', code = '', tests = '', remarks = ''] = line.slice(2).split(/ ?\| /);
    return { what, code: linksIn(code), tests: linksIn(tests), remarks };
  });

/** Whether the text declares and exports `name`. */
function isExported(text: string, name: string): boolean {
  return new RegExp(`^export (async )?(function|class|const|interface|type) ${name}\\b`, 'm').test(
    text,
  );
}

describe('docs/paper-map.md', () => {
  test('has the papers that it promises', () => {
    expect(rows.length).toBeGreaterThan(25);
    for (const key of ['[BDM13] Sect. 2', '[BDM13] Sect. 5', '[BDM13x]', '[Bou12]'])
      expect(map).toContain(`## ${key}`);
  });

  test.each(rows)('$what', ({ code, tests, remarks }) => {
    if (code.length === 0 && tests.length === 0) {
      expect(remarks).toMatch(/^(Proof only|Not built)\b/);
      return;
    }
    expect(code).not.toEqual([]);
    for (const { text, target } of code) {
      const file = path.join(folder, target);
      expect(existsSync(file), target).toBe(true);
      const name = /^`(\w+)`$/.exec(text)?.[1];
      if (name !== undefined)
        expect(isExported(readFileSync(file, 'utf8'), name), `${name} in ${target}`).toBe(true);
      else expect(target).toMatch(/\/(corpus|examples)\//);
    }
    expect(tests).not.toEqual([]);
    for (const { target } of tests) {
      expect(target).toMatch(/\.test\.ts$/);
      expect(existsSync(path.join(folder, target)), target).toBe(true);
    }
  });
});
