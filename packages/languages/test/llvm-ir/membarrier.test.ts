import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { libraryOf } from './fixtures.js';

const folder = new URL('../fixtures/c/programs/', import.meta.url);

function warningsOf(name: string) {
  const text = readFileSync(fileURLToPath(new URL(`${name}.ll`, folder)), 'utf8');
  const { model, diagnostics } = parseLlvmIr([{ file: name, text }, libraryOf('clang-16')], {
    main: name,
  });
  expect(model).toBeDefined();
  return diagnostics.map(({ code, span }) => `${code}:${span && span.start.line + 1}`);
}

test('a membarrier whose command is not registered is a warning at its line', () => {
  expect(warningsOf('membarrier-unregistered.c')).toEqual(['FW5007:20']);
});

test('a registered membarrier, and commands that need no registration, are none', () => {
  for (const name of ['membarrier-checked.c', 'flush-process-write-buffers.c'])
    expect(warningsOf(name)).toEqual([]);
});

test('a result that nobody looks at is said at the heavy fence, not at the registration', () => {
  expect(warningsOf('membarrier.c')).toEqual(['FW5008:20']);
  expect(warningsOf('membarrier-query.c')).toEqual(['FW5008:21']);
});

test('a load that the compiler may do before the store is a warning, also past a call', () => {
  expect(warningsOf('membarrier-loose.c')).toEqual(['FW5009:19', 'FW5008:25']);
});
