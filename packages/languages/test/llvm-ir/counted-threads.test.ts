import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { decide } from '../../../core/src/api/decide.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { parseNative } from '../../src/native/parse-native.js';
import { finiteProgram, type Model, unboundedModel } from '@fencewright/model/program/model.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Program } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { libraryOf } from './fixtures.js';

const folder = fileURLToPath(new URL('../fixtures/c/counted/', import.meta.url));

/** Programs whose first line names the counted functions and the expected result. */
const programs = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .map((name) => {
    const [first = ''] = readFileSync(path.join(folder, name), 'utf8').split('\n');
    const [, asked = '', verdict = '', rest = ''] =
      /^\/\/ (\S+) ([-\w]+):? (.*)$/.exec(first) ?? [];
    return { name, functions: asked.replaceAll('=*', '').split(','), verdict, rest };
  });
type Counted = (typeof programs)[number];

function parse({ name, functions }: Counted, count: number | 'any') {
  const text = readFileSync(path.join(folder, `${name}.ll`), 'utf8');
  const counts = new Map(functions.map((each) => [each, count]));
  return parseLlvmIr([{ file: name, text }, libraryOf('clang-16')], { main: name, counts });
}

/**
 * Returns the program with neutral names and places for the cells that record starts, so that these
 * cells do not tell the threads apart.
 */
function withPlainStarts(program: Program): Program {
  const symbols = program.symbols.map((symbol) =>
    /^started\(.*\)$/.test(symbol.name) ? { ...symbol, name: 'start', base: 0 } : symbol,
  );
  return { ...program, symbols };
}

async function verdictOf(model: Model): Promise<string | undefined> {
  const answer = await decide(model, { kind: 'check' }, { maxStates: 200_000 });
  return answer.kind === 'check' ? answer.result?.verdict.kind : undefined;
}

const refused = programs.filter(({ verdict }) => verdict === 'refused');
const accepted = programs.filter(({ verdict }) => verdict !== 'refused');

it.each(refused)('$name is refused: $rest', (program) => {
  const { model, diagnostics } = parse(program, 'any');
  expect(model).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]?.message).toContain(program.rest);
  expect(diagnostics[0]?.span).toBeDefined();
});

describe.each(accepted)('$name is $verdict', (program) => {
  const any = parse(program, 'any');
  const model = unboundedModel(any.model)!;

  it('for any number of threads', async () => {
    expect(await verdictOf(model)).toBe(program.verdict);
  });

  it('with instances that are the same as so many threads', async () => {
    for (const count of [1, 2, 3]) {
      const counted = finiteProgram(parse(program, count).model)!;
      const copies = model.templates.threads.map((_, thread) =>
        model.unbounded.includes(thread) ? count : 1,
      );
      // Cells that one thread alone uses are not in memory.
      if (count > 1)
        expect(
          sameAutomata(
            withPlainStarts(counted),
            withPlainStarts(instantiate(model, copies).program),
          ),
          `${count}`,
        ).toBe(true);
      const { verdict } = await check(counted, {});
      if (program.verdict === 'robust') expect(verdict.kind).toBe('robust');
      if (count === 3) expect(verdict.kind).toBe(program.verdict);
    }
  });
});

it('says what is left out behind the joins', () => {
  const said = (name: string) =>
    parse(
      programs.find((one) => one.name === name)!,
      'any',
    ).diagnostics.map(({ code }) => code);
  expect(said('behind-joins.c')).toEqual(['FW5005']);
  expect(said('all-joined.c')).toEqual(['FW5005']);
  expect(said('pool.c')).toEqual([]);
});

it('is what a thread in any number of copies is in the native language', async () => {
  const twins: Readonly<Record<string, string>> = {
    'pool.c': `var locked, counter
thread worker[*] { local r, s;
  do { r = xchg(locked, 1); } while (r != 0);
  s = counter; counter = (s + 1) % 4; locked = 0; }`,
    'naive-lock.c': `var locked, counter
thread worker[*] { local r, s;
  do { r = locked; } while (r != 0);
  locked = 1; s = counter; counter = (s + 1) % 4; locked = 0; }`,
    'endless-starts.c': `var x, y
thread left[*] { local r; x = 1; r = y; }
thread right[*] { local r; y = 1; r = x; }`,
  };
  for (const [name, text] of Object.entries(twins)) {
    const { model } = parseNative(`program Twin\n${text}\n`);
    const own = parse(
      programs.find((one) => one.name === name)!,
      'any',
    ).model;
    expect([name, await verdictOf(own!)]).toEqual([name, await verdictOf(model!)]);
  }
});

it('wants functions that main starts', () => {
  const program = { ...programs.find(({ name }) => name === 'pool.c')!, functions: ['nope'] };
  expect(parse(program, 2).diagnostics[0]?.message).toContain(
    "the number of threads that run 'worker'",
  );
  const both = { ...program, functions: ['worker', 'nope'] };
  expect(parse(both, 2).diagnostics[0]?.message).toContain("no thread that runs 'nope'");
});

it('there are enough of them', () => {
  expect(refused.length).toBeGreaterThan(4);
  expect(accepted.length).toBeGreaterThan(4);
});
