import { describe, expect, test } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fence } from '../../../core/src/api/fence.js';
import { reach } from '../../../core/src/api/reach.js';
import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import { insertionProblem } from '@fencewright/repairs/fences/repair-problem.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { printNative } from '@fencewright/languages/native/print-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { progressGoal } from '@fencewright/model/program/property.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { hangsByDefinition } from './hangs-by-definition.js';
import { progressByDefinition } from './progress-by-definition.js';
import { type HangBias, hangBiases, randomHangsText } from './random-hangs.js';

const runs = randomRuns(150, 3000, 20);
const seed = randomSeed(20261127);

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = model && finiteProgram(model);
  if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`);
  return program;
}

/**
 * Returns the text with a label in each thread, alone or before a statement, and progress claims
 * for the labels.
 */
function labelled(text: string, random: SeededRandom): string {
  const lines = text.trimEnd().split('\n');
  const threads = lines.map((line) => {
    if (!line.startsWith('thread')) return line;
    const body = line.indexOf('; ') + 2;
    const places = [...line.matchAll(/[;{] (?!\}|or|while \(r)/g)]
      .map(({ index }) => index + 2)
      .filter((at) => at >= body);
    // Labels in loops are labels that threads may reach again.
    const loop = line.indexOf('loop {');
    const inLoop = places.filter((at) => loop >= 0 && at > loop);
    const from = inLoop.length > 0 && random.below(4) > 0 ? inLoop : places;
    const at = from[random.below(from.length)] ?? body;
    const rest = line.slice(at);
    const isStatement = /^(xchg|[xykr] =|atomic|assume|fence)/.test(rest) && random.below(2) > 0;
    return `${line.slice(0, at)}${isStatement ? 'here: ' : 'here: skip; '}${rest}`;
  });
  const asked = lines.flatMap((line) => {
    const name = /^thread (\w+)/.exec(line)?.[1];
    return name
      ? [
          `property ${name}_ends: progress (${name})`,
          `property ${name}_here: progress (${name} @ here)`,
        ]
      : [];
  });
  return `${[...threads, ...asked].join('\n')}\n`;
}

test('whether threads can always get on, as explicit graphs have it', async () => {
  const counts = new Map<string, number>();
  const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let i = 0; i < runs; i++) {
    const bias: HangBias = i % 3 === 0 ? 'servers' : hangBiases[i % hangBiases.length]!;
    const text = labelled(randomHangsText(seed + i, bias), new SeededRandom(seed + i));
    const program = programOf(text);
    const { sc, tso, diagnostics } = await reach(program, { limits: { maxStates: 100_000 } });
    if (diagnostics.length > 0) continue;
    const bare = { ...program, properties: [] };
    const ends = hangsByDefinition(bare, 4, 20_000);
    if (!ends) continue;
    for (const [p, property] of program.properties.entries()) {
      const { thread, locations: [location] = [] } = progressGoal(property)!;
      const fails =
        location === undefined
          ? { SC: ends.sc[thread]!, TSO: ends.tso[thread]! }
          : progressByDefinition(bare, thread, location, 4, 20_000)?.fails;
      if (!fails) {
        note('too large');
        continue;
      }
      for (const [model, found] of [
        ['SC', sc],
        ['TSO', tso],
      ] as const) {
        const { verdict, computation } = found.properties[p]!;
        const expected = fails[model] ? 'violated' : 'holds';
        note(`${location === undefined ? 'end' : 'label'} ${model} ${verdict}`);
        if (verdict === 'unknown') continue;
        expect(verdict, `${property.name} under ${model}\n${text}`).toBe(expected);
        const last = computation && replayStates(program, computation)?.at(-1);
        expect(last !== undefined, text).toBe(verdict === 'violated');
        expect(last?.buffers.every(({ length }) => length === 0) ?? true, text).toBe(true);
      }
      if (fails.TSO && !fails.SC) note(location === undefined ? 'end breaks' : 'label breaks');
    }
  }
  console.info(JSON.stringify(Object.fromEntries([...counts].sort())));
  expect(counts.get('label breaks') ?? 0).toBeGreaterThan(0);
  expect(counts.get('label SC holds') ?? 0).toBeGreaterThan(runs / 5);
  expect(counts.get('label SC violated') ?? 0).toBeGreaterThan(runs / 10);
  expect(counts.get('label TSO unknown') ?? 0).toBeLessThan(runs / 5);
}, 600_000);

const server = `program Server
var req, busy, kick, done
thread server {
  local z;
  loop {
    serve: skip;
    busy = 0;
    if (req == 0) { atomic { z = kick; assume (z > 0); kick = 0; } }
    busy = 1;
    xchg(req, 0);
    xchg(done, 1);
  }
}
thread client {
  loop { req = 1; if (busy == 0) { xchg(kick, 1); } while (done == 0) { } xchg(done, 0); }
}
property serves: progress (server @ serve)
property asks: progress (client)
`;

describe('a server that misses a request', () => {
  test('its progress is a claim that breaks', async () => {
    const { answer } = await reach(programOf(server));
    expect(answer).toMatchObject({
      kind: 'breaks',
      claims: [
        { kind: 'property', property: 0 },
        { kind: 'property', property: 1 },
      ],
    });
  });

  test('a claim that fails without store buffers is wrong already', async () => {
    const idle = server.replace(
      /loop \{ req(.*)\}$/m,
      'req = 1; if (busy == 0) { xchg(kick, 1); }',
    );
    const { answer, hangs } = await reach(programOf(idle));
    expect(answer).toMatchObject({ kind: 'wrong-under-sc', claims: [{ property: 0 }] });
    expect(hangs).toMatchObject({ kind: 'found', underSc: [{ thread: 0 }] });
  });

  test('where buffers grow without end, the states with empty buffers decide', async () => {
    const ticks = `program Ticks
