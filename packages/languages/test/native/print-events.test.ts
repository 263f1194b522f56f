import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../../core/src/api/decide.js';
import { printEvents } from '../../src/native/print-events.js';
import { parseNative } from '@fencewright/core/native';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventModel } from '@fencewright/model/program/model.js';
import { sameEventAutomata } from '@fencewright/model/program/same-automata.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { withMilestones } from '@fencewright/reference/testing/with-milestones.js';
import { randomEventText } from './random-structured-text.js';

const runs = randomRuns(60, 5000, 20);
const seed = randomSeed(20261122);

function parse(text: string): EventProgram {
  const { model, diagnostics } = parseNative(text);
  expect(diagnostics, text).toEqual([]);
  return eventModel(model)!.program;
}

function printed(program: EventProgram): string {
  const { text, diagnostics } = printEvents(program);
  expect(diagnostics).toEqual([]);
  return text!;
}

const ticking = `program Ticking
var x, a[2]
event tick(n) { local r; if (n > 0) { async[any] tock(n, x); } while (r < 2) { r = r + 1; } }
procedure tock(n, m) { @cost(2) a[n] = m; atomic { x = a[1 - n]; } choose { return; } or { call tock(n, 0); } }
events tick(1) * 2, tick(0) *
property p: never (x == 2)`;

describe('printing a program of events', () => {
  it('gives labels and jumps', () => {
    expect(printed(parse(ticking))).toBe(`program Ticking

var x
var a[2]

event tick(n) {
  local r, h1;
  choose {
    assume n > 0;
  } or {
    assume n <= 0;
    goto L3c;
  }
  h1 = x;
  async[any] tock(n, h1);
  L3c: choose {
    assume r < 2;
  } or {
    assume r >= 2;
    goto L3f;
  }
  r = r + 1;
  goto L3c;
  L3f:
}

procedure tock(n, m) {
  local h1;
  @cost(2) a[n] = m;
  atomic {
    h1 = a[1 - n];
    x = h1;
  }
  choose {
    skip;
  } or {
    call tock(n, 0);
  }
}

events tick(1) * 2, tick(0) *

property p: never (x == 2)
`);
  });

  it('is refused where the bus lock is held in no block', () => {
    const program = parse(ticking);
    const bodies = program.bodies.map((body) => ({
      ...body,
      transitions: body.transitions.filter(({ instruction }) => instruction.kind !== 'lock'),
    }));
    const { text, diagnostics } = printEvents({ ...program, bodies });
    expect(text).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
  });

  it('gives random programs that are read back as they were', () => {
    const counts = new Map<string, number>();
    for (let run = 0; run < runs; run++) {
      const text = randomEventText(seed + run);
      const program = parse(text);
      const again = printed(program);
      const back = parse(again);
      expect(sameEventAutomata(back, program), `${text}\n${again}`).toBe(true);
      expect(back.properties.map(({ span: _, ...rest }) => rest)).toEqual(
        program.properties.map(({ span: _, ...rest }) => rest),
      );
      expect([back.name, back.symbols]).toEqual([program.name, program.symbols]);
      for (const { transitions } of program.bodies)
        for (const { instruction } of transitions)
          counts.set(instruction.kind, (counts.get(instruction.kind) ?? 0) + 1);
    }
    for (const kind of ['lock', 'call', 'post', 'rmw', 'load', 'store', 'fence', 'assume'])
      expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(runs / 4);
  });
});

describe('milestones', () => {
  const source = `program P
var x, y
event e() { shown: x = 1; y = 1; there: ; }
event f() { x = 2; }
procedure p() { here: x = 3; }
events e(), f() after e.there && e.shown, f() * 2 after e.shown
`;

  it('are printed as labels of their own', () => {
    const text = printed(parse(source));
    expect(text).toContain('events e(), f() after ');
    const program = parse(text);
    expect(sameEventAutomata(program, { ...parse(source), milestones: program.milestones! })).toBe(
      true,
    );
    expect(printed(program)).toBe(text);
  });

  it('of random programs are read back as they were', () => {
    let count = 0;
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const program = withMilestones(random, randomEventProgram(random).program);
      const milestones = program.milestones!;
      // In the native language a milestone is a label: one place, in the text that names it.
      const places = milestones.map((_, id) =>
        program.bodies.flatMap(({ transitions }, body) =>
          transitions.flatMap(({ instruction }) =>
            instruction.kind === 'pass' && instruction.milestone === id ? [body] : [],
          ),
        ),
      );
      const awaited = new Set(program.instances.flatMap(({ after = [] }) => after));
      const isText = places.every(
        (bodies, id) =>
          awaited.has(id) && bodies.length === 1 && bodies[0] === milestones[id]!.body,
      );
      if (!isText) continue;
      const text = printed(program);
      const { model, diagnostics } = parseNative(text);
      if (diagnostics.some(({ message }) => message.includes('never starts'))) continue;
      expect(
        diagnostics.filter(({ severity }) => severity === 'error'),
        text,
      ).toEqual([]);
      const back = eventModel(model)!.program;
      const ids = back.milestones!.map(({ body, label }) => `${body} ${label}`);
      expect(ids.length, text).toBe(milestones.length);
      expect(printed(back)).toBe(text);
      count++;
    }
    expect(count).toBeGreaterThan(runs / 10);
  });
});

describe('convert', () => {
  const model = parseNative(ticking).model!;

  it('writes programs of events in the native language and as a graph', async () => {
    const native = await decide(model, { kind: 'convert', to: 'native' });
    expect(native).toEqual({
      kind: 'convert',
      printed: { text: printed(parse(ticking)), diagnostics: [] },
    });
    const dot = await decide(model, { kind: 'convert', to: 'dot' });
    if (dot.kind !== 'convert') throw new Error(dot.kind);
    for (const part of ['event tick(n)', 'procedure tock(n, m)', 'async[any] tock(n, h1)'])
      expect(dot.printed.text).toContain(`"${part}"`);
  });

  it('refuses formats without words for events, and attacks', async () => {
    const refusal = { kind: 'refused', refusal: { kind: 'events' } };
    for (const to of ['trencher', 'litmus', 'promela', 'pnml'] as const)
      expect(await decide(model, { kind: 'convert', to })).toEqual(refusal);
    expect(await decide(model, { kind: 'convert', to: 'native', attack: 'any' })).toEqual(refusal);
    expect(await decide(model, { kind: 'trf' })).toEqual(refusal);
  });
});
