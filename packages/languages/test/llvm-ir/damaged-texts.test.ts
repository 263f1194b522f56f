import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../../core/src/api/decide.js';
import type { Question } from '../../../core/src/api/question.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { libraryOf } from './fixtures.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

const runs = randomRuns(100, 10_000, 15);
const seed = randomSeed(20261123);

const folder = fileURLToPath(new URL('../fixtures/c/programs/', import.meta.url));
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.ll'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'));

/** Numbers at the limits of types, and words that have a meaning elsewhere in LLVM IR. */
const words = [
  ...['0', '-1', '1', '7', '63', '64', '65', '2147483647', '2147483648', '-2147483649'],
  ...['4294967296', '9223372036854775807', '18446744073709551616', '99999999999999999999999'],
  ...['i0', 'i1', 'i7', 'i8', 'i33', 'i64', 'i128', 'double', 'ptr', 'void', 'null', 'undef'],
  ...['poison', 'zeroinitializer', 'label', 'metadata', 'seq_cst', 'monotonic', 'to', 'x'],
  ...['%0', '%missing', '@main', '@missing', '!0', '!999', '{', '}', '[', ']', '(', ')', ',', '='],
  ...['add', 'load', 'store', 'br', 'ret', 'call', 'phi', 'alloca', 'switch', 'cmpxchg', 'freeze'],
];
const token = /[%@!][\w.$-]+|-?\d+|\w+|\S/g;

const damages: readonly ((text: string, random: SeededRandom) => string)[] = [
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => withLines(text, (lines) => lines.toSpliced(random.below(lines.length), 1)),
  (text, random) =>
    withLines(text, (lines) => {
      const line = lines[random.below(lines.length)]!;
      return lines.toSpliced(random.below(lines.length), 0, line);
    }),
  (text, random) =>
    withLines(text, (lines) => {
      const [one, other] = [random.below(lines.length), random.below(lines.length)];
      return lines.with(one, lines[other]!).with(other, lines[one]!);
    }),
  ...Array.from({ length: 4 }, () => (text: string, random: SeededRandom) => {
    const found = [...text.matchAll(token)];
    const { index, 0: old } = found[random.below(found.length)]!;
    const other = random.below(2)
      ? words[random.below(words.length)]!
      : found[random.below(found.length)]![0];
    return text.slice(0, index) + other + text.slice(index + old.length);
  }),
  (text, random) => {
    const at = random.below(text.length);
    return (
      text.slice(0, at) +
      '([{<"\\\0é'[random.below(8)]!.repeat(1 + random.below(2000)) +
      text.slice(at)
    );
  },
];

function withLines(text: string, change: (lines: string[]) => string[]): string {
  return change(text.split('\n')).join('\n');
}

const questions: readonly Question[] = [
  { kind: 'check' },
  { kind: 'check', allAttacks: true },
  { kind: 'reach' },
  { kind: 'fence' },
];

/** The maximum CPU time for a text in milliseconds; limits end reading far earlier. */
const longest = 30_000;

it('damaged IR is read and answered, or refused with a message', async () => {
  const random = new SeededRandom(seed);
  const library = libraryOf('clang-16');
  const counts = { read: 0, refused: 0, placed: 0, answered: 0 };
  const codes = new Map<string, number>();
  let slowest = 0;
  for (let run = 0; run < runs; run++) {
    let text = texts[random.below(texts.length)]!;
    for (let times = 1 + random.below(3); times > 0; times--)
      if (text !== '') text = damages[random.below(damages.length)]!(text, random);
    const question = questions[run % questions.length]!;
    const took = cpuTimer();
    try {
      const { model, diagnostics } = parseLlvmIr([{ file: 'damaged.c', text }, library]);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors.length > 0).toBe(model === undefined);
      counts[model ? 'read' : 'refused']++;
      if (errors.some(({ span }) => span)) counts.placed++;
      for (const code of new Set(errors.map((error) => error.code)))
        codes.set(code, (codes.get(code) ?? 0) + 1);
      if (model) {
        const { kind } = await decide(model, question, { maxStates: 300, timeout: 10_000 });
        expect(kind).toBe(question.kind);
        counts.answered++;
      }
      slowest = Math.max(slowest, took());
      expect(slowest).toBeLessThan(longest);
    } catch (problem) {
      throw new Error(`run ${run} of seed ${seed}, ${question.kind}:\n${text}`, { cause: problem });
    }
  }
  console.log(JSON.stringify(counts), Object.fromEntries(codes), `${Math.round(slowest)} ms`);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(runs / 10);
});
