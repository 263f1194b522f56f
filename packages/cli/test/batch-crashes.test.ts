import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { inCampaign, isCampaign, randomSeed } from '../../../tools/random-runs.js';
import { sourceOf } from '../src/batch/batch-rows.js';
import { finishBatch } from '../src/batch/finish-batch.js';
import { filesIn } from '../src/files-in.js';
import {
  countIn,
  journalIn,
  linesOf,
  resultsAt,
  runBatchOn,
  until,
  withoutTime,
} from './batch-runs.js';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { fenced, huge, storeBuffering } from './programs.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));
const poison = (kind: string): string => `${fenced}// poison: ${kind}\n`;

/** The folder from which the test takes programs. */
const corpus = process.env.FENCEWRIGHT_BATCH_FOLDER ?? path.join(root, 'corpus/litmus');
/** The number of programs in the batch. */
const programs = inCampaign(16, 200);
/** The number of times that the test kills a batch. */
const kills = inCampaign(3, 20);
const seed = randomSeed(1);

/** Returns the processes with a mark in their environment; only on Linux. */
function processesWith(mark: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

async function chosenPrograms(): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const file of filesIn([corpus])) all.push(file);
  const step = Math.max(1, Math.floor(all.length / programs));
  return all.filter((_, i) => i % step === 0).slice(0, programs);
}

