import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram } from './find-program.js';
import { limitedCommand } from './limited-command.js';
import { runGroup } from './run-group.js';

/** A compiler, with the command for starting the compiler. */
export interface Clang {
  readonly kind: 'native' | 'wasm';
  /** Clang's complete version number, such as `16.0.6`. */
  readonly version: string;
  /** The program by which clang is started. */
  readonly command: string;
  /**
   * The first arguments of the command that starts clang; they come before clang's own arguments.
   */
  readonly first: readonly string[];
}

/** The reason for not finding clang. */
export type NoClang =
  | {
      readonly kind: 'missing';
      /** The compilers that were found and are too old, such as `clang 14.0.6`. */
      readonly tooOld: readonly string[];
    }
  /** The compiler that the user asked for is not clang, or too old, or did not answer in time. */
  | { readonly kind: 'unusable'; readonly command: string; readonly why: string }
  | { readonly kind: 'stopped' };

interface FindOptions {
  /**
   * The user's working folder, to which names of compilers are relative: `--clang ./clang` works.
   */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The clang for which the user asked; if present, no other is tried. */
  readonly wish?: string;
  /**
   * The folder of the tool, where the search for the optional package starts: nothing in the user's
   * working folder is run.
   */
  readonly tool: string;
  /** The script that runs clang's package in a separate process. */
  readonly wasmRunner: string;
  /** The search path on which compilers are looked for; only for tests. */
  readonly searchPath?: string;
}

/** The oldest version of clang that supports the flags and writes opaque pointers. */
const oldest = 15;
/** The newest version of clang whose name with a number, such as `clang-22`, is looked for. */
const newest = 22;
const wasmPackage = '@yowasp/clang';

/** The maximum time in milliseconds in which a compiler has to report its version. */
const versionTime = 10_000;

const names = ['clang'];
for (let version = newest; version >= oldest; version--) names.push(`clang-${version}`);

/** Returns the message for a user without a usable clang. */
export function missingClangWords({ tooOld }: Extract<NoClang, { kind: 'missing' }>): string {
  const words = `C needs clang: install clang ${oldest} or later, or npm install ${wasmPackage} beside fencewright`;
  return tooOld.length === 0 ? words : `${words} (${tooOld.join(', ')} is too old)`;
}

type ClangProbe =
  | { readonly kind: 'clang'; readonly program: string; readonly version: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other'; readonly why: string };

/** Asks a program for its version; returns the reason if the program is not a usable clang. */
async function askVersion(
  command: string,
  { folder, signal, searchPath }: FindOptions,
): Promise<ClangProbe> {
  const program = findProgram(command, folder, searchPath);
  if (program === undefined) return { kind: 'missing' };
  const plain = { command: program, args: ['--version'] };
  const limited = limitedCommand(plain, { cpu: versionTime / 1000 }, folder);
  const end = await runGroup(limited.command, limited.args, {
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
        : { kind: 'clang', program, version };
    }
  }
}

function isTooOld(version: string): boolean {
  return Number.parseInt(version, 10) < oldest;
}

async function findWished(wish: string, options: FindOptions): Promise<Clang | NoClang> {
  const named = packageIn(path.resolve(options.folder, wish), options.wasmRunner);
  if (named) return named;
  const asked = await askVersion(wish, options);
  if (options.signal.aborted) return { kind: 'stopped' };
  const unusable = (why: string): NoClang => ({ kind: 'unusable', command: wish, why });
  if (asked.kind === 'missing') return unusable('there is no such program');
  if (asked.kind === 'other') return unusable(asked.why);
  return isTooOld(asked.version)
    ? unusable(`clang ${asked.version} is too old: ${oldest} or later is needed`)
    : { kind: 'native', version: asked.version, command: asked.program, first: [] };
}

/**
 * Returns the clang in WebAssembly of the package whose own folder is `root`; `undefined` if `root`
 * is not the folder of such a package.
 */
function packageIn(root: string, wasmRunner: string): Clang | undefined {
  const entry = path.join(root, 'gen/bundle.js');
  if (!existsSync(entry)) return undefined;
  let version = 'in WebAssembly';
  try {
    const text = readFileSync(path.join(root, 'package.json'), 'utf8');
    const said = (JSON.parse(text) as { readonly version?: unknown }).version;
    if (typeof said === 'string' && /^\d[\w.+-]*$/.test(said)) version = said;
  } catch {
    // The package states no version.
  }
  // Clang runs once, so optimising its code or validating all functions would not pay. The flags
  // select V8's baseline compiler, and validation of only the functions that run.
  const flags = ['--liftoff-only', '--wasm-lazy-validation'];
  const first = [...flags, wasmRunner, pathToFileURL(entry).href];
  return { kind: 'wasm', version, command: process.execPath, first };
}

/** Returns the user id of a folder's owner; `undefined` if there is no folder. */
const ownerOf = (folder: string): number | undefined =>
  statSync(folder, { throwIfNoEntry: false })?.uid;

/**
 * Returns the clang of the optional package, in the folders searched by Node.js for dependencies of
 * the tool; `undefined` if not found. The package must belong to the owner of the tool: Node.js
 * also searches parent folders, which may belong to anybody.
 */
function findPackage({ tool, wasmRunner }: FindOptions): Clang | undefined {
  const owner = ownerOf(tool);
  for (let folder = path.resolve(tool); ; folder = path.dirname(folder)) {
    const root = path.join(folder, 'node_modules', wasmPackage);
    const isOurs = owner !== undefined && ownerOf(root) === owner;
    const found = isOurs ? packageIn(root, wasmRunner) : undefined;
    if (found || folder === path.dirname(folder)) return found;
  }
}

/**
 * Finds the clang to use: the requested one; else the first sufficiently new one on the PATH among
 * `clang`, `clang-22`, ..., `clang-15`; else the package `@yowasp/clang` beside the tool. The user
 * may also name a folder with the package. Nothing is downloaded.
 */
export async function findClang(options: FindOptions): Promise<Clang | NoClang> {
  if (options.wish !== undefined) return findWished(options.wish, options);
  const tooOld: string[] = [];
  for (const command of names) {
    const asked = await askVersion(command, options);
    if (options.signal.aborted) return { kind: 'stopped' };
    if (asked.kind !== 'clang') continue;
    const { program, version } = asked;
    if (!isTooOld(version)) return { kind: 'native', version, command: program, first: [] };
    tooOld.push(`clang ${version}`);
  }
  return findPackage(options) ?? { kind: 'missing', tooOld };
}
