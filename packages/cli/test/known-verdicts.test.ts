import { describe, expect, test } from 'vitest';
import { reportOn } from '../src/report-on.js';
import type { Request } from '../src/run-settings.js';
import { findOnThread } from '../src/run-in-workers.js';
import { checkOfFiles as check } from '../src/verbs/check.js';
import { WorkThread } from '../src/work-thread.js';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';

const knowing = new URL('threads/knowing.cjs', import.meta.url);

const asking = {
  verb: check,
  values: {} as never,
  run: { json: false, limits: {}, colours: { stdout: false, stderr: false }, width: 80 },
};

const mebibyte = 1024 * 1024;

/**
 * Checks a file in a worker thread that reports an early verdict and then goes on; returns the
 * finding. `stops`: the thread is told to stop after the early verdict, but does not react.
 */
function findingBehind(file: string, limits: Request['limits'] = {}, stops = false) {
  const cancel = new AbortController();
  const request: Request = { question: { kind: 'check', answers: 'full' }, limits };
  const onKnown = (): void => {
    if (stops) cancel.abort();
  };
  const task = { request, signal: cancel.signal, onProgress: () => undefined, onKnown };
  return findOnThread(new WorkThread(knowing), file, task, { graceAfterCancel: 1 });
}

describe('a verdict that is known', () => {
  test('outlives a thread that is ended in what follows, of which that is said', async () => {
    const finding = await findingBehind('spins', {}, true);
    const { exitCode, stdout, json } = await reportOn(asking, 'spins', finding);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('spins: P is robust');
    expect(stdout).toContain(
      'the analyses after the verdict are incomplete: the run was cancelled',
    );
    expect(json).toMatchObject({
      ...{ verdict: 'robust', cutShort: 'cancelled' },
      answer: { kind: 'unknown', reason: 'cancelled' },
    });
  });

  test('does not answer what --fail-on asks besides', async () => {
    const finding = await findingBehind('spins', {}, true);
    const codeWith = async (failOn: string): Promise<number> => {
      const values = { failOn: [failOn] } as never;
      return (await reportOn({ ...asking, values }, 'spins', finding)).exitCode;
    };
    for (const open of ['vacuous', 'differs']) expect(await codeWith(open)).toBe(5);
    // The program has no claims, so no claim fails.
    expect(await codeWith('violated')).toBe(0);
  });

  test('outlives a thread that takes more memory than it has', async () => {
    const finding = await findingBehind('fills', { maxMemory: mebibyte });
    const { exitCode, json } = await reportOn(asking, 'fills', finding);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ verdict: 'robust', cutShort: 'memory' });
  });

  test.each([
    ['leaves', 'worker exited with code: 3'],
    ['throws', 'nobody catches this'],
    ['rejects', 'the task fails'],
  ])('outlives a thread that %s, which is told as a fault of ours', async (file, internalError) => {
    const report = await reportOn(asking, file, await findingBehind(file));
    expect(report.exitCode).toBe(70);
    expect(report.stdout).toContain('P is robust');
    expect(report.stderr).toContain(`internal error on ${file}: ${internalError}`);
    expect(report.json).toMatchObject({ verdict: 'robust', internalError });
  });
});

test('a timeout that no timer can count is not over at once', async () => {
  const text = 'program T var x thread a { local r; x = 1; r = x; } thread b { x = 2; }';
  const cwd = await folderWith({ 't.fw': text });
  for (const timeout of ['2147484', '1e300']) {
    const run = await fencewright(['check', '--timeout', timeout, 't.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const piped = await fencewright(['check', '--timeout', timeout, '-'], { cwd, input: text });
    expect(piped.stdout).toContain('is robust');
  }
});
