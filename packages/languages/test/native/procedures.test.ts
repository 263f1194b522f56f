import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../../core/src/api/decide.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseNative } from '../../src/native/parse-native.js';
import { nativeInsertionPoints } from '../../src/native/insertion-points.js';
import { repairNativeText } from '../../src/native/repair-native.js';
import type { Program } from '@fencewright/model/program/program.js';
import { errorsOf, listing, parseGood } from './listing.js';

const runs = randomRuns(30, 5000);
const seed = randomSeed(20261122);

/** A program in which each of two threads stores to the variable that the other one loads. */
const crossing = `program P
var x, y, a, b
procedure cross(v) { local s; x = v; s = y; a = s; }
thread t { call cross(1); }
thread u { local s; y = 1; s = x; b = s; }
property p: exists (a == 0 && b == 0)`;

describe('procedures of threads', () => {
  it('stand in line where they are called', () => {
    const program = parseGood(crossing);
    expect(listing(program)).toEqual([
      "L4: cross.v = 1 -> L4'2",
      "L4'2: cross.s = 0 -> L3",
      'L3: x = cross.v -> L3b',
      'L3b: cross.s = y -> L3c',
      'L3c: a = cross.s -> L4b',
    ]);
    expect(program.threads[0]!.registers.every(({ hidden }) => hidden)).toBe(true);
  });

  it('have registers that are 0 at each call, in loops too', async () => {
    const program = parseGood(`program P
var sum
procedure add(n) { local k; k = k + n; sum = sum + k; }
thread t { local i; while (i < 3) { call add(2); i = i + 1; } call add(5); assert(sum == 11); }`);
    expect(await finals(program)).toMatchObject({ sc: ['1=11'] });
  });

  it('return where they are told to', async () => {
    const program = parseGood(`program P
var x
procedure p(n) { if (n == 0) { return; } loop { x = x + n; return; } }
thread t { call p(0); call p(2); call p(3); }`);
    expect(await finals(program)).toMatchObject({ sc: ['1=5'] });
  });

  it('may call each other, and take nothing with them', () => {
    const program = parseGood(`program P
var x
procedure p() { call q(); call q(); }
procedure q() { x = 1; }
thread t { call p(); x = 2; }`);
    expect(listing(program).filter((line) => line.includes('x = '))).toEqual([
      'L4: x = 1 -> L3b',
      "L4'2: x = 1 -> L5b",
      'L5b: x = 2 -> L5c',
    ]);
  });
});

/** Pairs of programs: with a procedure, and with the procedure inlined by hand. */
const twins: readonly (readonly [string, string, string])[] = [
  [
    'a parameter and a local',
    crossing,
    `program P
var x, y, a, b
thread t { local v, s; v = 1; s = 0; x = v; s = y; a = s; }
thread u { local s; y = 1; s = x; b = s; }
property p: exists (a == 0 && b == 0)`,
  ],
  [
    'calls in a loop, and a local that has to be 0 again',
    `program P
var x, y, z
procedure step(n) { local k; k = k + n; x = k; fence; y = y + k; }
thread t { local i; while (i < 2) { call step(i + 1); i = i + 1; } }
thread u { local r; r = y; z = r + x; }`,
    `program P
var x, y, z
thread t { local i, n, k; while (i < 2) { n = i + 1; k = 0; k = k + n; x = k; fence; y = y + k; i = i + 1; } }
thread u { local r; r = y; z = r + x; }`,
  ],
  [
    'two procedures, one of which returns early',
    `program P
var x, y, a, b
procedure put(v) { if (v == 2) { return; } x = v; call get(v); }
procedure get(v) { local r; r = y; a = r + v; }
thread t { call put(2); choose { call put(1); } or { call get(3); } }
thread u { local s; y = 1; s = x; b = s; }`,
    `program P
var x, y, a, b
thread t { local v, w, r; v = 2; if (v == 2) { goto back; } x = v; w = v; r = 0; r = y; a = r + w;
back: choose { v = 1; if (v == 2) { goto done; } x = v; w = v; r = 0; r = y; a = r + w; } or { w = 3; r = 0; r = y; a = r + w; }
done: }
thread u { local s; y = 1; s = x; b = s; }`,
  ],
  [
    'copies of a thread, and loads in arguments',
    `program P
var x, a[2], z[2]
procedure mark(i, v) { a[i] = v; z[i] = a[1 - i]; }
thread t[2] { call mark(self, x + 1); x = 1; }`,
    `program P
var x, a[2], z[2]
thread t[2] { local i, v, h; h = x; i = self; v = h + 1; a[i] = v; z[i] = a[1 - i]; x = 1; }`,
  ],
  [
    'an rmw and an atomic block',
    `program P
var lock1, n, m
procedure enter() { local got; do { got = cas(lock1, 0, 1); } while (!got); }
procedure leave() { lock1 = 0; }
thread t { call enter(); n = n + 1; call leave(); atomic { m = m + 1; } }
thread u { call enter(); n = n + 1; call leave(); }`,
    `program P
var lock1, n, m
thread t { local got; got = 0; do { got = cas(lock1, 0, 1); } while (!got); n = n + 1; lock1 = 0; atomic { m = m + 1; } }
thread u { local got; got = 0; do { got = cas(lock1, 0, 1); } while (!got); n = n + 1; lock1 = 0; }`,
  ],
];

