// Uses the hardware as a judge of the front end for C: `npm run hardware -- PROGRAMS ROUNDS SEED`.
// Random programs run natively, pinned to cores, with random delays. Each outcome has to be among
// the final states that the tool lists under TSO, and among those of the machine for LLVM IR.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareAll, type Compared } from '../packages/languages/test/ir-machine/compare.js';
import { randomC } from '../packages/languages/test/ir-machine/random-c-text.js';
import { lookedAt, type RandomText } from '../packages/languages/test/ir-machine/random-text.js';
import { allClangs } from '../packages/core/test/node/clang/clangs.js';

const harness = fileURLToPath(new URL('hardware-harness.c', import.meta.url));
const limits = { maxStates: 20_000, toolStates: 200_000 };

interface Seen {
  /** The outcomes of the program that were observed on the hardware. */
  readonly values: ReadonlySet<string>;
  readonly rounds: number;
}

function runNatively(folder: string, made: RandomText, rounds: number, seed: number): Seen {
  const [file, program] = [join(folder, 'native.c'), join(folder, 'native')];
  writeFileSync(file, made.text);
  const wrapped = [
    'main=program_main',
    'pthread_create=pinned_create',
    'pthread_join=opening_join',
  ];
  const flags = ['-w', '-O0', '-D_GNU_SOURCE', '-DLOOK', ...wrapped.map((each) => `-D${each}`)];
  const object = join(folder, 'native.o');
  for (const args of [
    [...flags, '-c', file, '-o', object],
    ['-O1', harness, object, '-pthread', '-o', program],
  ]) {
    const { status, stderr } = spawnSync('cc', args);
    if (status !== 0) throw new Error(String(stderr));
  }
  const { stdout } = spawnSync(program, [String(rounds), String(seed)], { encoding: 'utf8' });
  const values = stdout.split('\n').flatMap((line) => lookedAt(line) ?? []);
  return { values: new Set(values), rounds: values.length };
}

/**
 * Returns the outcomes of the hardware that are missing among those listed by the tool or the
 * machine.
 */
function missing(
  { values }: Seen,
  { said, judged }: Compared,
  made: RandomText,
  asked: string | undefined,
): readonly string[] {
  const found: string[] = [];
  for (const seen of values) {
    const parts = seen.split(' ');
    if (judged.kind === 'judged' && judged.tso.isComplete) {
      const isThere = judged.tso.finals.some(({ output }) => lookedAt(output) === seen);
      if (!isThere) found.push(`the machine does not end in ${seen}`);
    }
    if (said.kind !== 'said' || !said.tso.knowsEnds) continue;
    const condition = made.observed.map((name, i) => `(int)(${name})==${parts[i]!}`).join('&&');
    const isListed = said.tso.finals.some((final) =>
      made.observed.every((name, i) => {
        const value = /^b\d+\./.test(name) ? undefined : final.get(name);
        return value === undefined || (value | 0) === Number(parts[i]);
      }),
    );
    if (!isListed && condition !== asked) found.push(`the tool does not list ${condition}`);
  }
  return found;
}

async function main(): Promise<void> {
  const [programs = 50, rounds = 2000, first = 0] = process.argv.slice(2).map(Number);
  const clang = (await allClangs()).find(({ kind }) => kind === 'native');
  if (!clang) throw new Error('there is no native clang');
  const folder = mkdtempSync(join(tmpdir(), 'fencewright-hardware-'));
  const groups = new Set(['environment', 'null'] as const);
  let [outcomes, added, wrong, all] = [0, 0, 0, 0];
  for (let seed = first; seed < first + programs; seed++) {
    const made = randomC(seed, groups);
    // C11 threads are created by a call that the harness does not wrap.
    if (made.kinds.has('threads.h')) continue;
    const [compared] = await compareAll(clang, [{ seed, made }], folder, limits);
    const seen = runNatively(folder, made, rounds, seed);
    const { judged } = compared!;
    const sc =
      judged.kind === 'judged' ? judged.sc.finals.map(({ output }) => lookedAt(output)) : [];
    outcomes += seen.values.size;
    all += seen.rounds;
    if (judged.kind === 'judged')
      added += [...seen.values].filter((one) => !sc.includes(one)).length;
    for (const text of missing(seen, compared!, made, compared!.asked)) {
      wrong += 1;
      console.log(`program ${seed}: ${text}\n${made.text}`);
    }
  }
  console.log(
    `${programs} programs, ${all} rounds: ${outcomes} outcomes, ${added} by store buffers only, ${wrong} that nobody lists`,
  );
  rmSync(folder, { recursive: true });
  process.exitCode = wrong > 0 ? 1 : 0;
}

void main();
