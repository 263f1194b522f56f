import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { certificateScript } from '../src/obligations/certificate.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { proveReport } from '@fencewright/reports/text/prove.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { describeWith } from '../../../tools/external-program.js';
import { openProgram, proveText, useSolver } from './proving.js';

const solver = useSolver();
const quick = { solver, searchInstances: false };

async function verdictOf(text: string) {
  return (await proveText(text, quick)).result.verdict;
}

const standard = { kind: 'proved', conclusion: { kind: 'robust', happensBefore: 'standard' } };
const value = { kind: 'proved', conclusion: { kind: 'robust', happensBefore: 'value' } };

describe('write-atomicity', () => {
  it('holds of message passing, in both notions, for any number of readers', async () => {
    const text = `program P
      var data, flag
      thread w { data = 42; flag = 1; }
      thread r[*] { local a, b; a = flag; b = data; }`;
    expect(await verdictOf(text)).toEqual(standard);
  });

  it('is not claimed for store buffering; a search of the program finds why', async () => {
    const text =
      'program P var x, y thread a { local r; x = 1; r = y; } thread b { local r; y = 1; r = x; }';
    expect(await verdictOf(text)).toMatchObject({ kind: 'unknown', reason: 'movers' });
    const { result } = await proveText(text, { solver });
    expect(result.verdict).toMatchObject({ kind: 'not-robust', happensBefore: 'value' });
  });

  it('is not claimed where the solver has no answer', async () => {
    const silent: SmtSolver = {
      name: 'silent',
      solve: () => Promise.resolve({ kind: 'unknown', reason: 'time', detail: '' }),
      close: () => Promise.resolve(),
    };
    const text = 'program P var x, y thread a[*] { local r; x = 1; r = y; y = x; }';
    const { result } = await proveText(text, { solver: silent, searchInstances: false });
    expect(result.verdict.kind).toBe('unknown');
  });

  it('counts copies of one thread as others', async () => {
    const body = '{ local r; x = self + 1; r = y; y = 1; }';
    expect(await verdictOf(`program P var x, y thread t[1] ${body}`)).toEqual(standard);
    expect(await verdictOf(`program P var x, y thread t[*] ${body}`)).toMatchObject({
      kind: 'unknown',
    });
  });

  it('sees that all write one value, and says that this is robust by values only', async () => {
    const text = (start: string, invariant: string) => `program P var ${start}
      thread a[*] { local r; x = 1; r = y; }
      thread b[*] { local r; y = 1; r = x; }
      invariant known: ${invariant}`;
    expect(await verdictOf(text('x = 1, y = 1', 'x == 1 && y == 1'))).toEqual(value);
    expect(await verdictOf(text('x, y', 'x <= 1 && y <= 1'))).toMatchObject({ kind: 'unknown' });
  });

  it('takes own cells of copies that self tells apart for owned', async () => {
    const text = (index: string) => `program P var a[*], y
      thread t[*] { local r; a[${index}] = 1; r = a[${index}]; }`;
    expect(await verdictOf(text('self'))).toEqual(standard);
    // All copies write 1, but a copy may still load 0 while the other copy's 1 is delayed.
    expect(
      await verdictOf(`program P var a[*], i
      thread t[*] { local r, k; k = i; a[k] = 1; r = a[k]; }
      thread u { local j; loop { i = j; j = j + 1; } }`),
    ).toMatchObject({ kind: 'unknown' });
  });

  it('knows fences, exchanges and failing cas as ends of a delay', async () => {
    const text = (middle: string) =>
      `program P var x, y, z thread t[*] { local r; x = self; ${middle} r = y; y = self; fence; }`;
    for (const middle of ['fence;', 'r = xchg(z, 1);', 'r = cas(z, 5, 6);', 'lock; unlock;'])
      expect(await verdictOf(text(middle))).toEqual(standard);
    expect(await verdictOf(text('skip;'))).toMatchObject({ kind: 'unknown' });
  });

  it('lets a store wait behind others: what another store is worth says nothing of it', async () => {
    // No other thread accesses `p` and `q`, so the stores in the middle are immediate; the first
    // ones are not.
    const text = `program P var x, y, p, q
      thread a { local r; x = 1; p = 1; r = y; }
      thread b { local r; y = 1; q = 1; r = x; }`;
    const { stores } = (await proveText(text, quick)).result;
    expect(stores.map(({ argument }) => argument.kind)).toEqual([
      'none',
      'left-mover',
      'none',
      'left-mover',
    ]);
  });

  it('takes a lock block for one step', async () => {
    const inside = (t: string) =>
      ['got', 'look', 'put', 'leave'].map((l) => `${t} @ ${l}`).join(' || ');
    const withLock = `program P var l, x, y
      thread t[*] {
        local o, r;
        atomic { o = l; assume(o == 0); l = 1; }
        got: x = self;
        look: r = y;
        put: y = self;
        leave: l = 0;
        r = x;
      }
      invariant held(a: t): ${inside('a')} ==> l == 1
      invariant one(a: t, b: t): ${inside('a')} ==> !(${inside('b')})`;
    // While the release is delayed, no other thread enters, so the load after the release may be
    // early.
    expect(await verdictOf(withLock)).toEqual(standard);
    // A thread that tests the lock without waiting observes the delay.
    const tried = withLock.replace('assume(o == 0); l = 1;', 'if (o == 0) { l = 1; }');
    expect(await verdictOf(tried)).toMatchObject({ kind: 'unknown' });
  });
});