describe('a program with procedures and the one written without', () => {
  test.each(twins)('agree: %s', async (_, called, written) => {
    const [one, other] = [parseGood(called), parseGood(written)];
    const [a, b] = [await check(one), await check(other)];
    expect(a.verdict.kind).toBe(b.verdict.kind);
    expect(a.attacks.length).toBe(b.attacks.length);
    expect(await finals(one)).toEqual(await finals(other));
  });
});

/** Returns a random program with procedures, and the program with all calls inlined. */
function randomTwins(seed: number): readonly [string, string] {
  const random = new SeededRandom(seed);
  const one = (list: readonly string[]): string => list[random.below(list.length)]!;
  const some = (count: number, make: () => string): string =>
    Array.from({ length: 1 + random.below(count) }, make).join(' ');
  const shared = (): string => one(['x', 'y']);
  /**
   * Returns a statement over two registers; `again` returns a statement that may return or call.
   */
  const statement = (a: string, b: string, again: () => string): string => {
    const cell = shared();
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2:
        return `${cell} = ${one([a, '1', `${b} + 1`])}; ${b} = ${cell === 'x' ? 'y' : 'x'};`;
      case 3:
        return `${b} = ${one([cell, `${b} + 1`, a])};`;
      case 4:
        return `if (${one([b, a, cell])} == ${random.below(2)}) { ${again()} }`;
      case 5:
        return one(['fence;', `${b} = cas(${cell}, 0, 1);`, `atomic { ${cell} = ${b}; }`]);
      default:
        return again();
    }
  };
  const inner = some(3, () => statement('v', 'k', () => one(['return;', `${shared()} = k;`])));
  const outer = some(3, () =>
    statement('n', 'm', () => one(['return;', `call q(${one(['n', 'm + 1', shared()])});`])),
  );
  const thread = (): string => {
    const call = (): string => `call ${one(['p', 'p', 'q'])}(${one(['1', 'r', shared()])});`;
    const statements = some(2, () => one([call(), statement('i', 'r', call)]));
    return `while (i < ${1 + random.below(2)}) { ${statements} i = i + 1; }`;
  };
  const bodies = [thread(), thread()];
  const text = (procedures: string, locals: string, [t, u]: readonly string[]): string =>
    `program P\nvar x, y\n${procedures}thread t { local i, r${locals}; ${t} }\nthread u { local i, r${locals}; ${u} }`;
  let ends = 0;
  const written = (name: 'p' | 'q', argument: string): string => {
    const [body, parameter, local] = name === 'p' ? [outer, 'n', 'm'] : [inner, 'v', 'k'];
    const end = `end${ends++}`;
    const code = writtenOut(body).replaceAll('return;', `goto ${end};`);
    return `${parameter} = ${argument}; ${local} = 0; ${code} ${end}: ;`;
  };
  const writtenOut = (code: string): string =>
    code.replaceAll(/call ([pq])\(([^)]*)\);/g, (_, name: 'p' | 'q', argument: string) =>
      written(name, argument),
    );
  const procedures = `procedure p(n) { local m; ${outer} }\nprocedure q(v) { local k; ${inner} }\n`;
  return [text(procedures, '', bodies), text('', ', n, m, v, k', bodies.map(writtenOut))];
}