describe('a batch that is killed', () => {
  test('at any moment comes to the same in the end', async () => {
    const files = await chosenPrograms();
    const cwd = await folderWith({ list: files.join('\n') });
    const journal = path.join(cwd, 'killed');
    const options = ['batch', '--from-list', 'list', '--jobs', '2', '--max-states', '20000'];
    const mark = `MARK=${randomUUID()}`;
    const env = { PATH: process.env.PATH ?? '', MARK: mark.slice('MARK='.length) };
    const random = new SeededRandom(seed);
    let killed = 0;
    for (let i = 0; i < kills; i++) {
      const starts = countIn(journal, 'start') + random.below(Math.ceil(files.length / kills));
      const child = spawn(process.execPath, [binary, ...options, '--journal', 'killed'], {
        cwd,
        env,
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await until(() => countIn(journal, 'start') > starts, child);
      await new Promise((resolve) => setTimeout(resolve, random.below(30)));
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') killed++;
    }
    if (process.platform === 'linux') {
      await until(() => processesWith(mark).length === 0);
    }
    const outcomeOf = async (folder: string): Promise<readonly unknown[]> => {
      const output = path.join(cwd, `${folder}.jsonl`);
      // Kills at the start of jobs may hit one innocent job three times.
      const more = ['--journal', folder, '--report', `jsonl=${output}`, '--retry', 'quarantined'];
      const { code, stdout } = await fencewright([...options, ...more], { cwd });
      const rows = (await readFile(output, 'utf8')).trimEnd().split('\n');
      return [code, stdout, rows.map((row) => JSON.parse(row, withoutTime) as unknown)];
    };
    expect(await outcomeOf('killed')).toEqual(await outcomeOf('whole'));
    const results = new Map<string, number>();
    let givenUp = 0;
    for (const line of await linesOf(journal)) {
      if (line.kind === 'end') results.set(line.key, (results.get(line.key) ?? 0) + 1);
      if (line.kind !== 'forget') continue;
      results.delete(line.key);
      givenUp++;
    }
    expect([...results.values()].filter((count) => count !== 1)).toEqual([]);
    const again = countIn(journal, 'start') - results.size;
    console.log(
      `${files.length} programs, ${results.size} jobs, ${killed} of ${kills} kills met a run; ${again} jobs were begun again, ${givenUp} given up for a while`,
    );
    expect(killed).toBeGreaterThan(0);
  });

  test('during the same job each time does the others, and gives it up on the third resume', async () => {
    const cwd = await folderWith({ 'a.fw': storeBuffering, 'b.fw': huge, 'c.fw': fenced });
    const run = ['batch', '.', '--jobs', '1', '--journal', 'j'];
    const journal = path.join(cwd, 'j');
    for (let death = 1; death <= 3; death++) {
      const killed = await fencewright(run, {
        cwd,
        during: (kill) =>
          void until(() => countIn(journal, 'start') > death).then(() => kill('SIGKILL')),
      });
      expect(killed.code).toBeNull();
    }
    const { code, stdout } = await fencewright([...run, '--report', 'jsonl=out'], { cwd });
    expect([code, stdout]).toEqual([
      10,
      `not robust           a.fw  (breaks on x86)
crashed              b.fw  (given up after 3 attempts: the run ended while the job was being done)
robust               c.fw
3 files: 1 robust, 1 not, 1 crashed
--retry quarantined tries the abandoned jobs once more
`,
    ]);
    const rows = (await readFile(path.join(cwd, 'out'), 'utf8')).split('\n');
    expect(JSON.parse(rows[1]!)).toMatchObject({
      file: 'b.fw',
      exitCode: 5,
      verdict: 'unknown',
      reason: 'crashed',
      detail: 'given up after 3 attempts: the run ended while the job was being done',
    });
    expect(countIn(journal, 'start')).toBe(5);
  });

  test('while its last lines were written goes on from what is whole', async () => {
    const cwd = await folderWith({ 'a.fw': storeBuffering, 'b.fw': fenced });
    const files = ['a.fw', 'b.fw'].map((name) => path.join(cwd, name));
    const whole = path.join(cwd, 'whole');
    const expected = await runBatchOn(files, whole, { processes: 1 }, resultsAt);
    const bytes = await readFile(journalIn(whole));
    const [last = 0, , before = 0] = [...bytes.keys()].filter((i) => bytes[i] === 10).reverse();
    const third = bytes.lastIndexOf(10, before - 1) + 1;
    const step = isCampaign ? 1 : Math.ceil((last - third) / 4);
    let cuts = 0;
    for (let length = third; length <= last; length += step) {
      const folder = path.join(cwd, `cut${length}`);
      await mkdir(folder);
      await writeFile(journalIn(folder), bytes.subarray(0, length));
      expect(await runBatchOn(files, folder, { processes: 1 }, resultsAt)).toEqual(expected);
      cuts++;
    }
    expect(cuts).toBeGreaterThan(3);
  });

  test('is refused where its journal is damaged in the middle, which is left as it is', async () => {
    const cwd = await folderWith({ 'a.fw': storeBuffering });
    await runBatchOn([path.join(cwd, 'a.fw')], cwd, { processes: 1 }, () => undefined);
    const text = (await readFile(journalIn(cwd), 'utf8')).replace('"robust"', '"Robust"');
    const damaged = text.replace('"kind":"start"', '"kind":"stbrt"');
    await writeFile(journalIn(cwd), damaged);
    const look = (): undefined => undefined;
    await expect(runBatchOn([path.join(cwd, 'a.fw')], cwd, {}, look)).rejects.toThrow(
      /cannot be used: line 4 is damaged; --fresh begins anew/,
    );
    expect(await readFile(journalIn(cwd), 'utf8')).toBe(damaged);
    expect(() => statSync(path.join(cwd, 'lock'))).toThrow('ENOENT');
  });
});

describe('a job', () => {
  test('that ends its process takes no other with it', async () => {
    const words = {
      kill: 'its process was ended by SIGKILL',
      exit: 'its process ended with exit code 3',
      ...(isCampaign && { heap: 'heap' }),
    };
    const kinds = Object.keys(words);
    const texts = Object.fromEntries(kinds.map((kind) => [`${kind}.fw`, poison(kind)]));
    const cwd = await folderWith({ 'a.fw': storeBuffering, ...texts, 'z.fw': fenced });
    const files = ['a.fw', ...Object.keys(texts), 'z.fw'].map((name) => path.join(cwd, name));
    const results = new Map(await runBatchOn(files, cwd, {}, resultsAt));
    expect([results.get('a.fw')?.exitCode, results.get('z.fw')?.exitCode]).toEqual([10, 0]);
    for (const [kind, why] of Object.entries(words)) {
      const { exitCode, json } = results.get(`${kind}.fw`)!;
      expect([exitCode, json.reason]).toEqual([5, 'crashed']);
      expect(json.detail).toContain('given up after 3 attempts: ');
      expect(json.detail).toContain(why);
    }
    const starts = 2 + 3 * kinds.length;
    expect(countIn(cwd, 'start')).toBe(starts);
    // The verdict is known now, until a run asks for the job again.
    await runBatchOn(files, cwd, {}, () => undefined);
    expect(countIn(cwd, 'start')).toBe(starts);
    await runBatchOn(files.slice(0, 2), cwd, { retry: ['quarantined'] }, () => undefined);
    expect(countIn(cwd, 'start')).toBe(starts + 3);
  });

  test('that comes to two results is a fault, and both are told', async () => {
    const cwd = await folderWith({ 'a.fw': poison('fickle'), 'b.fw': storeBuffering });
    const files = ['a.fw', 'b.fw'].map((name) => path.join(cwd, name));
    const code = await runBatchOn(files, cwd, { audit: 1 }, ({ journal }) =>
      finishBatch(sourceOf(journal), { outputs: {}, quiet: true }),
    );
    expect(code).toBe(70);
    expect(countIn(cwd, 'start')).toBe(4);
    // Without a second run of the job, no difference is noticed.
    const calm = path.join(cwd, 'calm');
    const unseen = await runBatchOn(files, calm, {}, ({ journal }) =>
      finishBatch(sourceOf(journal), { outputs: {}, quiet: true }),
    );
    expect([unseen, countIn(calm, 'start')]).toEqual([10, 2]);
  });
});
