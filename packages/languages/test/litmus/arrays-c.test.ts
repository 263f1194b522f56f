import { Budget } from '@fencewright/ground/base/budget.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Claim } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { reach } from '../../../core/src/api/reach.js';
import { checkC11 } from '../../../engines/src/c11/check-c11.js';
import { parseLitmus } from '../../src/litmus/parse-litmus.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return program;
}

const errorsOf = (text: string): readonly string[] =>
  parseLitmus(text).diagnostics.map(({ message }) => message);

/** Returns the verdict against C11, and whether the condition holds there. */
async function answerOf(text: string): Promise<readonly [string, C11Claim['answer'] | undefined]> {
  const { verdict, claims = [] } = await checkC11(parse(text), 'c11', new Budget());
  return [verdict.kind, claims[0]?.answer];
}

const load = (into: string, cell: string, order = 'relaxed'): string =>
  `int ${into} = atomic_load_explicit(${cell}, memory_order_${order});`;
const store = (cell: string, order = 'relaxed'): string =>
  `atomic_store_explicit(${cell}, 1, memory_order_${order});`;

function litmus(initial: string, threads: readonly string[], condition: string): string {
  const code = threads.map((body, n) => `P${n}(atomic_int *x, atomic_int *y, int *d) { ${body} }`);
  return `C test\n{ ${initial} }\n${code.join('\n')}\n${condition}\n`;
}

describe('arrays in litmus tests in C', () => {
  /* "imm-E3.5" of Dat3M: the address of the second load depends on the first. Its verdict there for
   * RC11 is that the outcome does not occur. */
  test('an address that depends on a load keeps later stores behind it', async () => {
    const threads = (address: string): string[] => [
      `${load('r0', 'x')} ${load('r1', address)} ${store('y')}`,
      `${load('r0', 'y')} ${store('x', 'release')}`,
    ];
    const condition = 'exists (0:r0=1 /\\ 1:r0=1)';
    const initial = 'atomic_int y[2] = {0, 0};';
    expect(await answerOf(litmus(initial, threads('y+r0'), condition))).toEqual([
      'robust',
      'fails',
    ]);
    // Without the dependency, the store to y may overtake the load of x.
    const [verdict] = await answerOf(litmus(initial, threads('y+1'), condition));
    expect(verdict).toBe('not-robust');
  });

  test.each([
    ['y', 'y+1', 'exists (0:r=0 /\\ 1:r=0)', 'not-robust', 'relaxed', 'relaxed'],
    ['y', 'y+1', 'exists (0:r=0 /\\ 1:r=0)', 'robust', 'seq_cst', 'seq_cst'],
    ['&y[0]', '&y[1]', 'exists (0:r=0 /\\ 1:r=0)', 'not-robust', 'release', 'acquire'],
  ])('cells are apart: %s and %s, %s, %s', async (one, other, condition, wanted, put, get) => {
    const threads = [
      `${store(one, put)} ${load('r', other, get)}`,
      `${store(other, put)} ${load('r', one, get)}`,
    ];
    const [verdict] = await answerOf(litmus('atomic_int y[2];', threads, condition));
    expect(verdict).toBe(wanted);
  });

  test('initial values, cells of conditions, and plain cells', async () => {
    const text = (condition: string): string =>
      litmus('int d[3] = {4, 5}; int x = 7;', ['d[2] = d[0] + d[1];'], condition);
    const { symbols } = parse(text('exists (d[2]=9)'));
    expect(symbols.map(({ name, base, length, initial }) => [name, base, length, initial])).toEqual(
      [
        ['d', 1, 3, [4, 5, 0]],
        ['x', 4, 1, [7]],
        ['y', 5, 1, [0]],
      ],
    );
    expect(await answerOf(text('exists (d[2]=9 /\\ d[1]=5 /\\ x=7)'))).toEqual(['robust', 'holds']);
    expect(await answerOf(text('exists (d[2]=4)'))).toEqual(['robust', 'fails']);
  });

  test('an index outside of the array is a fault, not another variable', async () => {
    const text = litmus('atomic_int y[2]; atomic_int x;', [store('y+2')], '');
    expect((await answerOf(text))[0]).toBe('unknown');
  });

  test('`x[1]` of an atomic variable is refused as `*x` is', () => {
    const program = (body: string): Program => parse(litmus('atomic_int y[2];', [body], ''));
    expect(program('y[1] = 1;').outsideC11?.reason).toBe('operator');
    expect(program('int r = y[1];').outsideC11?.reason).toBe('operator');
    expect(program(store('&y[1]')).outsideC11).toBeUndefined();
  });

  test.each([
    ['atomic_int y[0];', '', 'an array has 1 to 1024 cells here'],
    ['atomic_int y[5000];', '', 'an array has 1 to 1024 cells here'],
    ['atomic_int y[2] = {1, 2, 3};', '', 'there are more values than cells'],
    ['int *p = y; atomic_int y[2];', '', "'y' is mentioned before this"],
    ['atomic_int y[2];', 'exists (y[2]=1)', "'y' has 2 cells"],
    ['atomic_int y[2];', 'exists (y=1)', "'[' is missing here: '='"],
  ])('%s %s', (initial, condition, wanted) => {
    expect(errorsOf(litmus(initial, [store('x')], condition))).toEqual([wanted]);
  });

  test('x86 has none', () => {
    expect(errorsOf('X86 t\n{ int y[2]; }\n P0 ;\n MOV [x],$1 ;\n')).toEqual([
      'arrays are not supported',
    ]);
  });
});

test('atomic_add_unless: adds unless the value found is the given one', async () => {
  const add = (into: string, name: string, unless: number): string =>
    `int ${into} = ${name}(x, 10, ${unless});`;
  const text = (condition: string): string => {
    const body = `${add('r', '__atomic_add_unless{mb}', 0)} ${add('q', 'atomic_add_unless', 10)}
      ${add('s', 'atomic_add_unless', 10)}`;
    return litmus('atomic_int x = ATOMIC_INIT(0);', [body], condition);
  };
  // "C17" of herdtools7, and once more.
  const program = parse(text('forall (0:r=0 /\\ 0:q=1 /\\ 0:s=0 /\\ x=10)'));
  expect(program.outsideC11?.reason).toBe('kernel');
  const { sc, tso } = await reach(program);
  expect([sc, tso].map(({ properties }) => properties[0]?.verdict)).toEqual(['holds', 'holds']);
  expect(errorsOf(text('').replace('__atomic_add_unless{mb}', '__xchg{mb}'))).toEqual([
    "this call is not supported: '__xchg{mb}'",
  ]);
});
