import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';
import { ByteMemory } from '../../src/llvm-ir/memory.js';
import { formattedText } from '../../src/llvm-ir/formatted-text.js';

const clang = (await allClangs()).find(({ kind }) => kind === 'native');

const flags = fc.subarray(['-', '+', ' ', '#', '0']).map((some) => some.join(''));
const digits = fc.constantFrom('', '1', '5', '12');
const precision = fc.constantFrom('', '.', '.0', '.2', '.5', '.6', '.9');
const sizes = fc.constantFrom('', 'hh', 'h', 'l', 'll', 'j', 'z', 't');
const numbers = fc.constantFrom(0n, 1n, 8n, -7n, 255n, 70000n, -(2n ** 31n), 2n ** 40n + 3n);
const texts: readonly (string | undefined)[] = [undefined, '', 'abc', 'longer text'];

const ofNumber = fc
  .tuple(flags, digits, precision, sizes, fc.constantFrom('d', 'i', 'o', 'u', 'x', 'X'), numbers)
  .map(([a, b, c, d, e, number]) => ({ format: `%${a}${b}${c}${d}${e}`, operand: number }));
const ofText = fc
  .tuple(fc.constantFrom('', '-'), digits, precision, fc.nat({ max: texts.length - 1 }))
  .map(([a, b, c, operand]) => ({ format: `%${a}${b}${c}s`, operand }));
const ofCharacter = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom(65n, 126n, 321n))
  .map(([a, b, operand]) => ({ format: `%${a}${b}c`, operand }));

/** Returns an operand in C, passed as a 64-bit word of which the function uses a part. */
function inC(operand: bigint | number): string {
  if (typeof operand === 'bigint') return `(long)${operand}L`;
  const text = texts[operand];
  return text === undefined ? '(char *)0' : `"${text}"`;
}

/** A memory without objects, in which no number is an address. */
const memory = new ByteMemory();

test.skipIf(!clang)('texts are those that snprintf of this machine writes', () => {
  const cases = fc.sample(fc.oneof(ofNumber, ofNumber, ofText, ofCharacter), 400);
  const folder = freshFolder();
  try {
    const lines = cases.map(
      ({ format, operand }) => `printf("<${format}>%%\\n", ${inC(operand)});`,
    );
    const source = path.join(folder, 'texts.c');
    writeFileSync(source, `#include <stdio.h>\nint main(void) {\n${lines.join('\n')}\n}\n`);
    const program = path.join(folder, 'texts');
    const compiled = spawnSync(clang!.command, ['-w', '-fno-builtin', source, '-o', program]);
    expect(compiled.status).toBe(0);
    const written = spawnSync(program, { encoding: 'latin1' }).stdout.split('\n');
    cases.forEach(({ format, operand }, i) => {
      const isText = typeof operand === 'number';
      const value = !isText ? operand : texts[operand] === undefined ? 0n : BigInt(operand);
      const text = formattedText(
        `<${format}>%%`,
        [value],
        (address) => texts[address] ?? '',
        memory,
      );
      expect(`${format} ${operand}: ${text}`).toBe(`${format} ${operand}: ${written[i]}`);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('formats of wide characters, and others without a model, are refused', () => {
  for (const format of ['%ls', '%lc', '%hs', '%n', '%p', '%*d', '%.*s', '%f', '%'])
    expect(() => formattedText(format, [1n, 1n], () => 'text', memory)).toThrow('has no model');
});