var x, tick
thread a { loop { here: tick = 1; tick = 0; } }
thread b { local r; loop { r = x; x = 1; } }
property comes: progress (a @ here)
`;
    const { tso } = await reach(programOf(ticks), { limits: { maxStates: 60_000 } });
    expect(tso.properties).toMatchObject([{ verdict: 'holds' }]);
  });

  test('its fences are the cheapest, of all sets', async () => {
    const program = programOf(server);
    const { verdict } = await fence(program, { properties: ['serves'] });
    if (verdict.kind !== 'found') throw new Error(verdict.kind);
    const holds = async (fenced: Program): Promise<boolean> =>
      (await reach(fenced)).tso.properties[0]!.verdict === 'holds';
    expect(await holds(verdict.repaired)).toBe(true);
    const costs = { name: 'uniform', fence: () => 1, xchg: () => 1 };
    const { items } = insertionProblem(program, 'fence', costs);
    expect(verdict.cost).toBe(2);
    for (const chosen of [[], ...items.map((_, index) => [index])])
      expect(await holds(repairedProgram(program, { mode: 'fence', items, chosen }))).toBe(false);
  });

  test('no fence helps where it fails without store buffers', async () => {
    const idle = server.replace(
      /loop \{ req(.*)\}$/m,
      'req = 1; if (busy == 0) { xchg(kick, 1); }',
    );
    const { verdict } = await fence(programOf(idle), { properties: ['serves'] });
    expect(verdict).toMatchObject({ kind: 'property-fails', under: 'SC', property: 'serves' });
  });
});

describe('the text', () => {
  test('is printed as it was read', () => {
    const program = programOf(server);
    const text = printNative(program);
    expect(text).toContain('property serves: progress (server @ serve)');
    expect(text).toContain('property asks: progress (client)');
    expect(programOf(text).properties.map(progressGoal)).toEqual(
      program.properties.map(progressGoal),
    );
  });

  test.each([
    ['progress (1)', 'a progress property names one thread'],
    ['progress (server @ here)', 'here'],
    ['progress (nobody)', 'nobody'],
    ['progress (server && client)', 'a progress property names one thread'],
  ])('%s is refused', (asked, message) => {
    const { diagnostics } = parseNative(server.replace('progress (client)', asked));
    expect(diagnostics.map((one) => one.message).join('\n')).toContain(message);
    expect(diagnostics[0]!.span).toBeDefined();
  });

  test('progress of any number of threads is refused by name', () => {
    const { diagnostics } = parseNative(server.replace('thread client', 'thread client[*]'));
    expect(diagnostics[0]!.message).toContain("'client' stands for any number of copies");
  });
});
