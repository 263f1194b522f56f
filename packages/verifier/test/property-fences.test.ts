import {
  automataToJson,
  fence,
  type Program,
  repairItems,
  type Repair,
  finiteProgram,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { certificateDigest } from '../src/canonical-json.js';
import type { VerifyOptions } from '../src/check.js';
import type { Report } from '../src/report.js';
import { verifyCertificate } from '../src/verify.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  const program = finiteProgram(model);
  return program ?? expect.fail(JSON.stringify(diagnostics));
}

type Mode = 'fence' | 'xchg' | 'any';

/**
 * A certificate made by hand: clauses are computations with the items named, items are `kind thread
 * place`.
 */
interface Claim {
  readonly mode?: Mode;
  readonly chosen: readonly string[];
  readonly cost: number;
  readonly clauses: readonly {
    readonly items: readonly string[];
    readonly computation: readonly object[];
    readonly nowhere?: readonly number[];
  }[];
  /** The properties of the certificate; `p` if absent. */
  readonly properties?: readonly object[];
}

function nameOf(item: Repair): string {
  return `${item.kind} ${item.thread} ${item.kind === 'fence' ? item.location : item.transition}`;
}

function judge(
  program: Program,
  { mode = 'fence', chosen, cost, clauses, properties = [{ kind: 'property', name: 'p' }] }: Claim,
  limits: VerifyOptions = {},
): Promise<Report> {
  const names = properties.flatMap((one) => ('name' in one ? [one.name] : []));
  const seen = program.properties.filter(({ name }) => names.includes(name));
  const items = repairItems(program, { mode }, seen);
  const indexOf = (name: string): number => {
    const index = items.findIndex(({ item }) => nameOf(item) === name);
    return index < 0 ? expect.fail(`no item ${name}`) : index;
  };
  const indices = (names: readonly string[]) => names.map(indexOf).sort((a, b) => a - b);
  const certificate = {
    format: 'fencewright-certificate',
    version: 3,
    kind: 'property-fences',
    automata: automataToJson(program),
    mode,
    costModel: 'size',
    properties,
    items,
    chosen: indices(chosen),
    cost,
    clauses: clauses.map((clause) => ({ ...clause, items: indices(clause.items) })),
  };
  const digest = certificateDigest(certificate);
  return verifyCertificate({ ...certificate, digest }, automataToJson(program), limits);
}

const act = (thread: number, kind: string, transition: number) => ({ thread, kind, transition });

// The store may wait in the buffer when thread a has ended. Thread a has two locations: 0 before
// the store, and 1 at the end.
const late = parse(`var x\nthread a { x = 1; }\nproperty p: never (ended(a) && x == 0)`);
const issued = [act(0, 'issue', 0)];

