import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { parseNative } from '../../src/native/parse-native.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import {
  allStatements,
  localCount,
  printProcessInC,
  printProcessNatively,
  type RandomProcess,
  randomProcess,
  type Statement,
} from './random-process-c.js';
import { programIn, saidOf } from './said-in-statements.js';

const runs = randomRuns(30, 5000);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Returns all statements of a process. */
function statementsOf(each: RandomProcess): readonly Statement[] {
  const { constructors, destructors, main, threads } = each;
  const own = [constructors.a, constructors.b, main, destructors.a, destructors.b];
  return [...own, ...threads.map(({ body }) => body)].flatMap((list) => allStatements(list));
}

/**
 * Returns the cells with the results of threads if `main` has joined all threads; otherwise none.
 */
function foundCells(each: RandomProcess): readonly string[] {
  const joined = statementsOf(each).filter(({ kind }) => kind === 'join');
  if (joined.length < each.threads.length) return [];
  return each.threads.flatMap((_, t) =>
    Array.from({ length: localCount }, (__, r) => `out${t}_r${r}`),
  );
}

/** Counts the features of the processes. */
class Counts {
  readonly counts = new Map<string, number>();

  add(what: string, is = true): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + (is ? 1 : 0));
  }

  addProcess(each: RandomProcess): void {
    const { constructors, destructors, threads, held } = each;
    const all = statementsOf(each);
    const has = (kind: Statement['kind']): boolean => all.some((one) => one.kind === kind);
    const starts = (list: readonly Statement[]): boolean =>
      list.some(({ kind }) => kind === 'create');
    this.add('constructors', constructors.a.length + constructors.b.length > 0);
    this.add('a constructor starts a thread', starts([...constructors.a, ...constructors.b]));
    this.add('destructors', destructors.a.length + destructors.b.length > 0);
    this.add(
      'a thread starts a thread',
      threads.some(({ body }) => starts(body)),
    );
    this.add('threads of both files', new Set(threads.map(({ file }) => file)).size > 1);
    for (const kind of ['help', 'hold', 'try', 'once', 'through'] as const)
      this.add(kind, has(kind));
    this.add(
      'attempts at what is held',
      all.some((one) => one.kind === 'try' && one.lock !== 'semaphore' && held[one.lock]),
    );
    for (const cell of ['s', 'own'])
      this.add(
        `uses ${cell}`,
        all.some((one) => 'cell' in one && one.cell === cell),
      );
    this.add(
      'tells where its own is',
      all.some((one) => one.kind === 'publish' && one.number === 'own'),
    );
    this.add(
      'tells where a block is',
      all.some((one) => one.kind === 'publish' && one.number !== 'own'),
    );
  }
}

describe.skipIf(!clang)(`processes of two files${why}`, () => {
  test('do what they mean as threads that are there from the beginning', async () => {
    const processes = Array.from({ length: runs }, (_, i) => randomProcess(first + i));
    const counts = new Counts();
    const disagreements: unknown[] = [];
    const chunk = 100;
    for (let from = 0; from < runs; from += chunk) {
      const here = processes.slice(from, from + chunk);
      const variantsOf = (each: RandomProcess): readonly boolean[] =>
        foundCells(each).length > 0 ? [false, true] : [false];
      const units = here.flatMap((each, i) =>
        variantsOf(each).flatMap((isWatched) =>
          printProcessInC(each, isWatched).texts.map((text, n) => {
            const file = `seed${first + from + i}${isWatched ? 'watched' : ''}${'ab'[n]}.c`;
            writeFileSync(join(folder, file), text);
            return { file, ccArgs: ['-w'] };
          }),
        ),
      );
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, each] of here.entries()) {
        const cells = foundCells(each);
        const [plain, watched] = ['', cells.length > 0 ? 'watched' : ''].map((variant) => {
          const start = `seed${first + from + i}${variant}`;
          const modules = compiled.modules.filter(({ file }) =>
            [`${start}a.c`, `${start}b.c`].includes(file),
          );
          return programIn(parseLlvmIr([...modules, library], { main: `${start}a.c` }));
        }) as [Program, Program];
        // Values known before the program runs are no cells.
        const names = cells.filter((name) => watched.symbols.some((one) => one.name === name));
        const { texts, statements } = printProcessNatively(each);
        const native = programIn(parseNative(texts[0]!));
        const own = await saidOf(native, native, statements, names);
        const said = await saidOf(plain, watched, printProcessInC(each, false).statements, names);
        if (!own || !said) {
          counts.add('not known');
          continue;
        }
        counts.add(own.verdict);
        counts.add('final states', names.length > 0);
        counts.addProcess(each);
        if (JSON.stringify(said) !== JSON.stringify(own))
          disagreements.push({ seed: first + from + i, said, own });
      }
    }
    console.log(Object.fromEntries(counts.counts));
    expect(disagreements).toEqual([]);
    for (const [what, count] of counts.counts)
      if (what !== 'not known') expect(count, what).toBeGreaterThan(runs / 50);
    expect(counts.counts.get('not known') ?? 0).toBeLessThan(runs / 20);
  });
});
