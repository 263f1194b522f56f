import { expect, test } from 'vitest';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chooseHeaders } from '../../../src/node/choose-headers.js';
import type { CUnit } from '../../../src/node/compile-c.js';
import type { Clang } from '../../../src/node/find-clang.js';
import { allClangs, fakeClang, freshFolder, shipped } from './clangs.js';

const signal = new AbortController().signal;

/** Returns a fake clang that runs as on a machine with or without headers. */
function clangOn(machine: 'with headers' | 'without'): Clang {
  const body =
    machine === 'with headers'
      ? `case "$*" in *c++*) echo 'fencewright libstdc++ 13';; esac; echo 'fencewright glibc 2 39'`
      : `echo "'features.h' file not found" >&2; exit 1`;
  const command = fakeClang(freshFolder(), 'clang', body);
  return { kind: 'native', version: '16.0.6', command, first: [] };
}

async function chosenFor(
  clang: Clang,
  unit: Partial<CUnit> = {},
  folder = freshFolder(),
  wish?: 'own' | 'machine',
) {
  const units = [{ file: 'a.c', text: '', ...unit }];
  return chooseHeaders(clang, units, wish, { folder, shipped, signal });
}

const own = { headers: 'own', versions: [] };

test('the headers of the machine are taken where there are any, with their versions', async () => {
  const clang = clangOn('with headers');
  expect(await chosenFor(clang)).toEqual({ headers: 'machine', versions: ['glibc 2.39'] });
  const { headers, versions } = await chosenFor(clang, { file: 'a.cpp' });
  expect(headers).toBe('machine');
  expect(new Set(versions)).toEqual(new Set(['glibc 2.39', 'libstdc++ 13']));
});

test('without headers, and with clang in WebAssembly, the shipped ones are taken', async () => {
  expect(await chosenFor(clangOn('without'))).toEqual(own);
  expect(await chosenFor({ ...clangOn('with headers'), kind: 'wasm' })).toEqual(own);
  expect(await chosenFor(clangOn('with headers'), { ccArgs: ['-nostdinc'] })).toEqual(own);
});

test('the wish of the user is obeyed', async () => {
  const unit = { text: '#include <linux/atomic.h>\n' };
  expect(await chosenFor(clangOn('with headers'), {}, undefined, 'own')).toEqual(own);
  const { headers } = await chosenFor(clangOn('with headers'), unit, undefined, 'machine');
  expect(headers).toBe('machine');
  const none = await chosenFor(clangOn('without'), {}, undefined, 'machine');
  expect(none).toEqual({ headers: 'machine', versions: [] });
});

test.each([
  ['#include <linux/atomic.h>', true],
  ['# include "asm/barrier.h"', true],
  ['#include <lkmm.h>', true],
  ['#include <linux/futex.h>', false],
  ['#include <linux/io_uring.h>', false],
  ['#include <pthread.h>', false],
])('%s: whether the program is written for the kernel: %s', async (text, isOfKernel) => {
  const { headers } = await chosenFor(clangOn('with headers'), { text: `${text}\n` });
  expect(headers).toBe(isOfKernel ? 'own' : 'machine');
});

test.each([
  ['beside it', {}, '.'],
  ['in a folder that is named', { include: ['folder'] }, 'folder'],
  ['in a folder that an argument names', { ccArgs: ['-I', 'folder'] }, 'folder'],
])('headers of the program are looked at: %s', async (_, settings, place) => {
  const folder = freshFolder();
  const inside = place === '.' ? folder : freshFolder();
  writeFileSync(path.join(inside, 'mine.h'), '#include "mine.h"\n#include <linux/list.h>\n');
  const asked = JSON.stringify(settings).replace('folder', inside);
  const unit = { ...(JSON.parse(asked) as Partial<CUnit>), text: '#include "mine.h"\n' };
  expect(await chosenFor(clangOn('with headers'), unit, folder)).toEqual(own);
});

const native = (await allClangs()).find(({ kind }) => kind === 'native');

test.skipIf(!native || !existsSync('/usr/include/features.h'))(
  'a real clang tells the versions of the headers of this machine',
  async () => {
    const { headers, versions } = await chosenFor(native!);
    expect(headers).toBe('machine');
    expect(versions.join()).toMatch(/^glibc 2\.\d+$/);
  },
);
