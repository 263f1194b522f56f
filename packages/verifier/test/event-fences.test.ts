import { eventAutomataToJson, eventModel } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { randomEventProgram, SeededRandom } from '@fencewright/core/testing';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { readEventAutomata } from '../src/events/read-program.js';
import { ShapeError } from '../src/shape.js';
import { verifyCertificate } from '../src/verify.js';
import { certifyEvents, changed, type EventProgram, parseEvents } from './event-certificates.js';
import type { EventDraft } from './event-forgeries.js';

const runs = randomRuns(60, 1200);
const seed = randomSeed(20261124);

const folder = path.resolve(import.meta.dirname, '../../../examples/events');

function examples(): readonly (readonly [file: string, program: EventProgram])[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.fw'))
    .map((file) => {
      const { model } = parseNative(readFileSync(path.join(folder, file), 'utf8'));
      return [file, eventModel(model)!.program] as const;
    });
}

const verify = (certificate: EventDraft, program?: EventProgram, options = {}) =>
  verifyCertificate(certificate, program && eventAutomataToJson(program), options);

async function certified(program: EventProgram): Promise<EventDraft> {
  return (await certifyEvents(program)) ?? expect.fail('no fences were found');
}

/** One fence needed: a store waits while a task that reads the cell is posted. */
const handOver = parseEvents(`var x, got
  event e() { x = 1; async[any] p(); }
  procedure p() { local b; b = x; got = b; }
  events e()`);

/** Two fences needed, each with a clause: the program `handOver` twice, without common cells. */
const twice = parseEvents(`var x, y, a, b
  event e() { x = 1; async[any] p(); a = 1; }
  event f() { y = 1; async[any] q(); b = 1; }
  procedure p() { local r; r = x; }
  procedure q() { local r; r = y; }
  events e(), f()`);

describe('a certificate of fences for a program of events', () => {
  test('holds for every example, but for what is said of any number of instances', async () => {
    const counts = { accepted: 0, partly: 0, clauses: 0, none: 0 };
    for (const [file, program] of examples())
      for (const against of ['both', 'tso', 'concurrency'] as const) {
        const certificate = await certifyEvents(program, against);
        if (!certificate) {
          counts.none++;
          continue;
        }
        const report = await verify(certificate, program);
        const isAny = program.instances.some(({ count }) => count === 'any');
        const expected = isAny ? 'partly' : 'accepted';
        expect(report.kind, `${file}: ${JSON.stringify(report)}`).toBe(expected);
        counts[expected]++;
        counts.clauses += certificate.clauses.length;
      }
    console.info(JSON.stringify(counts));
    expect(counts.accepted).toBeGreaterThan(25);
    expect(counts.clauses).toBeGreaterThan(10);
    expect(counts.none).toBeGreaterThan(2);
  });

  test('holds for random programs', async () => {
    const counts = { accepted: 0, partly: 0, clauses: 0, none: 0, fenced: 0, tso: 0, choices: 0 };
    for (let round = 0; round < runs; round++) {
      const random = new SeededRandom(seed + round);
      const { program } = randomEventProgram(random, { maxTasks: 6, maxAccesses: 9 });
      const against = (['both', 'tso', 'both'] as const)[round % 3]!;
      const posting = round % 5 === 0 ? 'fenced' : 'plain';
      const certificate = await certifyEvents(program, against, posting);
      if (!certificate) {
        counts.none++;
        continue;
      }
      const report = await verify(certificate, program, { maxStates: 60_000 });
      expect(['accepted', 'partly'], `${seed + round}: ${JSON.stringify(report)}`).toContain(
        report.kind,
      );
      counts[report.kind as 'accepted' | 'partly']++;
      const { clauses } = certificate;
      counts.clauses += clauses.length;
      if (clauses.length > 0 && posting === 'fenced') counts.fenced++;
      if (clauses.length > 0 && against === 'tso') counts.tso++;
      if (clauses.some(({ run }) => run.some((action) => 'choice' in action))) counts.choices++;
    }
    console.info(JSON.stringify(counts));
    expect(counts.accepted).toBeGreaterThan(runs / 3);
    expect(counts.clauses).toBeGreaterThan(runs / 8);
    expect(counts.partly).toBeLessThan(runs / 10);
    expect(counts.tso).toBeGreaterThan(0);
  });

  test('says what it proves, of the program or of what it carries', async () => {
    const certificate = await certified(handOver);
    const proves = [
      'with the chosen fence of cost 1 it is serialisable under TSO',
      'no cheaper choice of the 6 allowed repairs will do',
      "repairs are fences; costs are by 'size'",
    ];
    expect(await verify(certificate, handOver)).toMatchObject({
      kind: 'accepted',
      about: 'the program',
      proves,
    });
    expect(await verify(certificate)).toMatchObject({
      kind: 'accepted',
      about: 'these automata',
      proves,
    });
  });

  test.each([
    [
      'any number of instances',
      'event e() { x = 1; } events e() *',
      'the claim for more is not checked',
    ],
    [
      'tasks without end',
      'event e() { local r; while (r == 0) { async[main] p(); } } procedure p() { } events e()',
      'more than 48 tasks, calls or stores wait at once',
    ],
    ['a fault', 'event e() { local r; r = 1 / r; x = r; } events e()', 'executions end in faults'],
  ])('leaves open what it cannot check: %s', async (_, text, why) => {
    const program = parseEvents(`var x ${text}`);
    // The certificate claims that no fence is needed. Then the only open question is whether the
    // program is robust.
    const claim = await certified(handOver);
    const said = changed(claim, (draft) => {
      const none = { chosen: [], cost: 0, clauses: [] };
      const automata = eventAutomataToJson(program);
      const items = automata.bodies.flatMap((body, at) =>
        (body as { locations: unknown[] }).locations.map((_one, location) => ({
          item: { kind: 'fence', body: at, location },
          cost: 1,
        })),
      );
      Object.assign(draft, none, { automata, items });
    });
    const report = await verify(said, program);
    expect(report.kind).toBe('partly');
    expect(JSON.stringify(report)).toContain(why);
  });

  test('tells every choice of its runs', async () => {
    const program = parseEvents(`var x
      event e() { local r; havoc r in 0..3; x = 1; if (r == 2) { async[any] p(); } }
      procedure p() { local b; b = x; }
      events e()`);
    const honest = await certified(program);
    expect(await verify(honest, program)).toMatchObject({ kind: 'accepted' });
    const told = honest.clauses[0]!.run.findIndex((action) => 'choice' in action);
    expect(honest.clauses[0]!.run[told]).toMatchObject({ kind: 'silent', choice: 2 });
    const other = changed(honest, ({ clauses: [clause] }) => {
      clause!.run[told] = { ...clause!.run[told]!, choice: 1 } as never;
    });
    expect(await verify(other, program)).toMatchObject({ kind: 'rejected' });
  });

  test('leaves open what takes more states than it may look at', async () => {
    const report = await verify(await certified(handOver), handOver, { maxStates: 3 });
    expect(report).toMatchObject({ kind: 'partly' });
    expect(JSON.stringify(report)).toContain('more than 3 states');
  });
});

