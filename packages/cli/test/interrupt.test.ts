import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { fenced, huge } from './programs.js';

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe('Ctrl-C', () => {
  test.each([[['check']], [['check', '--jobs', '2']], [['reach']]])(
    'during a long %j makes it report what it knows and exit 5',
    async (verb) => {
      const cwd = await folderWith({ 'huge.fw': huge, 'fenced.fw': fenced });
      const run = await fencewright([...verb, 'huge.fw', 'fenced.fw', '--json'], {
        cwd,
        during: (kill) => void wait(1500).then(() => kill('SIGINT')),
      });
      expect(run).toMatchObject({ code: 5, stderr: '' });
      const { results } = JSON.parse(run.stdout) as {
        results: { file: string; verdict: string }[];
      };
      expect(results[0]).toMatchObject({ file: 'huge.fw', verdict: 'unknown' });
      expect(results.map(({ file }) => file)).toEqual(['huge.fw', 'fenced.fw']);
    },
  );

  test('says in words that it was interrupted', async () => {
    const cwd = await folderWith({ 'huge.fw': huge });
    const run = await fencewright(['check', 'huge.fw'], {
      cwd,
      during: (kill) => void wait(1500).then(() => kill('SIGINT')),
    });
    expect(run.code).toBe(5);
    expect(run.stdout).toMatch(/huge\.fw: Huge is undecided: .*(interrupted|cancelled)/);
    expect(run.stdout).toMatch(/[\d,]+ states in/);
  });
});
