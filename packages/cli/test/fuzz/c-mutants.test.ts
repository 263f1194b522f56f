import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuTimer, SeededRandom } from '@fencewright/core/testing';
import { decide, type Question } from '@fencewright/core';
import { parseLlvmIr } from '@fencewright/core/c';
import { compileC, findClang } from '@fencewright/core/node';
import { afterAll, describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fencewright } from '../fencewright.js';
import { mutate } from './mutate.js';

/** The number of mutants for the command line. */
const mutants = randomRuns(10, 1000, 5);
/** The number of mutants for functions called directly. */
const mutantsHere = randomRuns(25, 9000, 12);
const seed = randomSeed(20261123);

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const shipped = path.join(root, 'packages/languages/c');
const folders = ['examples/c', 'packages/languages/test/fixtures/c/programs'];
const texts = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /\.(c|cpp)$/.test(name))
    .map((name) => ({
      extension: path.extname(name),
      text: readFileSync(path.join(root, folder, name), 'utf8'),
    })),
);

const clang = ['clang-16', 'clang-22'].find((name) => spawnSync(name).error === undefined);
const why = clang === undefined ? ' (skipped: there is neither clang-16 nor clang-22)' : '';

const scratch = mkdtempSync(path.join(tmpdir(), 'fencewright-c-mutants-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** Returns a C text with one random error of a kind that only C has. */
function mutateC(text: string, random: SeededRandom): string {
  const at = random.below(text.length);
  switch (random.below(12)) {
    case 0:
      return text.replaceAll('\n', '\r\n');
    case 1:
      return `\uFEFF${text}`;
    case 2:
      return text.slice(0, at) + '('.repeat(1 + random.below(3000)) + text.slice(at);
    case 3:
      return `${text.slice(0, at)}\0${text.slice(at)}`;
    case 4:
      return text.replace(/\bint\b/, ['double', 'long', 'char', '__int128'][random.below(4)]!);
    case 5:
      return text.replaceAll(
        /memory_order_\w+/g,
        () => ['memory_order_seq_cst', 'memory_order_relaxed', '17'][random.below(3)]!,
      );
    default:
      return mutate(text, random);
  }
}

const commands: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--json'],
  ['fence'],
  ['explain', '--report', `html=${path.join(scratch, 'page.html')}`],
  ['reach', '--json'],
];

/** Writes the mutant with this number into a file. */
function writeMutant(number: number): {
  readonly random: SeededRandom;
  readonly name: string;
  readonly mutant: string;
} {
  const random = new SeededRandom(number);
  const { extension, text } = texts[random.below(texts.length)]!;
  const mutant = mutateC(text, random);
  const name = `mutant${number % 100}${extension}`;
  writeFileSync(path.join(scratch, name), mutant);
  return { random, name, mutant };
}

/** Counts how often each name was recorded. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** Adds 1 to the count of each of the names, repeated names once. */
  add(told: Iterable<string>): void {
    for (const each of new Set(told)) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
  }

  get inOrder(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const questions: readonly Question[] = [
  { kind: 'check' },
  { kind: 'check', allAttacks: true },
  { kind: 'reach' },
  { kind: 'fence' },
];

describe.skipIf(clang === undefined)(`programs in C${why}`, () => {
  test(`${mutants} slips lead to a message or an answer, and leave nothing behind`, async () => {
    const codes = new Map<number | null, number>();
    const told = new Tally();
    for (let number = seed; number < seed + mutants; number++) {
      const { random, name, mutant } = writeMutant(number);
      const command = commands[random.below(commands.length)]!;
      const limits = ['--max-states', '2000', '--timeout', '10', '--clang', clang!];
      const run = await fencewright([...command, ...limits, path.join(scratch, name)]);
      const { code, stdout, stderr } = run;
      const about = `FENCEWRIGHT_SEED=${number} ${command.join(' ')}\n${stderr}\n${mutant}`;
      expect([0, 5, 10, 64, 65], about).toContain(code);
      // The option may not apply to this program.
      if (code === 64) expect(stdout + stderr, about).toMatch(/does not apply to|refused/);
      expect(stderr, about).not.toMatch(/internal error|\n\s+at .*:\d+:\d+|\bundefined\b \(/);
      if (command.includes('--json'))
        expect(() => JSON.parse(stdout) as unknown, about).not.toThrow();
      else if (code === 65) expect(stderr, about).not.toBe('');
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code === 65) told.add((stdout + stderr).match(/\bFW\d{4}\b/g) ?? []);
    }
    console.info(`${mutants} mutants by exit code:`, Object.fromEntries(codes), told.inOrder);
    // Of a few mutants, all may be refused.
    if (mutants >= 20) {
      expect(codes.get(65) ?? 0).toBeGreaterThan(mutants / 10);
      expect((codes.get(0) ?? 0) + (codes.get(10) ?? 0)).toBeGreaterThan(mutants / 20);
    }
    const left = readdirSync(scratch).filter(
      (name) => !/^(mutant\d+\.c(pp)?|page\.html)$/.test(name),
    );
    expect(left).toEqual([]);
  });

  test(`${mutantsHere} more, in this process`, async () => {
    const signal = new AbortController().signal;
    const options = { folder: scratch, signal, tool: '/nowhere', wasmRunner: '' };
    const found = await findClang({ ...options, wish: clang! });
    if (found.kind !== 'native') throw new Error(found.kind);
    const counts = { rejected: 0, refused: 0, answered: 0 };
    const told = new Tally();
    const first = seed + 1_000_000;
    for (let number = first; number < first + mutantsHere; number++) {
      const { random, name, mutant } = writeMutant(number);
      const took = cpuTimer();
      try {
        const compiled = await compileC(found, [{ file: name }], { folder: scratch, shipped });
        expect(['compiled', 'rejected']).toContain(compiled.kind);
        if (compiled.kind !== 'compiled') {
          counts.rejected += 1;
          continue;
        }
        const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: name });
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(model === undefined).toBe(errors.length > 0);
        told.add(errors.map((error) => error.code));
        counts[model ? 'answered' : 'refused'] += 1;
        if (!model) continue;
        const question = questions[random.below(questions.length)]!;
        const limits = { maxStates: 2000, timeout: 10_000 };
        expect((await decide(model, question, limits)).kind).toBe(question.kind);
        expect(took()).toBeLessThan(60_000);
      } catch (problem) {
        throw new Error(`FENCEWRIGHT_SEED=${number - 1_000_000}\n${mutant}`, { cause: problem });
      }
    }
    console.info(`${mutantsHere} mutants:`, counts, told.inOrder);
    expect(counts.answered).toBeGreaterThan(mutantsHere / 10);
    expect(counts.rejected).toBeGreaterThan(mutantsHere / 10);
  });
});
