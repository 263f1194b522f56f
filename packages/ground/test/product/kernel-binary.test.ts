import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { kernelBinary } from '../../src/product/kernel-binary.js';
import { decodeBase64, webAssembly } from '../../src/product/web-assembly.js';
import { buildKernel, kernelModule } from '../../../../tools/build-kernel.mjs';

test('the compiled kernel belongs to its source', async () => {
  expect(await readFile(kernelModule, 'utf8')).toBe(await buildKernel());
});

test('the compiled kernel is small and its base64 is read right', () => {
  const binary = decodeBase64(kernelBinary);
  expect(Buffer.from(binary).toString('base64')).toBe(kernelBinary);
  expect(binary.length).toBeLessThan(4096);
  const { Module } = webAssembly()!;
  expect(() => new Module(binary)).not.toThrow();
});
