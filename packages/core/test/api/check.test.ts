import { describe, expect, test } from 'vitest';
import { check, type CheckOptions } from '../../src/api/check.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { CheckResult, EngineName } from '@fencewright/model/verdict/verdict.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { whyUndecided } from '@fencewright/reports/words/why-undecided.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

const engines: readonly EngineName[] = ['instrument', 'single-query', 'search'];

/** A program whose search never ends, and within a budget finds no violation of robustness. */
const endless = programOf(`var x thread a { loop { x = x + 1; } } thread b { local r; r = x; }`);

/** A robust program with some hundreds of states. */
const fenced = programOf(
  `var x, y, z
  thread a { local i, r; while (i < 8) { x = i; fence; r = y; i = i + 1; } }
  thread b { local i, p; while (i < 8) { y = i; fence; p = x; i = i + 1; } }
  thread c { local p; z = 1; p = x; }`,
);

function unknownReason({ verdict }: CheckResult): string {
  return verdict.kind === 'unknown' ? verdict.reason : verdict.kind;
}

/**
 * Checks a program with an engine. The stages that may make the search unnecessary are switched
 * off, since the tests are about limits of searches.
 */
function checkWith(engine: EngineName, program: Program, options: CheckOptions = {}) {
  return check(program, { engine, ...options, without: ['static-path', 'local-closure'] });
}

