import { describe, expect, it } from 'vitest';
import { printNative } from '@fencewright/core/native';
import { Prover } from '../src/obligations/obligation.js';
import { toProofProgram, type ProofProgram } from '../src/steps/proof-program.js';
import { checkWeakRmws } from '../src/abstractions/weak-rmw-soundness.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { proveToJson } from '@fencewright/reports/json/prove-json.js';
import { proveReport } from '@fencewright/reports/text/prove.js';
import { openProgram, proveText, useSolver } from './proving.js';

const solver = useSolver();
const quick = { solver, searchInstances: false };
const abstraction = { kind: 'proved', conclusion: { kind: 'abstraction' } };

/**
 * Returns a program whose threads take a lock by the statement `take`, and load after the release.
 * Control passes `take` once the lock is held.
 */
const locked = (take: string, invariants = 'one held') => `program P
  var l, x, y
  thread t[*] {
    local o, r;
    ${take}
  got: x = self;
  leave: l = 0;
    r = y;
  put: y = r + 1;
  }
  ${invariants.includes('held') ? 'invariant held(a: t): a @ got || a @ leave ==> l == 1' : ''}
  ${invariants.includes('one') ? 'invariant one(a: t, b: t): a @ got || a @ leave ==> !(b @ got || b @ leave)' : ''}`;

describe('a weak rmw in a proof', () => {
  it.each([
    ['do { o = weak_cas(l, 0, 1); } while (o == 0);', 'do { o = cas(l, 0, 1); } while (o == 0);'],
    ['while (!weak_cas(l, 0, 1)) { }', 'while (!cas(l, 0, 1)) { }'],
    ['do { o = weak_xchg(l, 1); } while (o == 1);', 'do { o = xchg(l, 1); } while (o == 1);'],
    [
      'do { choose { o = cas(l, 0, 1); } or { fence; o = 0; } } while (o == 0);',
      'do { o = cas(l, 0, 1); } while (o == 0);',
    ],
  ])('lets the release of a lock move left: %s', async (weak, ordinary) => {
    expect((await proveText(locked(weak), quick)).result.verdict).toEqual(abstraction);
    const plain = await proveText(locked(ordinary), quick);
    expect(plain.result.verdict).toMatchObject({ kind: 'unknown', reason: 'movers' });
    const { result } = await proveText(locked(ordinary), { ...quick, infer: true });
    expect(result.verdict).toEqual(abstraction);
    expect(result.abstractions).toMatchObject([{ kind: 'rmw', origin: 'inferred', isSound: true }]);
    const printed = printNative(result.abstraction!);
    expect(printed).toContain('weak_');
    expect((await proveText(printed, quick)).result.verdict).toEqual(abstraction);
  });

  it('does not hide that two may hold the lock', async () => {
    // Without the invariants the taking of the lock may come before its release.
    for (const invariants of ['one', 'held', 'none']) {
      const text = locked('do { o = weak_cas(l, 0, 1); } while (o == 0);', invariants);
      expect((await proveText(text, quick)).result.verdict).toMatchObject({ kind: 'unknown' });
    }
  });

  it('only leaves out what the failure does', async () => {
    // An exchange that stores 2 over 1 is no failure.
    const text = locked('do { o = weak_xchg(l, 2); } while (o != 0); l = 1;');
    expect((await proveText(text, quick)).result.verdict).toMatchObject({ kind: 'unknown' });
    // The lock counts down while it is taken, so the result shows who holds it.
    const counted = locked('do { o = fetch_sub(l, 1); } while (o != 2);');
    const { result } = await proveText(counted, { ...quick, infer: true });
    expect(result.abstractions.filter(({ kind }) => kind === 'rmw')).toEqual([]);
  });

  it('waits for the own stores also where it fails', async () => {
    const text = (rmw: string) => `program P var x, y, z
      thread a[*] { local r; x = self; ${rmw} r = y; }
      thread b[*] { local r; y = self; ${rmw} r = x; }`;
    expect((await proveText(text('r = weak_cas(z, 0, 1);'), quick)).result.verdict).toEqual(
      abstraction,
    );
    const dropped = text('if (*) { r = cas(z, 0, 1); }');
    expect((await proveText(dropped, quick)).result.verdict).toMatchObject({ kind: 'unknown' });
  });

  it('is taken for an abstraction: the program without it is searched', async () => {
    const text = `program P var l = 1, c, y
      thread a { local r, s; l = 0; r = c; s = c; }
      thread b { local o; c = 1; o = weak_cas(l, 0, 1); }`;
    const { result } = await proveText(text, { solver });
    expect(result.verdict.kind).toBe('not-robust');
    const { instance } = result.verdict as { instance: { threads: readonly unknown[] } };
    expect(instance.threads).toHaveLength(2);
  });

  it('lets properties hold under TSO', async () => {
    const text = `${locked('do { o = weak_cas(l, 0, 1); } while (o == 0);')}
      invariant bits: l == 0 || l == 1`;
    const { result } = await proveText(text, { ...quick, properties: ['bits'] });
    expect(result.properties).toMatchObject([{ name: 'bits', verdict: 'holds' }]);
    expect(result.properties[0]?.why).toEqual({ kind: 'under-sc', of: 'abstraction' });
  });

  it('lets nothing hold of places where a thread has the lock and no invariant says so', async () => {
    // Between the cas and the label: `held` speaks of the labels only.
    const text = locked('do { o = weak_cas(l, 0, 1); } while (o == 0);');
    const { result } = await proveText(text, { ...quick, properties: ['one'] });
    expect(result.properties).toMatchObject([{ name: 'one', verdict: 'unknown' }]);
  });
});

