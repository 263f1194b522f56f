import { describe, expect, test } from 'vitest';
import type { Program } from '@fencewright/model/program/program.js';
import { lastDelay } from '../src/words/delay.js';
import { diffLines } from '../src/text/diff-lines.js';
import type { FenceFindings } from '../src/words/fence-findings.js';
import { fenceToJson } from '../src/json/fence-json.js';
import { fenceReport } from '../src/text/fence.js';
import { documentSchema, type JsonDocument } from '../src/json/json-schema.js';
import { plainPalette } from '../src/text/palette.js';
import type { PricedRepair } from '@fencewright/model/program/repair.js';
import type { FenceVerdict } from '@fencewright/model/verdict/fence-result.js';
import { program, source, subject, witness } from './store-buffering.js';

const { computation } = witness;
const fences = [0, 1].map((thread): PricedRepair => ({
  kind: 'fence',
  thread,
  location: 1,
  cost: 1.1,
}));
/** The witness with its two threads exchanged, and its two cells exchanged. */
const mirrored = computation.map((action) => ({
  ...action,
  thread: 1 - action.thread,
  ...('address' in action && { address: 1 - action.address }),
}));

const found: FenceVerdict = {
  kind: 'found',
  repairs: fences,
  cost: 2.2,
  removable: [],
  reasons: [
    { repairs: [fences[0]!], computation },
    { repairs: [fences[1]!], computation: mirrored },
  ],
  repaired: program,
};

function findings(verdict: FenceVerdict, more: Partial<FenceFindings> = {}): FenceFindings {
  return {
    mode: 'fence',
    costModel: 'size',
    result: {
      verdict,
      statistics: { rounds: 3, clauses: 2, states: 1234, milliseconds: 12.3456 },
      diagnostics: [],
    },
    placesOf: () => [],
    ...more,
  };
}

function report(of: FenceFindings, about: Program = program): string {
  const text = fenceReport({ ...subject, program: about }, of, plainPalette);
  const json = fenceToJson('sb.fw', about, of);
  const document: JsonDocument = {
    tool: 'fencewright',
    version: '0.1.0',
    formatVersion: 1,
    command: 'fence',
    results: [json],
  };
  expect(documentSchema.parse(document)).toEqual(document);
  return text;
}

