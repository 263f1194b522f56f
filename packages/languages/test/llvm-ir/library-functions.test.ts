import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { libraryFunctions } from '../../src/llvm-ir/library-functions.js';
import { outsideNames, wholeChoice } from '../../src/llvm-ir/outside-choices.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sources = path.join(root, 'packages/languages/c');
const library = readdirSync(sources)
  .filter((name) => name.endsWith('.c'))
  .map((name) => readFileSync(path.join(sources, name), 'utf8'))
  .join('\n');
const headers = path.join(root, 'packages/languages/c/include');

/**
 * Whether a function belongs to verifiers or compilers: programs declare such functions without a
 * header of C.
 */
const isOurs = (name: string): boolean =>
  /^(?:__fencewright_|__VERIFIER_|__CPROVER_|nondet(?:_|$)|fw_|__cxa_(?!atexit)|__asan_)/.test(
    name,
  );

/** Returns the functions that a C text declares or defines at the top level. */
function functionsIn(text: string): readonly string[] {
  const found = text.matchAll(/^(?!static|typedef|#|\s|\/)[\w ]*?[ *]+(\w+)\((?!\*)/gm);
  const symbols = text.matchAll(/__asm__\("([a-z]\w+)"\)/g);
  return [...found, ...symbols].map(([, name]) => name!).filter((name) => !isOurs(name));
}

it('has each function that the library defines and headers declare', () => {
  const declared = readdirSync(headers)
    .filter((name) => name.endsWith('.h') && !['fencewright.h', 'lkmm.h'].includes(name))
    .flatMap((name) => functionsIn(readFileSync(path.join(headers, name), 'utf8')));
  const all = [...functionsIn(library), ...declared];
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((name) => !libraryFunctions.has(name))).toEqual([]);
  const ofHeaders = ['hardware_concurrency', 'errno', 'rdtsc'];
  const known = [...libraryFunctions.keys()].filter((name) => !ofHeaders.includes(name));
  expect(known.filter((name) => !all.includes(name))).toEqual([]);
});

it('has what library and headers ask for from outside, and nothing else is free', () => {
  const cxx = ['thread'].map((name) => readFileSync(path.join(headers, 'c++', name), 'utf8'));
  const asked = [library, ...cxx].flatMap((text) =>
    [...text.matchAll(/__fencewright_outside(?:_long)?\("(\w+)"\)/g)].map(([, name]) => name!),
  );
  expect([...new Set([...asked, 'argc'])].sort()).toEqual(outsideNames());
});

it('stands in the documentation', () => {
  const wordsOf = (name: string): string => {
    const { low, high } = wholeChoice(name)!;
    return `any number from ${low} to ${high}`;
  };
  const rows = new Map<string, string[]>();
  const add = (name: string, words: string): void => {
    rows.set(words, [...(rows.get(words) ?? []), `\`${name}\``]);
  };
  for (const name of outsideNames()) add(name, wordsOf(name));
  for (const [name, { kind }] of libraryFunctions)
    if (kind === 'assumed' && !name.startsWith('_')) add(name, 'assumed: it never fails');
  const text = readFileSync(path.join(root, 'docs/c.md'), 'utf8');
  const table = [...rows].map(([words, names]) => `| ${names.join(', ')} | ${words} |`);
  for (const row of table) expect(text).toContain(row);
});
