import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { endless, fenced, storeBuffering } from './programs.js';

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'endless.fw': endless,
  // A fence between the reader's store and its load: no race, but no end either.
  'counting.fw': endless.replace('y = r; r = x;', 'y = r; fence; r = x;'),
  'dividing.fw': 'program Dividing\nvar x\nthread t { local r; r = x; r = 1 / r; }\n',
};

async function run(...args: string[]): Promise<{ code: number | null; stdout: string }> {
  return fencewright(['trf', ...args], { cwd: await folderWith(files) });
}

describe('trf', () => {
  test('shows a triangular race, and the execution that ends with it', async () => {
    const { code, stdout } = await run('sb.fw');
    expect(code).toBe(10);
    expect(stdout).toContain('has a triangular race');
    expect(stdout).toMatch(/the load of \w+ by \w+ at line \d+ races with the store of \w+/);
  });

  test('a program without one is robust', async () => {
    const { code, stdout } = await run('fenced.fw');
    expect(code).toBe(0);
    expect(stdout).toContain('free of triangular races');
  });

  test('infinitely many states are unknown', async () => {
    const { code, stdout } = await run('counting.fw', '--max-states', '2000');
    expect(code).toBe(5);
    expect(stdout).toContain('undecided');
  });

  test('a race among infinitely many states is found', async () => {
    // The reader stores y and loads x without a fence between; the counter stores x.
    expect((await run('endless.fw', '--max-states', '2000')).code).toBe(10);
  });

  test('a program at fault is an error', async () => {
    expect((await run('dividing.fw')).code).toBe(65);
  });

  test('--fence finds fences, as many as store buffering needs', async () => {
    const { code, stdout } = await run('sb.fw', '--fence');
    expect(code).toBe(0);
    expect(stdout).toContain('2 fences leave no triangular race, at cost 2');
    const json = await run('sb.fw', '--fence', '--json');
    const { results } = JSON.parse(json.stdout) as { results: Record<string, unknown>[] };
    expect(results[0]).toMatchObject({ verdict: 'race', cost: 2, optimal: true });
  });
});
