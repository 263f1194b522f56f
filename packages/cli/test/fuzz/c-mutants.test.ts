import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '@fencewright/core/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { fencewright } from '../fencewright.js';
import { mutate } from './mutate.js';

/** A long run sets FENCEWRIGHT_C_MUTANTS=1000 and its own FENCEWRIGHT_SEED. */
const mutants = Number(process.env.FENCEWRIGHT_C_MUTANTS ?? 40);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261123);

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folders = ['examples/c', 'packages/core/test/fixtures/c/programs'];
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

/** Slips that only C has. */
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
  ['explain', '--html', path.join(scratch, 'page.html')],
  ['reach', '--json'],
];

describe.skipIf(clang === undefined)(`programs in C${why}`, () => {
  test(`${mutants} slips lead to a message or an answer, and leave nothing behind`, async () => {
    const codes = new Map<number | null, number>();
    const one = async (number: number): Promise<void> => {
      const random = new SeededRandom(seed + number);
      const { extension, text } = texts[random.below(texts.length)]!;
      const mutant = mutateC(text, random);
      const file = path.join(scratch, `mutant${number}${extension}`);
      writeFileSync(file, mutant);
      const command = commands[random.below(commands.length)]!;
      const limits = ['--max-states', '2000', '--timeout', '10', '--clang', clang!];
      const begun = performance.now();
      const { code, stdout, stderr } = await fencewright([...command, ...limits, file]);
      const about = `FENCEWRIGHT_SEED=${seed + number} ${command.join(' ')}\n${stderr}\n${mutant}`;
      expect(performance.now() - begun, about).toBeLessThan(60_000);
      expect([0, 5, 10, 64, 65], about).toContain(code);
      // An option may be about other programs than this one.
      if (code === 64) expect(stdout + stderr, about).toMatch(/does not apply to|refused/);
      expect(stderr, about).not.toMatch(/internal error|\n\s+at .*:\d+:\d+|\bundefined\b \(/);
      if (command.includes('--json'))
        expect(() => JSON.parse(stdout) as unknown, about).not.toThrow();
      else if (code === 65) expect(stderr, about).not.toBe('');
      codes.set(code, (codes.get(code) ?? 0) + 1);
    };
    for (let number = 0; number < mutants; number++) await one(number);
    console.info(`${mutants} mutants by exit code:`, Object.fromEntries(codes));
    expect(codes.get(65) ?? 0).toBeGreaterThan(mutants / 10);
    expect((codes.get(0) ?? 0) + (codes.get(10) ?? 0)).toBeGreaterThan(mutants / 20);
    const left = readdirSync(scratch).filter(
      (name) => !/^(mutant\d+\.c(pp)?|page\.html)$/.test(name),
    );
    expect(left).toEqual([]);
  }, 3_600_000);
});
