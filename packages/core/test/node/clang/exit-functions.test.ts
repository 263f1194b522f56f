import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/api/check.js';
import { reachOutcomes } from '../../../src/api/reach-outcomes.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { type FiniteModel, finiteProgram } from '@fencewright/model/program/model.js';
import { compileC } from '../../../src/node/compile-c.js';
import { allClangs, freshFolder, shipped } from './clangs.js';

/*
 * Exit functions that are registered while threads run. Each program is also compiled and run: the
 * machine says which claims hold.
 */

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const hasCxx = existsSync('/usr/include/c++/12');

/**
 * Returns whether the assertions hold according to the tool, and whether they hold in one run of
 * the program on the machine.
 */
async function doHold(file: string, text: string): Promise<readonly [string, boolean, boolean]> {
  const folder = freshFolder();
  const source = path.join(folder, file);
  writeFileSync(source, text);
  const compiled = await compileC(clang!, [{ file, headers: 'machine' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 2000));
  const options = { main: file, areOfMachine: true, headers: ['/usr/'] };
  const { model, diagnostics } = parseLlvmIr(compiled.modules, options);
  const program = model && finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join());
  const { verdict } = await check(program);
  const { result } = await reachOutcomes(model as FiniteModel, {});
  const binary = path.join(folder, 'a.out');
  const linking = [source, '-o', binary, '-pthread', ...(file.endsWith('.c') ? [] : ['-lstdc++'])];
  const { status } = spawnSync(clang!.command, linking);
  if (status !== 0) throw new Error('the program does not compile');
  const run = spawnSync(binary);
  return [verdict.kind, result.tso.failedAssertions.length === 0, run.status === 0];
}

const inC = (body: string): string => `
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int order;
static void one(void) { order = order * 10 + 1; }
static void two(void) { order = order * 10 + 2; }
${body}
int main(void) {
  atexit(first);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  atexit(two);
}`;

const inThread = (claim: string): string =>
  inC(`
static void first(void) { assert(${claim}); }
static void *run(void *a) { return atexit(one) ? (void *)abort : 0; }`);

const atExit = (claim: string): string =>
  inC(`
static void again(void) { order = order * 10 + 3; atexit(one); }
static void first(void) { assert(${claim}); }
static void *run(void *a) { atexit(again); return 0; }`);

const behindOthers = (claim: string): string =>
  inC(`
static void last(void) { assert(${claim}); }
static void first(void) { atexit(last); order = order * 10 + 4; }
static void *run(void *a) { atexit(one); return 0; }`);

const statics = (claim: string): string => `
#include <cassert>
#include <thread>
int order;
struct S { int n; ~S() { order = order * 10 + n; } };
struct Last { ~Last() { assert(${claim}); } } global;
S &one() { static S s{1}; return s; }
S &two() { static S s{2}; return s; }
int main() {
  std::thread t([] { one().n = 3; });
  t.join();
  std::thread u([] { two(); one(); });
  u.join();
}`;

describe.skipIf(!clang)('exit functions that are registered while threads run', () => {
  test.each([
    ['run last first, before those registered earlier', inThread, 'order == 21', 'order == 12'],
    ['may register others, which run next', atExit, 'order == 231', 'order == 213'],
    ['may be registered by earlier ones', behindOthers, 'order == 214', 'order == 21'],
  ])('%s', async (_, program, right, wrong) => {
    expect(await doHold('main.c', program(right))).toEqual(['robust', true, true]);
    expect(await doHold('main.c', program(wrong))).toEqual(['robust', false, false]);
  });

  test.skipIf(!hasCxx)('destroy static variables of functions', async () => {
    expect(await doHold('main.cpp', statics('order == 23'))).toEqual(['robust', true, true]);
    expect(await doHold('main.cpp', statics('order == 32'))).toEqual(['robust', false, false]);
  });
});
