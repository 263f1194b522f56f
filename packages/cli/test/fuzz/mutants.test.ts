import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuTimer, SeededRandom } from '@fencewright/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { mutate } from './mutate.js';
import { runHere } from './run-here.js';
import { collectSeeds } from './seeds.js';

// A thread needs the bundle, and takes longer to start than a run.
vi.mock('../../src/needs-thread.js', () => ({
  needsThread: () => false,
  taskNeedsThread: () => false,
}));

const mutants = randomRuns(400, 20_000, 200);
const seed = randomSeed(20130317);

/** The number of milliseconds of CPU time that a run with a limit of two seconds may take. */
const patience = 30_000;

test(`${mutants} slips in files of every format lead to a message, and never to a fault of the tool`, async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'fencewright-mutants-'));
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
  const groups = await collectSeeds(scratch);
  const codes = new Map<number, number>();
  for (let number = 0; number < mutants; number++) {
    const random = new SeededRandom(seed + number);
    const group = groups[number % groups.length]!;
    const { extension, text, commands } = group[random.below(group.length)]!;
    const mutant = mutate(text, random);
    const file = path.join(scratch, `mutant${extension}`);
    await writeFile(file, mutant);
    // The file to write stands alone, or behind its format: `html=OUT`.
    const args = commands[random.below(commands.length)]!.map((word) =>
      word === 'FILE' ? file : word.replace(/(^|=)OUT$/, `$1${path.join(scratch, 'out')}`),
    );
    const took = cpuTimer();
    const { code, stdout, stderr } = await runHere(args);
    const about = `FENCEWRIGHT_SEED=${seed + number}: ${args.join(' ')}\n${stderr}\n${mutant}`;
    expect(took(), about).toBeLessThan(patience);
    expect([0, 5, 10, 64, 65], about).toContain(code);
    // The option may not apply to this program.
    if (code === 64) expect(stdout + stderr, about).toMatch(/does not apply to/);
    expect(stdout + stderr, about).not.toMatch(/internal error|\n\s+at .*:\d+:\d+|\bundefined\b/);
    if (code === 65 && !args.includes('--json')) expect(stderr, about).not.toBe('');
    if (args.includes('--json')) expect(() => JSON.parse(stdout) as unknown, about).not.toThrow();
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  console.info(`${mutants} mutants by exit code:`, Object.fromEntries(codes));
  for (const code of [0, 10, 65])
    expect(codes.get(code) ?? 0, `exit ${code}`).toBeGreaterThan(mutants / 60);
});
