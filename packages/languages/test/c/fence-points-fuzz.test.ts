import { describe, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom as Random } from '@fencewright/ground/base/random.js';
import { findFencePoints } from '../../src/c/find-fence-points.js';
import { insertFencesInC, type FenceLayout } from '../../src/c/insert-fences.js';
import { applyEdits } from '@fencewright/ground/source/text-edit.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

const hasGcc = spawnSync('gcc', ['--version']).status === 0;

function insert(text: string, fence: string, layout: FenceLayout, take: () => boolean): string {
  const points = findFencePoints(text).filter(take);
  const edits = insertFencesInC(
    text,
    points.map((point) => ({ point, fence })),
    layout,
  );
  for (const { start, end } of edits) expect(end).toBe(start);
  return applyEdits(text, edits);
}

/**
 * Writes random C statements whose execution leaves a trace: `t(n)` appends n to the trace, `c(n)`
 * returns a random bit.
 */
class Writer {
  readonly seen = new Set<string>();
  readonly #random: Random;
  #next = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)]!;
  }

  /** Returns random white space: blanks, line ends, comments, or nothing. */
  #gap(): string {
    return this.#pick([' ', ' ', '\n', '\n    ', ' /* } */ ', ' // {\n', '\n\t', ' \\\n ', '']);
  }

  /** Returns white space to separate two words. */
  #space(): string {
    return this.#pick([' ', '\n', '\n    ', ' /* ) */ ', ' // else\n']);
  }

  condition(depth = 2): string {
    const call = `c(${this.#next++})`;
    if (depth === 0) return call;
    const inner = (): string => this.condition(depth - 1);
    switch (this.#random.below(9)) {
      case 0:
        return `${inner()} && ${inner()}`;
      case 1:
        return `${inner()} ||${this.#gap()}${inner()}`;
      case 2:
        return `(${inner()}) ? ${inner()} : ${inner()}`;
      case 3:
        return `!(${inner()})`;
      case 4:
        return `({ ${this.statement(1)} ${inner()}; })`;
      default:
        return call;
    }
  }

  body(depth: number): string {
    return this.#random.below(3) === 0 ? this.block(depth) : this.statement(depth);
  }

  block(depth: number): string {
    const count = this.#random.below(4);
    const list = Array.from({ length: count }, () => this.statement(depth - 1));
    return `{${this.#gap()}${list.join(this.#gap())}${this.#gap()}}`;
  }

  statement(depth: number): string {
    const n = this.#next++;
    const kinds =
      depth <= 0
        ? ['call', 'empty']
        : [
            ...['call', 'call', 'empty', 'block', 'if', 'if', 'else', 'else', 'while', 'for', 'do'],
            ...[
              'switch',
              'label',
              'macro',
              'each',
              'declaration',
              'value',
              'conditional',
              'define',
            ],
            ...['break', 'compound'],
          ];
    const kind = this.#pick(kinds);
    this.seen.add(kind);
    const sp = this.#space();
    const gap = this.#gap();
    switch (kind) {
      case 'empty':
        return ';';
      case 'block':
        return this.block(depth);
      case 'if':
        return `if (${this.condition()})${gap}${this.body(depth - 1)}`;
      case 'else':
        return `if (${this.condition()})${gap}{ ${this.body(depth - 1)} }${gap}else${sp}${this.body(depth - 1)}`;
      case 'while':
        return `while (${this.condition()})${gap}${this.body(depth - 1)}`;
      case 'for':
        return `for (int i = 0; i < 2 && ${this.condition()};${gap}i++)${gap}${this.body(depth - 1)}`;
      case 'do':
        return `do${sp}${this.body(depth - 1)}${sp}while (${this.condition()});`;
      case 'switch':
        return `switch (c(${n}) + c(${this.#next++})) { case 0:${gap}${this.statement(depth - 1)} case 1 ? 1 : 5: t(${n}); break; default:${gap}${this.statement(depth - 1)} }`;
      case 'label':
        return `l${n}:${gap}${this.statement(depth - 1)}`;
      case 'macro':
        return `{ SAY(${n}) ${this.statement(depth - 1)} }`;
      case 'each':
        return `each(k${n})${gap}${this.body(depth - 1)}`;
      case 'declaration':
        return `{ int v${n}[] = { 1, 2 }; struct { int a; } w${n} = { .a = c(${n}) }; if (v${n}[0] + w${n}.a) t(${n}); }`;
      case 'value':
        return `u = ({ ${this.statement(depth - 1)} c(${n}); });`;
      case 'conditional':
        return `{\n#if${this.#pick([' 0', 'def X', 'ndef X', ' 1'])}\n${this.statement(depth - 1)}\n#else\nt(${n});\n#endif\n}`;
      case 'define':
        return `{\n#define M${n} { ( \\\n\n  t(${n}); }`;
      case 'break':
        return `for (;;) { ${this.statement(depth - 1)} break; }`;
      case 'compound':
        return `if (((struct p){ c(${n}), 2 }).a)${gap}${this.body(depth - 1)}`;
      default:
        return `t(${n});`;
    }
  }
}

