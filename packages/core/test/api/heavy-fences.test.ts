import { describe, expect, test } from 'vitest';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finiteProgram, type Model, templatesOf } from '@fencewright/model/program/model.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { createWasmZ3 } from '@fencewright/ground/solvers/z3-wasm.js';
import { check } from '../../src/api/check.js';
import { decide } from '../../src/api/decide.js';
import { outputFormats } from '../../src/api/output-formats.js';
import { prove } from '../../src/api/prove.js';
import type { Question } from '../../src/api/question.js';
import { reach } from '../../src/api/reach.js';
import type { ReductionName } from '../../src/api/reductions.js';
import { trf } from '../../src/api/trf.js';

/** A program that is robust with the heavy fence, but not with an ordinary fence in its place. */
const dekker = `program Dekker
var x, y
thread fast { local r; x = 1; r = y; if (r == 0) { inside: skip; } x = 0; }
thread slow { local r; y = 1; heavy_fence; r = x; if (r == 0) { inside: skip; } y = 0; }
property mutex: never (fast @ inside && slow @ inside)
`;
/**
 * A program that is robust only if a heavy fence empties all buffers at one time, which hardware
 * does not do.
 */
const ring = `program Ring
var x, y, z
thread slow { local r; z = 1; heavy_fence; r = x; }
thread one { local r; x = 1; r = y; }
thread two { local r; y = 1; r = z; }
property all: exists (slow.r == 0 && one.r == 0 && two.r == 0)
`;
const unbounded = `program Unbounded
var x, y
thread fast[*] { local r; x = 1; r = y; }
thread slow { local r; y = 1; heavy_fence; r = x; }
`;

/** Returns the thread with a fence in place of each heavy fence. */
function asOwnFences(thread: Thread): Thread {
  const transitions = thread.transitions.map((step) =>
    step.instruction.kind === 'heavy-fence'
      ? { ...step, instruction: { kind: 'fence' } as const }
      : step,
  );
  return { ...thread, transitions };
}

async function modelOf(source: string): Promise<Model> {
  const { model, diagnostics } = await parseText('native', source);
  return model ?? expect.fail(JSON.stringify(diagnostics));
}

async function programOf(source: string) {
  return finiteProgram(await modelOf(source)) ?? expect.fail(source);
}

const reductions: Readonly<Record<ReductionName, true>> = {
  ...{ 'local-first': true, 'dead-registers': true, freeze: true, symmetry: true },
  ...{ 'owned-cells': true, 'shared-dead-states': true, 'small-instances': true },
  ...{
    'static-path': true,
    'local-closure': true,
    'pair-closure': true,
    'few-threads': true,
    directed: true,
  },
  ...{ 'any-number-first': true, proof: true, cover: true },
};
const reductionNames = Object.keys(reductions) as ReductionName[];

const limits = { maxStates: 20_000 };
const answer = async (source: string, question: Question) =>
  decide(await modelOf(source), question, limits, {});

test('what robustness with heavy fences rests on is an assumption of the answer', async () => {
  const plain = dekker.replace('heavy_fence', 'fence').replace('x = 1;', 'x = 1; fence;');
  for (const kind of ['check', 'explain', 'reach'] as const) {
    const assumed = async (source: string): Promise<readonly string[]> => {
      const result = await answer(source, { kind });
      if (!('about' in result) || !('assumptions' in result.about)) return [];
      return result.about.assumptions.map(({ name }) => name);
    };
    expect([kind, await assumed(dekker)]).toEqual([kind, ['heavy_fence']]);
    expect([kind, await assumed(ring)]).toEqual([kind, []]);
    expect([kind, await assumed(plain)]).toEqual([kind, []]);
  }
  expect(await answer(unbounded, { kind: 'check' })).toMatchObject({
    about: { assumptions: [{ name: 'heavy_fence' }] },
  });
});

