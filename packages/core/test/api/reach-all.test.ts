import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import { reachAll } from '../../src/api/reach-all.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { unboundedModel } from '@fencewright/model/program/model.js';
import { answerInWords } from '@fencewright/reports/words/answer-in-words.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { answeredInstances, standingIn } from '@fencewright/model/verdict/answer-over-all.js';
import type { AllInstancesReach } from '@fencewright/model/verdict/all-instances-reach.js';
import { loadParameterized } from '../../../repairs/test/any-number/load-parameterized.js';

async function asked(text: string, limits = {}): Promise<AllInstancesReach> {
  const model = unboundedModel(parseNative(`program P\n${text}`).model);
  return reachAll(model ?? expect.fail(text), { limits });
}

/** Returns the verdicts on the first claim under SC and under TSO. */
async function firstOf(text: string): Promise<readonly [string, string]> {
  const { claims } = await asked(text);
  const [first] = claims;
  return [first!.sc.kind, first!.tso.kind];
}

describe('examples with claims', () => {
  const files = loadParameterized().filter(({ expected }) => expected.claims);

  test('there are some', () => {
    expect(files.length).toBeGreaterThan(1);
  });

  test.each(files)('$path', async ({ program, expected }) => {
    const { claims } = await reachAll(program);
    const found = claims.map((one) => [
      one.claim.kind === 'property'
        ? program.templates.properties[one.claim.property]!.name
        : 'assert',
      standingIn(program.templates, one).replace('fine', 'holds'),
    ]);
    expect(Object.fromEntries(found)).toEqual(expected.claims);
  });
});

/**
 * Returns a program whose copies count to `last`, one number each, and observe each other's
 * numbers.
 */
const chain = (last: number): string =>
  `var n\nthread t[*] { local s; choose { s = cas(n, 0, 1); } or { s = cas(n, 1, 2); } or { s = cas(n, 2, 3); } or { s = cas(n, 3, 4); } }\nproperty p: never (n == ${last})\n`;

describe('how many it takes', () => {
  test.each([1, 2, 3, 4])('a count of %d takes as many copies', async (last) => {
    const { claims, shown } = await asked(chain(last));
    const in_ = { kind: 'in', copies: [{ template: 't', count: last }] };
    expect(claims).toMatchObject([{ sc: in_, tso: in_ }]);
    expect(shown?.copies).toEqual([{ template: 't', count: last }]);
  });

  test('nobody counts further', async () => {
    expect(await firstOf(chain(5))).toEqual(['never', 'never']);
  });

  test('a ring of four copies that miss each other takes TSO, and four', async () => {
    const roles = ['x', 'y', 'z', 'w'].map(
      (c, i, all) =>
        `{ ${c} = 1; r = ${all[(i + 1) % 4]!}; if (r == 0) { s = cas(n, ${i}, ${i + 1}); } }`,
    );
    const text = `var x, y, z, w, n\nthread t[*] { local r, s; choose ${roles.join(' or ')} }\nproperty p: never (n == 4)\n`;
    const { claims } = await asked(text);
    expect(claims).toMatchObject([
      { sc: { kind: 'never' }, tso: { kind: 'in', copies: [{ template: 't', count: 4 }] } },
    ]);
    const fenced = text.replaceAll(' = 1; r', ' = 1; fence; r');
    expect(await firstOf(fenced)).toEqual(['never', 'never']);
  });
});

