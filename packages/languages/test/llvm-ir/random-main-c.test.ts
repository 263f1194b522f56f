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
  cells,
  localCount,
  printMainInC,
  printMainNatively,
  type RandomMain,
  randomMain,
  type Statement,
} from './random-main-c.js';
import { programIn, saidOf } from './said-in-statements.js';

const runs = randomRuns(60, 5000, 30);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Returns the statements of `main` after its last join. */
function behindJoins(main: readonly Statement[]): readonly Statement[] {
  const last = main.findLastIndex(({ kind }) => kind === 'join');
  return last < 0 ? [] : allStatements(main.slice(last));
}

/**
 * Returns the cells to observe if all threads end before `main`: shared cells and results;
 * otherwise none.
 */
function observedCells({ threads, main, never }: RandomMain): readonly string[] {
  // Nothing is observed after an assertion that fails.
  if (never) return [];
  const joined = [main, ...threads.map(({ body }) => body)]
    .flat()
    .flatMap((one) => (one.kind === 'join' ? [one.thread] : []));
  if (joined.length < threads.length) return [];
  const late = new Set(behindJoins(main).map((one) => ('cell' in one ? one.cell : '')));
  const results = threads.flatMap((_, t) =>
    Array.from({ length: localCount }, (__, r) => `out${t}_${r}`),
  );
  return [...cells.filter((cell) => !late.has(cell)), ...results];
}

/** Counts the features of the programs. */
class Counts {
  readonly counts = new Map<string, number>();

  add(what: string, is = true): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + (is ? 1 : 0));
  }

  addProgram(program: RandomMain, mains: boolean): void {
    const { main, threads, never } = program;
    const starts = main.findIndex(({ kind }) => kind === 'create');
    const isAccess = ({ kind }: Statement): boolean =>
      ['store', 'load', 'add', 'exchange'].includes(kind);
    this.add('main is a thread', mains);
    this.add('main is no thread', !mains);
    this.add('stores before the first start', allStatements(main.slice(0, starts)).some(isAccess));
    this.add(
      'a store just before a start',
      main.some(({ kind }, i) => kind === 'store' && main[i + 1]?.kind === 'create'),
    );
    this.add('a store at the end', main.at(-1)?.kind === 'store');
    this.add(
      'not all are joined',
      main.filter(({ kind }) => kind === 'join').length < threads.length,
    );
    this.add('does something behind the last join', behindJoins(main).some(isAccess));
    this.add(
      'branches',
      allStatements(main).some(({ kind }) => kind === 'if'),
    );
    this.add(
      'repeats',
      allStatements(main).some(({ kind }) => kind === 'repeat'),
    );
    this.add(
      'a thread starts a thread',
      threads[0]!.body.some(({ kind }) => kind === 'create'),
    );
    this.add(
      'its local is shared',
      threads.some(({ argument }) => argument === 'pointer'),
    );
    this.add(
      'hands over what it computed',
      main.some((one) => one.kind === 'create' && one.value?.kind === 'local'),
    );
    this.add('asserts', never !== undefined);
  }
}

describe.skipIf(!clang)(`main and its threads${why}`, () => {
  test('do what they mean as threads that are there from the beginning', async () => {
    const programs = Array.from({ length: runs }, (_, i) => randomMain(first + i));
    const printed = programs.map((program) => printMainInC(program));
    programs.forEach((program, i) => {
      writeFileSync(join(folder, `seed${first + i}.c`), printed[i]!.text);
      const { text } = printMainInC(program, observedCells(program));
      writeFileSync(join(folder, `seed${first + i}.watched.c`), text);
    });
    const counts = new Counts();
    const disagreements: unknown[] = [];
    const chunk = 250;
    for (let from = 0; from < runs; from += chunk) {
      const here = programs.slice(from, from + chunk);
      const units = ['.c', '.watched.c'].flatMap((end) =>
        here.map((_, i) => ({ file: `seed${first + from + i}${end}`, ccArgs: ['-w'] })),
      );
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, program] of here.entries()) {
        const [plain, watched] = [i, here.length + i].map((index) => {
          const module = compiled.modules[index]!;
          return programIn(parseLlvmIr([module, library], { main: module.file }));
        }) as [Program, Program];
        // A start reached by two paths with different arguments is two threads, one of which never
        // ends. A cell that is only loaded at the end, and whose value is known, is no cell of
        // the program.
        const isTwofold = watched.threads.length > program.threads.length + 1;
        const names = observedCells(program).filter(
          (name) => !isTwofold && watched.symbols.some((symbol) => symbol.name === name),
        );
        const { text, statements } = printMainNatively(program);
        const native = programIn(parseNative(text));
        const own = await saidOf(native, native, statements, names);
        const said = await saidOf(plain, watched, printed[from + i]!.statements, names);
        if (!own || !said) {
          counts.add('not known');
          continue;
        }
        counts.add(own.verdict);
        counts.add('wrong under SC', own.wrong[0]);
        counts.add('wrong under TSO only', own.wrong[1] && !own.wrong[0]);
        counts.addProgram(
          program,
          plain.threads.some(({ name }) => name === 'main'),
        );
        counts.add('final states', names.length > 0);
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