test('random programs with procedures are what they are written out', async () => {
  const counts = { robust: 0, 'not-robust': 0, returns: 0, nested: 0, decided: 0 };
  for (let run = 0; run < runs; run++) {
    const [called, written] = randomTwins(seed + run);
    const message = `${called}\n=====\n${written}`;
    const limits = { maxStates: 5_000 };
    const [one, other] = [parseGood(called), parseGood(written)];
    const [a, b] = [
      await check(one, { allAttacks: true, limits }),
      await check(other, { allAttacks: true, limits }),
    ];
    if (a.verdict.kind === 'unknown' || b.verdict.kind === 'unknown') continue;
    expect(a.verdict.kind, message).toBe(b.verdict.kind);
    expect(a.statistics.attacks.feasible, message).toBe(b.statistics.attacks.feasible);
    counts[a.verdict.kind === 'robust' ? 'robust' : 'not-robust'] += 1;
    if (called.includes('return;')) counts.returns += 1;
    if (/procedure p.*call q/.test(called)) counts.nested += 1;
    const [before, after] = [await reach(one, { limits }), await reach(other, { limits })];
    if (before.sc.incomplete || after.sc.incomplete || before.tso.incomplete) continue;
    if (after.tso.incomplete) continue;
    counts.decided += 1;
    expect(memoriesOf(before.sc.finalStates), message).toEqual(memoriesOf(after.sc.finalStates));
    expect(memoriesOf(before.tso.finalStates), message).toEqual(memoriesOf(after.tso.finalStates));
  }
  for (const [what, count] of Object.entries(counts))
    expect(count, what).toBeGreaterThan(runs / 10);
});

/** Returns the memory in the final states, as `address=value`, and which properties hold. */
async function finals(program: Program) {
  const { sc, tso } = await reach(program, {});
  const verdicts = [sc, tso].map(({ properties }) => properties.map(({ verdict }) => verdict));
  return { sc: memoriesOf(sc.finalStates), tso: memoriesOf(tso.finalStates), verdicts };
}

function memoriesOf(states: readonly { readonly memory: ReadonlyMap<number, number> }[]) {
  const texts = states.map(({ memory }) =>
    [...memory]
      .map(([address, value]) => `${address}=${value}`)
      .sort()
      .join(' '),
  );
  return [...new Set(texts)].sort();
}

describe('errors of procedures', () => {
  it('name the circle of a recursion', () => {
    expect(
      errorsOf(`program P
var x
procedure p() { call q(); }
procedure q() { call r(); x = 1; }
procedure r() { call q(); }
procedure s(n) { if (n > 0) { call s(n - 1); } }
thread t { call p(); call s(3); }`),
    ).toEqual([
      "FW1012 4:17 'q' calls 'r', which calls 'q': procedures of threads are inlined and cannot be recursive (write a loop; only programs of events have recursion)",
      "FW1012 6:31 's' calls itself: procedures of threads are inlined and cannot be recursive (write a loop; only programs of events have recursion)",
    ]);
  });

  it('tell of too many copies', () => {
    const levels = Array.from(
      { length: 40 },
      (_, i) => `procedure p${i}() { call p${i + 1}(); call p${i + 1}(); }`,
    );
    const text = [
      'program P',
      'var x',
      ...levels,
      'procedure p40() { x = 1; }',
      'thread t { call p0(); }',
    ];
    expect(errorsOf(text.join('\n'))).toEqual([
      'FW1012 44:10 the thread has more than 50000 instructions after inlining its procedures (call the procedures less often: each call inlines a copy)',
    ]);
  });

  it('are those of calls, postings and bodies', () => {
    expect(
      errorsOf(`program P
var x
procedure p(n) { async[any] p(1); x = self; lock; y = 1; }
thread t { call p(); call pp(1); p(1); }`),
    ).toEqual([
      "FW1010 3:18 'async' posts a task, but programs of threads have no tasks (write the program with events, or call the procedure)",
      "FW1010 3:39 'self' is the number of a thread's copy, and events and procedures have no such number (pass the number as an argument)",
      "FW1012 3:45 'lock' stands in a procedure (write a block: atomic { ... })",
      "FW1002 3:51 no variable is named 'y' (declare it first: 'local y;' in the thread, or 'var y' for all threads)",
      "FW1011 4:17 procedure 'p' takes 1 argument, not 0 (give one argument for each parameter)",
      "FW1002 4:27 no procedure is named 'pp' (did you mean 'p'?)",
      "FW1011 4:34 'p' is a procedure, and has no result (call a procedure by a statement: call p(...))",
    ]);
  });
});