describe('claims about copies', () => {
  const lock = (take: string): string =>
    `var l, x\nthread user[*] { local r; loop { ${take} cs: r = x; x = 1 - r; l = 0; } }\nproperty mutex: never (user[0] @ cs && user[1] @ cs)\n`;

  test('any two copies are kept apart, or not', async () => {
    expect(await firstOf(lock('while (cas(l, 0, 1) == 0) { }'))).toEqual(['never', 'never']);
    expect(await firstOf(lock('while (l != 0) { } l = 1;'))).toEqual(['in', 'in']);
  });

  test('two copies with waiting stores, and as many copies as are named', async () => {
    const program = 'var x, y\nthread t[*] { local r; x = 1; l: r = y; }\n';
    const waiting = `${program}property p: never (!drained(t[0]) && !drained(t[1]) && !drained(t[2]) && !drained(t[3]))\n`;
    const { claims } = await asked(waiting);
    expect(claims).toMatchObject([
      { sc: { kind: 'never' }, tso: { kind: 'in', copies: [{ template: 't', count: 4 }] } },
    ]);
    // The copies need not do anything, but four of them must exist.
    const idle = `${program}property p: never (drained(t[0]) && drained(t[1]) && drained(t[2]) && drained(t[3]))\n`;
    expect((await asked(idle)).claims).toMatchObject([
      { sc: { kind: 'in', copies: [{ count: 4 }] }, tso: { kind: 'in', copies: [{ count: 4 }] } },
    ]);
  });

  test('ends of copies are asked of given numbers only', async () => {
    const program = 'var x\nthread t[*] { local r; r = x; x = 1; }\n';
    const both = `${program}property p: exists (t[0].r == 0 && t[1].r == 0)\n`;
    expect(await firstOf(both)).toEqual(['in', 'in']);
    const one = `${program}property p: finally (t[0].r == 0)\n`;
    expect(await firstOf(one)).toEqual(['in', 'in']);
    const none = `${program}property p: finally (t[0].r != 2)\n`;
    expect(await firstOf(none)).toEqual(['unknown', 'unknown']);
  });
});

describe('what is seen while stores wait', () => {
  const single = 'thread m { local r; x = 1; done: r = y; }\nthread t[*] { y = 1; }\n';

  test('memory behind a store that waits', async () => {
    const text = `var x, y\n${single}property p: never (m @ done && x == 0)\n`;
    expect(await firstOf(text)).toEqual(['never', 'in']);
  });

  test('an empty buffer', async () => {
    const text = `var x, y\n${single}property p: never (m @ done && drained(m) && x == 0)\n`;
    expect(await firstOf(text)).toEqual(['never', 'never']);
    const other = `var x, y\n${single}property p: never (m @ done && !drained(m))\n`;
    expect(await firstOf(other)).toEqual(['never', 'in']);
  });

  test('the inside of a lock block of a copy', async () => {
    const text =
      'var x, y\nthread t[*] { atomic { x = 1; x = 0; } }\nthread m { local r; r = x; }\nproperty p: never (x == 1)\nproperty q: never (m.r == 1)\n';
    const { claims } = await asked(text);
    expect(claims.map(({ sc, tso }) => [sc.kind, tso.kind])).toEqual([
      ['in', 'in'],
      ['never', 'never'],
    ]);
  });
});

