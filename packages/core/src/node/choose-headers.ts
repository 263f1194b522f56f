import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { argumentGroups, valuedArgument } from './cc-arguments.js';
import { configurationArguments, type HeaderChoice, isCxx } from './clang-arguments.js';
import { type CUnit, environmentOfClang } from './compile-c.js';
import type { Clang } from './find-clang.js';
import { limitedCommand } from './limited-command.js';
import { runGroup } from './run-group.js';
import { textOf } from './text-of.js';

/** The headers that a program is compiled with. */
export interface ChosenHeaders {
  readonly headers: HeaderChoice;
  /** The versions of the machine's libraries, such as `glibc 2.36`; none for shipped headers. */
  readonly versions: readonly string[];
  /**
   * Present if the program was refused with the machine's headers, and the shipped headers are used
   * instead.
   */
  readonly areInstead?: true;
}

interface Where {
  /** Clang's working folder, to which file names are relative. */
  readonly folder: string;
  /** The folder that is shipped with this package; its folder `include` has the headers. */
  readonly shipped: string;
  readonly signal: AbortSignal;
}

const own: ChosenHeaders = { headers: 'own', versions: [] };

/**
 * The maximum time in milliseconds in which a compiler has to report the versions of its headers.
 */
const probeTime = 10_000;

/**
 * A source file for clang. Its preprocessed text has the versions of the libraries whose headers
 * clang finds. Its compilation fails if a header is missing.
 */
const probe = `#include <features.h>
#include <pthread.h>
#ifdef __cplusplus
#include <bits/c++config.h>
#endif
fencewright glibc __GLIBC__ __GLIBC_MINOR__
#ifdef __cplusplus
fencewright libstdc++ _GLIBCXX_RELEASE
#endif
`;

/** The versions that each compiler reported, by language; `undefined` where headers are missing. */
const told = new WeakMap<Clang, Map<string, readonly string[] | undefined>>();

async function askVersions(
  clang: Clang,
  language: 'c' | 'c++',
  { folder, signal }: Where,
): Promise<readonly string[] | undefined> {
  const args = [
    ...[...clang.first, ...configurationArguments(clang.version)],
    ...['-target', 'x86_64-linux-gnu', '-E', '-P', '-x', language, '-'],
  ];
  const limited = limitedCommand(
    { command: clang.command, args },
    { cpu: probeTime / 1000 },
    folder,
  );
  const end = await runGroup(limited.command, limited.args, {
    folder,
    input: probe,
    environment: environmentOfClang(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeTime)]),
    leavesNoMark: true,
    maxOutput: 8_000_000,
  });
  if (end.kind !== 'exited' || end.code !== 0) return undefined;
  const lines = end.stdout.matchAll(/^fencewright (\S+) ([\d ]+)$/gm);
  const versions = [...lines].map(([, name, parts]) => `${name} ${parts!.split(' ').join('.')}`);
  return versions.length === (language === 'c' ? 1 : 2) ? versions : undefined;
}

/**
 * Returns the versions of the libraries whose headers a native clang finds on this machine, such as
 * `glibc 2.36`; `undefined` where headers are missing, or are not those of glibc and libstdc++.
 */
async function versionsOfMachine(
  clang: Clang,
  language: 'c' | 'c++',
  where: Where,
): Promise<readonly string[] | undefined> {
  const known = told.get(clang) ?? new Map<string, readonly string[] | undefined>();
  told.set(clang, known);
  if (!known.has(language)) {
    const versions = await askVersions(clang, language, where);
    if (!where.signal.aborted) known.set(language, versions);
    return versions;
  }
  return known.get(language);
}

/**
 * Whether a program is written for the headers of the Linux kernel's sources, judged by the names
 * of the included files. Other headers of the same names may be installed on the machine.
 */
function isOfKernel(units: readonly CUnit[], { folder, shipped }: Where): boolean {
  const include = path.join(shipped, 'include');
  const inFolder = (name: string) =>
    readdirSync(path.join(include, name)).map((n) => `${name}/${n}`);
  const ofKernel = new Set(['lkmm.h', ...inFolder('linux'), ...inFolder('asm')]);
  // The numbers of a system call, which user programs include as well.
  ofKernel.delete('linux/futex.h');
  const seen = new Set<string>();
  const visit = (file: string, text: string, folders: readonly string[]): boolean => {
    const included = text.matchAll(/^[^\S\n]*#[^\S\n]*include[^\S\n]*["<]([^">\n]+)[">]/gm);
    return [...included].some(([, name]) => {
      const found = [path.dirname(file), ...folders]
        .map((each) => path.resolve(folder, each, name!))
        .find((each) => existsSync(each));
      if (found === undefined) return ofKernel.has(name!);
      if (seen.has(found)) return false;
      seen.add(found);
      return visit(found, textOf(found) ?? '', folders);
    });
  };
  return units.some(({ file, text, include: folders = [], ccArgs = [] }) => {
    const named = argumentGroups(ccArgs).flatMap((group) => {
      const option = valuedArgument(group);
      return option?.name === '-I' ? [option.value] : [];
    });
    return visit(file, text ?? textOf(path.resolve(folder, file)) ?? '', [...folders, ...named]);
  });
}

/**
 * Returns the headers that a program is compiled with: the requested ones; else the machine's, if
 * clang is native and finds the headers of glibc, and of libstdc++ for C++, and the program is not
 * written for the kernel's headers; else the shipped ones.
 */
export async function chooseHeaders(
  clang: Clang,
  units: readonly CUnit[],
  wish: HeaderChoice | undefined,
  where: Where,
): Promise<ChosenHeaders> {
  if (wish === 'own') return own;
  if (clang.kind === 'wasm') return wish === undefined ? own : { headers: wish, versions: [] };
  const isBare = units.some(({ ccArgs }) => ccArgs?.includes('-nostdinc') === true);
  if (wish === undefined && (isBare || isOfKernel(units, where))) return own;
  const language = units.some(({ file }) => isCxx(file)) ? 'c++' : 'c';
  const versions = await versionsOfMachine(clang, language, where);
  if (versions) return { headers: 'machine', versions };
  return wish === undefined ? own : { headers: wish, versions: [] };
}
