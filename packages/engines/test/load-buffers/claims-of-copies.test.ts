import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { parseNative } from '@fencewright/core/native';
import { Budget } from '@fencewright/ground/base/budget.js';
import { evaluateExpression } from '@fencewright/model/program/evaluate.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, Property, StateExpression } from '@fencewright/model/program/program.js';
import { initialState, memoryValue, successors } from '@fencewright/model/semantics/machine.js';
import { evaluateStateExpression } from '@fencewright/model/semantics/state-expression.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { AnyNumberSearch } from '../../src/load-buffers/any-number-search.js';
import { countsOfTotal } from '../../src/parameterized/instances.js';

const runs = randomRuns(60, 4000, 20);
const seed = randomSeed(20261129);
const models = ['SC', 'TSO'] as const;
/** The memory models, and whether the search forward under SC is tried, too. */
const asked = [
  ['SC', true],
  ['SC', false],
  ['TSO', true],
] as const;
const mostCopies = 4;
const mostStates = 6_000;

// The judge: explores all states of an instance, and tries all choices of distinct copies.

/** Returns all states of the program; `undefined` if there are too many, or a step faults. */
function statesOf(program: Program, model: 'SC' | 'TSO'): readonly MachineState[] | undefined {
  const code = compileProgram(program);
  const start = initialState(program);
  const nameOf = ({ locations, registers, buffers, memory, lockHolder }: MachineState): string =>
    JSON.stringify([
      locations,
      registers,
      buffers,
      [...memory].sort(([a], [b]) => a - b),
      lockHolder,
    ]);
  const known = new Set([nameOf(start)]);
  const states = [start];
  for (const state of states) {
    const { steps, faults } = successors(model, code, state);
    if (faults.length > 0) return undefined;
    for (const { state: next } of steps) {
      const name = nameOf(next);
      if (known.has(name)) continue;
      known.add(name);
      states.push(next);
      if (states.length > mostStates) return undefined;
    }
  }
  return states;
}

type Named = readonly (readonly [template: number, copy: number])[];

/** Returns the copies of templates that a condition names, each once. */
function namedBy(condition: StateExpression): Named {
  switch (condition.kind) {
    case 'unary':
      return namedBy(condition.operand);
    case 'binary': {
      const all = [...namedBy(condition.left), ...namedBy(condition.right)];
      return all.filter(([t, c], i) => all.findIndex(([u, d]) => t === u && c === d) === i);
    }
    case 'constant':
    case 'memory':
      return [];
    default:
      return condition.copy === undefined ? [] : [[condition.thread, condition.copy]];
  }
}

/** Returns all ways to assign distinct threads of the instance to the named copies. */
function waysToName(named: Named, templateOf: readonly number[]): readonly (readonly number[])[] {
  let ways: readonly (readonly number[])[] = [[]];
  for (const [template] of named)
    ways = ways.flatMap((way) =>
      [...templateOf.keys()]
        .filter((thread) => templateOf[thread] === template && !way.includes(thread))
        .map((thread) => [...way, thread]),
    );
  return ways;
}

/**
 * Whether a state satisfies a condition on the templates, given the threads for the named copies.
 */
function holdsIn(
  program: Program,
  condition: StateExpression,
  state: MachineState,
  threadOf: (thread: number, copy: number | undefined) => number,
): boolean {
  const value = evaluateExpression(condition, (leaf) => {
    if (leaf.kind === 'memory') return memoryValue(state, leaf.address);
    const t = threadOf(leaf.thread, leaf.copy);
    switch (leaf.kind) {
      case 'at':
        return state.locations[t] === leaf.location ? 1 : 0;
      case 'ended':
        return program.threads[t]!.transitions.some(({ from }) => from === state.locations[t])
          ? 0
          : 1;
      case 'drained':
        return state.buffers[t]!.length === 0 ? 1 : 0;
      case 'register':
        return state.registers[t]![leaf.register]!;
    }
  });
  return value !== 0;
}

interface Judged {
  readonly counts: readonly number[];
  readonly total: number;
  /**
   * By memory model and index of property, whether some state violates the property; `undefined` if
   * unknown.
   */
  readonly violated: Readonly<Record<'SC' | 'TSO', readonly (boolean | undefined)[]>>;
}

