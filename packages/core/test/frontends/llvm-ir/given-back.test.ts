import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseLlvmIr } from '../../../src/frontends/llvm-ir/parse-llvm-ir.js';
import { libraryOf } from './fixtures.js';

function said(name: string): readonly string[] {
  const file = new URL(`../../fixtures/c/programs/${name}.ll`, import.meta.url);
  const modules = [{ file: name, text: readFileSync(fileURLToPath(file), 'utf8') }];
  const { diagnostics } = parseLlvmIr([...modules, libraryOf('clang-16')], { main: name });
  return diagnostics.map(({ code, span }) => `${code} ${(span?.start.line ?? -1) + 1}`);
}

it('says where memory is given back that would be given out again', () => {
  expect(said('given-back.c')).toEqual(['FW5006 8']);
});

it('says nothing where threads only get memory, or only give it back', () => {
  expect(said('late-node.c')).toEqual([]);
  expect(said('given-back-only.c')).toEqual([]);
});