test('an answer names the claim that it rests on, and no other', async () => {
  const claims = async (source: string): Promise<readonly string[]> => {
    const result = await answer(source, { kind: 'check' });
    if (!('about' in result) || !('assumptions' in result.about)) return [];
    return result.about.assumptions.map(({ text }) => text);
  };
  const oneThread: unknown = expect.stringMatching(/^cycles without heavy fences need one /);
  const oneWindow: unknown = expect.stringMatching(/^every violation shows with one window/);
  expect(await claims(dekker)).toEqual([oneThread]);
  // The count of delays excludes the ring with two heavy fences.
  expect(await claims(ring.replace('heavy_fence;', 'heavy_fence; heavy_fence;'))).toEqual([
    oneThread,
  ]);
  // By addresses alone, the load may access the second cell of z: the search with windows decides.
  const other = ring
    .replace('var x, y, z', 'var x, y, z[2], w')
    .replace('z = 1;', 'z[1] = 1;')
    .replace('r = z;', 'w = 1; r = w; r = z[r * (1 - r)];');
  expect(await claims(other)).toEqual([oneWindow]);
  expect(await claims(unbounded)).toEqual([oneThread]);
});

test('the search knows that a heavy fence drains the buffers of others', async () => {
  expect((await check(await programOf(dekker))).verdict.kind).toBe('robust');
  const plain = await programOf(dekker.replace('heavy_fence', 'fence'));
  expect((await check(plain)).verdict.kind).toBe('not-robust');
});

test('no helper ends a heavy fence between two loads of the attacker', async () => {
  // The helper has seen `go` before its heavy fence begins. The attacker has not seen `go` behind
  // its store, and sees `ack`: the heavy fence lies behind the store, which is in memory by then.
  const program = await programOf(`program Acknowledged
    var x, y, go, ack
    thread attacker { local r; x = 1; r = go; if (r == 0) { r = ack; if (r == 1) { r = y; } } }
    thread helper { local r; r = go; assume (r == 1); heavy_fence; ack = 1; y = 1; r = x; }
    thread starter { go = 1; }`);
  for (const without of [[], ['static-path', 'local-closure', 'pair-closure']] as const)
    expect((await check(program, { without })).verdict.kind).toBe('robust');
  const fenced = { ...program, threads: program.threads.map(asOwnFences) };
  expect((await check(fenced)).verdict.kind).toBe('not-robust');
});

test('happens-before goes on where a thread loads what another one has stored', async () => {
  // Two threads delay stores; `reader` is after the load of `one` only by the store of `relay`.
  const program = await programOf(`program Relay
    var w, x, y, z
    thread slow { local r; z = 1; heavy_fence; r = x; }
    thread one { local r; x = 1; r = w; }
    thread relay { w = 1; }
    thread reader { local r; r = w; assume (r == 1); r = y; }
    thread two { local r; y = 1; r = z; }`);
  const { verdict } = await check(program);
  expect(verdict.kind).toBe('not-robust');
  if (verdict.kind === 'not-robust') expect(verdict.witness.others).toHaveLength(1);
});

test('states are those of a heavy fence that reaches threads at different moments', async () => {
  const { sc, tso } = await reach(await programOf(ring));
  expect([sc.finalStates.length, tso.finalStates.length]).toEqual([7, 8]);
  expect(tso.properties[0]?.verdict).toBe('holds');
  const twice = await programOf(ring.replace('heavy_fence;', 'heavy_fence; heavy_fence;'));
  expect((await reach(twice)).tso.properties[0]?.verdict).toBe('violated');
  const { tso: ofDekker } = await reach(await programOf(dekker));
  expect(ofDekker.properties[0]?.verdict).toBe('holds');
});