/** Returns the findings of the verifier on a changed certificate. */
async function findingsOf(
  program: EventProgram,
  change: (draft: EventDraft) => void,
  isKnown = true,
): Promise<readonly string[]> {
  const honest = await certified(program);
  const report = await verify(changed(honest, change), isKnown ? program : undefined);
  if (report.kind !== 'rejected') throw new Error(JSON.stringify(report));
  return report.findings;
}

describe('is rejected', () => {
  test('if its run is none of the program', async () => {
    const findings = await findingsOf(handOver, ({ clauses: [clause] }) => {
      clause!.run = clause!.run.slice(1);
    });
    expect(findings).toEqual([
      'clause 1: the run is not one of the program: action 1 is not possible',
    ]);
  });

  test('if its run leaves stores in a buffer', async () => {
    const findings = await findingsOf(handOver, ({ clauses: [clause] }) => {
      const end = clause!.run.findLastIndex(({ kind }) => kind !== 'store');
      clause!.run.length = end + 1;
    });
    expect(findings).toEqual(['clause 1: the run leaves stores in a buffer']);
  });

  test('if its run shows nothing', async () => {
    const findings = await findingsOf(handOver, ({ clauses: [clause] }) => {
      clause!.run = [];
    });
    expect(findings).toEqual([
      'clause 1: the run does not show that the program is not serialisable under TSO',
    ]);
  });

  test('if a clause leaves out a place that its run passes with a store that waits', async () => {
    const honest = await certified(handOver);
    const [clause] = honest.clauses;
    for (const gone of clause!.items) {
      if (honest.chosen.includes(gone)) continue;
      const findings = await findingsOf(handOver, (draft) => {
        draft.clauses[0]!.items = draft.clauses[0]!.items.filter((item) => item !== gone);
      });
      expect(findings).toEqual(['clause 1: fences outside the clause stop its run, too']);
    }
    expect(clause!.items.length).toBeGreaterThan(1);
  });

  test('if the end of a handler, behind which its store waits, is left out of a clause', async () => {
    const program = parseEvents(`var x
      event e() { x = 1; }
      event f() { local r; r = x; if (r == 1) { async[any] p(); } }
      procedure p() { local r; r = x; }
      events e(), f()`);
    const honest = await certified(program);
    const isEnd = ({ item }: EventDraft['items'][number]): boolean =>
      honest.automata.bodies[item.body]!.transitions.every(({ from }) => from !== item.location);
    const ends = honest.clauses[0]!.items.filter((item) => isEnd(honest.items[item]!));
    expect(ends.length).toBeGreaterThan(0);
    const findings = await findingsOf(program, (draft) => {
      draft.clauses[0]!.items = draft.clauses[0]!.items.filter((item) => !ends.includes(item));
      const other = draft.clauses[0]!.items[0]!;
      draft.chosen = [other];
    });
    expect(findings).toEqual(['clause 1: fences outside the clause stop its run, too']);
  });

  test('if the handler that runs while the store of another waits is left out of a clause', async () => {
    const program = parseEvents(`var x
      event e() { x = 1; }
      event g() { async[any] p(); }
      procedure p() { local r; r = x; }
      events e(), g()`);
    const honest = (await certifyEvents(program, 'tso')) ?? expect.fail('no fences were found');
    const body = honest.automata.bodies.findIndex(({ name }) => name === 'g');
    const places = honest.clauses[0]!.items.filter(
      (item) => honest.items[item]!.item.body === body,
    );
    expect(places.length).toBeGreaterThan(0);
    const forged = changed(honest, (draft) => {
      draft.clauses[0]!.items = draft.clauses[0]!.items.filter((item) => !places.includes(item));
      draft.chosen = [draft.clauses[0]!.items[0]!];
    });
    expect(await verify(honest)).toMatchObject({ kind: 'accepted' });
    expect(await verify(forged)).toMatchObject({
      kind: 'rejected',
      findings: ['clause 1: fences outside the clause stop its run, too'],
    });
  });

  test('if the chosen fences are not enough', async () => {
    const findings = await findingsOf(twice, (draft) => {
      const [first] = draft.chosen;
      draft.chosen = [first!];
      draft.cost = 1;
      draft.clauses = draft.clauses.filter(({ items }) => items.includes(first!));
    });
    expect(findings).toEqual(['the program with the chosen fences is not serialisable under TSO']);
  });

  test('if fewer fences would do', async () => {
    const findings = await findingsOf(handOver, (draft) => {
      const more = draft.items.findIndex((_, i) => !draft.clauses[0]!.items.includes(i));
      draft.chosen = [...draft.chosen, more].sort((a, b) => a - b);
      draft.cost = 2;
    });
    expect(findings).toEqual(['a cheaper choice of repairs meets all clauses']);
  });

  test('if another way of posting is meant', async () => {
    const findings = await findingsOf(handOver, (draft) => {
      draft.postingFenced = true;
    });
    expect(findings[0]).toMatch(/^clause 1: the run is not one of the program/);
  });

  test('if it is about concurrency: a run with buffers is none there', async () => {
    const findings = await findingsOf(handOver, (draft) => {
      draft.against = 'concurrency';
    });
    expect(findings[0]).toMatch(/^clause 1: the run is not one of the program/);
  });

  test('if it is about another program', async () => {
    const report = await verify(await certified(handOver), twice);
    expect(report).toMatchObject({ kind: 'rejected' });
    expect(JSON.stringify(report)).toContain('about another program');
    const threads = await verifyCertificate(await certified(handOver), { threads: [] }, {});
    expect(threads.kind).toBe('rejected');
  });

  test('if a place may have no fence, or is none', async () => {
    for (const change of [{ location: 99 }, { body: 9 }])
      expect(
        await findingsOf(handOver, (draft) => {
          Object.assign(draft.items[0]!.item, change);
        }),
      ).toEqual(['an item is not one that the automata and the mode allow']);
    const forbidden = await findingsOf(
      handOver,
      (draft) => {
        draft.automata.bodies[0]!.transitions[0]!.nofence = true;
      },
      false,
    );
    expect(forbidden).toEqual(['an item is not one that the automata and the mode allow']);
  });
});

