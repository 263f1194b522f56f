import { expect, test } from 'vitest';
import { dependsOnPlaces } from '../../src/llvm-ir/address-numbers.js';
import { compare, compute } from '../../src/llvm-ir/arithmetic.js';
import { ByteMemory } from '../../src/llvm-ir/memory.js';
import { diceOf } from './dice.js';

/*
 * Tests which operations depend on addresses, with two memories that hold the same objects at
 * different addresses. An operation is independent if both give the same number, or numbers at the
 * same distance from the same object.
 */

const alignments = [16, 16, 64];
const sizes = [8, 40, 64];

/**
 * Returns a memory whose objects were allocated after `before` other bytes, and the addresses of
 * the objects.
 */
function layout(before: number) {
  const memory = new ByteMemory();
  memory.allocate('other', before);
  const objects = sizes.map((size, i) => memory.allocate(`o${i}`, size, alignments[i]));
  return { memory, objects };
}

/** A number, or an object with a distance and bits above the address. */
type Operand = bigint | { readonly object: number; readonly distance: bigint };

const binary = ['add', 'sub', 'and', 'or', 'xor', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'mul'];
const relations = ['eq', 'ne', 'ult', 'ule', 'ugt', 'uge', 'slt', 'sle', 'sgt', 'sge'];

/** Whether an operation has the same result for both choices of the objects' addresses. */
function isSame([one, other]: readonly [bigint, bigint], bases: readonly (readonly bigint[])[]) {
  const wrapped = (number: bigint): bigint => BigInt.asIntN(64, number);
  return (
    wrapped(one) === wrapped(other) ||
    bases[0]!.some((base, i) => wrapped(one - base) === wrapped(other - bases[1]![i]!))
  );
}

test('an operation that is said to be the same in all layouts is the same in two', () => {
  const dice = diceOf(1);
  const told = { dependent: 0, independent: 0, wrong: [] as string[] };
  for (let turn = 0; turn < 40_000; turn++) {
    const layouts = [layout(16 * (1 + dice.below(9))), layout(16 * (1 + dice.below(999)))];
    const bases = layouts.map(({ objects }) => objects.map(({ address }) => BigInt(address)));
    const above = (): bigint => BigInt(dice.pick([0, 0, 0, 1, 2, 6, 65534])) << 47n;
    const operand = (): Operand => {
      const object = dice.below(sizes.length);
      const distance = BigInt(dice.below(sizes[object]! + 1));
      const edge = dice.pick([0n, 1n, 3n, 4n, 7n, 8n, 15n, 16n, 46n, 47n, 48n, 63n, 64n]);
      const mask = (1n << BigInt(dice.pick([3, 4, 12, 46, 47, 48]))) - 1n;
      const number = dice.pick([edge, -edge, mask, ~mask, mask ^ edge, above(), above() | edge]);
      return dice.chance(55) ? { object, distance: distance + above() } : BigInt.asIntN(64, number);
    };
    const [left, right] = [operand(), operand()];
    const name = dice.chance(80) ? dice.pick(binary) : dice.pick(relations);
    if (name.endsWith('rem') && right === 0n) continue;
    if (/sh[lr]$/.test(name) && (typeof right !== 'bigint' || right < 0n || right > 63n)) continue;
    const numbersOf = (i: number): readonly [bigint, bigint] => {
      const of = (each: Operand): bigint =>
        BigInt.asIntN(
          64,
          typeof each === 'bigint' ? each : bases[i]![each.object]! + each.distance,
        );
      return [of(left), of(right)];
    };
    const resultIn = (i: number): bigint => {
      const [l, r] = numbersOf(i);
      if (relations.includes(name)) return compare(name, 64, l, r) ? 1n : 0n;
      return compute(name, 64, l, r);
    };
    const [l, r] = numbersOf(0);
    const isDependent = dependsOnPlaces(layouts[0]!.memory, name, l, r);
    told[isDependent ? 'dependent' : 'independent']++;
    if (!isDependent && !isSame([resultIn(0), resultIn(1)], bases))
      told.wrong.push(`${name} ${l.toString(16)} ${r.toString(16)}`);
  }
  expect(told.wrong).toEqual([]);
  expect(told.dependent).toBeGreaterThan(3000);
  expect(told.independent).toBeGreaterThan(3000);
});

test('bits above an address are put there and taken away', () => {
  const { memory, objects } = layout(16);
  const address = BigInt(objects[1]!.address);
  const counted = address | (5n << 48n);
  const depends = (name: string, number: bigint, of = counted): boolean =>
    dependsOnPlaces(memory, name, of, number);
  expect(depends('and', -16n, address)).toBe(false);
  expect(memory.restsOnUserSpace).toBe(false);
  expect(depends('or', 5n << 48n, address)).toBe(false);
  expect(memory.restsOnUserSpace).toBe(true);
  expect(depends('and', (1n << 48n) - 1n)).toBe(false);
  expect(depends('lshr', 48n)).toBe(false);
  expect(depends('add', 1n << 48n)).toBe(false);
  expect(depends('lshr', 46n)).toBe(true);
  expect(depends('and', (1n << 46n) - 1n)).toBe(true);
  expect(depends('urem', 7n)).toBe(true);
  expect(depends('sub', counted + (1n << 48n))).toBe(false);
});
