import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clangForX86 } from './installed-clang.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { IrInterpreter } from '../../src/llvm-ir/interpret.js';
import { layOut, type Image } from '../../src/llvm-ir/image.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { libraryOf } from './fixtures.js';
import { randomFloats } from './random-floats.js';

const runs = randomRuns(4, 400);
const first = randomSeed(0);
const perProgram = 300;

const clang = clangForX86();

/** The memory of a module. */
function imageOf(text: string): Image {
  const errors = new ErrorList();
  const module = readModule(text, errors);
  expect(errors.toDiagnostics()).toEqual([]);
  return layOut(module);
}

/** Runs a function without parameters. */
function run(image: Image, name: string) {
  const interpreter = new IrInterpreter(image, (called, operands) => {
    if (!called.startsWith('llvm.memcpy')) return undefined;
    const [to, from, size] = operands.map(Number);
    image.memory.copy(to!, from!, size!);
    return { kind: 'value' };
  });
  return interpreter.run(image.module.functions.get(name)!, [], 1000);
}

/** Whether the bits, extended to 64 bits, are those of a NaN. */
function isNaNBits(bits: bigint, result: string): boolean {
  const [exponent, digits] = result === 'double' ? [11n, 52n] : [8n, 23n];
  const magnitude = bits & ((1n << (exponent + digits)) - 1n);
  return magnitude > ((1n << exponent) - 1n) << digits;
}