describe('programs of events', () => {
  test('are read as they were written, or refused if events wait for a place', () => {
    for (const [file, program] of examples()) {
      const written = JSON.stringify(eventAutomataToJson(program));
      const { properties: _, ...json } = JSON.parse(written) as Record<string, unknown>;
      if (program.milestones) {
        expect(() => readEventAutomata({ ...json, properties: [] }, 'p'), file).toThrow(
          'milestones',
        );
        continue;
      }
      expect(readEventAutomata({ ...json, properties: [] }, 'p'), file).toEqual(json);
    }
  });

  const text = JSON.stringify(
    eventAutomataToJson(
      parseEvents(`var x
      event e(n) { x = n; async[any] p(n); call p(2); }
      procedure p(m) { x = m; }
      events e(3) * 2`),
    ),
  );

  test.each([
    ['a body that is not there', '"kind":"post","body":1', '"kind":"post","body":2'],
    ['an event that is posted', '"kind":"post","body":1', '"kind":"post","body":0'],
    ['an event that is called', '"kind":"call","body":1', '"kind":"call","body":0'],
    ['a procedure that the environment starts', '"event":0', '"event":1'],
    ['an argument too few', '"arguments":[3]', '"arguments":[]'],
    ['an argument too many', '"arguments":[{', '"arguments":[{"kind":"constant","value":1},{'],
    ['no instance', '"count":2', '"count":0'],
    ['too many instances', '"count":2', '"count":65'],
    ['another thread', '"to":"any"', '"to":"other"'],
    ['more parameters than registers', '"parameters":1', '"parameters":5'],
    ['another role', '"role":"event"', '"role":"thread"'],
    ['a location that is not there', '"to":1', '"to":19'],
    ['another version', '"version":1', '"version":2'],
  ])('with %s are refused', (_, from, to) => {
    expect(text).toContain(from);
    const broken: unknown = JSON.parse(text.replace(from, to));
    expect(() => readEventAutomata(broken, 'program')).toThrow(ShapeError);
  });
});
