import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { guessFormat } from '../src/guess.js';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');

test('litmus tests, Trencher and C are told by how they begin', async () => {
  const names = (await readdir(new URL('corpus/litmus-x86/', root))).filter((name) =>
    name.endsWith('.litmus'),
  );
  expect(names.length).toBeGreaterThan(10);
  for (const name of names)
    expect(guessFormat(await read(`corpus/litmus-x86/${name}`)), name).toBe('litmus');
  expect(guessFormat(await read('tools/peterson.trencher'))).toBe('trencher');
  expect(guessFormat(await read('examples/c/peterson.c'))).toBe('c');
});

test('Memorax is told by its states that are forbidden, and by its processes', () => {
  expect(guessFormat('forbidden CS CS\ndata\n  x = 0 : [0:1]\nprocess\ntext\n')).toBe('memorax');
  expect(guessFormat('/* two */\nforbidden\n  CS CS\n')).toBe('memorax');
});

test('the native language is told by its program, and nothing of a text that is only begun', async () => {
  for (const folder of ['examples/', 'examples/textbook/', 'examples/events/'])
    for (const name of await readdir(new URL(folder, root)))
      if (name.endsWith('.fw')) expect(guessFormat(await read(folder + name)), name).toBe('native');
  for (const text of ['', 'prog', 'var x, y\nthread t { x = 1; }', 'thread t1 {', 'hello world'])
    expect(guessFormat(text), text).toBeUndefined();
});
