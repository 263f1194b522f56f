import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/api/check.js';
import { reachOutcomes } from '../../../src/api/reach-outcomes.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { type FiniteModel, finiteProgram } from '@fencewright/model/program/model.js';
import { compileC } from '../../../src/node/compile-c.js';
import { allClangs, freshFolder, shipped } from './clangs.js';

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const hasCxx = existsSync('/usr/include/c++/12');

/**
 * Returns the verdict on the program whose `main` has this body, and whether its assertion can
 * fail.
 */
async function saidOf(body: string): Promise<readonly [string, boolean | undefined]> {
  const folder = freshFolder();
  const headers = ['atomic', 'cassert', 'future', 'thread'].map((name) => `#include <${name}>\n`);
  const shared = 'std::atomic<int> x, y;\nint data;\n';
  const text = `${headers.join('')}${shared}int main() {\n${body}\n}\n`;
  writeFileSync(path.join(folder, 'main.cpp'), text);
  const unit = { file: 'main.cpp', headers: 'machine', ccArgs: ['-std=c++20'] } as const;
  const compiled = await compileC(clang!, [unit], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 2000));
  const options = { main: 'main.cpp', areOfMachine: true, headers: ['/usr/'] };
  const { model, diagnostics } = parseLlvmIr(compiled.modules, options);
  const program = model && finiteProgram(model);
  if (!program) return [diagnostics.map(({ message }) => message).join(), undefined];
  const { verdict } = await check(program);
  const { result } = await reachOutcomes(model as FiniteModel, {});
  return [verdict.kind, result.tso.failedAssertions.length > 0];
}

const promised = (claim: string): string => `
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([&] { data = 7; p.set_value(3); });
  int got = f.get();
  assert(${claim});
  t.join();`;

describe.skipIf(!clang || !hasCxx)('futures of libstdc++', () => {
  test('what was stored before the promise is kept is seen behind get', async () => {
    expect(await saidOf(promised('got == 3 && data == 7'))).toEqual(['robust', false]);
  });

  test('and nothing else', async () => {
    expect(await saidOf(promised('got == 3 && data == 8'))).toEqual(['robust', true]);
  });

  test('store buffering with a task of std::async', async () => {
    const body = `
      auto f = std::async(std::launch::async, [] {
        x.store(1, std::memory_order_relaxed);
        return y.load(std::memory_order_relaxed);
      });
      y.store(1, std::memory_order_relaxed);
      int r = x.load(std::memory_order_relaxed);
      assert(f.get() == 1 || r == 1);`;
    expect(await saidOf(body)).toEqual(['not-robust', true]);
  });

  test('a promise that ends without a value throws', async () => {
    const body = (claim: string): string => `
      std::future<int> f;
      { std::promise<int> p; f = p.get_future(); }
      int thrown = 0;
      try { f.get(); } catch (const std::future_error &) { thrown = 1; }
      std::thread t([thrown] { assert(thrown == ${claim}); });
      t.join();`;
    expect(await saidOf(body('1'))).toEqual(['robust', false]);
    expect(await saidOf(body('0'))).toEqual(['robust', true]);
  });
});
