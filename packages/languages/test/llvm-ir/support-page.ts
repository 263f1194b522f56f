import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { libraryFunctions, type ResultSource } from '../../src/llvm-ir/library-functions.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { libraryOf } from './fixtures.js';

const folder = fileURLToPath(new URL('../fixtures/c/programs/', import.meta.url));

/**
 * A program that the page leaves out, since its refusal takes long; another program has the same
 * message.
 */
const slow = 'endless-sets.c';

/** The texts of the programs that are refused, by name. */
const refusedPrograms: ReadonlyMap<string, string> = new Map(
  readdirSync(folder)
    .filter((name) => /\.(?:c|cpp)$/.test(name) && name !== slow)
    .map((name): [string, string] => [name, readFileSync(path.join(folder, name), 'utf8')])
    .filter(([, text]) => text.startsWith('// refused ')),
);

/** Returns the diagnostic that refuses a program. */
function refusalOf(name: string): Diagnostic {
  const text = readFileSync(path.join(folder, `${name}.ll`), 'utf8');
  const sourceOf = (file: string): string | undefined =>
    existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), 'utf8') : undefined;
  const modules = [{ file: name, text }, libraryOf('clang-16')];
  const { diagnostics } = parseLlvmIr(modules, { main: name, sourceOf });
  const [refusal] = diagnostics;
  if (!refusal) throw new Error(`${name} is not refused`);
  return refusal;
}

export type Refusal = Pick<Diagnostic, 'message' | 'hint'>;

/** Returns the refusals of the programs, one for each message. */
export function refusals(): readonly Refusal[] {
  const byMessage = new Map<string, Diagnostic>();
  for (const name of refusedPrograms.keys()) {
    const refusal = refusalOf(name);
    if (!byMessage.has(refusal.message)) byMessage.set(refusal.message, refusal);
  }
  return [...byMessage.values()].sort((one, other) => (one.message < other.message ? -1 : 1));
}

/** Returns the contents of a table cell that shows the text as code. */
function shown(text: string): string {
  return `\`${text.replaceAll('`', '').replaceAll('|', '\\|')}\``;
}

function rangeOf(source: ResultSource): string {
  switch (source.kind) {
    case 'program':
      return 'what follows from the program';
    case 'assumed':
      return 'assumed: it never fails';
    case 'free':
      return `any number from ${source.low} to ${source.high}`;
  }
}

/**
 * Returns table rows of library functions, grouped by the source of their results, without mangled
 * names of C++.
 */
function functionRows(): readonly string[] {
  const names = new Map<string, string[]>();
  for (const [name, source] of libraryFunctions) {
    if (/^_Z|^__/.test(name)) continue;
    const range = rangeOf(source);
    names.set(range, [...(names.get(range) ?? []), name]);
  }
  return [...names].map(
    ([range, all]) =>
      `| ${range} | ${all
        .sort()
        .map((name) => `\`${name}\``)
        .join(', ')} |`,
  );
}

const headers = fileURLToPath(new URL('../../c/include/', import.meta.url));

/** Returns table rows of the macros and functions of the Linux kernel, grouped by header. */
function kernelRows(): readonly string[] {
  const files = ['linux', 'asm'].flatMap((name) =>
    readdirSync(path.join(headers, name)).map((file) => `${name}/${file}`),
  );
  return ['lkmm.h', ...files].flatMap((file) => {
    const text = readFileSync(path.join(headers, file), 'utf8');
    const defined = [
      ...text.matchAll(/^#define (\w+)/gmu),
      ...text.matchAll(/^static inline [\w ]+?\**(\w+)\(/gmu),
    ];
    const names = [...new Set(defined.map((match) => match[1]!))]
      .filter((name) => !/^(?:_|fw_|FENCEWRIGHT_)/u.test(name))
      .sort();
    return names.length === 0
      ? []
      : [`| \`${file}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`];
  });
}

/** Returns the text of docs/c-support.md, given the refusals that the page lists. */
export function supportPage(listed: readonly Refusal[]): string {
  const rows = listed.map(
    ({ message, hint }) => `| ${shown(message)} | ${hint === undefined ? '' : shown(hint)} |`,
  );
  return `# What is decided of C and C++

[c.md](c.md) describes how programs in C and C++ are read. This page lists the functions that have a
model, and what is refused. It is generated from the table of the library and from the programs of
\`packages/languages/test/fixtures/c/programs\`, and a test keeps it current.

A program that is refused gets no verdict: exit code 65, with the place of what is refused.
Functions that no thread reaches are not looked at. A statement that a thread can also pass by
refuses nothing: executions that reach the statement end there, so that the answer is at best
"undecided", with the same message. If no execution reaches it, the program is decided.

## Functions of the library

A function with a body in the program is the program's own. All other functions need a model. These
functions have one, and so do \`new\` and \`delete\`, the builtins \`__atomic_*\` and \`__sync_*\`, and
the classes of the C++ headers that [c.md](c.md#headers) lists.

| result | functions |
|---|---|
${functionRows().join('\n')}

Any other function without a body is refused: define it, or link the file that defines it by
\`--link FILE\`.

## Macros and functions of the Linux kernel

The supplied headers define these names as the kernel does on x86; [c.md](c.md#whose-headers) says
when the supplied headers are used.

| header | names |
|---|---|
${kernelRows().join('\n')}

## What is refused

Each row is the answer to one of these programs. Names, numbers and lines are those of the program.

| message | what to do |
|---|---|
${rows.join('\n')}
`;
}
