import { Budget } from '@fencewright/ground/base/budget.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../../engines/src/c11/check-c11.js';
import { graphsOf } from '../../../engines/test/c11/program-graphs.js';
import {
  type ProgramSketch,
  randomSketch,
  type Sketch,
  textOf,
} from '../../../engines/test/c11/sketch.js';
import { parseLitmus } from '../../src/litmus/parse-litmus.js';
import { parseNative } from '../../src/native/parse-native.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return program;
}

async function verdictOf(program: Program): Promise<string> {
  const { verdict } = await checkC11(program, 'c11', new Budget());
  if (verdict.kind === 'not-robust') return verdict.violation.kind;
  return verdict.kind === 'unknown' ? `unknown: ${verdict.limit ?? verdict.reason}` : 'robust';
}

const load = (into: string, cell: string, order: string): string =>
  `int ${into} = atomic_load_explicit(${cell}, memory_order_${order});`;
const store = (cell: string, order: string): string =>
  `atomic_store_explicit(${cell}, 1, memory_order_${order});`;

function litmus(...threads: readonly string[]): string {
  const parameters = 'atomic_int *x, atomic_int *y, int *d';
  const code = threads.map((body, thread) => `P${thread}(${parameters}) { ${body} }`);
  return `C test\n{}\n${code.join('\n')}\n`;
}

