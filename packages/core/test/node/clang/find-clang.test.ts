import { describe, expect, test } from 'vitest';
import { findClang, missingClangWords } from '../../../src/node/find-clang.js';
import { fakeClang, freshFolder, wasmRunner } from './clangs.js';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const says = (version: string) => `echo "Debian clang version ${version} (1~)"`;

function find(searchPath: string, more: object = {}) {
  const signal = new AbortController().signal;
  const base = { folder: '/', signal, tool: searchPath, wasmRunner };
  return findClang({ ...base, searchPath: `${searchPath}:/bin:/usr/bin/nothing`, ...more });
}

describe('clang', () => {
  test('that is on the PATH is found', async () => {
    const folder = freshFolder();
    fakeClang(folder, 'clang', says('15.0.1'));
    expect(await find(folder, { searchPath: folder })).toMatchObject({
      kind: 'native',
      version: '15.0.1',
      command: path.join(folder, 'clang'),
    });
  });

  test('with the highest number is taken where the plain one is too old', async () => {
    const folder = freshFolder();
    fakeClang(folder, 'clang', says('14.0.6'));
    fakeClang(folder, 'clang-16', says('16.0.6'));
    fakeClang(folder, 'clang-18', says('18.1.0'));
    expect(await find(folder, { searchPath: folder })).toMatchObject({
      command: path.join(folder, 'clang-18'),
    });
  });

  test('that is too old is named when there is no other', async () => {
    const folder = freshFolder();
    fakeClang(folder, 'clang', says('14.0.6'));
    const found = await find(folder, { searchPath: folder });
    expect(found).toEqual({ kind: 'missing', tooOld: ['clang 14.0.6'] });
    expect(missingClangWords({ kind: 'missing', tooOld: ['clang 14.0.6'] })).toBe(
      'C needs clang: install clang 15 or later, or npm install @yowasp/clang beside fencewright (clang 14.0.6 is too old)',
    );
  });

  test('that is missing is missing, and the words name both ways', async () => {
    const folder = freshFolder();
    const found = await find(folder, { searchPath: folder });
    expect(found).toEqual({ kind: 'missing', tooOld: [] });
    expect(missingClangWords({ kind: 'missing', tooOld: [] })).toBe(
      'C needs clang: install clang 15 or later, or npm install @yowasp/clang beside fencewright',
    );
  });

  test('in WebAssembly comes last, from the package', async () => {
    const folder = freshFolder();
    const root = path.join(folder, 'node_modules/@yowasp/clang');
    mkdirSync(path.join(root, 'gen'), { recursive: true });
    writeFileSync(path.join(root, 'gen/bundle.js'), '');
    writeFileSync(path.join(root, 'package.json'), '{"version": "21.1.4-3"}');
    expect(await find(folder, { searchPath: folder })).toMatchObject({
      kind: 'wasm',
      version: '21.1.4-3',
    });
    fakeClang(folder, 'clang-17', says('17.0.0'));
    expect(await find(folder, { searchPath: folder })).toMatchObject({ kind: 'native' });
  });

  test('in WebAssembly is not taken from where the user is, unless it is named', async () => {
    const folder = freshFolder();
    const root = path.join(folder, 'node_modules/@yowasp/clang');
    mkdirSync(path.join(root, 'gen'), { recursive: true });
    writeFileSync(path.join(root, 'gen/bundle.js'), '');
    const here = { folder, searchPath: folder, tool: freshFolder() };
    expect(await find(folder, here)).toEqual({ kind: 'missing', tooOld: [] });
    const wish = 'node_modules/@yowasp/clang';
    expect(await find(folder, { ...here, wish })).toMatchObject({ kind: 'wasm' });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'in WebAssembly belongs to who owns the tool (skipped unless run by root)',
    async () => {
      const folder = freshFolder();
      const tool = path.join(folder, 'tool');
      const root = path.join(folder, 'node_modules/@yowasp/clang');
      mkdirSync(path.join(root, 'gen'), { recursive: true });
      mkdirSync(tool);
      writeFileSync(path.join(root, 'gen/bundle.js'), '');
      chownSync(root, 65534, 65534);
      expect(await find(folder, { searchPath: folder, tool })).toEqual({
        kind: 'missing',
        tooOld: [],
      });
    },
  );

  test('in a folder of the PATH that depends on where the user is, is not run', async () => {
    const folder = freshFolder();
    fakeClang(folder, 'clang', says('18.0.0'));
    const parent = path.dirname(folder);
    for (const searchPath of ['', '.', ':', path.basename(folder)])
      for (const from of [folder, parent])
        expect(await find('/nowhere', { folder: from, searchPath, tool: '/nowhere' })).toEqual({
          kind: 'missing',
          tooOld: [],
        });
  });

  test('of the user is taken whatever its name, and nothing else', async () => {
    const folder = freshFolder();
    fakeClang(folder, 'clang', says('16.0.6'));
    const wish = fakeClang(folder, "-my 'clang'", says('17.0.6'));
    expect(await find(folder, { wish })).toMatchObject({ version: '17.0.6', command: wish });
    const old = fakeClang(folder, 'old', says('14.0.6'));
    expect(await find(folder, { wish: old })).toMatchObject({
      kind: 'unusable',
      why: 'clang 14.0.6 is too old: 15 or later is needed',
    });
    expect(await find(folder, { wish: path.join(folder, 'none') })).toMatchObject({
      kind: 'unusable',
      why: 'there is no such program',
    });
  });

  test.each([
    ['is gcc', 'echo "gcc (Debian 12.2.0) 12.2.0"', 'it does not say that it is clang'],
    ['fails', 'echo "clang version 16.0.6"; exit 3', 'it does not say that it is clang'],
    ['talks for ever', 'while :; do echo clang; done', 'it says too much'],
  ])('of the user that %s is refused', async (_, body, why) => {
    const wish = fakeClang(freshFolder(), 'cc', body);
    const found = await find('/nowhere', { wish });
    expect(found.kind === 'unusable' && found.why).toContain(why);
  });

  test('that hangs when it is asked for its version ends with the wish to stop', async () => {
    const wish = fakeClang(freshFolder(), 'cc', 'exec sleep 1000');
    const found = await find('/nowhere', { wish, signal: AbortSignal.timeout(200) });
    expect(found).toEqual({ kind: 'stopped' });
  });
});
