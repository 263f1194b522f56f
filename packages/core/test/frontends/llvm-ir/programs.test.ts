import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/api/check.js';
import { parseLlvmIr } from '../../../src/frontends/llvm-ir/parse-llvm-ir.js';
import { fewestPlaces } from './fewest-places.js';
import { libraryOf, lowered } from './fixtures.js';

const folder = fileURLToPath(new URL('../../fixtures/c/programs/', import.meta.url));

/** Programs whose first line says what becomes of them, and why. */
const programs = readdirSync(folder)
  .filter((name) => /\.(c|cpp)$/.test(name))
  .map((name) => {
    const [first = ''] = readFileSync(path.join(folder, name), 'utf8').split('\n');
    const [, verdict = '', rest = ''] = /^\/\/ ([-\w]+) (.*)$/.exec(first) ?? [];
    return { name, verdict, rest };
  });

function modulesOf(name: string) {
  const text = readFileSync(path.join(folder, `${name}.ll`), 'utf8');
  return [{ file: name, text }, libraryOf('clang-16')];
}

const sourceOf = (name: string): string | undefined => {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

const refused = programs.filter(({ verdict }) => verdict === 'refused');
const accepted = programs.filter(({ verdict }) => verdict !== 'refused');

describe('refuses', () => {
  it.each(refused)('$name: $rest', ({ name, rest }) => {
    const [, line, column, message = ''] = /^(?:(\d+):(\d+) )?(.*)$/.exec(rest)!;
    const { model, diagnostics } = parseLlvmIr(modulesOf(name), { main: name, sourceOf });
    expect(model).toBeUndefined();
    expect(diagnostics).toHaveLength(1);
    const [{ message: found, span } = { message: '', span: undefined }] = diagnostics;
    expect(found).toContain(message);
    if (line === undefined) expect(span).toBeUndefined();
    else expect(span?.start).toEqual({ line: Number(line) - 1, column: Number(column) - 1 });
    expect(span?.source).toBeUndefined();
  });
});

describe.each(accepted)('$name is $verdict: $rest', ({ name, verdict, rest }) => {
  const program = lowered(modulesOf(name), { main: name });

  it('has that verdict', async () => {
    const result = await check(program, { engine: 'search' });
    expect(result.verdict.kind).toBe(verdict);
  });

  if (verdict === 'robust' || verdict === 'not-robust')
    it('needs so many fences', async () => {
      expect(await fewestPlaces(program)).toBe(Number.parseInt(rest, 10));
    });
});

it('there are enough of them', () => {
  expect(refused.length).toBeGreaterThan(15);
  expect(accepted.length).toBeGreaterThan(10);
});
