import { automataToJson, type Program, repairItems, finiteProgram } from '@fencewright/core';
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

/** Store buffering. Locations of both threads: 0 before the store, 1 before the load. */
const storeBuffering = parse(`var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }`);

interface Claim {
  readonly chosen: readonly [thread: number, location: number][];
  readonly cost: number;
  readonly clauses: readonly {
    readonly fences: readonly [thread: number, location: number][];
    readonly computation: readonly object[];
    readonly race: object;
  }[];
}

function judge(
  program: Program,
  { chosen, cost, clauses }: Claim,
  limits: VerifyOptions = {},
): Promise<Report> {
  const items = repairItems(program, { mode: 'fence' }, []);
  const indices = (fences: readonly [number, number][]): number[] =>
    fences.map(([thread, location]) =>
      items.findIndex(
        ({ item }) => item.kind === 'fence' && item.thread === thread && item.location === location,
      ),
    );
  const certificate = {
    format: 'fencewright-certificate',
    version: 3,
    kind: 'race-fences',
    automata: automataToJson(program),
    costModel: 'size',
    items,
    chosen: indices(chosen),
    cost,
    clauses: clauses.map(({ fences, ...clause }) => ({ ...clause, items: indices(fences) })),
  };
  const digest = certificateDigest(certificate);
  return verifyCertificate({ ...certificate, digest }, automataToJson(program), limits);
}

const act = (thread: number, kind: string, transition: number) => ({ thread, kind, transition });
const race = { earlierStore: 0, load: 2, other: 4 };

/**
 * Returns a race: thread `t` stores and loads, then the second thread stores to the loaded cell.
 */
const racing = (t: number) => [
  act(t, 'issue', 0),
  act(t, 'store', 0),
  act(t, 'load', 1),
  act(1 - t, 'issue', 0),
  act(1 - t, 'store', 0),
];

const honest: Claim = {
  chosen: [
    [0, 1],
    [1, 1],
  ],
  cost: 2,
  clauses: [0, 1].map((t) => ({ fences: [[t, 1]], computation: racing(t), race })),
};

describe('fences against triangular races', () => {
  test('are believed where each race needs one of them', async () => {
    expect(await judge(storeBuffering, honest)).toMatchObject({ kind: 'accepted' });
  });

  const [first, second] = honest.clauses;
  test.each([
    ['a race is left', { chosen: [[0, 1]], cost: 1, clauses: [first!] }, 'has a triangular race'],
    [
      'a cheaper set meets all races',
      { ...honest, clauses: [first!] },
      'a cheaper choice of repairs meets all clauses',
    ],
    [
      'a race names a fence that does not stop it',
      { ...honest, clauses: [first!, { ...second!, fences: [[1, 0]] }] },
      'clause 2: fences outside the clause stop its race, too',
    ],
    [
      'the store is not delayed past the load',
      { ...honest, clauses: [first!, { ...second!, race: { ...race, load: 0 } }] },
      'clause 2: the clause names no race at the end of its computation',
    ],
    [
      'what follows the load is no write to it',
      {
        ...honest,
        clauses: [
          first!,
          {
            ...second!,
            computation: [
              ...racing(1).slice(0, 3),
              ...[act(0, 'issue', 0), act(0, 'store', 0), act(0, 'load', 1)],
            ],
            race: { ...race, other: 5 },
          },
        ],
      },
      'clause 2: the access does not directly follow the load',
    ],
    [
      'stores are delayed in the computation',
      {
        ...honest,
        clauses: [first!, { ...second!, computation: [act(1, 'issue', 0), ...racing(1).slice(2)] }],
      },
      'clause 2: the computation is not possible under SC',
    ],
  ] satisfies [string, Claim, string][])('are refused if %s', async (_, claim, finding) => {
    const report = await judge(storeBuffering, claim);
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain(finding);
  });

  test('know lock blocks as one step', async () => {
    const program = parse(`var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local p; atomic { p = x; y = 1; } }`);
    // The lock block of thread b reads a's store, and may write to the cell that a has loaded.
    const computation = [...racing(0).slice(0, 3), act(1, 'lock', 0), act(1, 'load', 1)];
    const claim: Claim = {
      chosen: [[0, 1]],
      cost: 1,
      clauses: [{ fences: [[0, 1]], computation, race }],
    };
    expect(await judge(program, claim)).toMatchObject({ kind: 'accepted' });
  });
});

describe('that no fence is needed', () => {
  const nothing: Claim = { chosen: [], cost: 0, clauses: [] };
  test.each([
    ['a load between store and load', 's = z;', 'y = 1;'],
    ['a lock block that writes', '', 'atomic { z = 1; y = 1; }'],
    [
      'a lock block that reads what is stored, and writes elsewhere',
      '',
      'atomic { p = x; z = 1; }',
    ],
  ])('is refused: %s', async (_, between, other) => {
    const program = parse(`var x, y, z
      thread a { local r, s; x = 1; ${between} r = y; }
      thread b { local p; ${other} }`);
    expect(await judge(program, nothing)).toMatchObject({ kind: 'rejected' });
  });

  test('is left open where the search does not end', async () => {
    const program = parse('var x, y thread a { x = 1; } thread b { y = 1; }');
    expect(await judge(program, nothing)).toMatchObject({ kind: 'accepted' });
    expect(await judge(program, nothing, { maxStates: 1 })).toMatchObject({ kind: 'partly' });
  });
});

describe('no race', () => {
  test('is one behind a fence', async () => {
    const program = parse(
      'var x, y thread a { local r; x = 1; fence; r = y; } thread b { y = 1; }',
    );
    const computation = [
      ...racing(0).slice(0, 2),
      act(0, 'fence', 1),
      act(0, 'load', 2),
      ...racing(1).slice(0, 2),
    ];
    const own = { earlierStore: 0, load: 3, other: 5 };
    const fences: [number, number][] = [
      [0, 1],
      [0, 2],
    ];
    const claim: Claim = {
      chosen: [[0, 2]],
      cost: 1,
      clauses: [{ fences, computation, race: own }],
    };
    expect(await judge(program, claim)).toMatchObject({ kind: 'rejected' });
  });

  test('is one of a load of what the thread has stored itself', async () => {
    const program = parse('var x thread a { local r; x = 1; r = x; } thread b { x = 2; }');
    const clauses = [{ fences: [[0, 1] as [number, number]], computation: racing(0), race }];
    const claim: Claim = { chosen: [[0, 1]], cost: 1, clauses };
    expect(await judge(program, claim)).toMatchObject({ kind: 'rejected' });
  });

  test('is one with a lock block that only reads', async () => {
    const program = parse(`var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local p; atomic { p = x; p = x; } }`);
    const computation = [...racing(0).slice(0, 3), act(1, 'lock', 0), act(1, 'load', 1)];
    const clauses = [{ fences: [[0, 1] as [number, number]], computation, race }];
    expect(await judge(program, { chosen: [[0, 1]], cost: 1, clauses })).toMatchObject({
      kind: 'rejected',
    });
  });
});
