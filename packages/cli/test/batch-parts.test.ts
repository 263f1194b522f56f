import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditFrom, isAudited } from '../src/batch/audit.js';
import { forFile } from '../src/batch/job-result.js';
import { nameInJob, namesOfFile, planJobs } from '../src/batch/plan-job.js';
import { poolSize } from '../src/batch/pool-size.js';
import { randomSubjects, seedsFrom } from '../src/batch/random-subjects.js';
import { isInShard, shardFrom } from '../src/batch/shard.js';
import { mebibyte } from '../src/options/values.js';
import { folderWith } from './fencewright.js';
import { fenced, storeBuffering } from './programs.js';

const slurm = { SLURM_ARRAY_TASK_MIN: '5', SLURM_ARRAY_TASK_COUNT: '4' };

describe('--shard', () => {
  test.each([
    [{}, '2/2', { index: 2, count: 2 }],
    [{ ...slurm, SLURM_ARRAY_TASK_ID: '7' }, 'auto', { index: 3, count: 4 }],
    [
      { ...slurm, SLURM_ARRAY_TASK_ID: '9', SLURM_ARRAY_TASK_STEP: '2' },
      'auto',
      { index: 3, count: 4 },
    ],
    [{ JOB_COMPLETION_INDEX: '0' }, 'auto/5', { index: 1, count: 5 }],
    [{ CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }, 'auto', { index: 2, count: 3 }],
  ])('with %j, %s is %j', (environment, argument, expected) => {
    expect(shardFrom(argument, environment)).toEqual(expected);
  });

  test.each([
    [{}, 'auto', 'the environment does not name the part'],
    [{ JOB_COMPLETION_INDEX: '0' }, 'auto', 'write auto/100'],
    [{ JOB_COMPLETION_INDEX: '5' }, 'auto/5', 'there is no part 6 of 5'],
    [{}, '0/2', 'count from 1'],
    [{}, '3/2', 'count from 1'],
    [{}, 'x', 'write 3/100'],
    [{}, '3', 'write 3/100'],
  ])('with %j, %s is refused', (environment, argument, words) => {
    expect(() => shardFrom(argument, environment)).toThrow(words);
  });

  test('every key is in one part', () => {
    for (let n = 0; n < 200; n++) {
      const key = (n * 0x9e3779b1).toString(16).padStart(64, '0').split('').reverse().join('');
      const parts = [1, 2, 3, 4, 5, 6, 7].filter((index) => isInShard(key, { index, count: 7 }));
      expect(parts).toHaveLength(1);
    }
  });
});

test('--audit takes its part of the keys', () => {
  const keys = Array.from({ length: 100 }, (_, n) =>
    `${'f'.repeat(12)}${Math.ceil((n / 100) * 2 ** 32)
      .toString(16)
      .padStart(8, '0')}`.padEnd(64, '0'),
  );
  const audited = (percent: string): number =>
    keys.filter((key) => isAudited(key, auditFrom(percent))).length;
  expect(['0%', '1%', '12.5%', '100%'].map(audited)).toEqual([0, 1, 13, 100]);
  for (const wrong of ['5', '101%', '-1%', '%'])
    expect(() => auditFrom(wrong)).toThrow('write 1% or 0.5%');
});

describe('--random', () => {
  test('cuts seeds by hundreds, so that ranges that overlap share jobs', () => {
    const random = (range: string): readonly (readonly [number, number])[] =>
      [...randomSubjects('loops', seedsFrom(range))].map(({ first, count }) => [first, count]);
    expect(random('1..250')).toEqual([
      [1, 100],
      [101, 100],
      [201, 50],
    ]);
    expect(random('100..201')).toEqual([
      [100, 1],
      [101, 100],
      [201, 1],
    ]);
  });

  test.each(['0..5', '5..4', '7', '1..2147483648'])('%s is refused', (range) => {
    expect(() => seedsFrom(range)).toThrow('write 1..1000');
  });
});

