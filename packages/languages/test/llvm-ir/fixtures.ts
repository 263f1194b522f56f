import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseLlvmIr, type LlvmIrOptions } from '../../src/llvm-ir/parse-llvm-ir.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const fixtures = path.join(root, 'packages/languages/test/fixtures/c');
const folder = path.join(root, 'examples/c');

export interface Expectation {
  readonly verdict: 'robust' | 'not-robust';
  readonly fences: number;
}

export const clangs = ['clang-16', 'clang-22'] as const;
export type ClangOfFixtures = (typeof clangs)[number];

/** The examples in C and C++, by the names of their files. */
export const cExamples: readonly (readonly [string, Expectation])[] = readdirSync(folder)
  .filter((name) => /\.(?:c|cpp)$/.test(name))
  .map((name) => {
    const expected = path.join(folder, `${path.parse(name).name}.expected.json`);
    return [name, JSON.parse(readFileSync(expected, 'utf8')) as Expectation];
  });

/** Returns the stored IR of the library of the headers, with the name of its file. */
export function libraryOf(clang: ClangOfFixtures): {
  readonly file: string;
  readonly text: string;
} {
  const text = readFileSync(path.join(fixtures, clang, 'library.c.ll'), 'utf8');
  return { file: 'library.c', text };
}

/** Returns the program of a stored IR file. Throws if the program is refused. */
export function programOf(
  name: string,
  from: ClangOfFixtures | 'programs',
  options: LlvmIrOptions = {},
): Program {
  const file = path.join(fixtures, from, `${name}.ll`);
  if (!existsSync(file)) throw new Error(`no IR of ${name}`);
  const text = readFileSync(file, 'utf8');
  const library = libraryOf(from === 'programs' ? 'clang-16' : from);
  return lowered([{ file: name, text }, library], options);
}

/** Returns the program of modules. Throws if the program is refused. */
export function lowered(...[modules, options]: Parameters<typeof parseLlvmIr>): Program {
  const { model, diagnostics } = parseLlvmIr(modules, options);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program;
}
