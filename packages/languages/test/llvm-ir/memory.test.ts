import { describe, expect, it } from 'vitest';
import { ByteMemory } from '../../src/llvm-ir/memory.js';

const kiB = 1024;

/** The free bytes before each object but the first. */
function gapsOf({ objects }: ByteMemory): number[] {
  return objects.slice(1).map(({ address }, i) => {
    const before = objects[i]!;
    return address - before.address - before.size;
  });
}

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
