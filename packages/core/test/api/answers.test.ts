import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../src/api/decide.js';
import { reach } from '../../src/api/reach.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import { drainedKey, exploreByDefinition, type Seen } from './answers-by-definition.js';
import { claimBiases, randomClaimsText } from './random-claims-text.js';

const runs = randomRuns(300, 3000, 100);
const seed = randomSeed(20261123);
const mostStates = 40_000;

function nameOf(claim: Claim): string {
  return claim.kind === 'property'
    ? `property ${claim.property}`
    : `assertion ${claim.thread} ${claim.transition}`;
}

/**
 * Returns the sets of claims that fail only under TSO and under SC, and whether both explorations
 * are complete.
 */
function judge(program: Program, sc: Seen, tso: Seen) {
  const breaking = [...tso.found].filter((name) => !sc.found.has(name)).sort();
  const isQuestion = (name: string): boolean => {
    const [what, p] = name.split(' ');
    const { kind } = program.properties[Number(p)] ?? {};
    return what === 'property' && (kind === 'exists' || kind === 'stuck');
  };
  const wrong = [...sc.found].filter((name) => !isQuestion(name)).sort();
  const isDifferent =
    [...tso.places].some((one) => !sc.places.has(one)) ||
    [...tso.finals].some((one) => !sc.finals.has(one));
  const isSame = !tso.isCut && [...tso.drained].every((one) => sc.drained.has(one));
  return { breaking, wrong, isDifferent, isSame };
}

/** Whether the text has a loop. */
function isEndless(text: string): boolean {
  return /\b(?:loop|do)\b/.test(text);
}

test('the first answer that applies, as explicit enumeration gives it', async () => {
  const counts = new Map<string, number>();
  const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let i = 0; i < runs; i++) {
    const bias = claimBiases[i % claimBiases.length]!;
    const text = randomClaimsText(seed + i, bias);
    const { model, diagnostics } = parseNative(text);
    const program = finiteProgram(model);
    if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`);
    const sc = exploreByDefinition(program, 0, mostStates);
    let tso = exploreByDefinition(program, 3, mostStates);
    if (tso.isCut && !isEndless(text)) tso = exploreByDefinition(program, 12, 5 * mostStates);
    if (sc.isCut) {
      note('too large');
      continue;
    }
    const { breaking, wrong, isDifferent, isSame } = judge(program, sc, tso);
    const { answer } = await reach(program, { limits: { maxStates: 200_000 } });
    note(answer.kind);
    note(`${bias}: ${answer.kind}`);
    if (isEndless(text))
      note(`rounds: ${answer.kind}${tso.isCut ? ', buffers without bound' : ''}`);
    // The parts of a check besides its verdict are unchanged.
    if (i % 4 === 0) {
      const limits = { maxStates: 200_000 };
      const checked = await decide(model!, { kind: 'check', answers: 'full' }, limits);
      if (checked.kind !== 'check') throw new Error(checked.kind);
      if (answer.kind !== 'unknown') expect(checked.result?.answer?.kind, text).toBe(answer.kind);
    }
    switch (answer.kind) {
      case 'breaks': {
        const claims = answer.claims.map(nameOf).sort();
        // States that need larger buffers than allowed are missing.
        if (tso.isCut) expect(claims, text).toEqual(expect.arrayContaining(breaking));
        else expect(claims, text).toEqual(breaking);
        for (const name of claims) expect(sc.found.has(name), text).toBe(false);
        expect(replayStates(program, answer.computation), text).toBeDefined();
        break;
      }
      case 'wrong-under-sc':
        expect(breaking, text).toEqual([]);
        expect(answer.claims.map(nameOf).sort(), text).toEqual(wrong);
        break;
      case 'differs': {
        expect([breaking, wrong, isSame], text).toEqual([[], [], false]);
        if (answer.computation) {
          const end = replayStates(program, answer.computation)!.at(-1)!;
          expect(end.buffers.flat(), text).toEqual([]);
          const key = drainedKey(end.locations, end.registers, Object.fromEntries(end.memory));
          expect(sc.drained.has(key), text).toBe(false);
        }
        break;
      }
      case 'hangs':
        // Waiting threads have a test of their own; here no claim fails, and no SC execution waits.
        expect([breaking, wrong, isSame], text).toEqual([[], [], false]);
        break;
      case 'stricter':
      case 'robust': {
        expect([breaking, wrong, isDifferent], text).toEqual([[], [], false]);
        if (isEndless(text)) break;
        const traces = enumerateTraces(program, { maxTracedStates: 60_000, stopAtViolation: true });
        if (!traces.complete && !traces.violation) break;
        note(`${answer.kind}, by all traces`);
        expect(traces.violation === undefined, text).toBe(answer.kind === 'robust');
        break;
      }
      case 'unknown':
        // An unknown answer must not claim that anything holds.
        break;
    }
  }
  console.info(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
  for (const kind of ['breaks', 'wrong-under-sc', 'differs', 'stricter', 'robust'])
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(runs / 100);
  expect(counts.get('unknown') ?? 0).toBeLessThan(runs / 20);
});