describe.each(engines)('a program without end, engine %s', (engine) => {
  test('ends with the limit on states', async () => {
    const result = await checkWith(engine, endless, { limits: { maxStates: 5000 } });
    expect(unknownReason(result)).toBe('states');
    expect(result.statistics.states).toBeGreaterThan(1000);
    expect(result.statistics.states).toBeLessThan(6000);
    if (result.verdict.kind === 'unknown')
      expect(whyUndecided(result.verdict)).toContain('limit on states');
  });

  test('ends with the limit on memory', async () => {
    const result = await checkWith(engine, endless, { limits: { maxMemory: 8e6 } });
    expect(unknownReason(result)).toBe('memory');
  });

  test('ends with the time limit', async () => {
    const took = cpuTimer();
    const result = await checkWith(engine, endless, { limits: { timeout: 100 } });
    expect(unknownReason(result)).toBe('time');
    expect(took()).toBeLessThan(3000);
  });

  test('ends when it is interrupted', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 150);
    const result = await checkWith(engine, endless, { limits: { signal: abort.signal } });
    expect(unknownReason(result)).toBe('cancelled');
  });

  test('all attacks that were not decided are unknown', async () => {
    const result = await checkWith(engine, endless, {
      limits: { maxStates: 5000 },
      allAttacks: true,
    });
    expect(result.attacks.map(({ verdict }) => verdict)).toEqual(['unknown']);
    expect(result.statistics.attacks).toEqual({ total: 1, byCfg: 0, infeasible: 0, feasible: 0 });
  });

  test('a violation beside it is found', async () => {
    const program = programOf(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local p; y = 1; p = x; }
      thread c { loop { z = z + 1; } }`,
    );
    const result = await checkWith(engine, program, { limits: { maxStates: 200_000 } });
    expect(result.verdict.kind).toBe('not-robust');
  });
});

describe.each(engines)('bounded results are never robust, engine %s', (engine) => {
  test.each([1, 2, 10, 40])('with %i states', async (maxStates) => {
    const result = await checkWith(engine, fenced, { limits: { maxStates } });
    expect(unknownReason(result)).toBe('states');
  });

  test('with hardly any memory', async () => {
    const result = await checkWith(engine, fenced, { limits: { maxMemory: 1000 } });
    expect(unknownReason(result)).toBe('memory');
  });

  test('interrupted before it began', async () => {
    const limits = { signal: AbortSignal.abort() };
    expect(unknownReason(await checkWith(engine, fenced, { limits }))).toBe('cancelled');
  });

  test('without limits it is robust', async () => {
    const result = await checkWith(engine, fenced);
    expect(result.verdict).toEqual({ kind: 'robust' });
    expect(result.attacks.every(({ verdict }) => verdict !== 'unknown')).toBe(true);
  });

  test('a program without attacks is robust whatever the limits', async () => {
    const program = programOf('var x thread a { local r; r = x; } thread b { x = 1; }');
    const result = await checkWith(engine, program);
    expect(result.verdict).toEqual({ kind: 'robust' });
    expect(result.statistics.attacks.total).toBe(0);
  });

  test('control flow alone needs no states', async () => {
    const program = programOf('var x, y thread a { local r; x = 1; fence; r = y; }');
    const result = await checkWith(engine, program, { limits: { maxStates: 1 }, allAttacks: true });
    expect(result.attacks.map(({ verdict }) => verdict)).toEqual(['by-cfg']);
    expect(result.verdict.kind).not.toBe('not-robust');
  });
});

/**
 * A thread that accesses the same cells as the thread that faults, so that the check needs a
 * search.
 */
const reader = 'thread b { local p; y = 1; fence; p = x; }';

describe.each(engines)('what engines cannot follow, engine %s', (engine) => {
  test('an overflow ends in unknown, with a diagnostic', async () => {
    const program = programOf(
      `var x, y
      thread a { loop { x = x * 2 + 1; } }
      ${reader}`,
    );
    const result = await checkWith(engine, program, { limits: { maxStates: 100_000 } });
    expect(result.verdict.kind).toBe('unknown');
    expect(unknownReason(result)).toBe('unsupported');
    expect(result.diagnostics.map(({ code }) => code)).toContain('FW3001');
  });

  test('a counter in a register too', async () => {
    const program = programOf(
      `var x, y
      thread a { local r = 1, q; x = 1; while (r != 0) { r = r * 3; } q = y; }
      ${reader}`,
    );
    const result = await checkWith(engine, program, { limits: { maxStates: 100_000 } });
    expect(unknownReason(result)).toBe('unsupported');
  });

  test('so does a choice without a range', async () => {
    const program = programOf(
      `var x, y
      thread a { local r, q; havoc r; x = r; q = y; }
      ${reader}`,
    );
    const result = await checkWith(engine, program);
    expect(unknownReason(result)).toBe('unsupported');
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['FW3005']);
  });
});

describe.each(engines)('mistakes of the program, engine %s', (engine) => {
  test.each([
    ['division by zero', 'r = 6 / r;', '', 'FW3002'],
    ['a remainder by zero', 'r = 6 % r;', '', 'FW3002'],
    ['a value outside the domain', 'r = 4; z = r;', 'domain 0..3', 'FW3003'],
    ['an rmw that leaves the domain', 'fetch_sub(z, 1);', 'domain 0..3', 'FW3003'],
    ['an index outside its array', 'v[r + 2] = 1;', '', 'FW3004'],
  ])('%s: an error, with the line', async (_what, code, domain, diagnostic) => {
    const program = programOf(
      `${domain}
      var x, y, z, v[2]
      thread a {
        local r, q;
        ${code}
        x = 1; q = y;
      }
      ${reader}`,
    );
    const result = await checkWith(engine, program);
    expect(result.verdict).toEqual({ kind: 'error', cause: 'program' });
    expect(result.diagnostics.map(({ code: found }) => found)).toEqual([diagnostic]);
    // Zero-based, below the line with the name.
    expect(result.diagnostics[0]?.span?.start.line).toBe(5);
  });

  test('behind the delayed store', async () => {
    const program = programOf(
      `domain 0..3
      var x, y
      thread a { local r, q; x = 1; r = 4; y = r; q = y; }
      ${reader}`,
    );
    const result = await checkWith(engine, program);
    expect(result.verdict).toEqual({ kind: 'error', cause: 'program' });
  });

  test('a fault that no execution reaches is none', async () => {
    const program = programOf(
      `var x, y
      thread a { local r, q; x = 1; fence; q = y; assume(q == 7); r = 1 / r; }
      ${reader}`,
    );
    const result = await checkWith(engine, program);
    expect(result.verdict).toEqual({ kind: 'robust' });
    // The thread waits for ever, which is no fault.
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['FW2010']);
  });

  test('a violation is found all the same', async () => {
    const program = programOf(
      `var x, y
      thread a { local r; x = 1; r = y; r = 1 / r; }
      ${reader}`,
    );
    const result = await checkWith(engine, program);
    expect(['not-robust', 'error']).toContain(result.verdict.kind);
  });

  test('a witness keeps what saves its execution from a fault', async () => {
    const program = programOf(
      `var x, y, z
      thread c { z = 1; }
      thread a { local q, r; q = z; q = 1 / q; x = 1; r = y; }
      thread b { local p; y = 1; p = x; }`,
    );
    const result = await checkWith(engine, program);
    expect(result.verdict.kind).toBe('not-robust');
  });
});

describe('threads that compute without end', () => {
  test('end in unknown', async () => {
    const program = programOf(
      `var x, y
      thread a { local i, q; x = 1; while (i < 2000000) { i = i + 1; } q = y; }
      ${reader}`,
    );
    for (const engine of engines) {
      const result = await checkWith(engine, program, { limits: { maxStates: 30_000 } });
      expect(unknownReason(result), engine).toBe('states');
    }
  });
});

describe('statistics', () => {
  test('count threads, labels, instructions and attacks', async () => {
    const program = programOf(
      `var x, y
      thread a regs r init l0 begin
        l0: mem[x] <- 1; goto l1;
        l1: r <- mem[y]; goto l2;
        l1: r <- mem[x]; goto l2;
      end
      thread b regs r init l0 begin
        l0: mem[y] <- 1; goto l1;
        l1: mfence; goto l2;
        l2: r <- mem[x]; goto l3;
      end`,
    );
    for (const engine of engines) {
      const { statistics } = await checkWith(engine, program, { allAttacks: true });
      expect(statistics).toMatchObject({
        engine,
        threads: 2,
        labels: 7,
        instructions: 6,
        attacks: { total: 3, byCfg: 1, infeasible: 1, feasible: 1 },
      });
      expect(statistics.states).toBeGreaterThan(0);
    }
  });
});