const head = `
#include <stdio.h>
struct p { int a, b; };
static unsigned seed, left, story, u;
static int c(int n) { if (left == 0) return 0; left--; seed = seed * 1103515245u + 12345u + n; return seed >> 16 & 1; }
static void t(int n) { story = story * 31 + n; }
#define SAY(n) t(n);
#define each(i) for (int i = 0; i < 2; i++)
`;

function program(bodies: readonly string[]): string {
  const functions = bodies.map((body, i) => `static void f${i}(void) ${body}\n`);
  const calls = bodies.map(
    (_, i) =>
      `  for (int s = 0; s < 8; s++) { seed = s; left = 40; story = 1; f${i}(); printf("${i} %d %u %u\\n", s, story, seed); }\n`,
  );
  return `${head}${functions.join('')}int main(void) {\n${calls.join('')}}\n`;
}

function run(folder: string, text: string): string {
  const file = path.join(folder, 'a.c');
  writeFileSync(file, text);
  const made = spawnSync('gcc', ['-w', '-std=gnu11', '-o', path.join(folder, 'a'), file], {
    encoding: 'utf8',
  });
  expect(made.stderr).toBe('');
  const told = spawnSync(path.join(folder, 'a'), { encoding: 'utf8', timeout: 20_000 });
  expect(told.status).toBe(0);
  return told.stdout;
}

const isNeeded = hasGcc || process.env.FENCEWRIGHT_CI !== undefined;
const why = isNeeded ? '' : ' (skipped: there is no gcc)';

describe.runIf(isNeeded)(`by gcc${why}`, () => {
  test.each([1, 2, 3, 4])('programs with and without fences tell the same (%i)', (round) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-test-points-'));
    const random = new Random(round);
    const writer = new Writer(random);
    const text = program(Array.from({ length: 40 }, () => writer.block(4)));
    expect(findFencePoints(text).length).toBeGreaterThan(500);
    const plain = run(folder, text);
    for (const layout of ['inline', 'lines'] as const)
      for (const share of [1, 3]) {
        const fenced = insert(
          text,
          '__sync_synchronize()',
          layout,
          () => random.below(share) === 0,
        );
        expect(run(folder, fenced)).toBe(plain);
      }
    expect(writer.seen.size).toBeGreaterThan(15);
    rmSync(folder, { recursive: true });
  });
});

test('any text is read to its end', () => {
  const random = new Random(7);
  const writer = new Writer(random);
  const pieces = [
    '{',
    '}',
    '(',
    ')',
    '"',
    "'",
    '/*',
    '//',
    '#if 0\n',
    '#else\n',
    '#endif\n',
    'case',
  ];
  let points = 0;
  for (let round = 0; round < 400; round++) {
    const text = program([writer.block(3)]);
    let broken = text;
    for (let i = random.below(6); i >= 0; i--) {
      const at = random.below(broken.length);
      const piece = pieces[random.below(pieces.length)]!;
      broken = broken.slice(0, at) + piece + broken.slice(at + random.below(3));
    }
    points += findFencePoints(broken).length;
    insert(broken, 'F', round % 2 === 0 ? 'inline' : 'lines', () => true);
  }
  expect(points).toBeGreaterThan(1000);
});

test('deep nesting and long texts take neither the stack nor long', () => {
  const took = cpuTimer();
  for (const piece of [
    '{',
    '(',
    '[',
    'if (a) ',
    '({',
    'a ? b : ',
    '#if 1\n',
    'do ',
    'x;',
    '&& b',
  ]) {
    const text = `void f(void) { ${piece.repeat(5_000)}`;
    findFencePoints(text);
    findFencePoints(`${text} }`);
  }
  expect(took()).toBeLessThan(30_000);
});
