import {
  check,
  type CheckResult,
  type Limits,
  type Program,
  finiteProgram,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAttackerPool } from '../src/attacker-pool.js';

/** Options that leave only the search, so that attackers are handed out from the beginning. */
const searchOnly = {
  without: ['static-path', 'local-closure', 'pair-closure', 'directed'],
  forTests: { stagesAfter: 0 },
} as const;

const bundled = new URL('../dist/start-worker.cjs', import.meta.url);
const dying = new URL('threads/dying-search.cjs', import.meta.url);

/**
 * A program with four attackers: all but the last have feasible attacks; no two run the same code.
 */
function programNamed(name: string): Program {
  const { model } = parseNative(`program ${name}
    var x[4], y
    thread a { local r; x[0] = 1; r = x[1]; }
    thread b { local r; x[1] = 2; r = x[2]; x[1] = 0; }
    thread c { local r; x[2] = 3; r = x[0]; r = x[0]; }
    thread d { local r; y = 4; r = x[3]; }`);
  const program = finiteProgram(model);
  if (!program) throw new Error('a program with errors');
  return program;
}

/**
 * Checks a program, with `jobs` threads that share the search. Returns the number of threads that
 * were started, and of those that answered.
 */
async function checkDivided(
  program: Program,
  jobs: number,
  script: URL,
  limits: Limits = {},
): Promise<{ readonly result: CheckResult; readonly given: number; readonly answered: number }> {
  const pool = createAttackerPool(jobs, 0, script);
  onTestFinished(() => pool.close());
  let given = 0;
  let answered = 0;
  const attackerPool = {
    ...pool,
    search: async (...task: Parameters<typeof pool.search>) => {
      given++;
      const outcome = await pool.search(...task);
      answered++;
      return outcome;
    },
  };
  const engine = { name: 'search', attackerPool } as const;
  const result = await check(program, { ...searchOnly, engine, allAttacks: true, limits });
  return { result, given, answered };
}

function withoutCosts({ statistics, ...result }: CheckResult): unknown {
  const { milliseconds: _, bytes: __, ...counted } = statistics;
  return { ...result, statistics: counted };
}

describe('threads that search for others', () => {
  test.each([2, 3, 8])('give the same result, of %i jobs', async (jobs) => {
    const program = programNamed('Four');
    const alone = await check(program, { ...searchOnly, allAttacks: true });
    expect(alone.statistics.attacks).toMatchObject({ feasible: 4, infeasible: 1 });
    const { result, given, answered } = await checkDivided(program, jobs, bundled);
    expect(withoutCosts(result)).toEqual(withoutCosts(alone));
    expect(given).toBe(Math.min(jobs, 4) - 1);
    expect(answered).toBe(given);
  });

  test.each(['Leaves', 'Throws'])('may die: %s', async (name) => {
    const program = programNamed(name);
    const alone = await check(program, { ...searchOnly, allAttacks: true });
    const { result, given, answered } = await checkDivided(program, 3, dying);
    expect(withoutCosts(result)).toEqual(withoutCosts(alone));
    expect([given, answered]).toEqual([2, 0]);
  });

  test('may not be there', async () => {
    const program = programNamed('Absent');
    const none = new URL('threads/none.cjs', import.meta.url);
    const { result, answered } = await checkDivided(program, 2, none);
    expect(result.verdict.kind).toBe('not-robust');
    expect(answered).toBe(0);
  });

  test('tell how far they are, and hear the wish to stop', async () => {
    const stop = new AbortController();
    const heard: number[] = [];
    const limits: Limits = {
      signal: stop.signal,
      onProgress: ({ states }) => {
        heard.push(states);
        stop.abort();
      },
    };
    const { answered } = await checkDivided(programNamed('Waits'), 2, dying, limits);
    expect(heard[0]).toBeGreaterThanOrEqual(7);
    expect(answered).toBe(0);
  });
});