describe('litmus tests in C against C11, each with the verdict of the text of C++20', () => {
  const fence = (order: string): string => `atomic_thread_fence(memory_order_${order});`;
  const passing = (publish: string, look: string): string =>
    litmus(`*d = 1; ${publish}`, `${look} if (r) { int s = *d; }`);

  test.each([
    [
      'store buffering, seq_cst by default',
      litmus(
        'atomic_store(x, 1); int r = atomic_load(y);',
        'atomic_store(y, 1); int r = atomic_load(x);',
      ),
      'robust',
    ],
    [
      // On ARM, an stlr may be overtaken by a plain ldr.
      'store buffering, only the stores seq_cst',
      litmus(
        store('x', 'seq_cst') + load('r', 'y', 'relaxed'),
        store('y', 'seq_cst') + load('r', 'x', 'relaxed'),
      ),
      'old-store',
    ],
    [
      'store buffering, full fences',
      litmus(
        store('x', 'relaxed') + fence('seq_cst') + load('r', 'y', 'relaxed'),
        store('y', 'relaxed') + fence('seq_cst') + load('r', 'x', 'relaxed'),
      ),
      'robust',
    ],
    ['message passing', passing(store('y', 'release'), load('r', 'y', 'acquire')), 'robust'],
    [
      'message passing by consume, as compilers take it',
      passing(store('y', 'release'), load('r', 'y', 'consume')),
      'robust',
    ],
    [
      'message passing by fences',
      passing(
        fence('release') + store('y', 'relaxed'),
        load('r', 'y', 'relaxed') + fence('acquire'),
      ),
      'robust',
    ],
    [
      'a relaxed fence',
      passing(fence('relaxed') + store('y', 'relaxed'), load('r', 'y', 'acquire')),
      'old-store',
    ],
    [
      // The failure order counts: a failing compare-exchange has not acquired.
      'a compare-exchange that fails, relaxed',
      passing(
        store('y', 'release'),
        'int e = 7; int r = !atomic_compare_exchange_strong_explicit(y, &e, 2, memory_order_acq_rel, memory_order_relaxed); r = r && e;',
      ),
      'old-store',
    ],
    [
      'a compare-exchange that fails, acquire',
      passing(
        store('y', 'release'),
        'int e = 7; int r = !atomic_compare_exchange_strong_explicit(y, &e, 2, memory_order_acq_rel, memory_order_acquire); r = r && e;',
      ),
      'robust',
    ],
    [
      // A store ends the release sequence, an exchange continues it.
      'a seq_cst store behind a release',
      litmus(
        `*d = 1; ${store('y', 'release')}`,
        `${load('r', 'y', 'relaxed')} if (r == 1) atomic_store(y, 2);`,
        `${load('r', 'y', 'acquire')} if (r == 2) { int s = *d; }`,
      ),
      'old-store',
    ],
    [
      'a seq_cst exchange behind a release',
      litmus(
        `*d = 1; ${store('y', 'release')}`,
        `${load('r', 'y', 'relaxed')} if (r == 1) { int o = atomic_exchange(y, 2); }`,
        `${load('r', 'y', 'acquire')} if (r == 2) { int s = *d; }`,
      ),
      'robust',
    ],
    [
      'load buffering',
      litmus(
        load('r', 'x', 'relaxed') + store('y', 'relaxed'),
        load('r', 'y', 'relaxed') + store('x', 'relaxed'),
      ),
      'load-buffering',
    ],
    // The text has no condition; processors with an instruction for it need none.
    ...['strong', 'weak'].map((strength): [string, string, string] => {
      const compare = (cell: string): string =>
        `int e = 0; int r = atomic_compare_exchange_${strength}_explicit(${cell}, &e, 2, memory_order_relaxed, memory_order_relaxed);`;
      return [
        `load buffering of compare-exchanges, ${strength}`,
        litmus(
          `${compare('x')} ${store('y', 'relaxed')} r = r && e;`,
          `${compare('y')} ${store('x', 'relaxed')} r = r && e;`,
        ),
        'load-buffering',
      ];
    }),
  ])('%s', async (_, text, verdict) => {
    const program = parse(text);
    expect(await verdictOf(program)).toBe(verdict);
    const graphs = graphsOf(program, { graphs: 5000, events: 10 });
    expect(graphs?.isWhole).toBe(true);
    expect(graphs?.isRobust).toBe(verdict !== 'old-store');
  });

  test('plain accesses race if nothing orders them', async () => {
    const races = async (order: string): Promise<boolean> => {
      const program = parse(passing(store('y', order), load('r', 'y', 'acquire')));
      const { race } = await checkC11(program, 'c11', new Budget());
      return race !== 'none';
    };
    expect(await races('release')).toBe(false);
    expect(await races('relaxed')).toBe(true);
  });

  test('a plain load races with an atomic store', async () => {
    const raceOf = async (load: string): Promise<unknown> => {
      const program = parse(litmus(store('d', 'relaxed'), load));
      const { verdict, race } = await checkC11(program, 'c11', new Budget());
      return [verdict.kind, typeof race];
    };
    expect(await raceOf('int r = *d;')).toEqual(['robust', 'object']);
    expect(await raceOf(load('r', 'd', 'relaxed'))).toEqual(['robust', 'string']);
  });

  // The search for load buffering does not follow the conditional store, so the answer is open.
  test('load buffering of compare-exchanges whose expected values are in memory', async () => {
    const side = (own: string, other: string, expected: string): string =>
      `(atomic_int *x, atomic_int *y, int *${expected}) {
        int r = atomic_compare_exchange_strong_explicit(${own}, ${expected}, 2, memory_order_relaxed, memory_order_relaxed);
        atomic_store_explicit(${other}, 1, memory_order_relaxed);
      }`;
    const text = `C expected
{ e = 0; f = 0; }
P0${side('x', 'y', 'e')}
P1${side('y', 'x', 'f')}
exists (x=1)`;
    const { verdict } = await checkC11(parse(text), 'c11', new Budget());
    expect(verdict).toMatchObject({ kind: 'unknown', limit: 'rmws-behind-loads' });
  });

  // Store buffering, in which the registers alone differ; and a register that is written again.
  // Both registers may be 0 under C11 only.
  test.each([
    ['', 'states-differ'],
    [' r = 2;', 'none'],
  ])('registers belong to the states that are compared%s', async (again, effect) => {
    const text = litmus(
      `${store('x', 'relaxed') + load('r', 'y', 'relaxed')}${again}`,
      `${store('y', 'relaxed') + load('r', 'x', 'relaxed')}${again}`,
    );
    const result = await checkC11(parse(`${text}exists (x=1)`), 'c11', new Budget());
    expect(result.effect?.kind).toBe(effect);
  });
});

