import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { findDataRaces } from '@fencewright/engines/data-races/find-data-races.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { parseNative } from '../../src/native/parse-native.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ModelReach } from '@fencewright/model/verdict/reach-result.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { exploreCore, printCoreNatively } from './core-steps.js';
import {
  allStatements,
  cells,
  coreOf,
  localCount,
  printPlacesInC,
  type RandomPlaces,
  randomPlaces,
} from './random-places-c.js';

const runs = randomRuns(24, 5000, 12);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

const limits = { maxStates: 100_000 };

function programIn({ model, diagnostics }: ParseResult): Program {
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** Returns the cells to observe if all threads end before `main`; otherwise none. */
function observedCells({ threads, main }: RandomPlaces): readonly string[] {
  const joined = allStatements(main).filter(({ kind }) => kind === 'join');
  if (joined.length < threads.length) return [];
  const results = threads.flatMap((_, t) =>
    Array.from({ length: localCount }, (__, r) => `out${t}_${r}`),
  );
  return [...cells, ...results];
}

type Finals = readonly string[];

/** Returns the statement of the outermost call that contains an access. */
function statementOf(
  program: Program,
  statements: ReadonlyMap<number, number>,
  thread: number,
  transition: number,
): string {
  const { origin } = program.threads[thread]!.transitions[transition]!;
  const line = (origin.calls?.at(-1)?.span ?? origin.span)?.start.line;
  return String(statements.get(line ?? -1) ?? `line ${line}`);
}

/** Returns the id of the statement at the place of an access. */
function placeOf(
  program: Program,
  statements: ReadonlyMap<number, number>,
  thread: number,
  transition: number,
): number {
  const { span } = program.threads[thread]!.transitions[transition]!.origin;
  return statements.get(span?.start.line ?? -1) ?? Number.NaN;
}

async function attacksOf(program: Program, statements: ReadonlyMap<number, number>) {
  const { verdict, attacks } = await check(program, { allAttacks: true, limits });
  if (verdict.kind === 'unknown') return undefined;
  const feasible = attacks.flatMap(({ attack: { thread, store, load }, verdict: own }) =>
    own === 'feasible'
      ? [[store, load].map((each) => statementOf(program, statements, thread, each)).join(' ')]
      : [],
  );
  return { verdict: verdict.kind, attacks: [...new Set(feasible)].toSorted() };
}

function linesOf(states: readonly ((cell: string) => number)[], names: readonly string[]): Finals {
  const lines = states.map((at) => names.map((name) => `${name}=${at(name)}`).join(' '));
  return [...new Set(lines)].toSorted();
}

function finalsOf(
  program: Program,
  { finalStates }: ModelReach,
  names: readonly string[],
  nameOf: (cell: string) => string,
): Finals {
  const bases = new Map(program.symbols.map(({ name, base }) => [name, base]));
  return linesOf(
    finalStates.map(
      ({ memory }) =>
        (cell) =>
          memory.get(bases.get(nameOf(cell)) ?? -1) ?? 0,
    ),
    names,
  );
}

describe.skipIf(!clang)(`places of memory${why}`, () => {
  test('are those of C, and race where they do by definition', async () => {
    const counts = new Map<string, number>();
    const count = (what: string, is = true): void => {
      counts.set(what, (counts.get(what) ?? 0) + (is ? 1 : 0));
    };
    const disagreements: unknown[] = [];
    const chunk = 100;
    for (let from = 0; from < runs; from += chunk) {
      const seeds = Array.from(
        { length: Math.min(chunk, runs - from) },
        (_, i) => first + from + i,
      );
      const printed = seeds.map((seed) => {
        const program = randomPlaces(seed);
        const plain = printPlacesInC(program);
        const names = observedCells(program);
        writeFileSync(join(folder, `seed${seed}.c`), plain.text);
        writeFileSync(join(folder, `watched${seed}.c`), printPlacesInC(program, names).text);
        return { seed, program, names, statements: plain.statements };
      });
      const units = printed.flatMap(({ seed, names }) =>
        ['seed', ...(names.length > 0 ? ['watched'] : [])].map((name) => ({
          file: `${name}${seed}.c`,
          ccArgs: ['-w'],
        })),
      );
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      const lowered = (name: string): Program => {
        const module = compiled.modules.find(({ file }) => file === name)!;
        return programIn(parseLlvmIr([module, library], { main: name }));
      };
      for (const { seed, program, names: all, statements } of printed) {
        const core = coreOf(program);
        const plain = lowered(`seed${seed}.c`);
        const twin = printCoreNatively(core);
        const native = programIn(parseNative(twin.text));
        const underSc = exploreCore(core, 20_000);
        const said = await attacksOf(plain, statements);
        const own = await attacksOf(native, twin.statements);
        if (!said || !own) {
          count('not known');
          continue;
        }
        const differences: Record<string, unknown> = {};
        if (JSON.stringify(said) !== JSON.stringify(own)) differences.attacks = { said, own };
        count(own.verdict);
        count('main is no thread', !plain.threads.some(({ name }) => name === 'main'));
        const { races, incomplete } = await findDataRaces(plain, new Budget(limits));
        const racing = races.map(({ accesses }) =>
          accesses
            .map(({ thread, transition }) => placeOf(plain, statements, thread, transition))
            .sort((a, b) => a - b)
            .join(' '),
        );
        count('races looked for to the end', !incomplete);
        count('too many states for brute force', !underSc);
        if (underSc) {
          const byForce = [...underSc.races].sort();
          const found = [...new Set(racing)].sort();
          count('races', found.length > 0);
          count('no races', found.length === 0);
          const isRight = incomplete
            ? found.every((each) => byForce.includes(each))
            : JSON.stringify(found) === JSON.stringify(byForce);
          if (!isRight) differences.races = { found, byForce };
        }
        const watched = all.length > 0 ? lowered(`watched${seed}.c`) : undefined;
        // A start reached by several paths is as many threads, one of which never ends; a start
        // reached by no path is none.
        if (watched?.threads.length === core.length) {
          // A final value that is known, as no other thread stores to the cell, is not in memory.
          const names = all.filter((name) => watched.symbols.some((one) => one.name === name));
          const { sc, tso } = await reach(watched, { limits });
          const twins = await reach(native, { limits });
          const isKnown = [sc, tso, twins.sc, twins.tso].every(({ incomplete: why }) => !why);
          count('final states', isKnown);
          if (isKnown) {
            const same = (cell: string): string => cell;
            const finals = [
              [finalsOf(watched, sc, names, same), finalsOf(native, twins.sc, names, twin.nameOf)],
              [
                finalsOf(watched, tso, names, same),
                finalsOf(native, twins.tso, names, twin.nameOf),
              ],
            ] as const;
            for (const [i, [here, there]] of finals.entries())
              if (JSON.stringify(here) !== JSON.stringify(there))
                differences[i === 0 ? 'sc' : 'tso'] = { here, there };
            const force = underSc?.finals.map((map) => (cell: string) => map.get(cell) ?? 0);
            if (force && JSON.stringify(linesOf(force, names)) !== JSON.stringify(finals[0][0]))
              differences.force = { here: finals[0][0], there: linesOf(force, names) };
            count('TSO adds final states', finals[0][0].length < finals[1][0].length);
          }
        }
        const text = [program.main, ...program.threads.map(({ body }) => body)].flatMap(
          allStatements,
        );
        for (const kind of new Set(text.map((one) => one.kind))) count(kind);
        for (const kind of new Set(text.flatMap((one) => ('place' in one ? [one.place.kind] : []))))
          count(`a place: ${kind}`);
        count('starts that depend', program.doubtful.size > 0);
        if (Object.keys(differences).length > 0) disagreements.push({ seed, ...differences });
      }
    }
    console.log(Object.fromEntries([...counts].sort()));
    expect(disagreements).toEqual([]);
    const isLong = runs >= 100;
    for (const [what, times] of counts)
      if (!/not known|too many/.test(what) && (isLong || what !== 'TSO adds final states'))
        expect(times, what).toBeGreaterThan(runs / 50);
    expect(counts.get('not known') ?? 0).toBeLessThan(runs / 10);
    expect(counts.get('too many states for brute force') ?? 0).toBeLessThan(runs / 5);
  });
});
