import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reportOn } from '../src/report-on.js';
import { runInWorkers } from '../src/run-in-workers.js';
import type { FileTask } from '../src/run-here.js';
import { checkOfFiles as check } from '../src/verbs/check.js';
import { fencewright, folderWith } from './fencewright.js';
import { alike, dividing, endless, fenced, sameStores, storeBuffering } from './programs.js';

const dying = new URL('threads/dying.cjs', import.meta.url);

function taskWith(signal: AbortSignal, onProgress: FileTask['onProgress']): FileTask {
  return { request: { question: { kind: 'check' }, limits: {} }, signal, onProgress };
}

/** A request as `check` without options makes it. */
const asking = {
  verb: check,
  values: {} as never,
  run: { json: false, limits: {}, colours: { stdout: false, stderr: false }, width: 80 },
};

const quiet = (): void => undefined;

describe('the pool of threads', () => {
  test.each([1, 2, 5])('survives threads that die, of which %i run at a time', async (jobs) => {
    const files = ['a', 'leaves', 'throws', 'b', 'rejects', 'c', 'leaves', 'd'];
    const task = taskWith(new AbortController().signal, quiet);
    const findings = await Promise.all(runInWorkers(files, task, jobs, dying));
    const reports = await Promise.all(
      findings.map((finding, i) => reportOn(asking, files[i]!, finding)),
    );
    expect(reports.map(({ exitCode }) => exitCode)).toEqual([65, 70, 70, 65, 70, 65, 70, 65]);
    expect(reports.map(({ json }) => json?.file)).toEqual(files);
    expect(reports[1]?.json).toMatchObject({ internalError: 'worker exited with code: 3' });
    expect(reports[2]?.stderr).toContain('internal error on throws: nobody catches this');
    expect(reports[4]?.json).toMatchObject({ internalError: 'the task fails' });
  });

  test('passes on progress, and the wish to stop; what waits its turn is not begun', async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    const task = taskWith(stop.signal, (file, { states }) => {
      heard.push(`${file} ${states}`);
      stop.abort();
    });
    const findings = await Promise.all(runInWorkers(['waits', 'a', 'b'], task, 1, dying));
    expect(heard).toEqual(['waits 7']);
    expect(findings.map(({ kind }) => kind)).toEqual(['unread', 'cancelled', 'cancelled']);
    const report = await reportOn(asking, 'a', findings[1]!);
    expect(report.exitCode).toBe(5);
    expect(report.json).toMatchObject({ verdict: 'unknown', reason: 'cancelled' });
  });

  test('says so where a script cannot be loaded', async () => {
    const task = taskWith(new AbortController().signal, quiet);
    const none = new URL('threads/none.cjs', import.meta.url);
    const [finding] = await Promise.all(runInWorkers(['a'], task, 2, none));
    expect(finding).toMatchObject({ kind: 'failed' });
  });
});

describe('the number of jobs', () => {
  const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
  const withoutTimes = (text: string): string => text.replaceAll(/"milliseconds": [\d.]+/g, '');

  test.each([['check'], ['check --all-attacks'], ['reach']])(
    'changes nothing in the JSON document of %s but times',
    async (command) => {
      const own = { sb: storeBuffering, fenced, sameStores, endless, alike, dividing };
      const files = Object.entries(own).map(([name, text]) => [`${name}.fw`, text] as const);
      const cwd = await folderWith({ ...Object.fromEntries(files), 'wrong.fw': 'program' });
      const more = (await readdir(examples)).filter((name) => name.endsWith('.fw')).slice(0, 6);
      const names = [...files.map(([name]) => name), 'wrong.fw', 'absent.fw'];
      const args = [...command.split(' '), '--max-states', '2000', '--json', ...names];
      const all = [...args, ...more.map((name) => path.join(examples, name))];
      const [one, two, four] = await Promise.all(
        ['1', '2', '4'].map((jobs) => fencewright([...all, '--jobs', jobs], { cwd })),
      );
      expect(JSON.parse(one!.stdout)).toHaveProperty('results.length', names.length + more.length);
      for (const run of [two!, four!]) {
        expect(withoutTimes(run.stdout)).toBe(withoutTimes(one!.stdout));
        expect(run.code).toBe(one!.code);
      }
    },
  );

  const withoutCosts = (text: string): string => withoutTimes(text).replaceAll(/"bytes": \d+/g, '');

  test.each([
    ['check --all-attacks', ['lamport-fast', 'mcs-lock', 'dekker']],
    ['check', ['lamport-fast', 'mcs-lock']],
    ['explain', ['peterson']],
  ])(
    'changes no more in that of %s for one file, whose attackers are shared out',
    async (command, files) => {
      for (const file of files) {
        const args = [...command.split(' '), path.join(examples, `${file}.fw`), '--json'];
        const divided = ['--hand-over-after', '0', '--jobs'];
        const [one, two, four] = await Promise.all(
          ['1', '2', '4'].map((jobs) => fencewright([...args, ...divided, jobs])),
        );
        expect(JSON.parse(one!.stdout)).toHaveProperty('results.0.verdict');
        for (const run of [two!, four!]) {
          expect(withoutCosts(run.stdout)).toBe(withoutCosts(one!.stdout));
          expect(run.code).toBe(one!.code);
        }
      }
    },
  );
});