describe('invariants', () => {
  const text = (invariants: string) => `program P
    var x
    thread t[*] { local r; loop { r = x; assume(r < 5); x = 0; } }
    ${invariants}`;

  it('are believed only if they are inductive', async () => {
    const { result } = await proveText(
      text('invariant no: x == 1\ninvariant small: x < 5\ninvariant wrong(a: t): a.r == 3'),
      quick,
    );
    expect(result.invariants.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['no', 'broken'],
      ['small', 'inductive'],
      ['wrong', 'broken'],
    ]);
  });

  it('are left out with what rests on them', async () => {
    const { result } = await proveText(
      `program P var x, y
       thread t { loop { y = x; x = y; } }
       thread u { x = 1; }
       invariant yZero: y == 0
       invariant xZero: x == 0`,
      quick,
    );
    expect(result.invariants.every(({ verdict }) => verdict === 'broken')).toBe(true);
  });

  it('may bind pairs, and are checked against a third', async () => {
    // The claim holds for two copies, and a third copy breaks it.
    const { result } = await proveText(
      `program P var x
       thread t[*] { local r; r = fetch_add(x, 1); if (r >= 2) { r = 0; } done: skip; }
       invariant distinct(a: t, b: t): a @ done && b @ done ==> a.r != b.r
       invariant positive: x >= 0`,
      quick,
    );
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['broken', 'inductive']);
  });

  it('have to hold at the start, though no step breaks them', async () => {
    const { result } = await proveText(
      'program P var x thread t[*] { local r; r = x; } invariant seven: x == 7',
      quick,
    );
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['broken']);
  });

  it('are checked against threads that they do not bind', async () => {
    // Each copy loads its own number, unless another copy comes between.
    const { result } = await proveText(
      `program P var x
       thread t[*] { x = self; mine: skip; done: skip; }
       invariant own(a: t): a @ mine ==> x == a.self`,
      quick,
    );
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['broken']);
  });

  it('are broken by what a cas stores', async () => {
    const { result } = await proveText(
      `program P var x thread t[*] { local r; r = cas(x, 0, 1); } invariant zero: x == 0`,
      quick,
    );
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['broken']);
  });

  it('that nobody can satisfy at a label are remarked upon', async () => {
    const { result } = await proveText(
      'program P var x thread t[*] { local r; r = x; if (r == 7) { bad: x = 0; } } invariant zero: x == 0 invariant r(a: t): a.r == 0 invariant seven(a: t): a @ bad ==> a.r == 7',
      quick,
    );
    const { templates } = openProgram(
      'program P var x thread t[*] { local r; r = x; if (r == 7) { bad: x = 0; } }',
    );
    expect(
      result.deserted.map(({ location }) => templates.threads[0]!.locations[location]!.name),
    ).toEqual(['bad']);
  });
});