describe('no part of the tool takes a heavy fence for a fence', () => {
  test.each(['instrument', 'single-query', 'spin', 'chc'] as const)(
    'the engine %s has no answer, and says why',
    async (name) => {
      const { verdict, diagnostics } = await check(await programOf(dekker), { engine: name });
      expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
      expect(diagnostics.map(({ message }) => message)).toEqual([
        `the engine '${name}' has no heavy fences`,
      ]);
    },
  );

  test.each(reductionNames.map((name) => [name]).concat([[]]))(
    'without %s the verdicts are the same',
    async (...without: ReductionName[]) => {
      for (const happensBefore of ['standard', 'value'] as const) {
        const options = { without, happensBefore, forTests: { stagesAfter: 0 } };
        expect((await check(await programOf(dekker), options)).verdict.kind).toBe('robust');
        const { verdict } = await check(await programOf(ring), options);
        if (happensBefore === 'standard') expect(verdict.kind).toBe('not-robust');
        else expect(verdict).toMatchObject({ kind: 'unknown', reason: 'several-delays' });
      }
    },
  );

  test.each<Question>([
    { kind: 'check', triesProof: true },
    { kind: 'prove' },
    { kind: 'c11', model: 'c11' },
  ])('$kind is refused', async (question) => {
    expect(await answer(dekker, question)).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'heavy-fences' },
    });
  });

  test('triangular races count a heavy fence for its own thread only', async () => {
    const races = await trf(await programOf(dekker), { repair: true });
    expect(races.verdict.kind).toBe('race');
    expect(races).toMatchObject({ repairUnknown: 'unsupported' });
    const fenced = dekker.replace('x = 1; r = y;', 'x = 1; fence; r = y;');
    expect((await trf(await programOf(fenced))).verdict.kind).toBe('free');
  });

  test('certificates are written for robustness of a known number of threads only', async () => {
    const checked = await answer(dekker, { kind: 'check', certify: true });
    expect(checked).toMatchObject({ certificate: { kind: 'robust' } });
    const ofAll = await answer(unbounded, { kind: 'check', certify: true });
    expect(ofAll).toMatchObject({ uncertified: 'unsupported' });
    const reached = await answer(dekker, { kind: 'reach', certify: true });
    expect(reached).toMatchObject({ uncertified: 'unsupported' });
  });

  test('searches asked directly have no answer', async () => {
    const solver = createWasmZ3();
    const { result } = await prove(templatesOf((await modelOf(dekker)) as never), { solver });
    expect(result.verdict).toMatchObject({ kind: 'unknown', why: { kind: 'heavy-fences' } });
    await solver.close();
  });

  test('any number of copies: robust for all with the heavy fence only', async () => {
    const kindOf = async (source: string) => {
      const result = await answer(source, { kind: 'check' });
      return result.kind === 'check' ? result.result?.verdict.kind : result.kind;
    };
    expect(await kindOf(unbounded)).toBe('robust');
    expect(await kindOf(unbounded.replace('heavy_fence', 'skip'))).toBe('not-robust');
    expect(await kindOf(unbounded.replace('heavy_fence', 'fence'))).toBe('not-robust');
    const many = unbounded.replace('thread slow', 'thread slow[*]');
    expect(await kindOf(many)).toBe('robust');
  });

  test('any number of copies: two heavy fences are enough where one is not', async () => {
    const spread = ring
      .replace('thread one', 'thread one[*]')
      .replace('heavy_fence;', 'heavy_fence; heavy_fence;')
      .replace(/property.*\n/, '');
    const result = await answer(spread, { kind: 'check' });
    expect(result).toMatchObject({
      result: { verdict: { kind: 'robust' }, scope: { kind: 'all' } },
    });
    const chained = `program P
      var x, y, z, w
      thread slow { local r; z = 1; heavy_fence; r = x; }
      thread one[*] { local r; x = 1; r = y; }
      thread two { local r; y = 1; r = z; if (r == 2) { r = w; } }`;
    expect(await answer(chained, { kind: 'check' })).toMatchObject({
      result: { verdict: { kind: 'not-robust' }, scope: { kind: 'instance' } },
    });
  });

  test.each(outputFormats)('the format %s has heavy fences, or refuses them', async (to) => {
    const printed = await answer(dekker, { kind: 'convert', to });
    if (['native', 'dot', 'automata'].includes(to))
      expect(JSON.stringify(printed)).toMatch(/"text".*heavy[_-]fence/);
    else expect(JSON.stringify(printed)).not.toContain('"text"');
    const ofAttack = await answer(dekker, { kind: 'convert', to, attack: 'any' });
    expect(JSON.stringify(ofAttack)).not.toContain('"text"');
    // The native language has them; its user needs another hint.
    if (to === 'native')
      expect(JSON.stringify(ofAttack)).toContain('the instrumentation knows no heavy fences');
  });
});
