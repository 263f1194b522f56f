import { describe, expect, test } from 'vitest';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from '../../../src/api/check.js';
import { reach } from '../../../src/api/reach.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { allClangs, freshFolder, shipped } from './clangs.js';

const clangs = (await allClangs()).filter(({ kind }) => kind === 'native');
const hasCxx = existsSync('/usr/include/pthread.h') && existsSync('/usr/include/c++');
const ofMachine = { areOfMachine: true, headers: ['/usr/'] };
const limits = { maxStates: 200_000 };

/**
 * By name, the means to keep threads (arrays, say): statements that start three threads, which call
 * `body` with their numbers, and statements that join the threads.
 */
const containers = {
  'a vector of pointers that own': [
    'std::vector<std::unique_ptr<std::thread>> ts; for (int i = 0; i < 3; i++) ts.push_back(std::make_unique<std::thread>(body, i));',
    'for (auto &t : ts) t->join();',
  ],
  'threads of new': [
    'std::thread *t = new std::thread(body, 0), *u = new std::thread(body, 1), *v = new std::thread(body, 2);',
    't->join(); delete t; u->join(); delete u; v->join(); delete v;',
  ],
  'a vector that grows': [
    'std::vector<std::thread> ts; for (int i = 0; i < 3; i++) ts.emplace_back([i] { body(i); });',
    'for (auto &t : ts) t.join();',
  ],
  'a vector that grows, by reference': [
    'int i = 0; auto work = [](int k) { body(k); }; std::vector<std::thread> ts; for (; i < 3; i++) ts.push_back(std::thread([&work](int k) { work(k); }, i));',
    'for (auto &t : ts) t.join();',
  ],
  'a vector with room': [
    'std::vector<std::thread> ts; ts.reserve(3); for (int i = 0; i < 3; i++) ts.emplace_back(body, i);',
    'for (auto &t : ts) if (t.joinable()) t.join();',
  ],
  'a vector of threads to come': [
    'std::vector<std::thread> ts(3); for (int i = 0; i < 3; i++) ts[i] = std::thread(body, i);',
    'for (auto &t : ts) t.join();',
  ],
  'an array': [
    'std::array<std::thread, 3> ts; for (int i = 0; i < 3; i++) ts[i] = std::thread([i] { body(i); });',
    'for (auto &t : ts) t.join();',
  ],
  'an array of C': [
    'std::thread ts[3]; for (int i = 0; i < 3; i++) ts[i] = std::thread([=] { body(i); });',
    'for (std::thread &t : ts) t.join();',
  ],
  'a list': [
    'std::list<std::thread> ts; for (int i = 0; i < 3; i++) ts.emplace_back([i] { body(i); });',
    'for (auto &t : ts) t.join();',
  ],
  'two vectors': [
    'std::vector<std::thread> ts, us; ts.emplace_back(body, 0); us.emplace_back(body, 1); ts.emplace_back(body, 2);',
    'for (auto &t : ts) t.join(); for (auto &t : us) t.join();',
  ],
} as const;
type Container = keyof typeof containers;

const plain = [
  'std::thread t0([] { body(0); }), t1([] { body(1); }), t2([] { body(2); });',
  't0.join(); t1.join(); t2.join();',
] as const;

/** Returns the statements of a random thread, one a line, over `x`, `y`, `z` and its result. */
function randomBody(random: SeededRandom, thread: number, isStrict: boolean): readonly string[] {
  const [mine, other] = thread === 1 ? ['y', 'x'] : ['x', random.below(2) ? 'y' : 'z'];
  const order = isStrict ? 'seq_cst' : ['release', 'relaxed', 'seq_cst'][random.below(3)]!;
  const store = `${mine}.store(${1 + random.below(2)}, std::memory_order_${order});`;
  const load = `r[${thread}] = ${other}.load(std::memory_order_acquire);`;
  const extra = ['', '', 'z.fetch_add(1);', 'z.store(1);'];
  return [store, extra[random.below(extra.length)]!, load];
}

/** Returns a random program whose threads are started by the given statements. */
function programOf(seed: number, [start, join]: readonly [string, string]): string {
  const random = new SeededRandom(seed);
  const isStrict = random.below(2) === 0;
  const bodies = [0, 1, 2].map((thread) => randomBody(random, thread, isStrict));
  const between = random.below(2) ? 'z.store(2); seen = x;' : '';
  const claim = `!(r[${random.below(3)}] == 0 && r[1] == ${random.below(2)} && z < ${1 + random.below(3)})`;
  return `#include <array>
#include <atomic>
#include <cassert>
#include <list>
#include <memory>
#include <thread>
#include <vector>
std::atomic<int> x, y, z; int r[3], seen;
void body(int i) {
${bodies.map((lines, i) => `  if (i == ${i}) {\n${lines.join('\n')}\n  }`).join('\n')}
}
int main() {
  ${start}
  ${between}
  ${join}
  assert(${claim});
}
`;
}

describe.skipIf(clangs.length === 0 || !hasCxx)('containers of threads', () => {
  test('start what threads by names start', { timeout: 1_200_000 }, async () => {
    const runs = randomRuns(10, 500, 4);
    const first = randomSeed(0);
    const counts = new Map<string, number>();
    const count = (what: string, is = true): void => {
      counts.set(what, (counts.get(what) ?? 0) + (is ? 1 : 0));
    };
    const folder = freshFolder();
    for (let seed = first; seed < first + runs; seed++) {
      const clang = clangs[seed % clangs.length]!;
      const names = Object.keys(containers) as Container[];
      const container = names[seed % names.length]!;
      const units = [plain, containers[container]].map((how, i) => {
        const file = `seed${seed}.${i}.cpp`;
        writeFileSync(path.join(folder, file), programOf(seed, how));
        return { file, headers: 'machine' as const, ccArgs: ['-std=c++17'] };
      });
      const compiled = await compileC(clang, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 2000));
      const said = [];
      for (const [i, { file }] of units.entries()) {
        const modules = [compiled.modules[i]!, compiled.modules.at(-1)!];
        const { model, diagnostics } = parseLlvmIr(modules, { main: file, ...ofMachine });
        const program = model && finiteProgram(model);
        expect({ seed, container, diagnostics, isRead: program !== undefined }).toMatchObject({
          isRead: true,
        });
        const lineOf = (thread: number, transition: number): number | undefined =>
          program!.threads[thread]!.transitions[transition]!.origin.span?.start.line;
        const { verdict, attacks } = await check(program!, { allAttacks: true, limits });
        const { sc, tso } = await reach(program!, { limits });
        const feasible = attacks
          .filter((each) => each.verdict === 'feasible')
          .map(
            ({ attack: { thread, store, load } }) =>
              `${lineOf(thread, store)} ${lineOf(thread, load)}`,
          );
        said.push({
          verdict: verdict.kind,
          attacks: [...new Set(feasible)].sort(),
          fails: [sc, tso].map(({ failedAssertions }) => failedAssertions.length > 0),
          threads: program!.threads.length,
        });
      }
      const [one, other] = said;
      expect({ seed, container, said: other }).toEqual({ seed, container, said: one });
      count(one!.verdict);
      count('fails under TSO only', one!.fails[1]! && !one!.fails[0]!);
    }
    console.log(Object.fromEntries(counts));
    expect(readdirSync(folder).length).toBe(2 * runs);
    rmSync(folder, { recursive: true });
    for (const verdict of ['robust', 'not-robust'])
      expect(counts.get(verdict) ?? 0, verdict).toBeGreaterThan(0);
  });
});
