import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runGroup } from './run-group.js';

/** A compiler that was found, and how it is started. */
export interface Clang {
  readonly kind: 'native' | 'wasm';
  /** The whole number of its version, such as `16.0.6`. */
  readonly version: string;
  /** The program that is started. */
  readonly command: string;
  /** What it is given before all else. */
  readonly first: readonly string[];
}

/** Why there is none. */
export type NoClang =
  | {
      readonly kind: 'missing';
      /** Those that were found and are too old, such as `clang 14.0.6`. */
      readonly tooOld: readonly string[];
    }
  /** The one that was asked for is none, or too old, or was not done in time. */
  | { readonly kind: 'unusable'; readonly command: string; readonly why: string }
  | { readonly kind: 'stopped' };

export interface FindOptions {
  /** Runs where the user is, so that `--clang ./clang` means what it says. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The clang of the user's choice; no other is looked for then. */
  readonly wish?: string;
  /** The folders from which the optional package may be loaded. */
  readonly packagesOf: readonly string[];
  /** The script that runs the package in a process of its own. */
  readonly wasmRunner: string;
  /** Where to look for programs; for tests. */
  readonly searchPath?: string;
}

/** The oldest that knows the flags and writes opaque pointers. */
const oldest = 15;
const newest = 22;
const wasmPackage = '@yowasp/clang';

/** How long a compiler may think about its version, in milliseconds. */
const versionTime = 10_000;

const names = ['clang'];
for (let version = newest; version >= oldest; version--) names.push(`clang-${version}`);

/** The sentence for a user without a compiler. */
export function missingClangWords({ tooOld }: Extract<NoClang, { kind: 'missing' }>): string {
  const words = `C needs clang: install clang ${oldest} or later, or npm install ${wasmPackage}`;
  return tooOld.length === 0 ? words : `${words} (${tooOld.join(', ')} is too old)`;
}

type Asked =
  | { readonly kind: 'clang'; readonly version: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other'; readonly why: string };

/** What a program says of itself. */
async function askVersion(
  command: string,
  { folder, signal, searchPath }: FindOptions,
): Promise<Asked> {
  const end = await runGroup(command, ['--version'], {
    folder,
    signal: AbortSignal.any([signal, AbortSignal.timeout(versionTime)]),
    leavesNoMark: true,
    maxOutput: 100_000,
    ...(searchPath !== undefined && { environment: { PATH: searchPath } }),
  });
  switch (end.kind) {
    case 'missing':
      return { kind: 'missing' };
    case 'stopped':
      return { kind: 'other', why: 'it does not tell its version' };
    case 'exceeded':
      return { kind: 'other', why: 'it says too much when it is asked for its version' };
    case 'exited': {
      const version = /\bclang version (\d+(?:\.\d+)*)/.exec(end.stdout)?.[1];
      return version === undefined || end.code !== 0
        ? { kind: 'other', why: 'it does not say that it is clang' }
        : { kind: 'clang', version };
    }
  }
}

function isTooOld(version: string): boolean {
  return Number.parseInt(version, 10) < oldest;
}

async function findWished(wish: string, options: FindOptions): Promise<Clang | NoClang> {
  const asked = await askVersion(wish, options);
  if (options.signal.aborted) return { kind: 'stopped' };
  const unusable = (why: string): NoClang => ({ kind: 'unusable', command: wish, why });
  if (asked.kind === 'missing') return unusable('there is no such program');
  if (asked.kind === 'other') return unusable(asked.why);
  return isTooOld(asked.version)
    ? unusable(`clang ${asked.version} is too old: ${oldest} or later is needed`)
    : { kind: 'native', version: asked.version, command: wish, first: [] };
}

/** The entry of the optional package where it is installed, and its version. */
function findPackage(folders: readonly string[]): { url: string; version: string } | undefined {
  for (const folder of folders) {
    const require = createRequire(path.join(folder, 'x.js'));
    // Its `package.json` is not among its exports.
    for (const modules of require.resolve.paths(wasmPackage) ?? []) {
      const root = path.join(modules, wasmPackage);
      const entry = path.join(root, 'gen/bundle.js');
      if (!existsSync(entry)) continue;
      const { version } = require(path.join(root, 'package.json')) as { version: string };
      return { url: pathToFileURL(entry).href, version };
    }
  }
  return undefined;
}

/**
 * The clang to use: the one wished for; else the first on the PATH of `clang`, `clang-22`, ...,
 * `clang-15` that is new enough; else the package `@yowasp/clang`. Nothing is downloaded.
 */
export async function findClang(options: FindOptions): Promise<Clang | NoClang> {
  if (options.wish !== undefined) return findWished(options.wish, options);
  const tooOld: string[] = [];
  for (const command of names) {
    const asked = await askVersion(command, options);
    if (options.signal.aborted) return { kind: 'stopped' };
    if (asked.kind !== 'clang') continue;
    const { version } = asked;
    if (!isTooOld(version)) return { kind: 'native', version, command, first: [] };
    tooOld.push(`clang ${version}`);
  }
  const found = findPackage(options.packagesOf);
  if (!found) return { kind: 'missing', tooOld };
  // The baseline compiler of V8 alone: a compiler that runs once is not worth optimising.
  const first = ['--liftoff-only', options.wasmRunner, found.url];
  return { kind: 'wasm', version: found.version, command: process.execPath, first };
}