test('there are no more processes than have room in the memory', () => {
  const size = (wished: number | undefined, megabytes: number): number =>
    poolSize(wished, megabytes * mebibyte, 8192 * mebibyte, 16);
  expect([size(undefined, 100), size(4, 100), size(undefined, 2048), size(9, 9000)]).toEqual([
    16, 4, 3, 1,
  ]);
});

describe('a job', () => {
  const common = { verb: 'check', settings: {} };

  test('is the same for the same text, and has the name of no file', async () => {
    const cwd = await folderWith({ 'a.fw': fenced, 'b.fw': fenced, 'c.fw': storeBuffering });
    const plan = async (name: string, more = {}) =>
      (await planJobs(path.join(cwd, name), { ...common, ...more }))[0]!;
    const [a, b, c] = await Promise.all(['a.fw', 'b.fw', 'c.fw'].map((name) => plan(name)));
    expect(a!.order).toEqual(b!.order);
    expect(a!.order.key).not.toBe(c!.order.key);
    expect(a!.order.file).toBe(`job-${a!.order.key}.fw`);
    const limited = await plan('a.fw', { settings: { maxStates: 7 } });
    expect(limited.order.key).not.toBe(a!.order.key);
    expect([a!.reuse, (await plan('a.fw', { settings: { engine: 'spin' } })).reuse]).toEqual([
      'any run',
      'this batch',
    ]);
  });

  test('in C lies where it is compiled, and depends on what it includes', async () => {
    const cwd = await folderWith({ 'a.c': '#include "h.h"\n', 'm.c': '#include HEADER\n' });
    const file = path.join(cwd, 'a.c');
    const plan = async (of = file, c = {}) => (await planJobs(of, { ...common, c }))[0]!;
    const absent = await plan();
    expect([absent.order.file, absent.reuse]).toEqual([file, 'this batch']);
    await writeFile(path.join(cwd, 'h.h'), '#include "deep/g.h"\n');
    const present = await plan();
    await mkdir(path.join(cwd, 'deep'));
    await writeFile(path.join(cwd, 'deep/g.h'), 'int x;\n');
    const deep = await plan();
    expect(new Set([absent, present, deep].map(({ order: { key } }) => key)).size).toBe(3);
    expect((await plan()).order.key).toBe(deep.order.key);
    // However the directive is written.
    for (const text of [
      '/* x */ #include "h.h"\n',
      '#/**/include/* x\n y */"h.h"\n',
      '#in\\\nclude \\\n "h.h"\n',
      '%: include "h.h"\n',
      '  #\tinclude_next "h.h"\n',
      '#import "h.h"',
    ]) {
      await writeFile(file, text);
      const before = await plan();
      await writeFile(path.join(cwd, 'h.h'), `int y${text.length};\n`);
      expect((await plan()).order.key, text).not.toBe(before.order.key);
    }
    for (const text of ['#embed "h.h"\n', '??=include "h.h"\n', '#if __has_include("q.h")\n']) {
      await writeFile(file, text);
      expect((await plan()).reuse, text).toBe('none');
    }
    // The inputs of a file with an unknown include are not known completely.
    expect((await plan(path.join(cwd, 'm.c'))).reuse).toBe('none');
    expect((await plan(file, { ccArgs: ['-include', 'x.h'] })).reuse).toBe('none');
  });

  test('gives its result the name of each of its files, whatever is in it', () => {
    const inJob = nameInJob('0f', 'my program.txt');
    expect(inJob).toEqual({ file: 'job-0f.txt', uri: 'job-0f.txt', program: 'job-0f' });
    const result = {
      exitCode: 10,
      json: { file: 'job-0f.txt', program: 'job-0f', texts: ['job-0f.txt:3: wrong', 'job-0f x'] },
    } as const;
    expect(forFile(result, inJob, namesOfFile("a $& '$1.txt")).json).toEqual({
      file: "a $& '$1.txt",
      program: "a $& '$1",
      texts: ["a $& '$1.txt:3: wrong", 'job-0f x'],
    });
  });
});
