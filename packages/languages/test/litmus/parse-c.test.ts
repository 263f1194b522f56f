import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLitmus } from '../../src/litmus/parse-litmus.js';
import { litmusFencePlace, repairLitmusText } from '../../src/litmus/repair-litmus.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return program;
}

function errorsOf(text: string): readonly string[] {
  return parseLitmus(text).diagnostics.map(
    ({ code, span, message }) =>
      `${code} ${span ? `${span.start.line + 1}:${span.start.column + 1} ` : ''}${message}`,
  );
}

function inThread(code: string, initial = ''): string {
  return `C t\n{ ${initial} }\nP0(int *x, atomic_int* y)\n{\nint r; int q;\n${code}\n}\n`;
}

function instructionsOf(code: string): readonly string[] {
  const program = parse(inThread(code));
  const [thread] = program.threads;
  return thread!.transitions.map(({ instruction }) =>
    formatInstruction(program, thread!, instruction),
  );
}

/** Returns `r,q,x,y` in all final states under SC. */
async function outcomes(code: string, initial = ''): Promise<readonly string[]> {
  const program = parse(inThread(code, initial));
  const { sc } = await reach(program);
  expect(sc.incomplete).toBeUndefined();
  const [thread] = program.threads;
  const of = (name: string) => thread!.registers.findIndex((register) => register.name === name);
  const shown = sc.finalStates.map(({ registers, memory }) =>
    [
      registers[0]?.[of('r')] ?? 0,
      registers[0]?.[of('q')] ?? 0,
      memory.get(1) ?? 0,
      memory.get(2) ?? 0,
    ].join(),
  );
  return [...new Set(shown)].sort();
}

describe('primitives and what x86 makes of them', () => {
  test.each([
    // Kernel.
    ['r = READ_ONCE(*x);', ['r = x']],
    ['WRITE_ONCE(*x, 1);', ['x = 1']],
    ['smp_store_release(x, r + 1);', ['x = r + 1']],
    ['r = smp_load_acquire(x);', ['r = x']],
    ['smp_mb();', ['fence']],
    ['smp_rmb(); smp_wmb(); barrier();', []],
    ['smp_store_mb(*x, 1);', ['xchg(x, 1)']],
    ['r = xchg(x, 1);', ['r = xchg(x, 1)']],
    ['r = xchg_relaxed(x, 1);', ['r = xchg(x, 1)']],
    ['cmpxchg(x, 0, 1);', ['cas(x, 0, 1)']],
    ['atomic_inc(y);', ['fetch_add(y, 1)']],
    ['atomic_add(2, y);', ['fetch_add(y, 2)']],
    ['r = atomic_fetch_add(2, y);', ['r = fetch_add(y, 2)']],
    ['r = atomic_add_return_relaxed(2, y);', ['.value1 = fetch_add(y, 2)', 'r = .value1 + 2']],
    // C11.
    ['r = atomic_load(y);', ['r = load(y, seq_cst)']],
    ['r = atomic_load_explicit(y, memory_order_seq_cst);', ['r = load(y, seq_cst)']],
    ['r = atomic_load_explicit(y, memory_order_consume);', ['r = load(y, acquire)']],
    ['atomic_store(y, 1);', ['xchg(y, 1, seq_cst)']],
    ['atomic_store_explicit(y, 1, memory_order_seq_cst);', ['xchg(y, 1, seq_cst)']],
    ['atomic_store_explicit(y, 1, memory_order_release);', ['store(y, 1, release)']],
    ['atomic_store_explicit(y, 1, memory_order_relaxed);', ['store(y, 1, relaxed)']],
    ['r = atomic_exchange_explicit(y, 1, memory_order_relaxed);', ['r = xchg(y, 1, relaxed)']],
    ['r = atomic_fetch_sub(y, 2);', ['r = fetch_sub(y, 2, seq_cst)']],
    ['atomic_fetch_or_explicit(y, 4, memory_order_relaxed);', ['fetch_or(y, 4, relaxed)']],
    ['atomic_thread_fence(memory_order_seq_cst);', ['fence']],
    ['atomic_thread_fence(memory_order_acq_rel);', ['fence(acq_rel)']],
    ['atomic_thread_fence(memory_order_relaxed);', []],
    ['atomic_signal_fence(memory_order_seq_cst);', []],
    // Plain accesses.
    ['*x = 1;', ['x = 1']],
    ['r = *x + *y;', ['.value1 = x', '.value2 = y', 'r = .value1 + .value2']],
    ['*x = *y;', ['.value1 = y', 'x = .value1']],
    ['*x += 1;', ['.value1 = x', 'x = .value1 + 1']],
    ['int *p = READ_ONCE(*x); r = *p;', ['p = x', 'r = mem[p]']],
    ['r = (int)(long)*x;', ['r = x']],
    ['WRITE_ONCE(*x, y);', ['x = &y']],
  ])('%s', (code, expected) => {
    expect(instructionsOf(code)).toEqual(expected);
  });
});

