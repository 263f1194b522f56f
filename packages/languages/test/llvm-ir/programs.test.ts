import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { fewestPlaces } from './fewest-places.js';
import { libraryOf, lowered } from './fixtures.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = fileURLToPath(new URL('../fixtures/c/programs/', import.meta.url));

/** Programs whose first line states the expected result and the reason. */
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

type Module = ReturnType<typeof modulesOf>[number];
const sourceOf = (name: string): string | undefined => {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

const refused = programs.filter(({ verdict }) => verdict === 'refused');
/** The accepted programs that take longest to read. */
const long = ['counted-pointers.cpp', 'headers.cpp', 'tag-below-pointer.c', 'last-owner.cpp'];
const accepted = usualCases(
  programs.filter(({ verdict }) => verdict !== 'refused'),
  ({ name }) => long.includes(name),
);

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
  const program = lowered(modulesOf(name), { main: name, sourceOf });

  it('has that verdict', async () => {
    const result = await check(program, { engine: 'search' });
    expect(result.verdict.kind).toBe(verdict);
  });

  if (verdict === 'robust' || verdict === 'not-robust')
    it('needs so many fences', async () => {
      expect(await fewestPlaces(program)).toBe(Number.parseInt(rest, 10));
    });
});

it('thread-local memory is that of the thread, however it is named', () => {
  const [module, library] = modulesOf('thread-local.c') as [Module, Module];
  const program = lowered([module, library], { main: module.file });
  // Clang 15 uses the variable's name directly, also in constants.
  const bodies = module.text.split(/^(?=define )/m).map((body) => {
    const names = [
      ...body.matchAll(/^ {2}(%\d+) = call .*@llvm\.threadlocal\.address\.p0\(.*(@\w+)\).*\n/gm),
    ];
    return names.reduce(
      (text, [line, local = '', global = '']) =>
        text.replace(line, '').replaceAll(new RegExp(`${local}\\b`, 'g'), global),
      body,
    );
  });
  const old = bodies.join('');
  expect(old).not.toContain('call align 4 ptr @llvm.threadlocal');
  const other = lowered([{ ...module, text: old }, library], { main: module.file });
  expect(sameAutomata(other, program)).toBe(true);
  const folded = old.replaceAll(
    /^ {2}(%\w+) = getelementptr inbounds (.*), ptr @mine, (.*), !dbg.*\n(.*)\1\b/gm,
    '$4getelementptr inbounds ($2, ptr @mine, $3)',
  );
  expect(folded).toContain('ptr getelementptr');
  const constants = lowered([{ ...module, text: folded }, library], { main: module.file });
  expect(sameAutomata(constants, program)).toBe(true);
});

it('there are enough of them', () => {
  expect(refused.length).toBeGreaterThan(15);
  expect(accepted.length).toBeGreaterThan(10);
});