describe('read abstractions', () => {
  it('have to allow what a load would read, whatever the invariants say', async () => {
    const text = (condition: string) =>
      `program P var x thread t { local r; havoc r with ${condition}; } invariant zero: x == 0`;
    const sound = await proveText(text('r <= x'), quick);
    expect(sound.result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
    expect(sound.result.diagnostics).toEqual([]);
    const unsound = await proveText(text('r == x && x == 0'), quick);
    expect(unsound.result.verdict).toMatchObject({ kind: 'unknown', reason: 'abstractions' });
    expect(unsound.result.diagnostics).toMatchObject([
      {
        code: 'FW2008',
        span: { start: { line: 0, column: 54 }, end: { line: 0, column: 55 } },
        message: expect.stringContaining("values that 'r = x' could read") as string,
        hint: 'allow every value of the cell: havoc r with r == x || ...',
      },
    ]);
  });

  it('are told from robustness of the program itself', async () => {
    const text = `program P var x, y
      thread a { local r; x = 1; havoc r with r == y || r == 0; }
      thread b[*] { local r; y = 1; havoc r with r == x || r == 0; }
      invariant bits: (x == 0 || x == 1) && (y == 0 || y == 1)`;
    const { result } = await proveText(text, { solver });
    expect(result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
    expect(result.violation).toMatchObject({ happensBefore: 'value' });
  });
});

describe('inference', () => {
  it('finds invariants over the constants that stores mention', async () => {
    const text = `program P var x, y
      thread a[*] { local r; loop { x = 1; y = 1; r = x; } }
      thread b[*] { loop { x = 1; } }`;
    // All copies of `a` store the same value to `y`, and no thread loads it.
    expect(await verdictOf(text)).toEqual(value);
    const clash = text.replace('y = 1; r = x;', 'go: y = 1; fence; y = 2; r = x;');
    expect(await verdictOf(clash)).toMatchObject({ kind: 'unknown' });
    const { result } = await proveText(clash, { ...quick, infer: true });
    expect(result.verdict).toEqual(value);
    expect(
      result.invariants.some(
        ({ origin, verdict }) => origin === 'inferred' && verdict === 'inductive',
      ),
    ).toBe(true);
  });

  it('never keeps what fails on the way', async () => {
    const text = `program P var x, y
      thread a { local r; x = 1; x = 0; r = y; }
      thread b { local r; y = 1; y = 2; r = x; }`;
    const { result } = await proveText(text, { ...quick, infer: true });
    const found = result.invariants.map(({ text: line }) => line?.replace(/^invariant \w+: /, ''));
    expect(found.length).toBeGreaterThan(0);
    for (const wrong of ['x <= 0', 'x == 0', 'y <= 0', 'y == 0', 'y <= 1', 'y != 2'])
      expect(found).not.toContain(wrong);
    // The program is not robust, and the prover infers an abstraction.
    expect(result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
  });
});

describe('properties', () => {
  const text = (body: string) => `program P var x, l
    thread t { local r; ${body} cs: x = 1; out: x = 0; }
    thread u { local r; ${body} cs: x = 1; out: x = 0; }
    invariant free(a: t): t @ cs || t @ out || u @ cs || u @ out ==> l == 1
    property exclusive: never ((t @ cs || t @ out) && (u @ cs || u @ out))
    property ends: finally (x == 0)`;

  it('hold under TSO if they are inductive and the program is robust', async () => {
    const options = { ...quick, properties: ['exclusive', 'ends', 'free'] };
    const { result } = await proveText(text('r = xchg(l, 1); assume(r == 0);'), options);
    expect(result.verdict).toEqual(standard);
    expect(result.properties.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['exclusive', 'unknown'],
      // The last thread to end has stored 0 last.
      ['ends', 'holds'],
      ['free', 'unknown'],
    ]);
    const guarded = text('r = xchg(l, 1); wait: assume(r == 0);').replace(
      'invariant free',
      'invariant one: !((t @ wait && t.r == 0 || t @ cs || t @ out) && (u @ wait && u.r == 0 || u @ cs || u @ out))\ninvariant got: t @ wait && t.r == 0 || u @ wait && u.r == 0 ==> l == 1\ninvariant free',
    );
    expect((await proveText(guarded, options)).result.properties[0]).toMatchObject({
      verdict: 'holds',
    });
  });
});

it('properties about any two copies, with numbers that grow', async () => {
  const text = (take: string) => `program P var l, x
    thread user[*] {
      local v, r;
      loop { ${take} wait: assume(r == 0); in_: v = x; mid: x = v + 1; out: l = 0; }
    }
    invariant one(a: user, b: user):
      !((a @ wait && a.r == 0 || a @ in_ || a @ mid || a @ out) &&
        (b @ wait && b.r == 0 || b @ in_ || b @ mid || b @ out))
    invariant got(a: user): a @ wait && a.r == 0 || a @ in_ || a @ mid || a @ out ==> l == 1
    property exclusive: never (user[0] @ mid && user[1] @ mid)
    property apart: never (user[4] @ in_ && user[2] @ out)
    property alone: never (user[3] @ in_ && user[3] @ out)
    property idle: never (user[0] @ wait && user[1] @ wait)`;
  const ask = async (take: string): Promise<readonly string[]> => {
    const properties = ['exclusive', 'apart', 'alone', 'idle'];
    const { result } = await proveText(text(take), { ...quick, properties });
    return result.properties.map(({ verdict }) => verdict);
  };
  // A copy is at one place only; two copies may wait at the same time.
  expect(await ask('r = xchg(l, 1);')).toEqual(['holds', 'holds', 'holds', 'unknown']);
  // A thread that finds a value other than 2 holds the lock.
  expect(await ask('r = cas(l, 2, 1);')).toEqual(['unknown', 'unknown', 'holds', 'unknown']);
});

describe('properties of the end', () => {
  const ask = async (text: string, ...properties: string[]) => {
    const { result } = await proveText(text, { ...quick, properties });
    return result.properties.map(({ verdict }) => verdict);
  };

  it('hold if they hold where all threads have ended', async () => {
    const text = (end: string, more = '') => `program P var x, y
      thread a { x = 1; x = 2; }
      ${more}
      property end: finally (${end})`;
    expect(await ask(text('x == 2'), 'end')).toEqual(['holds']);
    // Before the end the value is 1.
    expect(await ask(text('x != 1'), 'end')).toEqual(['holds']);
    expect(await ask(text('x == 1'), 'end')).toEqual(['unknown']);
    // The obligation for the other thread's last step needs the effect of its first step.
    const two = 'thread b { y = 1; }';
    expect(await ask(text('x == 2 && y == 1', two), 'end')).toEqual(['unknown']);
    const ends = 'invariant a: ended(a) ==> x == 2\ninvariant b: ended(b) ==> y == 1';
    expect(await ask(`${text('x == 2 && y == 1', two)}\n${ends}`, 'end')).toEqual(['holds']);
    expect(await ask(`${text('x == 2 && y == 2', two)}\n${ends}`, 'end')).toEqual(['unknown']);
  });

  it('need that the program is robust', async () => {
    // If both loads returned 0, stores were delayed. No thread has ended without a store.
    const text = `program P var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local r; y = 1; r = x; }
      property stored: finally (x == 1 && y == 1)`;
    expect(await ask(text, 'stored')).toEqual(['unknown']);
    expect(await ask(text.replaceAll('1; r', '1; fence; r'), 'stored')).toEqual(['unknown']);
    const helped = `${text.replaceAll('1; r', '1; fence; next: r')}
      invariant a: a @ next || ended(a) ==> x == 1
      invariant b: b @ next || ended(b) ==> y == 1`;
    expect(await ask(helped, 'stored')).toEqual(['holds']);
  });

  it('are not proved of any number of copies, and others not at all; the reason is given', async () => {
    const text = `program P var x
      thread t[*] { x = 1; }
      property end: finally (x == 1)
      property some: exists (x == 1)`;
    const { result } = await proveText(text, { ...quick, properties: ['end', 'some', 'none'] });
    expect(result.properties).toMatchObject([
      { verdict: 'unknown', why: { kind: 'ends-of-copies' } },
      { verdict: 'unknown', why: { kind: 'claims-existence' } },
      { verdict: 'unknown', why: { kind: 'no-such-name' } },
    ]);
  });

  it('do not take who waits for ever for one who has ended', async () => {
    const text = `program P var x
      thread t { x = 1; stuck: unlock; }
      property gone: never (t @ stuck && !ended(t))
      property end: finally (x == 5)`;
    expect(await ask(text, 'gone', 'end')).toEqual(['unknown', 'holds']);
  });
});

describe('what is not understood', () => {
  it('is unknown: a loop inside of a lock block, a block that may be open or not', async () => {
    expect(
      await verdictOf(
        'program P var x thread t { local r; atomic { do { r = x; } while (r == 0); } }',
      ),
    ).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(
      await verdictOf('program P var x thread t { if (*) { lock; } x = 1; unlock; }'),
    ).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  });
});

describe('the report', () => {
  it('shows a failed obligation as two steps from a state', async () => {
    const text =
      'program P\nvar H, T\nthread owner { local h; T = 1;\nh = H; }\nthread thief[*] { local t, ok;\nt = T;\nok = cas(H, t, t + 1); }';
    const { result } = await proveText(text, quick);
    const report = proveReport({ file: 'p.fw', program: openProgram(text) }, result, plainPalette);
    expect(report).toContain("owner's h = H at line 4 is no right mover");
    expect(report).toMatch(
      /thief's ok = cas\(H, t, t \+ 1\) at line 7, which succeeds, makes -?\d+ into -?\d+/,
    );
    expect(report).toMatch(/from H = -?\d+, T = -?\d+/);
  });
});

describeWith('z3', ['--version'], 'a certificate', () => {
  it('is confirmed by Z3, question by question', async () => {
    const text = `program P var x, y
      thread a[*] { local r; x = 1; r = y; }
      thread b[*] { y = 1; }
      invariant ones: x == 1 && y == 1`.replace('var x, y', 'var x = 1, y = 1');
    const { result, questions } = await proveText(text, quick);
    expect(result.verdict).toEqual(value);
    expect(questions.length).toBeGreaterThan(2);
    const script = certificateScript(questions, ['P']);
    const { stdout } = spawnSync('z3', ['-in'], { input: script, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(questions.map(() => 'unsat'));
    // A script that was tampered with is not accepted.
    const broken = script.replaceAll('(not (= ', '(= (= ');
    const again = spawnSync('z3', ['-in'], { input: broken, encoding: 'utf8' }).stdout;
    expect(again).toMatch(/^(sat|\(error)/m);
  });
});
