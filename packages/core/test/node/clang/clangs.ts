import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type Clang, findClang } from '../../../src/node/find-clang.js';

const languages = fileURLToPath(new URL('../../../../languages/', import.meta.url));

/** The folder of the files that the package ships for C. */
export const shipped = path.join(languages, 'c');
export const wasmRunner = path.join(shipped, 'run-wasm-clang.mjs');

/** Creates a temporary folder, and returns its path. */
export function freshFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'fencewright-test-c-'));
}

/** Returns the path of a new temporary folder, which is removed after the tests of the file. */
export function folderOfTests(): string {
  const folder = freshFolder();
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Writes a program that stands for clang; returns its path. */
export function fakeClang(folder: string, name: string, body: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Returns a fake clang: it reports a version, and runs `body` when asked to compile. */
export function fakeCompiler(folder: string, body: string): Clang {
  const command = fakeClang(folder, 'clang', body);
  return { kind: 'native', version: '16.0.6', command, first: [] };
}

/** Returns every available clang: those on the PATH, by version, and the npm package. */
export async function allClangs(): Promise<readonly Clang[]> {
  const signal = new AbortController().signal;
  const options = { folder: '/', signal, wasmRunner, tool: languages };
  const names = ['clang', ...[15, 16, 17, 18, 19, 20, 21, 22].map((n) => `clang-${n}`)];
  const there = names.filter((name) => spawnSync(name, ['--version']).error === undefined);
  const native = await Promise.all(there.map((wish) => findClang({ ...options, wish })));
  const wasm = await findClang({ ...options, searchPath: '/nowhere' });
  return [...native, wasm].flatMap((each) =>
    each.kind === 'native' || each.kind === 'wasm' ? [each] : [],
  );
}

/**
 * Returns an installed clang, if there is one; and the end of a test's title, which otherwise says
 * why the test is skipped.
 */
export async function nativeClang(): Promise<{
  readonly clang: Clang | undefined;
  readonly why: string;
}> {
  const clang = (await allClangs()).find(({ kind }) => kind === 'native');
  return { clang, why: clang ? '' : ' (skipped: there is no clang of version 15 or later)' };
}
