import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { markPlaces } from '../../src/c/mark-places.js';
import { callBehindLabel, offsetAt } from '../../src/llvm-ir/labelled-statement.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { libraryOf, lowered } from './fixtures.js';

const folder = fileURLToPath(new URL('../fixtures/c/programs/', import.meta.url));
const textOf = (name: string): string => readFileSync(`${folder}${name}`, 'utf8');
const modulesOf = (name: string, text = textOf(`${name}.ll`)) => [
  { file: name, text },
  libraryOf('clang-16'),
];

/** The one message about a program. */
function refusalOf(...[modules, options]: Parameters<typeof parseLlvmIr>): string {
  const { model, diagnostics } = parseLlvmIr(modules, options);
  expect(model).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  return diagnostics[0]!.message;
}

describe('IR alone', () => {
  test('does not show what belongs to a thread', () => {
    expect(refusalOf(modulesOf('cbmc-threads.c'), { main: 'cbmc-threads.c' })).toMatch(
      /^only the source text shows/,
    );
  });

  test('without names of blocks is refused: calls behind labels are no calls', () => {
    const nameless = textOf('cbmc-threads.c.ll')
      .replaceAll(/^(?:entry|other|__CPROVER_ASYNC_[01]):/gm, (label) => `${label.length}:`)
      .replaceAll(/label %(entry|other|__CPROVER_ASYNC_[01])\b/g, (_, name: string) => {
        return `label %${name.length + 1}`;
      });
    const sourceOf = textOf;
    expect(refusalOf(modulesOf('cbmc-threads.c', nameless), { sourceOf })).toMatch(
      /^a label __CPROVER_ASYNC_ starts a thread, but/,
    );
  });
});

test('a text that was compiled in place of the file shows what belongs to a thread', () => {
  const name = 'cbmc-threads.c';
  const options = { main: name, sourceOf: () => 'int main() {}', compiledText: textOf(name) };
  expect(lowered(modulesOf(name), options).threads).toHaveLength(2);
});

test('the answer names the meaning of atomic sections', () => {
  const name = 'cbmc-section.c';
  const { assumptions = [] } = lowered(modulesOf(name), { main: name, sourceOf: textOf });
  expect(assumptions.map((each) => each.name)).toContain('atomic sections');
});

test('the mark of a fence before a thread stands before its label', () => {
  const { text } = markPlaces('int main() { a: __CPROVER_ASYNC_1: f(0); }', () => true);
  expect(text).toMatch(/a: __builtin_prefetch\([^;]*\); __CPROVER_ASYNC_1: f\(0\);/);
});

describe('a call behind a label', () => {
  const whole = (statement: string): boolean => {
    const at = statement.indexOf('run');
    const range = callBehindLabel(statement, at, 'run', 'ASYNC_');
    if (range) expect(range).toEqual({ start: at, end: statement.lastIndexOf(';') + 1 });
    return range !== undefined;
  };

  test.each([
    'ASYNC_1: run(0);',
    'ASYNC_:run();',
    'other: ASYNC_1 :\n  run /* ( */ ( (1) + f(2), ";)", \')\' ) // )\n ;',
  ])('is the whole statement: %s', (statement) => {
    expect(whole(statement)).toBe(true);
  });

  test.each([
    'run(0);',
    'sync_1: run(0);',
    'ASYNC_1: other: run(0);',
    'ASYNC_1: { run(0); }',
    'ASYNC_1: run(0), run(1);',
    'ASYNC_1: (run)(0);',
    'ASYNC_1: x = run(0);',
    'ASYNC_1: return run(0);',
    'ASYNC_1: run(0) + 1;',
    'ASYNC_1: run;',
    'ASYNC_1: run(0',
  ])('is not the whole statement: %s', (statement) => {
    expect(whole(statement)).toBe(false);
  });
});

test('the offset of a place counts lines and columns from 0', () => {
  expect(offsetAt('ab\ncd\nef', { line: 1, column: 1 })).toBe(4);
  expect(offsetAt('ab\ncd', { line: 5, column: 1 })).toBe(5);
});