describe('the report on a fence set', () => {
  test('shows each fence with what happens without it, and the change', () => {
    const diff = '--- a/sb.fw\n+++ b/sb.fw\n@@ -1 +1 @@\n-old\n+new\n';
    expect(report(findings(found, { diff }))).toMatchInlineSnapshot(`
      "sb.fw: SB becomes robust with 2 fences of cost 2.2, provably cheapest: 2 executions rule out less
        hint: robust may be more than the program needs: fencewright sb.fw tells what breaks, hangs or differs without the fences
        costs by size; 1,234 states in 12 ms

      What has to be done
        1. t1: a fence at line 5 (label l1), cost 1.1
        5 |   l1: r1 <- mem[y]; goto l2;
          |       ^^^^^^^^^^^^ a fence here
        Otherwise t1 delays its store of x at line 4 past its load of y at line 5.
        2. t2: a fence at line 9 (label l1), cost 1.1
        9 |   l1: r2 <- mem[x]; goto l2;
          |       ^^^^^^^^^^^^ a fence here
        Otherwise t2 delays its store of y at line 8 past its load of x at line 9.

      The change
      --- a/sb.fw
      +++ b/sb.fw
      @@ -1 +1 @@
      -old
      +new
      "
    `);
  });

  test('names all lines of a fence that is inserted at several', () => {
    const placesOf: FenceFindings['placesOf'] = (thread) =>
      thread === 0
        ? [
            { line: 4, column: 2 },
            { line: 3, column: 4 },
          ]
        : [];
    const text = report(findings(found, { placesOf }));
    expect(text).toContain(
      '1. t1: a fence at lines 4 and 5 (label l1), 2 ways to one point, cost 1.1',
    );
    expect(text.match(/\^ a fence here/g)).toHaveLength(3);
    const [fence] = fenceToJson('sb.fw', program, findings(found, { placesOf })).fences ?? [];
    expect(fence).toMatchObject({ line: 4, lines: [4, 5] });
  });

  test('of a robust program says that none is needed', () => {
    const none: FenceVerdict = { ...found, repairs: [], cost: 0, reasons: [] };
    expect(report(findings(none))).toMatch(/^sb\.fw: SB is already robust: no fence needed\n/);
    const properties = ['mutex', 'order'];
    expect(report(findings(none, { properties }))).toContain(
      'SB needs no fence: mutex and order hold under TSO as it is\n',
    );
    expect(fenceToJson('sb.fw', program, findings(none, { properties })).verdict).toBe('holds');
  });

  test('says what can go', () => {
    const stays: PricedRepair = { kind: 'keep', thread: 0, transition: 0, cost: 1 };
    const goes: PricedRepair = { ...stays, thread: 1, cost: 2 };
    const verdict: FenceVerdict = {
      ...found,
      repairs: [stays],
      cost: 1,
      removable: [goes],
      reasons: [{ repairs: [stays], computation }],
    };
    const mode = 'minimise-locked';
    expect(report(findings(verdict, { mode }))).toMatchInlineSnapshot(`
      "sb.fw: SB is robust, and 1 locked exchange can go, saving 2 of 3; 1 locked exchange of cost 1 stays, provably cheapest: 1 execution rules out less
        costs by size; 1,234 states in 12 ms

      What can go
        1. t2: the exchange at line 8 (label l0), cost 2
        8 |   l0: mem[y] <- 1; goto l1;
          |       ^^^^^^^^^^^ this can go

      What has to stay
        1. t1: the exchange at line 4 (label l0), cost 1
        4 |   l0: mem[x] <- 1; goto l1;
          |       ^^^^^^^^^^^ this has to stay
        Without it t1 delays its store of x at line 4 past its load of y at line 5.
      "
    `);
    expect(report(findings({ ...verdict, removable: [] }, { mode }))).toContain(
      'none of its fences can go: 1 locked exchange, cost 1, provably cheapest: 1 execution rules out less',
    );
    expect(report(findings({ ...verdict, repairs: [], reasons: [] }, { mode }))).toContain(
      '1 locked exchange can go, saving 2 of 3: it needs none',
    );
    const nothing: FenceVerdict = { ...verdict, repairs: [], removable: [], cost: 0, reasons: [] };
    expect(report(findings(nothing, { mode }))).toContain('has no fence that could go');
  });

  test('shows the attack that no fence stops, and what forbids fences', () => {
    const forbidding = {
      ...program,
      threads: program.threads.map((thread) => ({
        ...thread,
        transitions: thread.transitions.map((step) => ({ ...step, nofence: true })),
      })),
    };
    const impossible: FenceVerdict = { kind: 'impossible', witness };
    const text = report(findings(impossible), forbidding);
    expect(text).toContain('SB cannot be made robust: no fence set exists\n');
    expect(text).toContain(
      'This attack cannot be stopped, because @nofence forbids a fence at line 5, and there is no' +
        ' other place between them: t1 delays its store of x at line 4 past its load of y at line 5.\n',
    );
    expect(report(findings(impossible))).toContain('because the source has no place for a fence');
    expect(report(findings(impossible, { mode: 'minimise' }))).toContain(
      'SB is not robust, with all the fences that it has\n',
    );
  });

  test('says whether a property fails under SC as well', () => {
    const fails = { kind: 'property-fails', under: 'TSO', property: 'mutex', computation } as const;
    const properties = ['mutex'];
    expect(report(findings(fails, { properties }))).toContain('with every allowed set of repairs');
    const sequential = { ...fails, under: 'SC' } as const;
    expect(report(findings(sequential, { properties }))).toContain(
      'mutex is wrong already under SC: no fences help',
    );
    const { property: _, ...assertion } = sequential;
    expect(report(findings(assertion, { properties: ['assertions'] }))).toContain(
      'an assertion is wrong already under SC: no fences help',
    );
  });

  test('of an interrupted search gives the bound and a hint', () => {
    const unknown = { kind: 'unknown', reason: 'time', bound: 1 } as const;
    expect(report(findings(unknown))).toMatchInlineSnapshot(`
      "sb.fw: SB is undecided: the time ran out; every sufficient set costs at least 1
        costs by size; 1,234 states in 12 ms
        hint: give it more with --timeout
      "
    `);
  });

  test('of a program at fault refers to the messages', () => {
    expect(report(findings({ kind: 'error' }))).toContain('cannot be decided');
  });

  test('needs no source text', () => {
    const bare = {
      ...program,
      threads: program.threads.map((thread) => ({
        ...thread,
        locations: thread.locations.map((location) => ({ ...location, hidden: true })),
        transitions: thread.transitions.map((transition) => ({ ...transition, origin: {} })),
      })),
    };
    expect(source).not.toBe('');
    expect(report(findings(found), bare)).toContain('  1. t1: a fence, cost 1.1\n  Otherwise t1');
  });
});

describe('the last delay', () => {
  test('is that of the attack', () => {
    expect(lastDelay(computation, 0)).toEqual({ store: computation[0], overtaker: computation[1] });
  });

  test('is absent where stores take effect at once', () => {
    expect(lastDelay(computation, 1)).toBeUndefined();
  });

  test('falls back on what is no load', () => {
    const skip = { kind: 'local', thread: 0, transition: 1 } as const;
    expect(lastDelay([computation[0]!, skip], 0)?.overtaker).toBe(skip);
  });
});

test('a diff cannot upset the terminal', () => {
  const palette = { ...plainPalette, good: (text: string) => `<${text}>` };
  expect(diffLines('+a\u001b[2J\r\n b\n', palette)).toEqual(['<+a·[2J>', ' b']);
});