describe('repairs for a property', () => {
  test('may be a fence at the end of a thread', async () => {
    const clauses = [{ items: ['fence 0 1'], computation: issued }];
    const report = await judge(late, { chosen: ['fence 0 1'], cost: 1, clauses });
    expect(report).toMatchObject({ kind: 'accepted' });
  });

  test('may be an exchange, of which one is enough', async () => {
    const clauses = [{ items: ['fence 0 1', 'xchg 0 0'], computation: issued }];
    for (const chosen of [['xchg 0 0'], ['fence 0 1']])
      expect(await judge(late, { mode: 'any', chosen, cost: 1, clauses })).toMatchObject({
        kind: 'accepted',
      });
  });

  test.each([
    ['too few', [], 0, [], 'the program with the chosen repairs violates a property'],
    // A fence before the store does not stop the computation.
    ['useless', ['fence 0 0'], 1, [['fence 0 0']], 'violates no property, or not with'],
    ['too many', ['fence 0 0', 'fence 0 1'], 2, [['fence 0 1'], ['fence 0 0']], 'or not with all'],
    ['not the cheapest', ['fence 0 0', 'fence 0 1'], 2, [['fence 0 1']], 'a cheaper choice'],
  ] as const)('are refused if they are %s', async (_, chosen, cost, sets, finding) => {
    const clauses = sets.map((items) => ({ items, computation: issued }));
    const report = await judge(late, { chosen, cost, clauses });
    expect(JSON.stringify(report)).toContain(finding);
    expect(report.kind).toBe('rejected');
  });

  test('are refused where a clause leaves out an exchange that helps', async () => {
    const clauses = [{ items: ['fence 0 1'], computation: issued }];
    const report = await judge(late, { mode: 'any', chosen: ['fence 0 1'], cost: 1, clauses });
    expect(report).toMatchObject({ kind: 'rejected' });
  });

  test('need no fence at an end that the property does not speak of', async () => {
    const program = parse(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local s; y = 1; s = x; }
      property p: never (a.r == 0 && b.s == 0 && a @ l && b @ m)`
        .replace('r = y; }', 'r = y; l: }')
        .replace('s = x; }', 's = x; m: }'),
    );
    const computation = [
      act(0, 'issue', 0),
      act(1, 'issue', 0),
      act(0, 'load', 1),
      act(1, 'load', 1),
    ];
    const flushed = [...computation, act(0, 'store', 0), act(1, 'store', 0)];
    const clauses = [{ items: ['fence 0 1', 'fence 1 1'], computation: flushed }];
    // Both threads delay in this computation, so it does not show that both threads need a fence.
    const both = { chosen: ['fence 0 1', 'fence 1 1'], cost: 2 };
    expect(JSON.stringify(await judge(program, { ...both, clauses }))).toContain(
      'a cheaper choice',
    );
    const one = (t: number) => [
      act(t, 'issue', 0),
      act(t, 'load', 1),
      act(1 - t, 'issue', 0),
      act(1 - t, 'store', 0),
      act(1 - t, 'load', 1),
      act(t, 'store', 0),
    ];
    const each = [0, 1].map((t) => ({ items: [`fence ${t} 1`], computation: one(t) }));
    expect(await judge(program, { ...both, clauses: each })).toMatchObject({ kind: 'accepted' });
  });

  test('of fence are believed', async () => {
    for (const program of [late]) {
      const { verdict } = await fence(program, { mode: 'any', properties: ['p'] });
      if (verdict.kind !== 'found') return expect.fail(verdict.kind);
      const named = (repairs: typeof verdict.repairs): string[] => repairs.map(nameOf);
      const report = await judge(program, {
        mode: 'any',
        chosen: named(verdict.repairs),
        cost: verdict.cost,
        clauses: verdict.reasons.map(({ repairs, computation }) => ({
          items: named(repairs),
          computation,
        })),
      });
      expect(report).toMatchObject({ kind: 'accepted' });
    }
  });
});

describe('that nothing is needed', () => {
  const nothing: Claim = { chosen: [], cost: 0, clauses: [] };
  const assertions = { ...nothing, properties: [{ kind: 'assertions' }] };

  test('is refused where a store that reaches memory, or an assertion, says otherwise', async () => {
    const stored = parse('var x\nthread a { x = 1; }\nproperty p: never (x == 1)');
    expect(await judge(stored, nothing)).toMatchObject({ kind: 'rejected' });
    const failing = parse('var x\nthread a { local r; r = x; assert(r == 1); }');
    expect(await judge(failing, assertions)).toMatchObject({ kind: 'rejected' });
  });

  test('is believed of a finally that only states on the way violate', async () => {
    const program = parse('var x\nthread a { x = 1; }\nproperty p: finally (x == 1)');
    expect(await judge(program, nothing)).toMatchObject({ kind: 'accepted' });
  });

  test('is left open where a condition cannot be evaluated, and where the search does not end', async () => {
    const faulty = parse('var x\nthread a { x = 1; }\nproperty p: never (2147483647 + x == 5)');
    expect(await judge(faulty, nothing)).toMatchObject({ kind: 'partly' });
    const program = parse('var x\nthread a { x = 1; }\nproperty p: never (x == 5)');
    expect(await judge(program, nothing)).toMatchObject({ kind: 'accepted' });
    expect(await judge(program, nothing, { maxStates: 1 })).toMatchObject({ kind: 'partly' });
  });

  test('is refused where nothing is asked for', async () => {
    expect(await judge(late, { ...nothing, properties: [] })).toMatchObject({ kind: 'rejected' });
  });
});

describe('a clause', () => {
  test('whose threads stand behind fences is not checked', async () => {
    const clauses = [{ items: ['fence 0 1'], computation: issued, nowhere: [0] }];
    const report = await judge(late, { chosen: ['fence 0 1'], cost: 1, clauses });
    expect(report).toMatchObject({ kind: 'partly' });
  });

  test('is none where an assertion fails that nobody asks about', async () => {
    const program = parse(`var x
      thread a { local r; x = 1; assert(r == 1); }
      property p: never (x == 5)`);
    const computation = [...issued, act(0, 'local', 1)];
    const clauses = [{ items: ['fence 0 1'], computation }];
    const report = await judge(program, { chosen: ['fence 0 1'], cost: 1, clauses });
    expect(report).toMatchObject({ kind: 'rejected' });
  });
});

// One fence of the text is at the ends of both threads. With this fence the second thread has not
// ended, as it stands before the fence. So the clause does not show that another fence is needed,
// too.
test('a clause survives no fence at another place of a repair', async () => {
  const ends = parse(`var x, y
    thread t { x = 1; }
    thread u { y = 1; }
    property p: never (ended(u) && y == 0)`);
  const both = {
    kind: 'fence',
    thread: 0,
    location: 1,
    also: [{ thread: 1, location: 1 }],
  } as const;
  const other = { kind: 'fence', thread: 1, location: 0 } as const;
  const repairs = [both, other].map((repair) => ({ repair, rank: 0 }));
  const { certificate } = await fence(ends, { repairs, properties: ['p'] });
  const honest = JSON.parse(JSON.stringify(certificate)) as object;
  const automata = automataToJson(ends);
  const items = repairItems(ends, { repairs }, ends.properties);
  const stated = { repairs: { items, costModel: 'size' } };
  expect(honest).toMatchObject({ chosen: [0], cost: 1 });
  expect(await verifyCertificate(honest, automata, stated)).toMatchObject({ kind: 'accepted' });
  const computation = [act(1, 'issue', 0)];
  const forged = {
    ...honest,
    chosen: [0, 1],
    cost: 2,
    clauses: [0, 1].map((item) => ({ items: [item], computation })),
  };
  const sealed = { ...forged, digest: certificateDigest(forged) };
  expect(await verifyCertificate(sealed, automata, stated)).toMatchObject({ kind: 'rejected' });
});
