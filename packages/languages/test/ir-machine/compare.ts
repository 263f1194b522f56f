import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clang } from '../../../core/src/node/find-clang.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { shipped } from '../../../core/test/node/clang/clangs.js';
import { type Judged, judge, type Judgement, type ModelJudgement } from './judge.js';
import { Dice, lookedAt, type RandomText } from './random-text.js';
import { type SaidByTool, saidByTool, type SaidOfModel } from './said-by-tool.js';

/** The answers of the tool and of the judge about a program. */
export interface Compared {
  readonly seed: number;
  readonly text: string;
  readonly judged: Judged;
  readonly said: SaidByTool;
  /** A condition on the final state; the assertion at the end of the program is its negation. */
  readonly asked?: string;
  readonly disagreements: readonly string[];
}

export interface Limits {
  readonly maxStates: number;
  readonly toolStates: number;
}

/**
 * Gives programs to the tool and to the judge. The judge gets the output of the system's clang with
 * the system's headers. The tool gets its own headers or, for a third of the programs, the
 * system's. For the tool, each program ends with an assertion about the final state, so that the
 * tool has to decide under both memory models whether the state is reachable.
 */
export async function compareAll(
  clang: Clang,
  programs: readonly { readonly seed: number; readonly made: RandomText }[],
  folder: string,
  limits: Limits,
): Promise<readonly Compared[]> {
  const named = programs.map(({ seed, made }) => {
    const file = `p${seed}.${made.language === 'c' ? 'c' : 'cc'}`;
    writeFileSync(join(folder, file), made.text);
    return { seed, made, file, judged: judgeFile(clang, folder, file, made, limits) };
  });
  const asking = named.map((each) => ({
    ...each,
    asked: askOf(each.seed, each.made, each.judged),
  }));
  const units = asking.map(({ file, seed, made, asked }) => ({
    file,
    ccArgs: ['-w', '-D_GNU_SOURCE'],
    ...(isOfMachine(seed) && { headers: 'machine' as const, std: standardOf(made) }),
    ...(asked && { define: [`ASK=${asked.condition}`] }),
  }));
  const compiled = await compileC(clang, units, { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 2000));
  const library = compiled.modules.at(-1)!;
  const all: Compared[] = [];
  for (const { seed, made, file, judged, asked } of asking) {
    const own = compiled.modules.find((module) => module.file === file)!;
    const said = await saidByTool(
      [own, library],
      file,
      limits.toolStates,
      made.given,
      isOfMachine(seed),
      made.text,
    );
    const line = made.text.split('\n').indexOf('assert(!(ASK));') + 1;
    const disagreements =
      judged.kind === 'judged' && said.kind === 'said'
        ? disagreementsOf(judged, said, made, asked, line)
        : [];
    const { text } = made;
    all.push({ seed, text, judged, said, ...(asked && { asked: asked.condition }), disagreements });
  }
  return all;
}

/** Whether the tool, like the judge, gets the program compiled with the headers of the machine. */
export function isOfMachine(seed: number): boolean {
  return seed % 3 === 0;
}

/** Returns the version of the language as an option of the compiler; atomic waits need C++20. */
function standardOf({ language, kinds }: RandomText): string {
  if (language === 'c') return 'gnu11';
  return [...kinds].some((kind) => kind.startsWith('j: ')) ? 'gnu++20' : 'gnu++17';
}

/** The arguments for programs in CBMC's dialect, which declare little and whose labels count. */
const oldStyle: readonly string[] = [
  ...['implicit-function-declaration', 'implicit-int'].map((name) => `-Wno-error=${name}`),
  '-fno-discard-value-names',
];

function judgeFile(
  clang: Clang,
  folder: string,
  file: string,
  made: RandomText,
  { maxStates }: Limits,
): Judged {
  const ir = join(folder, `${file}.ll`);
  const language = [
    `-std=${standardOf(made)}`,
    // Templates that libstdc++ has in its binary are compiled here, too.
    ...(made.language === 'c' ? oldStyle : ['-x', 'c++', '-D_GLIBCXX_EXTERN_TEMPLATE=0']),
  ];
  const flags = ['-w', '-O0', '-S', '-emit-llvm', '-D_GNU_SOURCE', '-DLOOK', ...language];
  const { status, stderr } = spawnSync(clang.command, [...flags, join(folder, file), '-o', ir]);
  if (status !== 0) throw new Error(`${file}: ${String(stderr)}`);
  const { given = {} } = made;
  const argumentCounts = given.argc === undefined ? made.argumentCounts : [given.argc];
  return judge(readFileSync(ir, 'utf8'), { watched: [], maxStates, argumentCounts, given });
}

interface Asked {
  readonly condition: string;
  readonly values: string;
}

const valuesOf = ({ finals }: ModelJudgement): ReadonlySet<string> =>
  new Set(finals.flatMap(({ output }) => lookedAt(output) ?? []));

/**
 * Returns a final state for the assertion to forbid: one that only store buffers reach, any
 * reachable one, or an unreachable one.
 */
function askOf(seed: number, made: RandomText, judged: Judged): Asked | undefined {
  if (judged.kind !== 'judged' || made.isAsked === false) return undefined;
  const dice = new Dice(seed ^ 0x5eed);
  const [sc, tso] = [valuesOf(judged.sc), valuesOf(judged.tso)];
  const added = [...tso].filter((values) => !sc.has(values)).toSorted();
  const all = [...tso].toSorted();
  if (all.length === 0) return undefined;
  let values = added.length > 0 && dice.chance(0.6) ? dice.pick(added) : dice.pick(all);
  if (dice.chance(0.3)) {
    const other = dice.pick(all).split(' ');
    values = values
      .split(' ')
      .map((value, i) => (dice.chance(0.5) ? value : other[i]!))
      .join(' ');
  }
  const condition = values
    .split(' ')
    .map((value, i) => `(int)(${made.observed[i]!})==${value}`)
    .join('&&');
  return { condition, values };
}