function judge(model: UnboundedModel, counts: readonly number[]): Judged {
  const { program, templateOf } = instantiate(model, counts);
  const states = { SC: statesOf(program, 'SC'), TSO: statesOf(program, 'TSO') };
  const violatedUnder = (memory: 'SC' | 'TSO'): readonly (boolean | undefined)[] => {
    const all = states[memory];
    return model.templates.properties.map(({ condition }) => {
      if (!all) return undefined;
      const named = namedBy(condition);
      return waysToName(named, templateOf).some((way) => {
        const threadOf = (thread: number, copy: number | undefined): number =>
          copy === undefined
            ? templateOf.indexOf(thread)
            : way[named.findIndex(([t, c]) => t === thread && c === copy)]!;
        return all.some((state) => holdsIn(program, condition, state, threadOf));
      });
    });
  };
  const violated = { SC: violatedUnder('SC'), TSO: violatedUnder('TSO') };
  // The property of the instance about chosen copies has the same verdict.
  for (const memory of models)
    for (const [i, { condition }] of program.properties.entries()) {
      const expected = violated[memory][i];
      if (expected === undefined) continue;
      const found = states[memory]!.some(
        (state) => evaluateStateExpression(program, condition, state) !== 0,
      );
      expect(found).toBe(expected);
    }
  return { counts, total: counts.reduce((sum, count) => sum + count, 0), violated };
}

function parsed(text: string, copies?: Readonly<Record<string, number>>) {
  const given = copies && new Map(Object.entries(copies));
  const { model, diagnostics } = parseNative(text, given);
  return model ?? expect.fail(`${JSON.stringify(diagnostics)}\n${text}`);
}

// Random programs: copies that try locks, meet, and miss each other's stores.

const cell = fc.constantFrom('x', 'y');
const value = fc.constantFrom('0', '1', '2');
const register = fc.constantFrom('r', 's');
const label = fc.constantFrom('a', 'b', 'c');

const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(cell, value).map(([c, v]) => `${c} = ${v}`) },
  { weight: 4, arbitrary: fc.tuple(register, cell).map(([r, c]) => `${r} = ${c}`) },
  { weight: 2, arbitrary: fc.tuple(register, cell).map(([r, c]) => `${r} = cas(${c}, 0, 1)`) },
  { weight: 1, arbitrary: fc.tuple(register, cell).map(([r, c]) => `${r} = xchg(${c}, 2)`) },
  { weight: 2, arbitrary: fc.tuple(register, value).map(([r, v]) => `assume(${r} == ${v})`) },
  { weight: 1, arbitrary: fc.constant('fence') },
  {
    weight: 1,
    arbitrary: fc.tuple(register, cell).map(([r, c]) => `atomic { ${r} = ${c}; ${c} = 1; }`),
  },
);
/**
 * Statements of programs that random statements seldom produce: store buffering by threads with
 * equal code, and a lock.
 */
const shape = fc.constantFrom(
  ['choose { x = 1; r = y; } or { y = 1; r = x; }', 's = 1', 'skip'],
  ['choose { x = 1; fence; r = y; } or { y = 1; r = x; }', 's = 1', 'skip'],
  ['r = cas(x, 0, 1)', 'assume(r == 1)', 'x = 0'],
  ['r = x', 'assume(r == 0)', 'x = 1'],
  ['atomic { r = x; assume(r != 2); x = r + 1; }', 's = y', 'atomic { r = x; x = r - 1; }'],
);
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(step, step, step) },
  { weight: 2, arbitrary: shape },
  { weight: 1, arbitrary: fc.tuple(shape, step).map(([[a, b], c]) => [a, b, c]) },
);

