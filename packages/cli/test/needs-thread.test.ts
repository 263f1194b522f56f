import { expect, test } from 'vitest';
import { defaultMegabytes, mebibyte } from '../src/options/values.js';
import { needsThread } from '../src/needs-thread.js';
import { folderWith } from './fencewright.js';

const limits = { maxMemory: defaultMegabytes * mebibyte };

test('a small program has no thread unless a limit has to hold', async () => {
  const file = `${await folderWith({ 'a.fw': 'program A\n' })}/a.fw`;
  expect(needsThread([file], { limits })).toBe(false);
  expect(needsThread([file], { limits: { ...limits, timeout: 1000 } })).toBe(true);
  expect(needsThread([file], { limits: { maxMemory: mebibyte } })).toBe(true);
});

test('a program in C has one: its main is run when it is read, and nothing else hears Ctrl-C', async () => {
  const folder = await folderWith({ 'a.c': 'int main(void) {}\n', 'a.txt': 'int main(void) {}\n' });
  const [file, other] = [`${folder}/a.c`, `${folder}/a.txt`];
  expect(needsThread([file], { limits })).toBe(true);
  expect(needsThread([file], { limits, from: 'native' })).toBe(false);
  expect(needsThread([other], { limits })).toBe(false);
  expect(needsThread([other], { limits, from: 'c' })).toBe(true);
  expect(needsThread([other], { limits, formats: { '.txt': 'c' } })).toBe(true);
});