describe('what has no meaning in C11', () => {
  test.each([
    ['X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\n', 'assembler', 0],
    ['C t\n{ }\nP0(int *x) { int r = atomic_load(x);\n WRITE_ONCE(*x, 1); }\n', 'kernel', 3],
    ['C t\n{ }\nP0(atomic_t *x) {\n int r = atomic_fetch_add(1, x); }\n', 'kernel', 3],
    ['C t\n{ }\nP0(atomic_int *x) {\n *x = 1; }\n', 'operator', 3],
    ['C t\n{ }\nP0(_Atomic int *x) { int r;\n\n r = *x; }\n', 'operator', 4],
  ])('%j', (text, reason, line) => {
    const { outsideC11 } = parse(text);
    expect(outsideC11).toMatchObject({ reason, span: { start: { line } } });
  });

  test('a weak compare-exchange may fail although the values are equal', async () => {
    const holds = async (word: string): Promise<string> => {
      const call = `int e = 0; int r = atomic_compare_exchange_${word}(x, &e, 1);`;
      const program = parse(`${litmus(call)}exists (0:r=0)`);
      const { verdict } = await checkC11(program, 'c11', new Budget());
      const weak = program.threads[0]!.transitions.filter((one) => 'mayFail' in one.instruction);
      return `${verdict.kind}, ${weak.length}`;
    };
    expect([await holds('strong'), await holds('weak')]).toEqual(['robust, 0', 'robust, 1']);
  });

  test.each([
    ['atomic_load_explicit(x, memory_order_release)', 'this is no memory order of a load'],
    ['atomic_load_explicit(x, 5)', 'this is no memory order of a load'],
    ['atomic_exchange_explicit(x, 1)', 'this call takes 3 arguments'],
  ])('%s is refused', (call, message) => {
    const { diagnostics } = parseLitmus(litmus(`int r = ${call};`));
    expect(diagnostics.map((one) => one.message)).toEqual([
      `${message}: '${call.slice(0, call.indexOf('('))}'`,
    ]);
  });
});

function inC(sketch: Sketch): string {
  const memory = (order: string): string => `memory_order_${order}`;
  switch (sketch.kind) {
    case 'load':
      return `r = atomic_load_explicit(${sketch.cell}, ${memory(sketch.order)});`;
    case 'plain-load':
      return `r = *${sketch.cell};`;
    case 'store':
      return `atomic_store_explicit(${sketch.cell}, ${sketch.value}, ${memory(sketch.order)});`;
    case 'plain-store':
      return `*${sketch.cell} = ${sketch.value};`;
    case 'xchg':
      return `r = atomic_exchange_explicit(${sketch.cell}, ${sketch.value}, ${memory(sketch.order)});`;
    case 'fetch_add':
      return `r = atomic_fetch_add_explicit(${sketch.cell}, ${sketch.value}, ${memory(sketch.order)});`;
    case 'cas': {
      const orders = `${memory(sketch.order)}, ${memory(sketch.failure)}`;
      const call = `atomic_compare_exchange_strong_explicit(${sketch.cell}, &e, ${sketch.value}, ${orders})`;
      return `e = ${sketch.expected}; r = ${call};`;
    }
    case 'await':
      return `while (atomic_load_explicit(${sketch.cell}, ${memory(sketch.order)}) != ${sketch.value}) ;`;
    case 'fence':
      return `atomic_thread_fence(${memory(sketch.order)});`;
    case 'if':
      return `if (r == ${sketch.equals}) { ${sketch.then.map(inC).join(' ')} }`;
  }
}

function litmusOf({ cells, threads }: ProgramSketch): string {
  const parameters = cells.map((cell) => `${cell.startsWith('p') ? 'int' : 'atomic_int'} *${cell}`);
  const code = threads.map(
    (statements, thread) =>
      `P${thread}(${parameters.join(', ')}) { int r; int e;\n${statements.map(inC).join('\n')} }`,
  );
  return `C sketch\n{}\n${code.join('\n')}\n`;
}

const waitsByCas = (sketch: Sketch): boolean =>
  sketch.kind === 'if' ? sketch.then.some(waitsByCas) : sketch.kind === 'cas' && sketch.waits;

test('random programs have the verdicts and races of the native language', async () => {
  const from = randomSeed(20_000);
  const seen = new Map<string, number>();
  for (let seed = from; seed < from + randomRuns(60, 2000); seed++) {
    const sketch = randomSketch(seed, { branches: true, plain: seed % 2 === 0 });
    if (sketch.threads.flat().some(waitsByCas)) continue;
    const native = finiteProgram(parseNative(textOf(sketch)).model)!;
    const [own, other] = await Promise.all(
      [parse(litmusOf(sketch)), native].map((program) => checkC11(program, 'c11', new Budget())),
    );
    const answerOf = ({ verdict, race }: C11Result): unknown => [
      seed,
      verdict.kind === 'not-robust' ? verdict.violation.kind : verdict.kind,
      typeof race === 'object' ? 'race' : race,
    ];
    expect(answerOf(own!)).toEqual(answerOf(other!));
    seen.set(own!.verdict.kind, (seen.get(own!.verdict.kind) ?? 0) + 1);
  }
  expect(seen.get('robust')).toBeGreaterThan(10);
  expect(seen.get('not-robust')).toBeGreaterThan(3);
});