describe('the check of a weak rmw', () => {
  const check = async (program: ProofProgram) => {
    const found = await checkWeakRmws(program, new Prover(solver));
    return found.map(({ finding }) => finding.kind);
  };
  const proofProgram = (text: string): ProofProgram => {
    const program = toProofProgram(openProgram(text), []);
    if ('unsupported' in program) throw new Error(program.unsupported.kind);
    return program;
  };
  /** Returns the program with changed edges, which are wrong on purpose. */
  const withEdges = (
    program: ProofProgram,
    change: (edges: ProofProgram['threads'][number]['edges']) => typeof edges,
  ): ProofProgram => ({
    ...program,
    threads: program.threads.map((thread) => ({ ...thread, edges: change(thread.edges) })),
  });

  it.each([
    'r = weak_cas(x, r, 2);',
    'r = weak_xchg(x, r);',
    'weak_cas(x, 0, 1);',
    'r = weak_xchg(a[r], 3);',
  ])('holds: %s', async (body) => {
    const program = proofProgram(`program P var x, a[4] thread t { local r; ${body} }`);
    expect(await check(program)).toEqual(['holds']);
  });

  it('notices a wrong result, a lost outcome, and a change of memory', async () => {
    const program = proofProgram(
      'program P var x domain 0..9 thread t { local r, s; r = weak_xchg(x, 1); s = r; }',
    );
    expect(await check(program)).toEqual(['holds']);
    const wrong = withEdges(program, (edges) =>
      edges.map((edge) =>
        edge.operation.kind === 'assign' && edge.operation.value.kind === 'constant'
          ? { ...edge, operation: { ...edge.operation, value: { kind: 'constant', value: 0 } } }
          : edge,
      ),
    );
    expect(await check(wrong)).toEqual(['fails']);
    const lost = withEdges(program, (edges) =>
      edges.filter(({ operation }) => operation.kind !== 'rmw'),
    );
    expect(await check(lost)).toEqual(['fails']);
    const storing = withEdges(program, (edges) =>
      edges.map((edge) =>
        edge.operation.kind === 'fence'
          ? {
              ...edge,
              operation: {
                kind: 'store',
                address: { kind: 'address', symbol: 0 },
                value: { kind: 'constant', value: 5 },
              },
            }
          : edge,
      ),
    );
    expect(await check(storing)).toEqual(['fails']);
  });
});

describe('the report', () => {
  it('names weak rmws, in text and JSON', async () => {
    const text = locked('while (!cas(l, 0, 1)) { }');
    const open = openProgram(text);
    const { result } = await proveText(text, { solver, infer: true });
    expect(proveReport({ file: 'p.fw', program: open }, result, plainPalette)).toContain(
      't at line 5: weak_cas(l, 0, 1) allows what an ordinary one does (inferred)',
    );
    expect(proveToJson('p.fw', open, result).abstractions).toMatchObject([
      { thread: 't', kind: 'rmw', origin: 'inferred', text: 'weak_cas(l, 0, 1)', sound: true },
    ]);
  });
});