describe('what is not decided', () => {
  test('final states of all instances; one that is found is', async () => {
    const program = 'var x\nthread t[*] { x = 1; }\n';
    expect(await firstOf(`${program}property p: exists (x == 1)\n`)).toEqual(['in', 'in']);
    expect(await firstOf(`${program}property p: exists (x == 2)\n`)).toEqual([
      'unknown',
      'unknown',
    ]);
    expect(await firstOf(`${program}property p: finally (x == 1)\n`)).toEqual(['in', 'in']);
    expect(await firstOf(`${program}property p: finally (x <= 1)\n`)).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  test('data without end, but for what is found', async () => {
    const program = 'var x\nthread t[*] { local r; r = fetch_add(x, 1); }\n';
    const { claims } = await asked(`${program}property p: never (x == 70)\n`);
    expect(claims).toMatchObject([{ tso: { kind: 'unknown', why: { kind: 'values' } } }]);
    expect(await firstOf(`${program}property p: never (x == 2)\n`)).toEqual(['in', 'in']);
  });

  test('what takes more states than there may be', async () => {
    const { claims } = await asked(chain(4), { maxStates: 20 });
    expect(claims).toMatchObject([{ tso: { kind: 'unknown', why: { kind: 'limit' } } }]);
  });

  test('a program that faults', async () => {
    const { claims, diagnostics } = await asked(
      'var x\nthread t[*] { local r; r = 1 / r; }\nproperty p: never (x == 1)\n',
    );
    expect([claims, diagnostics.length]).toEqual([[], 1]);
  });
});

/** Returns a program whose copies choose sides; loads of both sides return 0 only under TSO. */
const sides = (claim: string): string =>
  `var x, y, z\nthread t[*] { local r; choose { x = 1; r = y; } or { y = 1; r = x; } }\n${claim}\n`;
/** Store buffering by two threads that reset what they load: not robust, but state robust. */
const forgetful = `var x, y
thread a { local r; x = 1; r = y; r = 0; }
thread b { local r; y = 1; r = x; r = 0; }
thread t[*] { local r; r = x; }
`;
const flag = `var busy, stop, freed
thread worker[*] { local s, f; busy = 1; s = stop; if (s == 0) { f = freed; assert(f == 0); } }
thread owner { local b; stop = 1; b = busy; if (b == 0) freed = 1; }
property stops: never (freed == 1 && stop == 0)
`;

describe('the answer in one line', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['what breaks, with an instance', flag, 'with 1 copy of worker'],
    ['what is wrong with two copies', chain(2), 'with 2 copies of t'],
    ['states that differ with two copies', sides(''), 'with 2 copies of t TSO alone'],
    [
      'what claims nothing, and is robust',
      'var x\nthread t[*] { x = 1; }\n',
      'for any number of copies of t',
    ],
    [
      'no small instance whose states differ',
      forgetful,
      'states are compared for given numbers of copies only',
    ],
    [
      'what looks at ends',
      'var x\nthread t[*] { x = 1; }\nproperty p: finally (x <= 1)\n',
      'properties about ended or stuck threads',
    ],
    [
      'a fault',
      'var x\nthread t[*] { local r; r = 1 / r; }\nproperty p: never (x == 1)\n',
      'executions or conditions end in faults',
    ],
  ];
  const kinds = ['breaks', 'wrong-under-sc', 'differs', 'robust', 'unknown', 'unknown', 'unknown'];

  test.each(cases)('%s', async (name, text, words) => {
    const { templates } = unboundedModel(parseNative(`program P\n${text}`).model)!;
    const result = await asked(text);
    const { answer, shown } = result;
    expect(answer.kind).toBe(kinds[cases.findIndex(([one]) => one === name)]);
    expect(answerInWords(templates, answer, answeredInstances(templates, result))).toContain(words);
    if (!('computation' in answer)) return;
    const end = replayStates(shown!.program, answer.computation)?.at(-1);
    expect(end).toBeDefined();
    // Both loads return 0, which SC allows for only one of them.
    if (answer.kind === 'differs') expect(end!.registers).toEqual([[0], [0]]);
  });

  // A second copy loads 0 before any store, too: no store buffer is needed.
  test('what one instance breaks and another has wrong is wrong', async () => {
    const text = `var x, y, n
thread a { local r; x = 1; r = y; if (r == 0) n = 1; }
thread t[*] { local r, s; y = 1; r = x; s = n; if (r == 0) { assert(s == 0); } }
thread u[*] { y = 0; }
`;
    const alone = text.replace('thread u[*] { y = 0; }\n', '');
    expect((await asked(alone)).answer).toMatchObject({ kind: 'breaks' });
    expect((await asked(text)).answer).toMatchObject({ kind: 'wrong-under-sc' });
  });

  test('check gives it, where there are claims or it was asked for', async () => {
    const checked = async (text: string, answers: 'brief' | 'full') => {
      const { model } = parseNative(`program P\n${text}`);
      const found = await decide(model!, { kind: 'check', answers });
      return found.kind === 'check' ? found.result : undefined;
    };
    expect(await checked(flag, 'brief')).toMatchObject({
      answer: { kind: 'breaks', claims: [{ kind: 'assertion', thread: 0 }] },
      answered: { names: ['worker'], shown: { copies: [{ template: 'worker', count: 1 }] } },
    });
    expect(await checked(sides('property p: never (z == 1)'), 'brief')).toMatchObject({
      answer: { kind: 'differs' },
    });
    expect(await checked(sides(''), 'full')).toMatchObject({ answer: { kind: 'differs' } });
    expect((await checked(sides(''), 'brief'))?.answer).toBeUndefined();
    const robust = 'var x\nthread t[*] { local r; r = x; }\nproperty p: never (x == 1)\n';
    expect(await checked(robust, 'brief')).toMatchObject({ answer: { kind: 'robust' } });
  });
});