describe('control', () => {
  test.each([
    ['if (READ_ONCE(*x)) r = 1; else r = 2;', ['2,0,0,0']],
    ['if (!*x && r == 0) { q = 5; }', ['0,5,0,0']],
    ['while (r < 3) { r++; }', ['3,0,0,0']],
    ['do { r += 2; } while (r < 3);', ['4,0,0,0']],
    ['for (int i = 0; i < 3; i++) { if (i == 1) continue; r += i; }', ['2,0,0,0']],
    ['while (1) { r++; if (r == 4) break; }', ['4,0,0,0']],
    ['while (1) ;', []],
    ['r = 7 % 4 << 2 | 1 ^ 3 & 2;', [`${((7 % 4) << 2) | (1 ^ (3 & 2))},0,0,0`]],
    ['r = -1; q = ~r + !r;', ['-1,0,0,0']],
    // The right side is a load that is not executed.
    ['q = 1; r = q || atomic_fetch_add(y, 1);', ['1,1,0,0']],
    ['r = q && atomic_fetch_add(y, 1);', ['0,0,0,0']],
    ['q = 1; r = q && atomic_fetch_add(y, 1) + 1;', ['1,1,0,1']],
    ['if (q || !atomic_fetch_add(y, 1)) r = 3;', ['3,0,0,1']],
  ])('%s', async (code, expected) => {
    expect(await outcomes(code)).toEqual(expected);
  });
});

describe('compare and exchange', () => {
  test.each([
    ['r = cmpxchg(x, 0, 5);', '', '0,0,5,0'],
    ['r = cmpxchg(x, 1, 5);', 'x=3', '3,0,3,0'],
    ['q = 3; r = atomic_compare_exchange_strong(x, &q, 5);', 'x=3', '1,3,5,0'],
    [
      'q = 4; r = atomic_compare_exchange_weak_explicit(x, &q, 5, memory_order_relaxed, memory_order_relaxed);',
      'x=3',
      '0,3,3,0',
    ],
    ['r = atomic_compare_exchange_strong(x, y, 5);', 'x=3', '0,0,3,3'],
    ['r = atomic_dec_and_test(x);', 'x=1', '1,0,0,0'],
  ])('%s with %s', async (code, initial, end) => {
    expect(await outcomes(code, initial)).toEqual([end]);
  });
});

const kernel = (fenced: string) => `C SB+mbs
(* a comment *)
{ int x = 0; [y]=0; }

P0(int *x, int *y)
{
	int r0; // local

	WRITE_ONCE(*x, 1);
	${fenced}
	r0 = READ_ONCE(*y); /* the load */
}

P1(int *x, int *y)
{
	int r0;

	WRITE_ONCE(*y, 1);
	${fenced}
	r0 = READ_ONCE(*x);
}

exists (0:r0=0 /\\ 1:r0=0)
`;