const subject = fc.constantFrom('t[0]', 't[0]', 't[1]', 't[1]', 't[2]', 'u[0]', 'u[3]', 'm');
const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(subject, label).map(([t, l]) => `${t} @ ${l}`) },
  {
    weight: 3,
    arbitrary: fc.tuple(subject, register, value).map(([t, r, v]) => `${t}.${r} == ${v}`),
  },
  { weight: 1, arbitrary: subject.map((t) => `drained(${t})`) },
  { weight: 2, arbitrary: subject.map((t) => `!drained(${t})`) },
  { weight: 1, arbitrary: subject.map((t) => `ended(${t})`) },
  { weight: 1, arbitrary: fc.tuple(cell, value).map(([c, v]) => `${c} == ${v}`) },
  { weight: 1, arbitrary: fc.tuple(subject, label).map(([t, l]) => `!(${t} @ ${l})`) },
);
const pair = fc.oneof(
  label.map((l) => `t[0] @ ${l} && t[1] @ ${l}`),
  fc.tuple(label, label).map(([l, k]) => `t[0] @ ${l} && t[1] @ ${k}`),
  fc.tuple(value, value).map(([v, w]) => `t[4].r == ${v} && t[7].r == ${w} && ended(t[4])`),
  fc.constant('t[0].r == t[1].r && t[0] @ c && t[1] @ c'),
  fc.constant('t[0].r == 0 && t[1].r == 0 && t[0].s == 1 && t[1].s == 1'),
  fc.constant('t[0] @ c && t[1] @ c && t[2] @ c'),
);
const claim = fc.oneof(
  { weight: 2, arbitrary: pair },
  { weight: 2, arbitrary: fc.tuple(pair, leaf).map(([p, l]) => `${p} && ${l}`) },
  {
    weight: 2,
    arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((l) => l.join(' && ')),
  },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([p, l]) => `${p} || ${l}`) },
);

const programs = fc
  .record({
    t: steps,
    u: fc.option(fc.tuple(step, step), { freq: 2 }),
    m: fc.option(fc.tuple(step), { freq: 2 }),
    claims: fc.array(claim, { minLength: 1, maxLength: 3 }),
  })
  .map(({ t, u, m, claims }) => {
    const thread = (name: string, all: readonly string[]): string => {
      const lines = ['a', 'b', 'c'].map((l, i) => {
        const own = all[i] ?? 'skip';
        return `${l}: ${own}${own.endsWith('}') ? '' : ';'}`;
      });
      return `thread ${name} { local r, s; ${lines.join(' ')} }\n`;
    };
    const without = (text: string): string =>
      text.replaceAll(/\bu\[(\d)\]/g, u ? 'u[$1]' : 't[$1]').replaceAll(/\bm\b/g, m ? 'm' : 't[0]');
    return `program Copies
var x, y
${thread('t[*]', t)}${u ? thread('u[*]', u) : ''}${m ? thread('m', m) : ''}${claims
      .map((text, i) => `property p${i}: never (${without(text)})\n`)
      .join('')}`;
  });

