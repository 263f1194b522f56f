import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { decide } from '../../../core/src/api/decide.js';
import { reach } from '../../../core/src/api/reach.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { parseNative } from '../../src/native/parse-native.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ModelReach } from '@fencewright/model/verdict/reach-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { allClangs, folderOfTests, shipped } from '../../../core/test/node/clang/clangs.js';
import {
  allStatements,
  type Counts,
  type Printed,
  printCountedInC,
  printCountedNatively,
  type RandomCounted,
  randomCounted,
} from './random-counted-c.js';

const clangs = await allClangs();
const native = clangs.find(({ kind }) => kind === 'native');
/** The native clang, or else the npm package, which is slow. */
const clang = native ?? clangs[0];
const runs = randomRuns(native ? 24 : 6, 5000, native ? 12 : 3);
const first = randomSeed(0);
/** The number of programs compiled at a time. */
const together = 50;

const why = clang ? '' : ' (skipped: there is no clang of version 15 or later)';
const folder = folderOfTests();

const limits = { maxStates: 20_000 };

/** The answers about a program, in terms of statements and cells. */
interface Said {
  readonly verdict: string;
  /** The feasible attacks: function, store and load. */
  readonly attacks: readonly string[];
  /** The final states under SC and under TSO, as text; absent if not asked for, or too many. */
  readonly finals?: readonly (readonly string[])[];
}

/** Returns the name of the function that a thread executes. */
function functionOf(program: Program, thread: number): string {
  const { name, copy } = program.threads[thread]!;
  return (copy?.template ?? name).replace(/\W.*$/, '');
}

function attacksOf(
  program: Program,
  { attacks }: CheckResult,
  statements: Printed['statements'],
): readonly string[] {
  const statementOf = (thread: number, transition: number): string => {
    const line = program.threads[thread]?.transitions[transition]?.origin.span?.start.line;
    return String(statements.get(line ?? -1) ?? `line ${line}`);
  };
  const feasible = attacks.flatMap(({ attack: { thread, store, load }, verdict }) =>
    verdict === 'feasible'
      ? [
          `${functionOf(program, thread)} ${statementOf(thread, store)} ${statementOf(thread, load)}`,
        ]
      : [],
  );
  return [...new Set(feasible)].toSorted();
}

/** Returns the values of the named cells in the final states. */
function finals(
  program: Program,
  { finalStates }: ModelReach,
  names: readonly string[],
): readonly string[] {
  const lines = finalStates.map(({ memory }) =>
    names
      .map((name) => {
        const { base } = program.symbols.find((symbol) => symbol.name === name)!;
        return `${name}=${memory.get(base) ?? 0}`;
      })
      .join(' '),
  );
  return [...new Set(lines)].toSorted();
}

/** Returns the answers; `undefined` if a limit was reached. */
async function saidOf(
  program: Program,
  statements: Printed['statements'],
  names: readonly string[] | undefined,
): Promise<Said | undefined> {
  const checked = await check(program, { allAttacks: true, limits });
  if (checked.verdict.kind === 'unknown') return undefined;
  const said = {
    verdict: checked.verdict.kind,
    attacks: attacksOf(program, checked, statements),
  };
  if (!names) return said;
  const { sc, tso } = await reach(program, { limits });
  if (sc.incomplete || tso.incomplete) return said;
  return { ...said, finals: [finals(program, sc, names), finals(program, tso, names)] };
}

/** Whether two answers are equal; final states are compared only if both have them. */
function isSame(one: Said, other: Said): boolean {
  const { finals: a = other.finals, ...left } = one;
  const { finals: b = a, ...right } = other;
  return JSON.stringify([left, a ?? []]) === JSON.stringify([right, b ?? []]);
}