type Said = Extract<SaidByTool, { kind: 'said' }>;

function disagreementsOf(
  judged: Judgement,
  said: Said,
  made: RandomText,
  asked: Asked | undefined,
  line: number,
): readonly string[] {
  const found: string[] = [];
  const isDecided = said.verdict === 'robust' || said.verdict === 'not-robust';
  if (isDecided && judged.verdict !== 'unknown' && said.verdict !== judged.verdict)
    found.push(`verdict: the tool says ${said.verdict}, the judge ${judged.verdict}`);
  if (said.verdict === 'robust' && judged.tso.faults.length > 0)
    found.push(`the tool says robust, and an execution ends in: ${judged.tso.faults.join('; ')}`);
  // A call of abort also ends the process, and is no fault.
  const hasExceptions = [...made.kinds].some((kind) => kind.startsWith('i: '));
  if (hasExceptions && judged.tso.isComplete) {
    const isFault = judged.tso.isAborted || judged.tso.faults.length > 0;
    if (isFault && isDecided && !said.hasFaults)
      found.push('an exception ends the program, and the tool is silent');
    if (!isFault && said.hasFaults)
      found.push('the tool says that the program ends by a fault, and it does not');
  }
  for (const text of made.assumed ?? [])
    if (!said.assumptions.includes(text)) found.push(`the tool does not say that ${text}`);
  for (const model of ['sc', 'tso'] as const)
    found.push(
      ...disagreementsOfModel(judged[model], said[model], made, asked, line, said.showsAll).map(
        (text) => `${model}: ${text}`,
      ),
    );
  return found;
}

function disagreementsOfModel(
  judged: ModelJudgement,
  said: SaidOfModel,
  made: RandomText,
  asked: Asked | undefined,
  line: number,
  showsAll: boolean,
): readonly string[] {
  const found: string[] = [];
  const finals = valuesOf(judged);
  const fails = new Set(judged.assertions.map(Number));
  if (asked && finals.has(asked.values)) fails.add(line);
  for (const each of fails)
    if (said.knowsAssertions && !said.assertions.has(each))
      found.push(`the assertion in line ${each} fails, and the tool says that it holds`);
  for (const each of said.assertions)
    if (judged.isComplete && !fails.has(each))
      found.push(`the assertion in line ${each} holds, and the tool says that it fails`);
  if (judged.isComplete && said.knowsEnds)
    found.push(...differentFinals(finals, said, made, asked, showsAll));
  return found;
}

/** Returns the final states, restricted to the cells that the tool knows. */
function differentFinals(
  finals: ReadonlySet<string>,
  said: SaidOfModel,
  made: RandomText,
  asked: Asked | undefined,
  showsAll: boolean,
): readonly string[] {
  const has = said.finals[0];
  if (!has) {
    const ends = [...finals].some((values) => values !== asked?.values);
    return ends ? ['the tool says that no execution ends'] : [];
  }
  const named = Object.entries(made.named ?? {}).map(
    ([name, expression]) => [name, made.observed.indexOf(expression)] as const,
  );
  const compared = [...made.observed.map((name, i) => [name, i] as const), ...named].filter(
    // A bit field has the name of the cell that contains it.
    ([name]) => has.has(name) && !/^b\d+\./.test(name),
  );
  const shown = (values: readonly (string | number)[]): string =>
    compared.map(([name], k) => `${name}=${values[k]!}`).join(' ');
  const project = (values: string): string => {
    const all = values.split(' ');
    return shown(compared.map(([, i]) => all[i]!));
  };
  const ours = new Set([...finals].map(project));
  const certain = new Set([...finals].filter((values) => values !== asked?.values).map(project));
  const theirs = new Set(
    said.finals.map((final) => shown(compared.map(([name]) => final.get(name)! | 0))),
  );
  return [
    ...(showsAll ? missing(finals, has, made, asked) : []),
    ...[...certain].filter((one) => !theirs.has(one)).map((one) => `the tool does not list ${one}`),
    ...[...theirs].filter((one) => !ours.has(one)).map((one) => `the tool lists ${one}`),
  ];
}

/**
 * Whether a value is shown in a final state. Printed values are named by the line of the call if
 * the number of the call differs between paths.
 */
function isShown(name: string, has: ReadonlyMap<string, number>): boolean {
  const [, printed] = /^(printed by .*) #\d+$/.exec(name) ?? [];
  return has.has(name) || [...has.keys()].some((other) => other.startsWith(`${printed}, line `));
}

/** Returns the names that differ between final states and that the tool fails to show. */
function missing(
  finals: ReadonlySet<string>,
  has: ReadonlyMap<string, number>,
  { observed, named = {}, shown = [] }: RandomText,
  asked: Asked | undefined,
): readonly string[] {
  const certain = [...finals].filter((values) => values !== asked?.values);
  const wanted = [
    ...shown.map((name) => [name, name] as const),
    // The result of main may follow from memory.
    ...Object.entries(named).filter(([name]) => name !== 'return of main'),
  ];
  return wanted.flatMap(([name, expression]) => {
    const place = observed.indexOf(expression);
    const values = new Set(certain.map((each) => each.split(' ')[place]));
    return values.size < 2 || isShown(name, has) ? [] : [`the tool does not show ${name}`];
  });
}
