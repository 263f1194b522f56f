import { describe, expect, it } from 'vitest';
import { confronted } from '../../core/src/api/confronted.js';
import { prove } from '../../core/src/api/prove.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import { templatesOf, finiteProgram } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { toProofProgram, type ProofProgram } from '../src/steps/proof-program.js';
import { roleOf } from '../src/steps/roles.js';
import { declare, symbol } from '../src/steps/terms.js';
import { whyProperty } from '@fencewright/reports/words/why-unproved.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { openProgram, proveText, useSolver } from './proving.js';

const solver = useSolver();
const quick = { solver, searchInstances: false };

/**
 * A program that is not robust: t delays its store past its load, and t1 observes the delay. The
 * name of t1 is also that of a copy of t.
 */
const collision = `program P
  var x, y
  thread t[*] { local r; x = 1; r = y; }
  thread t1 { local r; skip; skip; skip; y = 1; fence; r = x; }`;

describe('names of a program that meet', () => {
  it('do not make one thread of a copy and a thread called like it', async () => {
    const { result } = await proveText(collision, quick);
    expect(result.verdict).toMatchObject({ kind: 'unknown', reason: 'movers' });
    expect((await proveText(collision, { solver })).result.verdict.kind).toBe('not-robust');
  });

  it('do not make a false invariant inductive', async () => {
    const { result } = await proveText(`${collision} invariant zero(a: t): y == 0`, quick);
    expect(result.invariants).toMatchObject([{ name: 'zero', verdict: 'broken' }]);
  });

  it('are shown apart in a counterexample', async () => {
    const { result } = await proveText(`${collision} invariant zero(a: t): y == 0`, quick);
    const names = result.invariants[0]?.state?.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('t#1');
    expect(names).toContain('t1');
  });

  it.each(['quotient', 'bits_and', 'and', 'self_0', 'at_0', 'select', 'm1'])(
    'of a variable may be the solver’s own: %s',
    async (name) => {
      const text = `program P var ${name}, y
        thread t[*] { local r, not, let; ${name} = 6 / 4; fence; r = y & 3; }
        thread u { local true1; y = 1; fence; true1 = ${name}; }
        invariant small: ${name} <= 1`;
      const { result } = await proveText(text, quick);
      expect(result.verdict).toMatchObject({ kind: 'proved', conclusion: { kind: 'robust' } });
      expect(result.invariants).toMatchObject([{ verdict: 'inductive' }]);
      const { result: inferred } = await proveText(text, { ...quick, infer: true });
      expect(inferred.verdict.kind).toBe('proved');
    },
  );

  it.each([
    ['a|b', 'r|s'],
    ['a\\b', 'r\\s'],
    ['t.r', 'self'],
    ['t@', '@'],
    ['true', 'and'],
  ])('of Trencher’s format may have any characters: %s, %s', async (thread, register) => {
    const trencher = (own: string, other: string): string => `thread ${thread}
initial L0
transition L0 L1 write 1 ${own}
transition L1 L2 mfence
transition L2 L3 read ${register} ${other}
end
thread ${thread}_
initial L0
transition L0 L1 write 1 ${other}
transition L1 L2 mfence
transition L2 L3 read ${register.replaceAll(/[|\\]/g, '_')} ${own}
end
`;
    const { model } = parseTrencher(trencher('1', '2'));
    const program = finiteProgram(model);
    if (!program) throw new Error('the text has no error');
    for (const infer of [false, true]) {
      const { result } = await prove(templatesOf(program), { ...quick, infer });
      expect(result.verdict).toMatchObject({ kind: 'proved', conclusion: { kind: 'robust' } });
    }
  });

  it('are not those of roles: these differ for any two threads and copies', () => {
    const threads = [...Array(30).keys()];
    const names = threads.flatMap((thread) =>
      thread % 2 === 0
        ? threads.map((copy) => roleOf({ unbounded: [thread] }, thread, copy).name)
        : [roleOf({ unbounded: [] }, thread, 1).name],
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('are refused where a question would have one name for two things', () => {
    const twice = { term: symbol('m0', 'x'), sort: 'Int' } as const;
    expect(() => declare([twice, { ...twice, sort: 'Bool' }])).toThrow(InternalError);
    expect(symbol('m0', 'a|b')).not.toBe(symbol('m1', 'a_b'));
  });
});

describe('a proof', () => {
  it('is none if its premises contradict each other, as a solver says that says so of everything', async () => {
    const lying: SmtSolver = {
      name: 'lying',
      solve: () => Promise.resolve({ kind: 'unsat' }),
      close: () => Promise.resolve(),
    };
    await expect(proveText(collision, { solver: lying, searchInstances: false })).rejects.toThrow(
      'premises',
    );
  });

  it('is none if nobody knows whether its premises can be satisfied', async () => {
    const evasive: SmtSolver = {
      name: 'evasive',
      solve: ({ script }) =>
        Promise.resolve(
          // The assertion about the start occurs in one question only.
          script.includes('(assert (= |m0 x| 0))')
            ? { kind: 'unknown', reason: 'incomplete', detail: '' }
            : { kind: 'unsat' },
        ),
      close: () => Promise.resolve(),
    };
    const { result } = await proveText(
      'program P var x, y thread t { local r; x = 1; fence; r = y; } thread u { y = 1; }',
      { solver: evasive, searchInstances: false },
    );
    expect(result.verdict).toMatchObject({ kind: 'unknown', reason: 'undecided' });
  });

  it('says which small instances were searched for a refutation', async () => {
    const { result } = await proveText(
      `program P var x, y
       thread t[*] { local r; x = 1; fence; r = y; }
       invariant known: x <= 1`,
      quick,
    );
    const whole = { violation: 'all', tsoStates: 'all', invariants: 'all' };
    const instances = [1, 2, 3].map((copies) => ({ copies, ...whole }));
    expect(result.confrontation).toMatchObject({ maxStates: 2000, instances });
  });

  it('says where the search was not of all: stores waited for room, there were too many states', async () => {
    const { result } = await proveText(
      'program P var x, y thread t { local r; x = 1; x = 2; x = 3; fence; r = y; }',
      quick,
    );
    expect(result.confrontation?.instances).toMatchObject([
      { violation: 'all', tsoStates: 'some' },
    ]);
    const { result: long } = await proveText(
      `program P var x
       thread t { local r; while (r < 3000) { r = r + 1; x = r; fence; } }
       invariant positive(a: t): x >= 0 && a.r >= 0`,
      quick,
    );
    expect(long.confrontation?.instances).toMatchObject([
      { tsoStates: 'none', invariants: 'some' },
    ]);
  });
});

describe('a claim that is wrong', () => {
  const proofProgram = (open: Templates): ProofProgram => {
    const program = toProofProgram(open, open.templates.invariants ?? []);
    if ('unsupported' in program) throw new Error(program.unsupported.kind);
    return program;
  };
  const refuted = async (text: string, parts: object): Promise<InternalError> => {
    const original = openProgram(text);
    const { result } = await prove(original, quick);
    const claim = { original, program: proofProgram(original), invariants: [], ...parts };
    const error = await confronted(result, claim, {}).catch((thrown: unknown) => thrown);
    if (!(error instanceof InternalError)) throw new Error('no refutation');
    return error;
  };

  it.each(['standard', 'value'] as const)(
    'of robustness (%s) is refuted by an execution, both sides written out',
    async (happensBefore) => {
      const error = await refuted(collision, { conclusion: { kind: 'robust', happensBefore } });
      expect(error.message).toContain('refuted by an execution');
      expect(error.details).toContain('What is said to be proved');
      expect(error.details).toMatch(/step +thread +action/);
      expect(error.details).toContain('t[0]');
    },
  );

  it('of equal states is refuted by a state that TSO alone reaches', async () => {
    const text = `program P var x, y, a, b
      thread t { local r; x = 1; r = y; a = r + 1; }
      thread u { local r; y = 1; r = x; b = r + 1; }`;
    const error = await refuted(text, { conclusion: { kind: 'same-states' } });
    expect(error.message).toContain('a state that SC does not reach');
  });

  it('of an invariant is refuted by a state of SC, though three copies are needed', async () => {
    const text = `program P var n
      thread t[*] { local r; r = fetch_add(n, 1); }
      invariant two: n <= 2`;
    const { templates } = openProgram(text);
    const error = await refuted(text, { invariants: templates.invariants });
    expect(error.message).toContain('invariant two is false');
    expect(error.details).toContain('t[2]');
  });
});

describe('a property', () => {
  it.each([
    ['of a register', 'r = 5; r = 6; x = r;', 'never (t.r == 5)'],
    ['of a place', 'x = 1; before: r = 1; behind: r = 2; y = 1;', 'never (t @ behind && x == 1)'],
    ['of all places but one', 'start: r = 1; r = 2; x = 1;', 'never (!(t @ start) && x == 0)'],
  ])('%s is asked of the states between two accesses, too', async (_, body, property) => {
    const text = `program P var x, y thread t { local r; ${body} } property p: ${property}`;
    const { result } = await proveText(text, { ...quick, properties: ['p'] });
    expect(result.verdict.kind).toBe('proved');
    expect(result.properties).toMatchObject([{ name: 'p', verdict: 'unknown' }]);
  });

  it('is not proved of TSO by what SC does, where the program is not robust', async () => {
    const text = `program P var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local r; y = 1; r = x; }
      property p: never (x == 2)`;
    const { result } = await proveText(text, { ...quick, properties: ['p'] });
    expect(result.invariants).toMatchObject([]);
    expect(result.properties).toMatchObject([{ name: 'p', verdict: 'unknown' }]);
  });

  it('is proved only with the invariant that has its name', async () => {
    const text = `program P var x thread t { x = 1; }
      invariant p: x <= 1
      property p: never (x == 1)`;
    const { result } = await proveText(text, { ...quick, properties: ['p'] });
    expect(result.verdict.kind).toBe('proved');
    expect(result.properties).toMatchObject([{ name: 'p', verdict: 'unknown' }]);
  });

  it('may be an invariant of that name', async () => {
    const text = `program P var x, y thread t { local r; r = 5; r = 6; x = r; }
      invariant five(a: t): a.r != 5`;
    const { result } = await proveText(text, { ...quick, properties: ['five'] });
    // Between two accesses the register is 5.
    expect(result.properties).toMatchObject([{ name: 'five', verdict: 'unknown' }]);
  });

  it('speaks of no state in which somebody has the bus lock, and says so', async () => {
    const text = `program P var x thread t { atomic { x = 1; x = 0; } } property p: never (x == 1)`;
    const { result } = await proveText(text, { ...quick, properties: ['p'] });
    expect(result.properties).toMatchObject([{ verdict: 'holds' }]);
    const [asked] = result.properties;
    expect(asked && whyProperty(asked.verdict, asked.why)).toContain(
      'while nobody has the bus lock',
    );
  });
});