function programIn({ model, diagnostics }: ParseResult): Program {
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

const nativeOf = (program: RandomCounted, counts: Counts): Printed & { program: Program } => {
  const printed = printCountedNatively(program, counts);
  return { ...printed, program: programIn(parseNative(printed.text)) };
};

/** Whether the program is refused for all numbers of threads. */
function isForbidden({ counted, once, startsOnce }: RandomCounted): boolean {
  const getsOwn = counted.some(({ argument }) => argument.kind === 'own');
  return getsOwn || (once !== undefined && startsOnce === 'by two calls');
}

/** Returns those of the accesses of `main` whose cells its threads may use. */
function toTheirs<T extends { readonly cell: string }>(
  { counted, once, late, helper }: RandomCounted,
  accesses: readonly T[],
): readonly T[] {
  const bodies = [...counted, ...(once ? [once] : []), ...(late ? [late] : [])];
  const theirs = new Set<string>(
    bodies.flatMap(({ argument, body }) =>
      allStatements(body).flatMap((each) =>
        'cell' in each
          ? [each.cell === 'p' && argument.kind === 'pointer' ? argument.to : each.cell]
          : [],
      ),
    ),
  );
  for (const each of allStatements(helper)) if ('cell' in each) theirs.add(each.cell);
  return accesses.filter(({ cell }) => cell !== 't' && theirs.has(cell));
}

/** Whether `main` uses a cell of its threads while they may run, as far as the text shows. */
function mainUsesTheirs(program: RandomCounted): boolean {
  const { counted, once, late, readsNumber, hasBlock, before, between, amid } = program;
  const { behind, startsOnce, joining, joinsOnce } = program;
  // If `main` is not run beforehand, its first stores are not known.
  const early = readsNumber ? [...before, ...(hasBlock ? [{ cell: 'h' as const }] : [])] : [];
  // `main` joins no threads started by others, and a handle used in a call is not recognised.
  const isOnceJoined = !once || (joinsOnce && !startsOnce.startsWith('by'));
  const areAllJoined = !late && isOnceJoined && joining === 'as it starts';
  const besides = counted.length > 1 ? amid : [];
  const all = [...between, ...besides, ...early, ...(areAllJoined ? [] : behind)];
  return toTheirs(program, all).length > 0;
}

/**
 * Whether `main` joins all threads that it starts, even if the analysis does not see the joins;
 * `main` never joins threads started by others.
 */
const joinsAll = ({ joining, once, joinsOnce }: RandomCounted): boolean =>
  ['as it starts', 'counting down', 'in a function'].includes(joining) && (!once || joinsOnce);

const hasOwnMemory = ({ counted }: RandomCounted): boolean =>
  counted.some(({ body }) =>
    allStatements(body).some((each) => 'cell' in each && each.cell === 't'),
  );

/** Returns the numbers of copies of the counted functions with at most three threads in all. */
function smallCounts({ counted }: RandomCounted): readonly Counts[] {
  const numbers = [0, 1, 2, 3];
  return counted.length === 1
    ? numbers.map((worker) => ({ worker }))
    : numbers.flatMap((worker) =>
        numbers.filter((other) => worker + other <= 3).map((other) => ({ worker, other })),
      );
}

/** Counts the features of the programs. */
class Tally {
  readonly counts = new Map<string, number>();

  add(what: string, is = true): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + (is ? 1 : 0));
  }
}

