import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reachAll } from '../../src/api/reach-all.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import { randomCopiesText } from '../../../repairs/test/any-number/random-copies-text.js';
import { drainedKey, exploreByDefinition } from './answers-by-definition.js';

const runs = randomRuns(20, 1000);
const seed = randomSeed(20261125);
const mostCopies = 2;
const mostStates = 40_000;

/**
 * Returns the name of a claim as the explorer by definition writes it, with threads of the
 * templates.
 */
function nameOf(claim: Claim): string {
  return claim.kind === 'property'
    ? `property ${claim.property}`
    : `assertion ${claim.thread} ${claim.transition}`;
}

/**
 * Returns the findings of the explorer about an instance. Claims have the names of the templates'
 * claims.
 */
function explored(program: Program, templateOf: readonly number[]) {
  const ofTemplates = (name: string): string =>
    name.replace(/^assertion (\d+)/, (_, thread) => `assertion ${templateOf[Number(thread)]}`);
  const under = (room: number) => {
    const seen = exploreByDefinition(program, room, mostStates);
    return { ...seen, found: new Set([...seen.found].map(ofTemplates)) };
  };
  return { sc: under(0), tso: under(8) };
}

function smallInstances(model: UnboundedModel) {
  return Array.from({ length: mostCopies + 1 }, (_, total) => countsOfTotal(model, total))
    .flat()
    .map((counts) => {
      const { program, templateOf } = instantiate(model, counts);
      return explored(program, templateOf);
    });
}

test('the answer about all instances, as enumeration of small ones gives it', async () => {
  const counts = new Map<string, number>();
  const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let i = 0; i < runs; i++) {
    const text = randomCopiesText(new SeededRandom(seed + i));
    const model = unboundedModel(parseNative(text).model)!;
    const { answer, shown, claims } = await reachAll(model, { limits: { maxStates: 60_000 } });
    note(answer.kind === 'unknown' ? `unknown ${answer.open}` : answer.kind);
    const small = smallInstances(model);
    if (small.some(({ sc, tso }) => sc.isCut || tso.isCut)) {
      note('too large');
      continue;
    }
    const fails = (model: 'sc' | 'tso', name: string): boolean =>
      small.some((one) => one[model].found.has(name));
    const isDifferent = small.some(({ sc, tso }) =>
      [...tso.finals].some((final) => !sc.finals.has(final)),
    );
    const names = claims.map(({ claim }) => nameOf(claim));
    switch (answer.kind) {
      case 'breaks': {
        const own = answer.claims.map(nameOf);
        for (const name of own) expect(fails('sc', name), text).toBe(false);
        for (const name of names)
          if (fails('tso', name) && !fails('sc', name)) expect(own, text).toContain(name);
        expect(replayStates(shown!.program, answer.computation), text).toBeDefined();
        break;
      }
      case 'wrong-under-sc': {
        const own = answer.claims.map(nameOf);
        for (const name of names) if (fails('sc', name)) expect(own, text).toContain(name);
        for (const name of names)
          if (fails('tso', name)) expect(fails('sc', name) || own.includes(name), text).toBe(true);
        expect(replayStates(shown!.program, answer.computation!), text).toBeDefined();
        break;
      }
      case 'differs': {
        for (const name of names) expect(fails('tso', name), text).toBe(false);
        if (!answer.computation) break;
        const end = replayStates(shown!.program, answer.computation)!.at(-1)!;
        expect(end.buffers.flat(), text).toEqual([]);
        const key = drainedKey(end.locations, end.registers, Object.fromEntries(end.memory));
        const sc = exploreByDefinition(shown!.program, 0, mostStates);
        if (!sc.isCut) expect(sc.drained.has(key), text).toBe(false);
        break;
      }
      case 'hangs':
        // Waiting threads have a test of their own; here no claim fails.
        for (const name of names) expect(fails('tso', name), text).toBe(false);
        expect(replayStates(shown!.program, answer.computation), text).toBeDefined();
        break;
      case 'robust':
        for (const name of names) expect(fails('tso', name), text).toBe(false);
        expect(isDifferent, text).toBe(false);
        break;
      case 'stricter':
        throw new Error(`states of all instances are not compared: ${text}`);
      case 'unknown':
        if (answer.open === 'claims') break;
        for (const name of names) expect(fails('tso', name), text).toBe(false);
        expect(isDifferent, text).toBe(false);
    }
  }
  console.info(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
  for (const kind of ['breaks', 'wrong-under-sc', 'differs', 'robust'])
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(runs / 25);
  expect(counts.get('unknown claims') ?? 0).toBeLessThan(runs / 10);
});
