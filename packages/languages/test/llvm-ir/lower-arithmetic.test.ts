import { describe, expect, it } from 'vitest';
import { integerOfValue, valueOfInteger } from '@fencewright/model/program/wide-values.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { compare, compute, converted } from '../../src/llvm-ir/arithmetic.js';
import {
  lowerAddress,
  lowerBinary,
  lowerCompare,
  lowerConversion,
} from '../../src/llvm-ir/lower-arithmetic.js';
import { ByteMemory } from '../../src/llvm-ir/memory.js';
import { overflowing, overflowValue } from '../../src/llvm-ir/overflow.js';
import { Unsupported } from '../../src/llvm-ir/unsupported.js';
import { expressionValue, numberValue, toExpression } from '../../src/llvm-ir/value.js';
import { compileExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  constant,
  type Expression,
  isWide,
  registerValue,
  type ThreadLeaf,
} from '@fencewright/model/program/expression.js';

/** Returns the lowered value for the given registers; `undefined` if the execution faults. */
function evaluate(lowered: Expression, registers: readonly bigint[]): bigint | undefined {
  try {
    const values = registers.map((each) => valueOfInteger(each)!);
    return integerOfValue(compileExpression(lowered, [])(values, 0));
  } catch (fault) {
    if (!(fault instanceof ExecutionFault)) throw fault;
    return undefined;
  }
}

/** Returns a random signed number of that many bits that has a code; often close to a limit. */
function someNumber(random: SeededRandom, bits: number): bigint {
  if (bits === 1) return BigInt(random.below(2));
  const near = BigInt(random.below(7) - 3);
  const power = 2n ** BigInt(random.below(bits));
  const half = 2n ** BigInt(bits - 1);
  let any = 0n;
  for (let i = 0; i < bits; i += 16) any = (any << 16n) | BigInt(random.below(2 ** 16));
  const value = [near, half + near, power + near, -power + near, any, BigInt(random.below(64))];
  const number = BigInt.asIntN(bits, value[random.below(value.length)]!);
  return valueOfInteger(number) === undefined ? someNumber(random, bits) : number;
}

/** The number as an operand: itself, or in a register. */
function operandFor(random: SeededRandom, number: bigint): Expression {
  return random.below(2) === 0 ? constant(valueOfInteger(number)!) : registerValue(1);
}

const widths = [1, 8, 16, 32, 64];
const binaries = 'add sub mul udiv sdiv urem srem shl lshr ashr and or xor'.split(' ');