describe.skipIf(!clang)(`counted threads${why}`, () => {
  test('are those that main might start one by one', async () => {
    const tally = new Tally();
    const wrong: unknown[] = [];
    for (let from = first; from < first + runs; from += together) {
      const seeds = Array.from(
        { length: Math.min(together, first + runs - from) },
        (_, i) => from + i,
      );
      const programs = seeds.map((seed) => {
        const random = new SeededRandom(seed);
        const program = randomCounted(seed);
        const isOne = program.counted.length === 1 && !program.once;
        const worker = [1, 2, 2, isOne ? 3 : 2][random.below(4)]!;
        const counts = {
          worker,
          ...(program.counted.length > 1 && { other: 1 + random.below(2) }),
        };
        const inC = printCountedInC(program);
        const literal = printCountedInC(program, counts);
        writeFileSync(join(folder, `seed${seed}.c`), inC.text);
        writeFileSync(join(folder, `seed${seed}.literal.c`), literal.text);
        return { seed, program, counts, inC, literal };
      });
      const units = seeds.flatMap((seed) =>
        ['.c', '.literal.c'].map((end) => ({ file: `seed${seed}${end}`, ccArgs: ['-w'] })),
      );
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, each] of programs.entries()) {
        const { program, counts } = each;
        const [module, literal] = compiled.modules.slice(2 * i, 2 * i + 2);
        const parse = (numbers: ReadonlyMap<string, number | 'any'>): ParseResult =>
          parseLlvmIr([module!, library], { main: module!.file, counts: numbers });
        const report = (what: string, more: object = {}): void => {
          wrong.push({ seed: each.seed, what, counts, ...more });
        };
        const anyParsed = parse(new Map(Object.keys(counts).map((name) => [name, 'any'])));
        const parsed = parse(new Map(Object.entries(counts)));
        for (const [what, { model, diagnostics }, mayBe] of [
          ['some', parsed, mainUsesTheirs(program)],
          ['any', anyParsed, mainUsesTheirs(program) || hasOwnMemory(program)],
        ] as const) {
          const isRight = isForbidden(program) ? !model : model !== undefined || mayBe;
          if (!isRight) report(`${what}: ${model ? 'accepted' : 'refused'}`, { diagnostics });
          tally.add(`${what}: refused`, !model);
        }
        tallyFeatures(tally, program);
        tallyJoins(tally, program, parsed);
        if (isForbidden(program)) continue;
        if (parsed.model) {
          const own = nativeOf(program, counts);
          const lowered = programIn(parsed);
          const read = programIn(
            parseLlvmIr([literal!, library], { main: `seed${each.seed}.literal.c` }),
          );
          const { between, amid, behind } = program;
          const isWatched = joinsAll(program) && between.length + amid.length + behind.length === 0;
          const has = (other: Program, name: string): boolean =>
            other.symbols.some((symbol) => symbol.name === name);
          const names = ['x', 'y', 'z', 'sum'].filter((name) => has(lowered, name));
          const expected = await saidOf(own.program, own.statements, names);
          const found = await saidOf(lowered, each.inC.statements, names);
          const namesOfBoth = names.filter((name) => has(read, name));
          const byOne = await saidOf(
            read,
            each.literal.statements,
            isWatched && namesOfBoth.length === names.length ? names : undefined,
          );
          if (!expected || !found || !byOne) tally.add('not known');
          else {
            tally.add(expected.verdict);
            tally.add('final states', expected.finals !== undefined);
            tally.add('final states of the literal text', byOne.finals !== undefined);
            if (!isSame(found, expected)) report('not as the native text', { found, expected });
            const attacks = byOne.attacks.filter((attack) => !attack.startsWith('main '));
            if (!isSame({ ...byOne, attacks }, expected))
              report('not as one by one', { byOne, expected });
          }
        }
        if (anyParsed.model) {
          const answer = await decide(anyParsed.model, { kind: 'check' }, limits);
          const result = answer.kind === 'check' ? answer.result : undefined;
          if (!result) throw new Error(`seed ${each.seed}: no answer for any number`);
          const { verdict, scope } = result;
          tally.add(`any number: ${verdict.kind}`);
          const small = [];
          for (const instance of smallCounts(program)) {
            if (Object.values(instance).every((n) => n === 0) && !program.once) continue;
            const { verdict: said } = await check(nativeOf(program, instance).program, { limits });
            if (said.kind === 'not-robust') small.push(instance);
          }
          if (verdict.kind === 'robust' && small.length > 0)
            report('robust for any number, but not this instance', { small });
          tally.add(
            'not robust for more than three only',
            verdict.kind === 'not-robust' && small.length === 0,
          );
          if (verdict.kind === 'not-robust') {
            const copies: Counts = Object.fromEntries(
              scope?.kind === 'instance'
                ? scope.copies.map(({ template, count }) => [template, count])
                : [],
            );
            if (Object.keys(copies).length !== program.counted.length)
              report('no instance', { scope });
            const { verdict: said } = await check(nativeOf(program, copies).program, { limits });
            if (said.kind !== 'not-robust')
              report('not robust, but the instance is', { copies, said: said.kind });
          }
          const { text } = printCountedNatively(
            program,
            Object.fromEntries(Object.keys(counts).map((name) => [name, '*' as const])),
          );
          const twin = parseNative(text).model;
          if (!twin) throw new Error(text);
          const other = await decide(twin, { kind: 'check' }, limits);
          const twins = other.kind === 'check' ? other.result?.verdict.kind : undefined;
          if (twins !== verdict.kind && twins !== 'unknown' && verdict.kind !== 'unknown')
            report('any number: not as the native text', { verdict: verdict.kind, twins });
        }
      }
    }
    console.log(Object.fromEntries(tally.counts));
    expect(wrong).toEqual([]);
    const rare = new Set([
      'not known',
      'not robust for more than three only',
      'any number: unknown',
    ]);
    for (const [what, count] of tally.counts)
      if (!rare.has(what) && runs >= 60)
        expect(count, what).toBeGreaterThan(what.startsWith('joins: ') ? 0 : runs / 60);
    // These cases are rare, but must occur in every run.
    for (const what of ['what threads use is left out', 'it is refused where some are not joined'])
      expect(tally.counts.get(what), what).toBeGreaterThan(0);
    expect(tally.counts.get('not known') ?? 0).toBeLessThan(1 + runs / 20);
    expect(tally.counts.get('any number: unknown') ?? 0).toBeLessThan(1 + runs / 10);
  });
});

function tallyJoins(tally: Tally, program: RandomCounted, { model, diagnostics }: ParseResult) {
  const { behind, behindIs, joining } = program;
  const isLeftOut = diagnostics.some(({ code }) => code === 'FW5005');
  const usesTheirs = toTheirs(program, behind).length > 0;
  tally.add(`joins: ${joining}`);
  tally.add('main behind the joins is left out', isLeftOut);
  tally.add(`that is left out ${behindIs}`, isLeftOut);
  tally.add('what threads use is left out', isLeftOut && usesTheirs);
  const isRefused = !model && !isForbidden(program);
  tally.add(
    'it is refused where some are not joined',
    isRefused && usesTheirs && !joinsAll(program),
  );
}

function tallyFeatures(tally: Tally, program: RandomCounted): void {
  const { counted, once, late } = program;
  const has = (cell: string): boolean =>
    counted.some(({ body }) =>
      allStatements(body).some((each) => 'cell' in each && each.cell === cell),
    );
  for (const kind of ['none', 'ignored', 'number', 'pointer', 'own'])
    tally.add(
      `argument: ${kind}`,
      counted.some(({ argument }) => argument.kind === kind),
    );
  tally.add('two counted functions', counted.length > 1);
  tally.add('a function that is started once', once !== undefined);
  tally.add('a thread of a thread', late !== undefined);
  tally.add('thread-local', has('t'));
  tally.add('static local', has('s'));
  tally.add('a block of main', has('h'));
  tally.add('main before the starts', program.before.length > 0);
  tally.add('main between the starts', program.between.length > 0);
  tally.add('main uses what threads use', mainUsesTheirs(program));
  tally.add('main behind the joins', program.behind.length > 0);
  tally.add('main cannot be run', program.readsNumber);
}
