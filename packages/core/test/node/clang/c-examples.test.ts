import { describe, expect, test } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomRuns } from '../../../../../tools/random-runs.js';
import { compileC } from '../../../src/node/compile-c.js';
import type { Clang } from '../../../src/node/find-clang.js';
import { allClangs, shipped } from './clangs.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const folder = path.join(root, 'examples/c');
const examples = readdirSync(folder).filter((name) => /\.(c|cpp)$/.test(name));
const fixtures = path.join(root, 'packages/languages/test/fixtures/c');
const clangs = await allClangs();

test('every example has a story, an expectation with a reason, and its IR by two clangs', () => {
  expect(examples.length).toBeGreaterThanOrEqual(14);
  for (const name of examples) {
    expect(readFileSync(path.join(folder, name), 'utf8')).toMatch(/^\/\*\n[^]*(Robust|Not robust)/);
    const file = path.join(folder, `${path.parse(name).name}.expected.json`);
    const expected = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(expected).toMatchObject({
      fences: expect.any(Number) as number,
      source: expect.any(String) as string,
    });
    expect(expected.verdict).toBe(expected.fences === 0 ? 'robust' : 'not-robust');
    for (const clang of ['clang-16', 'clang-22'])
      expect(existsSync(path.join(fixtures, clang, `${name}.ll`))).toBe(true);
  }
});

test('the IR that is kept names no folder of a machine', () => {
  for (const clang of readdirSync(fixtures))
    for (const file of readdirSync(path.join(fixtures, clang)))
      expect(readFileSync(path.join(fixtures, clang, file), 'utf8')).not.toMatch(
        /DIFile\(filename: "\/|directory: "\//,
      );
});

/** Returns a module without the compiler's version and the folders of its headers. */
function withoutMaker(text: string): string {
  return text
    .replaceAll(/^!\d+ = !\{!"(?:Debian )?clang version.*$|producer: "[^"]*"/gm, '')
    .replaceAll(/"\/[^"]*\/lib\/clang\/[^"]*\/include\//g, '"clang/');
}

/**
 * The examples that a clang compiles: all, and in `npm test` some five for clang in WebAssembly,
 * whose start takes a second of CPU time.
 */
function examplesFor(kind: Clang['kind']): readonly string[] {
  const all = examples.length;
  const step = kind === 'wasm' ? Math.ceil(all / randomRuns(all, all, 5)) : 1;
  return examples.filter((_, i) => i % step === 0);
}

describe.each(clangs.map((clang) => [`${clang.kind} clang ${clang.version}`, clang] as const))(
  '%s',
  (_, clang) => {
    test('compiles the examples without a warning, to the IR that is kept', async () => {
      const units = examplesFor(clang.kind).map((name) => ({
        file: path.join('examples/c', name),
        ccArgs: ['-Wall', '-Wextra'],
      }));
      const compiled = await compileC(clang, units, {
        folder: root,
        shipped: path.relative(root, shipped),
      });
      expect(compiled).toMatchObject({ kind: 'compiled', messages: [] });
      const kept = path.join(fixtures, `clang-${Number.parseInt(clang.version, 10)}`);
      if (compiled.kind !== 'compiled' || !existsSync(kept)) return;
      for (const { file, text } of compiled.modules) {
        const fixture = readFileSync(path.join(kept, `${path.basename(file)}.ll`), 'utf8');
        expect(withoutMaker(text), file).toBe(withoutMaker(fixture));
      }
    });
  },
);