describe('arithmetic on floating-point numbers', () => {
  it.skipIf(!clang)('comes to what the processor comes to', { timeout: 600_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fencewright-floats-'));
    const compared = new Map<string, number>();
    const refused = new Map<string, number>();
    try {
      const file = (name: string) => join(folder, name);
      const flags = ['-w', '-O0', '-target', 'x86_64-linux-gnu', file('a.c')];
      for (let seed = first; seed < first + runs; seed++) {
        const { text, cases } = randomFloats(seed, perProgram);
        writeFileSync(file('a.c'), text);
        execFileSync(clang!, [...flags, '-S', '-emit-llvm', '-o', file('a.ll')]);
        execFileSync(clang!, [...flags, '-DMAIN', '-o', file('a')]);
        const printed = execFileSync(file('a'), { encoding: 'utf8' }).trim().split('\n');
        const image = imageOf(readFileSync(file('a.ll'), 'utf8'));
        for (const [i, { name, operation, result }] of cases.entries()) {
          const outcome = run(image, name);
          const native = BigInt(printed[i]!);
          const where = { seed, name, operation };
          if (outcome.kind === 'refused') {
            refused.set(operation, (refused.get(operation) ?? 0) + 1);
            if (operation === 'to integer')
              expect(outcome.message).toContain('an integer that cannot hold it');
            else {
              expect({ ...where, message: outcome.message }).toMatchObject({
                message: expect.stringContaining('(NaN)') as string,
              });
              expect({ ...where, isNaN: isNaNBits(native, result) }).toMatchObject({ isNaN: true });
            }
            continue;
          }
          const value = outcome.kind === 'returned' ? (outcome.value as bigint) : undefined;
          const bits = value === undefined ? undefined : BigInt.asUintN(64, value);
          expect({ ...where, bits }).toEqual({ ...where, bits: native });
          compared.set(operation, (compared.get(operation) ?? 0) + 1);
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const operation of ['+', '-', '*', '/', '<', 'to float', 'to integer', 'negate', 'resize'])
      expect([operation, (compared.get(operation) ?? 0) > 10]).toEqual([operation, true]);
    for (const operation of ['*', 'to integer'])
      expect([operation, (refused.get(operation) ?? 0) > 0]).toEqual([operation, true]);
  });

  it.each([
    // By hand: 2^24 + 1 lies between two numbers of type float, and the even one is 2^24.
    ['%x = uitofp i64 16777217 to float', 'float', 0x4b80_0000n],
    // 2^40 + 2^16 is half-way, and the digit 1 at the end decides.
    ['%x = sitofp i64 1099511693313 to float', 'float', 0x5380_0001n],
    ['%x = sitofp i1 1 to double', 'double', -0x4010_0000_0000_0000n],
    ['%x = uitofp i1 1 to double', 'double', 0x3ff0_0000_0000_0000n],
    ['%x = fadd double 1.0, 2.0', 'double', 0x4008_0000_0000_0000n],
    ['%x = fneg float 1.0', 'float', -0x4080_0000n],
    ['%x = fcmp ueq double 0x7FF8000000000000, 1.0', 'i1', 1n],
    ['%x = fcmp oeq double 0x7FF8000000000000, 1.0', 'i1', 0n],
    ['%x = fcmp one double 1.0, 2.0', 'i1', 1n],
    ['%x = fcmp uno double 1.0, 2.0', 'i1', 0n],
    ['%x = fcmp true double 1.0, 2.0', 'i1', 1n],
    ['%x = fptoui double 1.8e19 to i64', 'i64', 18_000_000_000_000_000_000n - 2n ** 64n],
  ])('%s', (line, type, value) => {
    const text = `define ${type} @f() {\n  ${line}\n  ret ${type} %x\n}\n`;
    expect(run(imageOf(text), 'f')).toEqual({ kind: 'returned', value });
  });

  it.each([
    ['%x = fdiv double 0.0, 0.0', 'double', 'not a number (NaN)'],
    ['%x = fptosi double 1.0e10 to i32', 'i32', 'an integer that cannot hold it'],
    ['%x = fptoui double -1.0 to i32', 'i32', 'an integer that cannot hold it'],
    ['%x = fptosi double 0x7FF0000000000000 to i64', 'i64', 'an integer that cannot hold it'],
    ['%x = fadd fast double 1.0, 2.0', 'double', 'may round a floating-point number'],
    ['%x = fadd half 0xH3C00, 0xH3C00', 'half', "numbers of the type 'half'"],
  ])('refuses %s', (line, type, message) => {
    const text = `define ${type} @f() {\n  ${line}\n  ret ${type} %x\n}\n`;
    const outcome = run(imageOf(text), 'f');
    expect(outcome.kind === 'refused' && outcome.message).toContain(message);
  });

  it('refuses to compute with the bits of addresses', () => {
    const text =
      '@x = global i64 0\ndefine double @f() {\n  %n = ptrtoint ptr @x to i64\n' +
      '  %d = bitcast i64 %n to double\n  %x = fadd double %d, 1.0\n  ret double %x\n}\n';
    const outcome = run(imageOf(text), 'f');
    expect(outcome.kind === 'refused' && outcome.message).toContain('the addresses of objects');
  });

  it('refuses to compute with addresses', () => {
    const text =
      '@x = global i64 0\ndefine double @f() {\n  %n = ptrtoint ptr @x to i64\n' +
      '  %x = uitofp i64 %n to double\n  ret double %x\n}\n';
    const outcome = run(imageOf(text), 'f');
    expect(outcome.kind === 'refused' && outcome.message).toContain('addresses of objects');
  });

  it('computes with constants in threads, and refuses what is not known before they run', () => {
    const program = (operand: string) => `
target triple = "x86_64-unknown-linux-gnu"
@d = global double 0.0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define ptr @t(ptr %p) {
  %old = load volatile double, ptr @d
  %x = fmul double ${operand}, 2.0
  store volatile double %x, ptr @d
  ret ptr null
}
define i32 @main() {
  %h = alloca i64
  %a = call i32 @pthread_create(ptr %h, ptr null, ptr @t, ptr null)
  %b = call i32 @pthread_create(ptr %h, ptr null, ptr @t, ptr null)
  ret i32 0
}
`;
    const messages = (operand: string): readonly string[] =>
      parseLlvmIr([{ file: 'a.ll', text: program(operand) }, libraryOf('clang-16')], {})
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ message }) => message);
    expect(messages('1.5')).toEqual([]);
    expect(messages('%old')).toEqual([
      "'*' computes with floating-point numbers, which threads may only copy",
    ]);
  });
});
