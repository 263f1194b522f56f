import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { ByteMemory } from '../../src/llvm-ir/memory.js';

const kiB = 1024;

/** The free bytes before each object but the first. */
function gapsOf({ objects }: ByteMemory): number[] {
  return objects.slice(1).map(({ address }, i) => {
    const before = objects[i]!;
    return address - before.address - before.size;
  });
}

describe('blocks of zeros', () => {
  it('hold 0 where nothing was stored, even if they are large', () => {
    const memory = new ByteMemory();
    const size = 40 * kiB * kiB;
    const { address } = memory.allocateBlock('zeros', size, 4096, true);
    memory.store(address + 8, 4, 7n);
    expect(memory.load(address + 8, 4)).toBe(7n);
    expect(memory.load(address + size - 8, 8)).toBe(0n);
    expect(memory.bytes(address + 7, 3)).toEqual([0, 7, 0]);
    expect(() => memory.load(address + size - 4, 8)).toThrow('outside of all objects');
  });

  it('hold no value where one without a value was copied', () => {
    const memory = new ByteMemory();
    const { address } = memory.allocateBlock('zeros', 16, 16, true);
    const other = memory.allocateBlock('other', 8, 16);
    memory.copy(address, other.address, 4);
    expect(memory.loadIfAny(address, 4)).toBeUndefined();
    expect(memory.loadIfAny(address + 4, 4)).toBe(0n);
    memory.store(address, 4, 5n);
    expect(memory.load(address, 8)).toBe(5n);
    expect(memory.loadIfAny(other.address, 4)).toBeUndefined();
  });
});

describe('bytes and parts of addresses', () => {
  it.each([false, true])(
    'are those of arrays, after random fills, stores, copies and frees; zeros: %s',
    (isZero) => {
      const memory = new ByteMemory();
      const size = 1200;
      const { address } = memory.allocateBlock('block', size, 16, isZero);
      const bytes = Array.from(
        { length: size },
        () => (isZero ? 0 : undefined) as number | undefined,
      );
      const parts = Array.from({ length: size }, () => undefined as number | undefined);
      const random = new SeededRandom(31);
      const number = BigInt(address + 5);
      const set = (at: number, values: readonly (number | undefined)[], of: typeof parts = []) => {
        for (const [i, value] of values.entries()) {
          bytes[at + i] = value;
          parts[at + i] = of[i];
        }
      };
      let seen = 0;
      for (let step = 0; step < 2000; step++) {
        const length = 1 + random.below(random.below(2) === 0 ? 8 : 600);
        const at = random.below(size - length);
        const from = random.below(size - length);
        switch (random.below(8)) {
          case 0: {
            const byte = random.below(256);
            memory.fill(address + at, length, byte);
            set(
              at,
              Array.from({ length }, () => byte),
            );
            break;
          }
          case 1:
            memory.copy(address + at, address + from, length);
            set(at, bytes.slice(from, from + length), parts.slice(from, from + length));
            break;
          case 2:
            if (random.below(40) > 0) break;
            memory.forget(address);
            set(
              0,
              Array.from({ length: size }, () => undefined),
            );
            break;
          default:
            if (at + 8 > size) break;
            memory.store(address + at, 8, number);
            set(
              at,
              Array.from({ length: 8 }, (_, i) => Number((number >> BigInt(8 * i)) & 255n)),
              [0, 1, 2, 3, 4, 5, 6, 7],
            );
        }
        expect(memory.bytes(address, size).join()).toBe(bytes.join());
        expect(
          memory
            .partsAt(address, size)
            .map((part) => part?.index)
            .join(),
        ).toBe(parts.join());
        seen = Math.max(seen, parts.filter((part) => part !== undefined).length);
      }
      expect(seen).toBeGreaterThan(50);
    },
  );
});

describe('the addresses of objects', () => {
  it('lie at least the size of the largest structure apart', () => {
    const memory = new ByteMemory(20 * kiB);
    for (let i = 0; i < 100; i++) memory.allocate(`o${i}`, 8);
    expect(Math.min(...gapsOf(memory))).toBeGreaterThanOrEqual(20 * kiB);
  });

  it('leave room for 3500 objects beside a large structure', () => {
    const memory = new ByteMemory(512 * kiB);
    for (let i = 0; i < 3500; i++) memory.allocate(`o${i}`, 8);
    expect(gapsOf(memory)[0]).toBeGreaterThan(60 * kiB);
    expect(Math.min(...gapsOf(memory))).toBeGreaterThanOrEqual(4 * kiB);
  });

  it('are multiples of the alignments of blocks, with marks before the blocks', () => {
    const memory = new ByteMemory(100 * kiB);
    for (const alignment of [8, 16, 64, 256, 4096]) {
      memory.allocate('between', 24);
      const { address } = memory.allocateBlock('block', 100, alignment);
      expect(address % Math.max(16, alignment)).toBe(0);
    }
    expect(memory.objects.filter(({ isOfMarks }) => isOfMarks)).toHaveLength(5);
  });
});