describe('spin locks', () => {
  const locked = (lock: string, unlock: string) => `C locked
{}
P0(spinlock_t *l, int *x, int *y) { int r; ${lock} WRITE_ONCE(*x, 1); r = READ_ONCE(*y); ${unlock} }
P1(spinlock_t *l, int *x, int *y) { int r; ${lock} WRITE_ONCE(*y, 1); r = READ_ONCE(*x); ${unlock} }
exists (0:r=0 /\\ 1:r=0)`;

  test.each([
    ['no lock', '', '', 'not-robust', 'holds'],
    ['spin_lock', 'spin_lock(l);', 'spin_unlock(l);', 'robust', 'violated'],
    ['raw_spin_lock', 'raw_spin_lock(l);', 'raw_spin_unlock(l);', 'robust', 'violated'],
    ['spin_trylock', 'if (spin_trylock(l)) {', 'spin_unlock(l); }', 'robust', 'holds'],
  ])('%s around store buffering', async (_, lock, unlock, verdict, under) => {
    const program = parse(locked(lock, unlock));
    expect((await check(program)).verdict.kind).toBe(verdict);
    expect((await reach(program)).tso.properties[0]?.verdict).toBe(under);
  });

  test('one that is held is waited for', async () => {
    expect(await outcomes('spin_lock(x); r = 1;', 'x=1')).toEqual([]);
    expect(await outcomes('r = spin_trylock(x);', 'x=1')).toEqual(['0,0,1,0']);
    expect(await outcomes('spin_lock(x); r = spin_trylock(x); spin_unlock(x);')).toEqual([
      '0,0,0,0',
    ]);
  });
});

test('a call that is spelt wrongly gets the nearest name', () => {
  const hints = parseLitmus(inThread('smp_bm(); r = REED_ONCE(*x); foo(x);')).diagnostics;
  expect(hints.map(({ hint }) => hint)).toEqual([
    "did you mean 'smp_mb'?",
    "did you mean 'READ_ONCE'?",
    'docs/formats.md lists the supported calls',
  ]);
});

describe('whole tests', () => {
  test('store buffering, with and without smp_mb', async () => {
    expect((await check(parse(kernel('')))).verdict.kind).toBe('not-robust');
    expect((await check(parse(kernel('smp_mb();')))).verdict.kind).toBe('robust');
    const { sc, tso } = await reach(parse(kernel('smp_wmb();')));
    expect(sc.properties).toMatchObject([{ property: 'condition', verdict: 'violated' }]);
    expect(tso.properties).toMatchObject([{ verdict: 'holds' }]);
  });

  // [BOS+11]: with sequentially consistent stores the relaxed outcome is impossible.
  test.each([
    ['memory_order_seq_cst', 'robust'],
    ['memory_order_release', 'not-robust'],
  ])('stores with %s', async (order, verdict) => {
    const thread = (n: number, own: string, other: string) =>
      `P${n}(atomic_int* x, atomic_int* y) { atomic_store_explicit(${own}, 1, ${order}); int r = atomic_load_explicit(${other}, memory_order_seq_cst); }`;
    const program = parse(`C t\n{}\n${thread(0, 'x', 'y')}\n${thread(1, 'y', 'x')}\n`);
    expect((await check(program)).verdict.kind).toBe(verdict);
  });

  test.each(['', ' ', '  if (1) { } '])('fences are put into the text %j', async (before) => {
    const text = kernel(before);
    const program = parse(text);
    const placeOf = litmusFencePlace(text, program);
    const { verdict } = await fence(program, {
      canFence: (thread, location) => placeOf(thread, location) !== undefined,
    });
    if (verdict.kind !== 'found') throw new Error(verdict.kind);
    const repaired = repairLitmusText(
      text,
      program,
      verdict.repairs.flatMap((repair) => (repair.kind === 'fence' ? [repair] : [])),
    );
    expect(repaired.text).toContain('\tsmp_mb();\n\tr0 = READ_ONCE(*y); /* the load */');
    expect((await check(parse(repaired.text!))).verdict.kind).toBe('robust');
  });

  test('a statement without braces gets some, a loop no fence', () => {
    const text = inThread('*x = 1;\nwhile (!r) r = *y;\nif (r) q = *x;');
    const program = parse(text);
    const placeOf = litmusFencePlace(text, program);
    const { transitions } = program.threads[0]!;
    const loads = transitions.filter(({ instruction }) => instruction.kind === 'load');
    const head = transitions.find(({ instruction }) => instruction.kind === 'assume')!.from;
    expect(placeOf(0, head)).toBeUndefined();
    const repairs = loads.map(
      ({ from }) => ({ kind: 'fence', thread: 0, location: from }) as const,
    );
    const { text: repaired } = repairLitmusText(text, program, repairs);
    const word = 'atomic_thread_fence(memory_order_seq_cst);';
    expect(repaired).toContain(`while (!r) { ${word} r = *y; }`);
    expect(repaired).toContain(`if (r) { ${word} q = *x; }`);
    expect(parse(repaired!).threads).toHaveLength(1);
  });
});

