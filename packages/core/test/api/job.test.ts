import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSameResult, type Job, jobKey, type JobResult } from '../../src/api/job.js';

const job: Job = {
  tool: '1',
  verb: 'check',
  settings: { maxStates: 5, engine: undefined },
  format: 'native',
  text: 'program P\n',
};

describe('the key of a job', () => {
  test('is the SHA-256 of its canonical JSON', async () => {
    const canonical =
      '{"format":"native","job":1,"settings":{"maxStates":5},"text":"program P\\n","tool":"1","verb":"check"}';
    expect(await jobKey(job)).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  test('depends on all that can change the result, and not on the order of members', async () => {
    const { text, ...rest } = job;
    expect(await jobKey({ text, ...rest })).toBe(await jobKey(job));
    const random = { generator: 'threads', first: 1, count: 100 };
    const { tool, verb, settings } = job;
    const others: readonly Job[] = [
      { ...job, tool: '2' },
      { ...job, verb: 'reach' },
      { ...job, settings: { maxStates: 6 } },
      { ...job, format: 'trencher' },
      { ...job, text: 'program P' },
      { ...job, copies: { t: 2 } },
      { ...job, copies: { t: 3 } },
      { ...job, beside: { costs: 'x 1' } },
      { tool, verb, settings, random },
      { tool, verb, settings, random: { ...random, first: 101 } },
      { tool, verb, settings, random: { ...random, count: 99 } },
      { tool, verb, settings, random: { ...random, generator: 'loops' } },
    ];
    const keys = await Promise.all([job, ...others].map(jobKey));
    expect(new Set(keys).size).toBe(others.length + 1);
  });
});

describe('two results', () => {
  const result: JobResult = {
    exitCode: 0,
    json: { file: 'a.fw', verdict: 'robust', stats: { states: 7, milliseconds: 1.5 } },
  };

  test('are the same but for times', () => {
    const slower = { ...result, json: { ...result.json, stats: { states: 7, milliseconds: 2 } } };
    expect(isSameResult(result, slower)).toBe(true);
  });

  test.each<JobResult>([
    { ...result, exitCode: 10 },
    { ...result, json: { ...result.json, verdict: 'not-robust' } },
    { ...result, json: { ...result.json, stats: { states: 8, milliseconds: 1.5 } } },
  ])('differ otherwise: %j', (other) => {
    expect(isSameResult(result, other)).toBe(false);
  });
});