describe('fences in procedures', () => {
  const text = `program P
var x, y, a, b
procedure cross() {
  x = 1;
  a = y;
}
thread t {
  call cross();
  call cross();
}
thread u { y = 1; fence; b = x; }
`;
  /** Returns the location of `t` before its `n`-th load of y. */
  function beforeLoad(program: Program, n: number): number {
    const loads = program.threads[0]!.transitions.filter(
      ({ instruction }) => instruction.kind === 'load',
    );
    return loads[n]!.from;
  }

  it('have their places in the text of the procedure', () => {
    const program = parseGood(text);
    const [points] = nativeInsertionPoints(text)!;
    for (const n of [0, 1])
      expect(points!.get(beforeLoad(program, n))).toEqual([{ position: { line: 4, column: 2 } }]);
    // Before the first call.
    expect(points!.get(program.threads[0]!.initial)).toEqual([
      { position: { line: 7, column: 2 } },
    ]);
  });

  it('are written once, for whichever call', async () => {
    const program = parseGood(text);
    expect((await check(program)).verdict.kind).toBe('not-robust');
    for (const calls of [[0], [1], [0, 1]]) {
      const repairs = calls.map(
        (n) => ({ kind: 'fence', thread: 0, location: beforeLoad(program, n) }) as const,
      );
      const repaired = repairNativeText(text, repairs).text!;
      expect(repaired).toBe(text.replace('  a = y;', '  fence;\n  a = y;'));
      expect((await check(parseGood(repaired))).verdict.kind).toBe('robust');
    }
  });

  it('are found and written by the search for fences', async () => {
    const { model } = parseNative(text);
    const asked = { kind: 'fence', text: { format: 'native', source: text } } as const;
    const answer = await decide(model!, asked);
    if (answer.kind !== 'fence') throw new Error(answer.kind);
    const { text: repaired, places } = answer.fences;
    expect(repaired).toBe(text.replace('  a = y;', '  fence;\n  a = y;'));
    expect(places.map(({ positions }) => positions)).toEqual([
      [{ line: 4, column: 2 }],
      [{ line: 4, column: 2 }],
    ]);
  });

  it('are removed only if no call needs them', () => {
    const fenced = text.replace('  a = y;', '  fence;\n  a = y;');
    const program = parseGood(fenced);
    const fences = program.threads[0]!.transitions.flatMap(({ instruction }, transition) =>
      instruction.kind === 'fence' ? [{ kind: 'remove', thread: 0, transition } as const] : [],
    );
    expect(fences).toHaveLength(2);
    expect(repairNativeText(fenced, fences).text).toBe(text);
    expect(
      repairNativeText(fenced, fences.slice(0, 1)).diagnostics.map((one) => one.message),
    ).toEqual(['only some calls of the procedure can do without this statement']);
  });

  it('can be exchanges instead', () => {
    const program = parseGood(text);
    const store = program.threads[0]!.transitions.findIndex(
      ({ instruction }) => instruction.kind === 'store',
    );
    expect(repairNativeText(text, [{ kind: 'xchg', thread: 0, transition: store }]).text).toBe(
      text.replace('x = 1;', 'xchg(x, 1);'),
    );
  });
});