test('claims about copies, against all choices of copies in small instances', async () => {
  const seen = {
    ...{ holds: 0, fails: 0, open: 0, 'one copy': 0, 'two copies': 0, 'three or more': 0 },
    ...{ 'more than are named': 0, 'only under TSO': 0, 'waiting stores': 0, beyond: 0 },
  };
  await fc.assert(
    fc.asyncProperty(programs, async (text) => {
      const model = unboundedModel(parsed(text))!;
      const judged: Judged[] = [];
      for (let total = 0; total <= mostCopies; total++)
        for (const counts of countsOfTotal(model, total)) judged.push(judge(model, counts));
      const search = new AnyNumberSearch(model);
      for (const [property, { condition }] of model.templates.properties.entries())
        for (const [memory, forward] of asked) {
          const answer = await search.decide(
            { kind: 'property', property },
            new Budget({ maxStates: 4_000 }),
            { model: memory, forward },
          );
          const violating = judged.filter(({ violated }) => violated[memory][property]);
          if (answer.kind === 'unknown') {
            seen.open++;
            continue;
          }
          if (answer.kind === 'holds') {
            expect(violating.map(({ counts }) => counts)).toEqual([]);
            seen.holds++;
            continue;
          }
          seen.fails++;
          const named = judged.find(({ counts }) => counts.join() === answer.counts.join());
          const verdict = named?.violated[memory][property];
          if (verdict === undefined) seen.beyond++;
          else expect(verdict).toBe(true);
          const least = Math.min(...violating.map(({ total }) => total));
          if (least <= 1) seen['one copy']++;
          if (least === 2) seen['two copies']++;
          if (least > 2 && least <= mostCopies) seen['three or more']++;
          if (least > namedBy(condition).length && least <= mostCopies)
            seen['more than are named']++;
          if (text.includes('drained')) seen['waiting stores']++;
          if (memory === 'TSO' && judged.every(({ violated }) => !violated.SC[property]))
            seen['only under TSO']++;
        }
    }),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(seen);
  expect(seen.holds).toBeGreaterThan(runs / 2);
  expect(seen['two copies']).toBeGreaterThan(runs / 4);
  expect(seen['three or more']).toBeGreaterThan(runs / 40);
  expect(seen['more than are named']).toBeGreaterThan(runs / 10);
  expect(seen['only under TSO']).toBeGreaterThan(runs / 20);
  expect(seen['waiting stores']).toBeGreaterThan(runs / 5);
  expect(seen.open).toBeLessThan((seen.holds + seen.fails) / 4);
  // Instances with five copies, or with too many states for the judge.
  expect(seen.beyond).toBeLessThan(seen.fails / 3);
});

describe('the text with given numbers of copies', () => {
  test('is the instance', () => {
    fc.assert(
      fc.property(programs, fc.nat(4), (text, count) => {
        const model = unboundedModel(parsed(text))!;
        const { threads } = model.templates;
        const given = Object.fromEntries(
          model.unbounded.map((thread) => [threads[thread]!.name, count]),
        );
        const counts = threads.map(() => count);
        const plain = (all: readonly Property[]) => all.map(({ span: _, ...rest }) => rest);
        const finite = parsed(text, given);
        if (finite.kind !== 'finite') return expect.fail('no instance');
        const { program } = instantiate(model, counts);
        expect(plain(finite.program.properties)).toEqual(plain(program.properties));
      }),
      { numRuns: runs, seed },
    );
  });

  test('with a number for one thread, the other remains in any number', () => {
    const text = `program P
var x
thread t[*] { a: x = 1; }
thread u[*] { a: x = 2; }
property p: never (t[0] @ a && t[1] @ a && u[0] @ a)
`;
    const model = unboundedModel(parsed(text, { t: 2 }))!;
    expect(model.templates.threads.map(({ name }) => name)).toEqual(['t[0]', 't[1]', 'u']);
    expect(namedBy(model.templates.properties[0]!.condition)).toEqual([[2, 0]]);
  });

  test('copies told apart by self are tried in every choice', () => {
    const text = (claim: string): string =>
      `program P\nvar x\nthread t[*] { local r; r = self; done: skip; }\nproperty p: never (${claim})\n`;
    const violated = (claim: string, t: number): boolean => {
      const model = parsed(text(claim), { t });
      if (model.kind !== 'finite') return expect.fail(claim);
      const { properties } = model.program;
      return statesOf(model.program, 'SC')!.some(
        (state) => evaluateStateExpression(model.program, properties[0]!.condition, state) !== 0,
      );
    };
    const claim = 't[0].r == 2 && t[1].r == 1';
    expect([1, 2, 3].map((count) => violated(claim, count))).toEqual([false, false, true]);
    expect(violated('t[0].r == t[1].r && t[0] @ done && t[1] @ done', 3)).toBe(false);
  });
});

test('each copy is seen at the places of all copies', async () => {
  const text = `program Seen
var x
thread t[*] { local r; a: x = 1; b: skip; c: r = x; }
property p: never (t[0] @ a && t[1] @ b)
`;
  const search = new AnyNumberSearch(unboundedModel(parsed(text))!);
  for (const model of models) {
    const answer = await search.decide({ kind: 'property', property: 0 }, new Budget(), { model });
    expect(answer).toMatchObject({ kind: 'fails', counts: [2] });
  }
});

describe('locks, whatever the number of copies', () => {
  const lock = (acquire: string, release: string): string => `program Lock
var l, x, y
thread user[*] { local r; loop { ${acquire} cs: skip; ${release} } }
property mutex: never (user[0] @ cs && user[1] @ cs)
`;
  const kinds = async (text: string): Promise<readonly string[]> => {
    const search = new AnyNumberSearch(unboundedModel(parsed(text))!);
    return Promise.all(
      models.map(async (model) => {
        const claim = { kind: 'property', property: 0 } as const;
        return (await search.decide(claim, new Budget(), { model })).kind;
      }),
    );
  };

  test('a test-and-set lock excludes', async () => {
    const text = lock('while (cas(l, 0, 1) == 0) { }', 'l = 0;');
    expect(await kinds(text)).toEqual(['holds', 'holds']);
  });

  test('a test and then a set does not', async () => {
    expect(await kinds(lock('while (l != 0) { } l = 1;', 'l = 0;'))).toEqual(['fails', 'fails']);
  });

  test('flags of two roles exclude without store buffers only', async () => {
    const role = (mine: string, other: string): string =>
      `{ r = cas(l, 0, 1); assume(r == 1); } or { skip; } ${mine}${other}`;
    expect(role('', '')).toContain('cas');
    // At most one copy takes each role, by a ticket; the roles are the sides of Dekker's entry.
    const text = `program Roles
var p, q, x, y
thread user[*] {
  local r;
  choose { r = cas(p, 0, 1); assume(r == 1); x = 1; r = y; }
  or { r = cas(q, 0, 1); assume(r == 1); y = 1; r = x; }
  assume(r == 0);
  cs: skip;
}
property mutex: never (user[0] @ cs && user[1] @ cs)
`;
    expect(await kinds(text)).toEqual(['holds', 'fails']);
    const fenced = text.replaceAll(' = 1; r =', ' = 1; fence; r =');
    expect(await kinds(fenced)).toEqual(['holds', 'holds']);
  });
});

describe('claims about the inside of lock blocks', () => {
  const answers = async (text: string, claim: string, counts: readonly number[]) => {
    const model = unboundedModel(parsed(`${text}\nproperty p: never (${claim})`))!;
    const search = new AnyNumberSearch(model);
    const found: string[] = [];
    for (const [memory, forward] of asked) {
      const options = { model: memory, forward };
      const question = { kind: 'property', property: 0 } as const;
      found.push((await search.decide(question, new Budget({ maxStates: 4_000 }), options)).kind);
    }
    // The judge: small instances.
    for (const memory of models) {
      const fails = counts.some(
        (count) =>
          judge(
            model,
            model.templates.threads.map(() => count),
          ).violated[memory][0],
      );
      expect(found[asked.findIndex(([one]) => one === memory)]).toBe(fails ? 'fails' : 'holds');
    }
    return found;
  };
  const block = `program P
var x, y
thread t[*] regs r s init a begin
  a: lock; goto b;
  b: mem[x] <- 1; goto c;
  c: r <- mem[y]; goto d;
  d: mem[x] <- 0; goto e;
  e: unlock; goto f;
end`;

  test.each([
    ['t[0] @ c && x == 0', ['holds', 'holds', 'fails']],
    ['t[0] @ c && x == 1', ['fails', 'fails', 'fails']],
    ['t[0] @ c && t[1] @ d', ['holds', 'holds', 'holds']],
    ['t[0] @ c && t[1] @ a', ['fails', 'fails', 'fails']],
    ['t[0] @ f && t[1] @ c && x == 1', ['fails', 'fails', 'fails']],
    ['t[0] @ f && x == 1', ['fails', 'fails', 'fails']],
    ['t[0] @ f && t[1] @ f && t[2] @ c', ['fails', 'fails', 'fails']],
    ['t[0] @ c && !drained(t[0])', ['holds', 'holds', 'fails']],
  ])('%s', async (claim, expected) => {
    expect(await answers(block, claim, [0, 1, 2, 3])).toEqual(expected);
  });

  // `z` is 1 inside of a block of `m` alone, so no other block sees it.
  const others = `program P
var x, y, z
thread m regs r init a begin
  a: lock; goto b;
  b: mem[z] <- 1; goto c;
  c: mem[z] <- 0; goto d;
  d: unlock; goto e;
end
thread t[*] regs r init a begin
  a: lock; goto b;
  b: r <- mem[z]; goto c;
  c: assume r == 1; goto d;
  d: skip; goto e;
  e: unlock; goto f;
end
thread u[*] regs r init a begin
  a: lock; goto b;
  b: r <- mem[y]; goto c;
  c: assume r == 0; goto d;
  d: skip; goto e;
  e: unlock; goto f;
end`;
  const buffering = `program P
var x, y
thread t[*] { local r; x = 1; r = y; c: skip; }
thread u[*] { local r; y = 1; r = x; c: skip; }`;

  test.each([
    [others, 't[0] @ d', ['holds', 'holds', 'holds']],
    [others, 'u[0] @ d', ['fails', 'fails', 'fails']],
    [buffering, 't[0] @ c && u[0] @ c && t[0].r == 0 && u[0].r == 0', ['holds', 'holds', 'fails']],
  ])('of several kinds of threads: %s', async (text, claim, expected) => {
    expect(await answers(text, claim, [0, 1])).toEqual(expected);
  });
});
