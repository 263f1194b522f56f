import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { chooseSmtSolver } from '@fencewright/core/node';
import { verifyCertificate } from '@fencewright/verifier';
import { proveText } from '../../../proofs/test/proving.js';
import { claimed, liar, verify } from './claimed.js';

/** Store buffering: not robust, so any claim of robustness is false. */
const storeBuffering = `program SB
var x, y
thread a { local r; x = 1; r = y; }
thread b { local r; y = 1; r = x; }`;

const fenced = `program Fenced
var x, y
thread a[*] { local r; x = 1; fence; r = y; }
thread b { local r; r = 5; r = 6; y = r; fence; r = x; }
property middle: never (b.r == 5)
property memory: never (y == 6 && y == 5)`;

describeWith('z3', ['--version'], 'proofs, asked of z3', () => {
  it('copies of t are not the thread t1: a program whose stores wait is not robust', async () => {
    const certificate = await claimed(`program Collision
var x, y
thread t[*] { local r; x = 1; r = y; }
thread t1 { local r; skip; skip; skip; y = 1; fence; r = x; }`);
    expect(certificate).toMatchObject({
      conclusion: { kind: 'robust', happensBefore: 'standard' },
    });
    const report = await verify(certificate);
    expect(report).toMatchObject({ kind: 'rejected' });
    expect(JSON.stringify(report)).toContain('load of t at');
  });

  it('store buffering is not robust by any argument', async () => {
    for (const kind of ['left-mover', 'no-loads'])
      for (const happensBefore of ['standard', 'value']) {
        const stores = [0, 1].map((thread) => ({ thread, store: 0, argument: { kind } }));
        const conclusion = { kind: 'robust', happensBefore };
        const report = await verify(await claimed(storeBuffering, { stores, conclusion }));
        expect(report.kind).toBe('rejected');
      }
  });

  it('premises that cannot be true prove nothing, and are named', async () => {
    const invariants = [{ name: 'no', binders: [], condition: { kind: 'constant', value: 0 } }];
    const report = await verify(await claimed(storeBuffering, { invariants }));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain('the premises can be true at once');
  });

  it('a fence makes it robust; what is said of it between places is not checked', async () => {
    expect((await verify(await claimed(fenced, {}, ['memory']))).kind).toBe('accepted');
    const report = await verify(await claimed(fenced, {}, ['middle']));
    expect(report).toMatchObject({ kind: 'partly' });
    expect(JSON.stringify(report)).toContain('register r of b, which changes between places');
  });

  it('who is between two places is at no label', async () => {
    const text = `program Between
var x
thread b { local r; here: r = x; skip; there: x = 1; }
property p: never (!(b @ here) && !(b @ there) && x == 0)`;
    const report = await verify(await claimed(text, {}, ['p']));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain('p follows');
  });

  it('a division by zero, a shift too far and computed bits are any number', async () => {
    const text = `program Any
var x, y, z
thread a { local r, s; r = x; s = y; z = 1 / r - 1 / r + (r << s) - (r << s); fence; }
invariant zero: z == 0`;
    expect((await verify(await claimed(text))).kind).toBe('accepted');
    const one = text.replace('z == 0', 'z == 0 && y / 0 == 0');
    expect((await verify(await claimed(one))).kind).toBe('rejected');
  });

  it('who waits in the middle of a step is seen there', async () => {
    const text = `program Waits
var x, y
thread a { local r; r = x; assume(r == 1); y = 1; }`;
    const certificate = (await claimed(text)) as {
      readonly places: readonly (readonly number[])[];
    };
    expect((await verify(certificate)).kind).toBe('accepted');
    const places = [certificate.places[0]!.filter((place) => place !== 1)];
    const report = await verify(await claimed(text, { places }));
    expect(JSON.stringify(report)).toContain('a can always go on to a place');
  });

  it('a load behind a step that invariants exclude need not move; the step has to be excluded', async () => {
    const text = `program Around
var x, y, z = 1
thread a { local r, v; x = 1; r = z; q: if (r == 0) goto l; fence; l: v = y; }
thread b { local w; y = 1; fence; w = x; }
invariant kept: z == 1
invariant read(t: a): t @ q ==> t.r == 1`;
    interface Stores {
      readonly stores: readonly { readonly impossible?: readonly (readonly number[])[] }[];
    }
    const solver = chooseSmtSolver();
    const { claims } = await proveText(text, { solver, searchInstances: false });
    await solver.close();
    const proved = JSON.parse(JSON.stringify(claims)) as Stores;
    const certificate = (await claimed(text, { stores: proved.stores })) as Stores;
    const named = certificate.stores.flatMap(({ impossible = [] }) => impossible);
    expect(named.length).toBeGreaterThan(0);
    expect((await verify(certificate)).kind).toBe('accepted');
    const withSteps = (impossible: readonly (readonly number[])[]) =>
      certificate.stores.map((store) => (store.impossible ? { ...store, impossible } : store));
    const verdict = async (change: object) => {
      const report = await verify(await claimed(text, change));
      return `${report.kind}: ${JSON.stringify(report)}`;
    };
    // Without the invariants the step is possible; if the certificate does not claim that the step
    // is impossible, the load after the step counts.
    expect(await verdict({ stores: proved.stores, invariants: [] })).toMatch(
      /^rejected.*cannot go on from q/,
    );
    expect(await verdict({ stores: withSteps([]) })).toMatch(/^rejected.*no argument mentions/);
    // Paths that are no steps, and steps with a fence, exclude nothing.
    expect(await verdict({ stores: withSteps([[0, 0]]) })).toMatch(/^rejected.*is no step/);
    // A load that is on an impossible step and on a possible step counts.
    const split = text
      .replace('q: ', '')
      .replace(/invariant read.*$/m, '')
      .replace('y = 1;', 'z = 1; y = 1;');
    const honest = (await claimed(split)) as {
      readonly stores: readonly { readonly thread: number; readonly store: number }[];
    };
    const stores = honest.stores.map((store) =>
      store.thread === 0
        ? { ...store, argument: { kind: 'no-loads' }, impossible: [[1, 2]] }
        : store,
    );
    const report = await verify(await claimed(split, { stores }));
    expect(JSON.stringify(report)).toContain('transition 1 loads, which no argument mentions');
  });

  it('a lock block of another thread may miss the stores delayed in front of a load', async () => {
    const text = `program P
var x, z
thread a { local r; x = 1; p: r = z; }
thread b { local w; atomic { w = x; if (w == 0) z = 1; } }
invariant seen: a @ p ==> x == 1`;
    const stores = [{ thread: 0, store: 0, argument: { kind: 'right-movers', loads: [1] } }];
    const report = await verify(await claimed(text, { stores }));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain("moves right of b's step");
    const without = text.replace('if (w == 0) z = 1;', '');
    expect((await verify(await claimed(without, { stores }))).kind).toBe('accepted');
  });

  it('a solver that is not there, or is none, shows nothing', async () => {
    const certificate = await claimed(fenced);
    const none = path.join(tmpdir(), 'no', 'such', 'z3');
    expect(await verify(certificate, [none])).toEqual({
      kind: 'unknown',
      reason: `there is no ${none} on the PATH`,
    });
    expect((await verify(certificate, ['z3', 'sh'])).kind).not.toBe('accepted');
  });

  it('one that says something else than an answer shows nothing', async () => {
    const report = await verify(await claimed(storeBuffering), [liar('(error "what?")')]);
    expect(report.kind).toBe('partly');
    expect(JSON.stringify(report)).toContain('what?');
  });

  it('cells of two variables cannot be one', async () => {
    const certificate = (await claimed(storeBuffering)) as {
      automata: { symbols: { base: number }[] };
    };
    certificate.automata.symbols[1]!.base = certificate.automata.symbols[0]!.base;
    const report = await verify(await claimed(storeBuffering, { automata: certificate.automata }));
    expect(report).toMatchObject({
      kind: 'not-a-certificate',
      reason: expect.stringContaining('cells that one variable has') as string,
    });
  });

  describeWith('cvc5', ['--version'], 'and of cvc5', () => {
    it('a z3 that lies is believed alone, and not beside cvc5', async () => {
      const certificate = await claimed(storeBuffering);
      const lying = liar('unsat');
      expect((await verify(certificate, [lying])).kind).toBe('accepted');
      const report = await verify(certificate, [lying, 'cvc5']);
      expect(report.kind).toBe('rejected');
      expect(JSON.stringify(report)).toContain('refuted by cvc5');
    });

    it('both are asked where none is named', async () => {
      const report = await verifyCertificate(await claimed(fenced), undefined, {});
      expect(JSON.stringify(report)).toContain('each shown by z3 and by cvc5');
    });
  });
});
