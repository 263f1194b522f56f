import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { endless, fenced, storeBuffering } from './programs.js';

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'endless.fw': endless,
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
    const { code, stdout } = await run('endless.fw', '--max-states', '2000');
    expect([5, 10]).toContain(code);
    if (code === 5) expect(stdout).toContain('undecided');
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