describe('errors', () => {
  test('all of them, each at its place', () => {
    expect(
      errorsOf(`C t
{ x=; 3:r=1; int a[0]; }
P0(int *x) {
  int r;
  r = READ_ONCE(x);
  s = 1;
  foo(x);
  int r;
  r = 1
  *x = 2;
  goto out;
  break;
}
Q1(int *x) { }
P0() { return; }
exists (1:r=0 /\\ 0:t=1)
`),
    ).toMatchInlineSnapshot(`
      [
        "FW1001 2:5 a value is missing here: ';'",
        "FW1002 2:7 no thread is named 'P3'",
        "FW1001 2:18 an array has 1 to 1024 cells here",
        "FW1001 5:7 the first argument of this call is a cell like '*x': 'READ_ONCE'",
        "FW1002 6:3 no variable is named 's'",
        "FW1001 7:3 this call is not supported: 'foo'",
        "FW1003 8:7 variable 'r' is declared twice",
        "FW1001 10:6 ';' is missing here: '='",
        "FW1001 11:3 this statement is not supported: 'goto'",
        "FW1010 12:3 'break' stands outside of a loop",
        "FW1001 14:3 threads are named P0, P1, ..., not 'Q1': '('",
        "FW1003 15:1 thread 'P0' is declared twice",
        "FW1001 15:8 this statement is not supported: 'return'",
        "FW1002 16:9 no thread is named 'P1'",
        "FW1002 16:18 no register is named 't'",
      ]
    `);
  });

  // Forms of the tests C04, C08 and C12 of herdtools7.
  test('types of 128 bits, initial values of the kernel, and regions', () => {
    const program = parse(`C forms
{ volatile __int128 x; _Atomic __int128 z = 0; atomic_t v = ATOMIC_INIT(3); }
P0(__int128_t *x, volatile unsigned __int128 *y, int128_t *z)
{
  __uint128_t r0 = *x;
  *y = (__int128)r0;
}
regions: x:PROP, y:TTD
forall (0:r0=0 /\\ v=3)
`);
    expect(program.symbols.map(({ name, initial }) => [name, ...initial])).toEqual([
      ['x', 0],
      ['z', 0],
      ['v', 3],
      ['y', 0],
    ]);
    expect(program.threads[0]!.transitions.map(({ instruction }) => instruction.kind)).toEqual([
      'load',
      'store',
    ]);
    expect(errorsOf('C t\n{ v = ATOMIC_INIT(1; }\nP0(int *v) { }\n')).toEqual([
      "FW1001 2:20 ')' is missing here: ';'",
    ]);
  });

  test('mutated texts never make it throw', () => {
    const pieces = [
      '{',
      '}',
      ';',
      '(',
      ')',
      '*',
      '&',
      '&x',
      'int',
      'P0(',
      'if (',
      'while (',
      'do',
      '=',
      '+=',
      '/*',
      '*/',
      '(*',
      'xchg(',
      '1',
      ',',
    ];
    const edit = fc.record({
      at: fc.nat(320),
      drop: fc.nat(12),
      piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        let text = kernel('smp_mb();');
        for (const { at, drop, piece } of edits)
          text = text.slice(0, at + 2) + piece + text.slice(at + 2 + drop);
        const { model, diagnostics } = parseLitmus(text);
        const program = finiteProgram(model);
        expect(program === undefined).toBe(
          diagnostics.some(({ severity }) => severity === 'error'),
        );
      }),
      {
        numRuns: randomRuns(1000, 20_000, 330),
        seed: randomSeed(1),
      },
    );
  });

  test('deep nesting is refused', () => {
    for (const open of ['{', '(', 'if (1) ', '!', '*', 'r = '])
      expect(errorsOf(inThread(open.repeat(5000)))[0]).toMatch(/nested too deeply|FW1/);
  });
});
