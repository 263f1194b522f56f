import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { diceOf } from './dice.js';

const runs = randomRuns(40, 1000, 12);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

const types = ['int', 'unsigned', 'long', 'char *', 'double', 'struct two'] as const;

interface Argument {
  readonly type: (typeof types)[number];
  readonly value: number;
}

/** The argument in a call, and a condition of C about the argument that was read as `name`. */
function passed({ type, value }: Argument): string {
  if (type === 'char *') return `&text[${value & 7}]`;
  if (type === 'double') return `${value}.5`;
  if (type === 'struct two') return `(struct two){${value}, ${value + 1}}`;
  return type === 'unsigned'
    ? `${value & 255}u`
    : type === 'long'
      ? `${value}L * 65536`
      : `${value}`;
}
function isRead({ type, value }: Argument, name: string): string {
  if (type === 'char *') return `${name} == &text[${value & 7}]`;
  if (type === 'double') return `bits_of(${name}) == bits_of(${value}.5)`;
  if (type === 'struct two') return `${name}.a == ${value} && ${name}.b == ${value + 1}`;
  const number = type === 'unsigned' ? value & 255 : type === 'long' ? value * 65_536 : value;
  return `${name} == ${number}`;
}

/**
 * A program whose functions read arguments behind their parameters, one by one, from a list, a copy
 * of it, or in a function that gets the list; `main` and a thread call them, directly and through a
 * pointer. With `isWrong`, an assertion expects another value.
 */
function randomText(seed: number, isWrong: boolean) {
  const { below, chance, pick } = diceOf(seed);
  const functions = Array.from({ length: 2 }, (_, number) => {
    const list = Array.from({ length: 1 + below(8) }, (): Argument => {
      return { type: pick(types), value: below(2000) - 1000 };
    });
    const copied = chance(40) ? below(list.length) : undefined;
    const handed = chance(40) ? below(list.length) : undefined;
    const reads = list.map(({ type }, i) => {
      const from = copied !== undefined && i >= copied ? 'copy' : 'rest';
      const copy = copied === i ? '  va_copy(copy, rest);\n' : '';
      const isHanded = handed !== undefined && i >= handed && type === 'int';
      const value = isHanded
        ? `next_int(${from === 'copy' ? '&copy' : '&rest'})`
        : `va_arg(${from}, ${type})`;
      return `${copy}  ${type} v${i} = ${value};\n`;
    });
    const wrong = isWrong && number === 0 ? below(list.length) : -1;
    const asserts = list.map((each, i) => {
      const condition = isRead(each, `v${i}`);
      return `  assert(${i === wrong ? `!(${condition})` : condition});\n`;
    });
    const definition = `static int f${number}(int first, ...) {
  va_list rest, copy;
  va_start(rest, first);
${reads.join('')}${copied === undefined ? '' : '  va_end(copy);\n'}  va_end(rest);
${asserts.join('')}  return first + 1;
}
static int (*volatile p${number})(int, ...) = f${number};`;
    const call = (by: string): string =>
      `assert(${by}${number}(${number}, ${list.map(passed).join(', ')}) == ${number + 1});`;
    return { definition, call, list, copied, handed };
  });
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
struct two { long a, b; };
static char text[8];
static long bits_of(double value) { union { double d; long l; } u = {value}; return u.l; }
static int next_int(va_list *list) { return va_arg(*list, int); }
${functions.map(({ definition }) => definition).join('\n')}
static void *run(void *unused) {
  ${functions.map(({ call }) => call(chance(50) ? 'f' : 'p')).join('\n  ')}
  return unused;
}
int main(void) {
  pthread_t thread;
  ${isWrong ? '' : functions[1]!.call('f')}
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
}
`;
  return { text, functions };
}

describe.skipIf(!clang)(`arguments behind the parameters of functions${why}`, () => {
  test('are read as they are passed', { timeout: 1_200_000 }, async () => {
    const counts = { copied: 0, handed: 0, many: 0, structures: 0, wrong: 0 };
    const programs = Array.from({ length: runs }, (_, i) => randomText(first + i, i % 3 === 0));
    const units = programs.map(({ text }, i) => {
      const file = `seed${first + i}.c`;
      writeFileSync(path.join(folder, file), text);
      return { file, ccArgs: ['-w'] };
    });
    const compiled = await compileC(clang!, units, { folder, shipped });
    if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
    const library = compiled.modules.at(-1)!;
    const program = path.join(folder, 'program');
    for (const [i, { text, functions }] of programs.entries()) {
      const file = path.join(folder, units[i]!.file);
      spawnSync(clang!.command, ['-w', '-pthread', file, '-o', program]);
      const isFailing = spawnSync(program, []).status !== 0;
      const { model, diagnostics } = parseLlvmIr([compiled.modules[i]!, library], {
        main: units[i]!.file,
      });
      const found = finiteProgram(model);
      if (!found) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
      const { sc } = await reach(found, { limits: { maxStates: 10_000 } });
      const fails = sc.failedAssertions.length > 0;
      expect({ text, fails }).toEqual({ text, fails: isFailing });
      if (isFailing) counts.wrong += 1;
      for (const { copied, handed, list } of functions) {
        if (copied !== undefined) counts.copied += 1;
        if (handed !== undefined) counts.handed += 1;
        if (list.length > 5) counts.many += 1;
        if (list.some(({ type }) => type === 'struct two')) counts.structures += 1;
      }
    }
    console.log(counts);
    expect(counts.wrong).toBe(Math.ceil(runs / 3));
    for (const kind of ['copied', 'handed', 'many', 'structures'] as const)
      expect(counts[kind]).toBeGreaterThan(0.2 * runs);
  });
});