describe('arithmetic of C in expressions of programs', () => {
  it.each(widths.flatMap((bits) => binaries.map((name) => [bits, name] as const)))(
    'i%i %s is exact',
    (bits, name) => {
      const random = new SeededRandom(bits * 100 + binaries.indexOf(name));
      let exact = 0;
      for (let turn = 0; turn < 3000; turn++) {
        const [left, right] = [someNumber(random, bits), someNumber(random, bits)];
        let expected: bigint;
        try {
          expected = compute(name, bits, left, right);
        } catch (undefinedInC) {
          expect(undefinedInC).toBeInstanceOf(Unsupported);
          continue;
        }
        const operand = operandFor(random, right);
        let lowered: Expression;
        try {
          lowered = lowerBinary<ThreadLeaf>(name, bits, registerValue(0), operand);
        } catch (refused) {
          expect(refused).toBeInstanceOf(Unsupported);
          expect(bits).toBe(1);
          continue;
        }
        const value = evaluate(lowered, [left, right]);
        if (value === undefined && valueOfInteger(expected) === undefined) continue;
        expect({ left, right, value }).toEqual({ left, right, value: expected });
        exact += 1;
      }
      const isRefused = bits === 1 && !['add', 'sub', 'mul', 'and', 'or', 'xor'].includes(name);
      if (!isRefused) expect(exact).toBeGreaterThan(200);
    },
  );

  it.each([8, 16, 32].flatMap((bits) => ['sdiv', 'srem'].map((name) => [name, bits] as const)))(
    '%s of %i bits faults for the least number and -1, as on x86, and for no others',
    (name, bits) => {
      const least = -(2n ** BigInt(bits - 1));
      for (const [left, right] of [
        [least, -1n],
        [least + 1n, -1n],
        [least, 1n],
        [least, -2n],
        [-least - 1n, -1n],
      ] as const)
        for (const operand of [constant(Number(right)), registerValue(1)]) {
          const lowered = lowerBinary<ThreadLeaf>(name, bits, registerValue(0), operand);
          const isFault = left === least && right === -1n;
          const value = isFault ? undefined : name === 'sdiv' ? left / right : left % right;
          expect(evaluate(lowered, [left, right])).toBe(value);
        }
    },
  );

  it.each([32, 64].flatMap((bits) => ['add', 'sub', 'mul'].map((name) => [name, bits] as const)))(
    '%s of %i bits with a sign faults where it overflows',
    (name, bits) => {
      const random = new SeededRandom(name.length);
      let faults = 0;
      for (let turn = 0; turn < 1000; turn++) {
        const [left, right] = [someNumber(random, bits), someNumber(random, bits)];
        let expected: bigint | undefined;
        try {
          expected = compute(name, bits, left, right, true);
        } catch (undefinedInC) {
          expect(undefinedInC).toBeInstanceOf(Unsupported);
        }
        if (expected === undefined) faults += 1;
        else if (valueOfInteger(expected) === undefined) continue;
        const operand = operandFor(random, right);
        const lowered = lowerBinary<ThreadLeaf>(name, bits, registerValue(0), operand, true);
        expect(evaluate(lowered, [left, right])).toBe(expected);
      }
      expect(faults).toBeGreaterThan(50);
      expect(faults).toBeLessThan(950);
    },
  );

  it.each(
    [8, 16, 32, 64].flatMap((bits) =>
      ['add', 'sub', 'mul'].flatMap((operation) =>
        [true, false].map((isSigned) => [bits, operation, isSigned] as const),
      ),
    ),
  )('of i%i, %s says whether it overflows, with a sign: %s', (bits, name, isSigned) => {
    const random = new SeededRandom(bits + name.length);
    const how = overflowing(`llvm.${isSigned ? 's' : 'u'}${name}.with.overflow.i${bits}`)!;
    const counts = [0, 0];
    let withoutCode = 0;
    for (let turn = 0; turn < 2000; turn++) {
      const [left, right] = [someNumber(random, bits), someNumber(random, bits)];
      const read = (number: bigint): bigint => (isSigned ? number : BigInt.asUintN(bits, number));
      const [l, r] = [read(left), read(right)];
      const exact = name === 'add' ? l + r : name === 'sub' ? l - r : l * r;
      const isFine =
        (isSigned ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact)) === exact;
      const registers = [0, 1].map((i) => expressionValue(registerValue(i)));
      const known = [left, right].map((each) => numberValue(each));
      const which = random.below(3);
      const value = overflowValue(
        new ByteMemory(),
        how,
        which === 1 ? known[0]! : registers[0]!,
        which === 2 ? known[1]! : registers[1]!,
      );
      const parts = value.kind === 'parts' ? value.parts : [];
      const found = evaluate(toExpression(parts[1]!), [left, right]);
      if (found === undefined) {
        withoutCode += 1;
        continue;
      }
      expect({ left, right, found }).toEqual({ left, right, found: isFine ? 0n : 1n });
      counts[isFine ? 0 : 1]! += 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
    // One in 2048 of the large numbers has no code, intermediate results included.
    expect(withoutCode).toBeLessThan(bits === 64 ? 20 : 1);
  });

  it.each(widths)('comparisons of i%i are exact', (bits) => {
    const random = new SeededRandom(bits);
    for (const name of 'eq ne slt sle sgt sge ult ule ugt uge'.split(' ')) {
      let holds = 0;
      for (let turn = 0; turn < 1000; turn++) {
        const left = someNumber(random, bits);
        const right = random.below(4) === 0 ? left : someNumber(random, bits);
        const operand = operandFor(random, right);
        const value = lowerCompare<ThreadLeaf>(name, bits, registerValue(0), operand);
        const expected = compare(name, bits, left, right) ? 1n : 0n;
        const found = evaluate(value, [left, right]);
        expect({ name, left, right, found }).toEqual({ name, left, right, found: expected });
        holds += Number(expected);
      }
      expect(holds).toBeGreaterThan(10);
      expect(holds).toBeLessThan(990);
    }
  });

  it.each(
    widths.flatMap((from) =>
      widths.flatMap((to) =>
        ['trunc', 'zext', 'sext'].flatMap((name) =>
          (name === 'trunc' ? to < from : to > from) ? [[name, from, to] as const] : [],
        ),
      ),
    ),
  )('%s from i%i to i%i is exact', (name, from, to) => {
    const random = new SeededRandom(from * 100 + to);
    for (let turn = 0; turn < 1000; turn++) {
      const operand = someNumber(random, from);
      const expected = converted(name, operand, from, to);
      const lowered = lowerConversion<ThreadLeaf>(name, from, to, registerValue(0));
      const found = evaluate(lowered, [operand]);
      expect({ operand, found }).toEqual({ operand, found: expected });
    }
  });

  it('has operators of 32 bits where they are enough, and says the same by them', () => {
    const random = new SeededRandom(7);
    const small = [
      (from: number) => lowerConversion<ThreadLeaf>('zext', from, 64, registerValue(0)),
      (from: number) => lowerConversion<ThreadLeaf>('zext', from, 64, registerValue(1)),
    ] as const;
    let plain = 0;
    for (let turn = 0; turn < 5000; turn++) {
      const name = binaries[random.below(binaries.length)]!;
      const widthsBelow = [8, 16, 32] as const;
      const [a, b] = [widthsBelow[random.below(3)]!, widthsBelow[random.below(3)]!];
      const [left, right] = [someNumber(random, a), someNumber(random, b)];
      let expected: bigint;
      try {
        const [wideLeft, wideRight] = [
          converted('zext', left, a, 64),
          converted('zext', right, b, 64),
        ];
        expected = compute(name, 64, wideLeft, wideRight);
      } catch (undefinedInC) {
        expect(undefinedInC).toBeInstanceOf(Unsupported);
        continue;
      }
      if (valueOfInteger(expected) === undefined) continue;
      const lowered = lowerBinary<ThreadLeaf>(name, 64, small[0](a), small[1](b));
      expect({ name, left, right, value: evaluate(lowered, [left, right]) }).toEqual({
        name,
        left,
        right,
        value: expected,
      });
      if (lowered.kind === 'binary' && !isWide(lowered.operator)) plain += 1;
    }
    expect(plain).toBeGreaterThan(1000);
  });

  it('never gives another address than the sum', () => {
    const random = new SeededRandom(11);
    let [sums, faults] = [0, 0];
    for (let turn = 0; turn < 3000; turn++) {
      const [left, right] = [someNumber(random, 64), someNumber(random, 64)];
      const operation = random.below(2) === 0 ? 'add' : 'mul';
      const lowered = lowerAddress<ThreadLeaf>(
        operation,
        registerValue(0),
        operandFor(random, right),
      );
      const found = evaluate(lowered, [left, right]);
      if (found === undefined) faults += 1;
      else {
        expect(found).toBe(operation === 'add' ? left + right : left * right);
        sums += 1;
      }
    }
    expect(sums).toBeGreaterThan(200);
    expect(faults).toBeGreaterThan(1000);
  });

  it('refuses operations that are none of integers', () => {
    expect(() => lowerBinary('fadd', 32, constant(1), constant(2))).toThrow(Unsupported);
    expect(() => lowerCompare('oeq', 32, constant(1), constant(2))).toThrow(Unsupported);
    expect(() => lowerConversion('fptosi', 64, 32, constant(1))).toThrow(Unsupported);
  });
});
