import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import { attemptProof } from '../src/strategy/attempt.js';
import { certificateScript } from '../src/obligations/certificate.js';
import { searchHornInvariants } from '../src/strategy/horn-invariants.js';
import { Prover } from '../src/obligations/obligation.js';
import { overallAgreement } from '../src/obligations/write-atomicity.js';
import type { SmtAnswer, SmtQuery, SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { createWasmZ3 } from '@fencewright/ground/solvers/z3-wasm.js';
import { describeWith } from '../../../tools/external-program.js';
import { openProgram, proveText, useSolver } from './proving.js';

const native = useSolver();

/**
 * Returns the result of inference by Horn clauses alone, for a program without invariants; the
 * proof; and the solver's questions.
 */
async function search(text: string, solver: SmtSolver = native) {
  const open = openProgram(text);
  const prover = new Prover(solver);
  const first = await attemptProof(open, [], prover);
  if ('unsupported' in first) throw new Error(first.unsupported.kind);
  const limits = { question: 60_000_000, end: 60_000_000 };
  const aim = { agreement: 'same-outcomes' } as const;
  const { attempt, found, hopeless } = await searchHornInvariants(
    first,
    { written: [], helpers: [] },
    prover,
    limits,
    aim,
  );
  return {
    before: overallAgreement(first.stores),
    agreement: overallAgreement(attempt.stores),
    found,
    lines: found.map((invariant) => formatInvariant(open, invariant)),
    attempt,
    hopeless,
  };
}

const corpus = new URL('../../../corpus/reduction/', import.meta.url).pathname;

/** Returns the text of a corpus program without its invariants. */
function bare(name: string): string {
  return readFileSync(`${corpus}${name}.fw`, 'utf8').replace(/^invariant .*$/gm, '');
}

/**
 * A queue whose head never passes its tail, so that the part of its code that is not robust never
 * runs.
 */
const queue = `program Queue
  var h, t, x, y
  thread take[*] { local a, b; loop { lock; a = t; b = h; assume(b < a); h = b + 1; unlock; } }
  thread put[*] { local c; loop { c = fetch_add(t, 1); } }
  thread watch[*] { local u, v, w; loop { u = h; v = t; if (u > v) { x = self; w = y; } } }
  thread other { local r; loop { y = r; r = x; } }`;

const blocking = bare('dc-locking')
  .replace(/havoc r1 with [^;]+;/, 'r1 = p;')
  .replace(/do \{ won = cas.+$/m, 'atomic { won = l; assume(won == 0); l = 1; }');

describe('Horn clauses', () => {
  it.each([
    ['r-detour', bare('r-detour'), 'same-values'],
    ['sb-detours', bare('sb-detours'), 'same-values'],
    ['write-r', bare('write-r'), 'same-values'],
    ['nbw-w-wr', bare('nbw-w-wr'), 'same-values'],
    ['dc-locking, whose abstraction is written', bare('dc-locking'), 'same-outcomes'],
    ['dc-locking with a lock that blocks', blocking, 'apart'],
    ['nbw-w-lr-rl-blocking', bare('nbw-w-lr-rl-blocking'), 'same-values'],
    ['a relation of two variables', queue, 'apart'],
  ] as const)('settle %s, which has no argument without invariants', async (_, text, agreement) => {
    const { before, found, lines, attempt, ...after } = await search(text);
    expect(before).toBeUndefined();
    expect(after.agreement).toBe(agreement);
    expect(after.hopeless).toBeUndefined();
    // The prover has proved all invariants, whatever their origin.
    expect(attempt.invariants).toEqual(found);
    expect(attempt.broken.size).toBe(0);
    // Invariants that mention labels of the text can be added to the text.
    if (lines.some((line) => /@ L?[0-9]/.test(line))) return;
    const again = (await proveText(`${text}\n${lines.join('\n')}`, { solver: native })).result;
    expect(again.verdict.kind).toBe('proved');
    expect(again.invariants.every(({ verdict }) => verdict === 'inductive')).toBe(true);
  });

  it.each([
    [
      'store buffering',
      `program P var x, y
      thread a { local r; x = 1; r = y; } thread b { local r; y = 1; r = x; }`,
    ],
    [
      'dc-locking without an abstraction',
      bare('dc-locking').replace(/havoc r1 with [^;]+;/, 'r1 = p;'),
    ],
    [
      'any number of threads',
      'program P var x, y thread t[*] { local r; x = self; r = y; y = 1; }',
    ],
  ])('have no solution for %s', async (_, text) => {
    const { hopeless, found, agreement } = await search(text);
    expect(agreement).toBeUndefined();
    expect(hopeless).toBeDefined();
    expect(found).toEqual([]);
  });

  it('know nothing of arrays', async () => {
    const text = (variable: string, cell: string) => `program P var ${variable}, x, y
      thread t[*] { local r, s; s = ${cell}; if (s != 0) { x = self; r = y; y = 1; } }`;
    expect((await search(text('a', 'a'))).agreement).toBeDefined();
    expect((await search(text('a[*]', 'a[0]'))).hopeless).toBeDefined();
  });

  it('are told of a third thread', async () => {
    // Two threads alone never reach the store; they need a third thread.
    const text = (steps: number) => `program P var n, x, y
      thread t[*] { local r, k; k = fetch_add(n, 1); if (k >= ${steps}) { x = k; r = y; y = 1; } }`;
    expect((await search(text(2))).hopeless).toBeDefined();
  });

  it('are asked in WebAssembly as well', async () => {
    const wasm = createWasmZ3();
    try {
      const { agreement, found } = await search(bare('write-r'), wasm);
      expect(agreement).toBe('same-values');
      expect(found.length).toBeGreaterThan(0);
    } finally {
      await wasm.close();
    }
  });

  describeWith('z3', ['--version'], 'certificates', () => {
    it('have the questions about what was found', async () => {
      const { questions, result } = await proveText(bare('write-r'), {
        solver: native,
        infer: true,
      });
      const found = result.invariants.filter(({ source }) => source === 'horn-clauses');
      expect(found.length).toBeGreaterThan(0);
      for (const { name } of found)
        expect(questions.some(({ claim }) => claim.startsWith(`${name} stays true`))).toBe(true);
      const input = certificateScript(questions, []);
      const { stdout } = spawnSync('z3', ['-in'], { input, encoding: 'utf8' });
      expect(stdout).toBe('unsat\n'.repeat(questions.length));
    });
  });
});

describe('a solver that lies', () => {
  /**
   * Returns a solver that answers questions about Horn clauses by `lie`, and all others honestly.
   */
  function liar(lie: (script: string) => SmtAnswer): SmtSolver {
    return {
      name: 'liar',
      solve: (query) =>
        query.logic === 'HORN' ? Promise.resolve(lie(query.script)) : native.solve(query),
      close: () => Promise.resolve(),
    };
  }

  const buffering = `program P var x, y
    thread a[*] { local r; loop { x = 1; r = y; } }
    thread b[*] { local r; loop { y = 1; r = x; } }`;

  /**
   * Returns an answer that defines every predicate of the script by `body` of the predicate's
   * parameters.
   */
  function define(script: string, body: (parameters: readonly string[]) => string): SmtAnswer {
    const definitions = [...script.matchAll(/\(declare-fun (I\S+) \(([^)]*)\) Bool\)/g)].map(
      ([, name, sorts = '']) => {
        const parameters = (sorts.match(/Int/g) ?? []).map((_, i) => `p${i}`);
        const typed = parameters.map((parameter) => `(${parameter} Int)`).join(' ');
        return `(define-fun ${name} (${typed}) Bool ${body(parameters)})`;
      },
    );
    expect(definitions.length).toBeGreaterThan(0);
    return { kind: 'sat', model: definitions.join('\n') };
  }

  it.each([
    ['that nothing can be reached', () => 'false'],
    ['that a variable keeps its value', ([first = '0']: readonly string[]) => `(= ${first} 0)`],
    ['nonsense', () => '(exists ((q Int)) (= q 0))'],
    ['nothing', () => 'true'],
  ] as const)('and says %s is not believed', async (_, body) => {
    const solver = liar((script) => define(script, body));
    const { agreement, found } = await search(buffering, solver);
    expect(agreement).toBeUndefined();
    expect(found).toEqual([]);
    const { result } = await proveText(buffering, { solver, infer: true });
    expect(result.verdict.kind).toBe('not-robust');
  });

  it('and says that there is no solution keeps us from looking on, and no more', async () => {
    const solver = liar(() => ({ kind: 'unsat' }));
    const { agreement, hopeless } = await search(bare('write-r'), solver);
    expect(agreement).toBeUndefined();
    expect(hopeless).toBeDefined();
  });
});

describe('inference', () => {
  it('is limited by what the solver does, and by no clock', async () => {
    const asked: SmtQuery[] = [];
    const listener: SmtSolver = {
      name: 'listens',
      solve: (query) => {
        asked.push(query);
        return native.solve(query);
      },
      close: () => Promise.resolve(),
    };
    const text = bare('nbw-w-lr-rl-blocking');
    await proveText(text, { solver: listener, infer: true });
    const horn = asked.filter(({ logic }) => logic === 'HORN');
    expect(horn.length).toBeGreaterThan(0);
    expect(horn.every(({ effort }) => effort !== undefined && effort <= 3_000_000)).toBe(true);
    expect(asked.every(({ timeout }) => timeout === undefined)).toBe(true);
    // A prover with almost no effort finds nothing, and reports no result.
    const open = openProgram(bare('write-r'));
    const prover = new Prover(native);
    const first = await attemptProof(open, [], prover);
    if ('unsupported' in first) throw new Error(first.unsupported.kind);
    const none = { written: [], helpers: [] };
    const limits = { question: 100, end: 1_000_000 };
    const aim = { agreement: 'same-outcomes' } as const;
    const starved = await searchHornInvariants(first, none, prover, limits, aim);
    expect(starved.found).toEqual([]);
    expect(starved.hopeless).toBeUndefined();
  });

  it('finds invariants that no template has, and says where they come from', async () => {
    const { result } = await proveText(blocking, { solver: native, infer: true });
    expect(result.verdict).toEqual({
      kind: 'proved',
      conclusion: { kind: 'robust', happensBefore: 'standard' },
    });
    const found = result.invariants.filter(({ source }) => source === 'horn-clauses');
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.every(({ origin, verdict }) => origin === 'inferred' && verdict === 'inductive'),
    ).toBe(true);
  });

  it('says that no invariant helps', async () => {
    const text = 'program P var x, y thread t[*] { local r, h; havoc h; x = h; r = y; y = h + r; }';
    const options = { solver: native, infer: true, searchInstances: false };
    const { result } = await proveText(text, options);
    expect(result.verdict.kind).toBe('unknown');
    const helpless = result.stores.filter(
      ({ argument }) => argument.kind === 'none' && argument.noInvariantHelps,
    );
    expect(helpless).toHaveLength(1);
  });
});
