import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { isConsistent, isSequentiallyConsistent } from '@fencewright/model/c11/consistency.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { programOf } from '../robustness/native-program.js';
import { loopSketch, type LoopSketch } from './loop-sketch.js';
import { type GraphEnd, graphsOf } from './program-graphs.js';

const limits = { graphs: 12_000, events: 6 };

/** The values at the end of an execution in which all threads have ended. */
function finalOf(program: Program, { cells }: LoopSketch, { threads, memory }: GraphEnd): string {
  const values = cells.map((name) => {
    const { base } = program.symbols.find((one) => one.name === name)!;
    return memory.get(base) ?? 0;
  });
  return [...values, ...threads.flatMap(({ registers }) => registers.slice(0, 2))].join();
}

function hasEnded({ threads }: Program, end: GraphEnd): boolean {
  return end.threads.every(({ location }, t) =>
    threads[t]!.transitions.every(({ from }) => from !== location),
  );
}

/** Returns a condition that only one final state meets: the state with the values in `final`. */
function conditionOf({ cells }: LoopSketch, final: string): string {
  const values = final.split(',');
  const names = [...cells, 't0.r', 't0.s', 't1.r', 't1.s'];
  return names.map((name, i) => `${name} == ${values[i]}`).join(' && ');
}

describe('programs with loops', () => {
  test('properties of final states, by the graphs of short executions', async () => {
    const counts: Record<string, number> = {};
    const count = (word: string): void => {
      counts[word] = (counts[word] ?? 0) + 1;
    };
    const first = randomSeed(97_000);
    for (let seed = first; seed < first + randomRuns(150, 4000, 60); seed++) {
      const sketch = loopSketch(seed);
      const judged = programOf(`${sketch.text}\n`);
      const graphs = graphsOf(judged, limits);
      if (!graphs) continue;
      const ends = graphs.ends.filter((end) => hasEnded(judged, end));
      const finals = (list: readonly GraphEnd[]): readonly string[] => [
        ...new Set(list.map((end) => finalOf(judged, sketch, end))),
      ];
      const [all, ofSC] = [finals(ends), finals(ends.filter((end) => end.isOfSC))];
      if (all.length === 0) continue;
      const random = new SeededRandom(seed + 3);
      const weak = all.filter((one) => !ofSC.includes(one));
      const from = weak.length > 0 && random.below(4) > 0 ? weak : all;
      const values = from[random.below(from.length)]!.split(',');
      // Some conditions are met in no execution.
      if (random.below(4) === 0) values[random.below(values.length)] = `${random.below(3)}`;
      const wanted = values.join();
      const condition = conditionOf(sketch, wanted);
      const text = `${sketch.text}
        property reached: exists (${condition})
        property avoided: finally (!(${condition}))`;
      const program = programOf(text);
      const { claims, verdict } = await checkC11(program, 'c11', new Budget({ maxStates: 50_000 }));
      if (verdict.kind === 'unknown') continue;
      if (!claims) throw new Error(text);
      const [reached, avoided] = claims;
      const where = [seed, text];
      // `avoided` says the opposite of `reached`.
      const opposite = { holds: 'fails', fails: 'holds', unknown: 'unknown' } as const;
      expect([...where, avoided!.answer]).toEqual([...where, opposite[reached!.answer]]);
      const isMet = all.includes(wanted);
      const { answer, graph, underSC } = reached!;
      if (answer === 'fails') expect([...where, isMet]).toEqual([...where, false]);
      if (answer === 'holds' && graphs.isWhole) expect([...where, isMet]).toEqual([...where, true]);
      if (underSC === false) expect([...where, ofSC.includes(wanted)]).toEqual([...where, false]);
      if (underSC && graphs.isWhole)
        expect([...where, ofSC.includes(wanted)]).toEqual([...where, true]);
      if (graph) {
        expect(isConsistent(graph, 'c11')).toBe(true);
        expect(isSequentiallyConsistent(graph)).toBe(underSC);
      }
      const word =
        answer === 'holds'
          ? underSC
            ? 'under SC'
            : 'only under C11'
          : answer === 'fails'
            ? 'excluded'
            : isMet
              ? 'not found'
              : 'cautious';
      count(word);
      count(`${sketch.loop}: ${word}`);
      count(verdict.kind);
    }
    if (isCampaign) console.log(counts);
    for (const word of ['under SC', 'only under C11', 'excluded'])
      expect([word, (counts[word] ?? 0) > 4]).toEqual([word, true]);
  });

  test('assertions and waits, by the graphs of short executions', async () => {
    const counts: Record<string, number> = {};
    const count = (word: string): void => {
      counts[word] = (counts[word] ?? 0) + 1;
    };
    const first = randomSeed(98_000);
    for (let seed = first; seed < first + randomRuns(150, 4000, 60); seed++) {
      const random = new SeededRandom(seed + 5);
      const register = random.below(4) === 0 ? 'r' : 's';
      const claim = `assert(${register} != ${random.below(3)});`;
      const sketch = loopSketch(seed, random.below(5) === 0 ? [claim, ''] : ['', claim]);
      const program = programOf(sketch.text);
      const graphs = graphsOf(program, limits);
      if (!graphs) continue;
      const { failing, isWhole } = graphs;
      const found = await checkC11(program, 'c11', new Budget({ maxStates: 50_000 }));
      const { verdict, effect, assertions } = found;
      if (verdict.kind === 'unknown') continue;
      const where = [seed, sketch.text];
      if (assertions === 'hold') expect([...where, failing.c11.size]).toEqual([...where, 0]);
      if (assertions === 'fail' && isWhole)
        expect([...where, failing.c11.size > 0]).toEqual([...where, true]);
      if (effect?.kind === 'assertion-fails') {
        expect([...where, failing.sc.size]).toEqual([...where, 0]);
        if (isWhole) expect(failing.c11.size).toBe(1);
        const { graph } = effect.execution;
        expect([isConsistent(graph, 'c11'), isSequentiallyConsistent(graph)]).toEqual([
          true,
          false,
        ]);
      }
      // If C11 lets a thread wait for ever, the judge has an execution that is not SC and in which
      // not all threads end.
      if (effect?.kind === 'waits' && isWhole) {
        const isOpen = (end: GraphEnd): boolean => !hasEnded(program, end);
        expect([...where, graphs.ends.some((end) => isOpen(end) && !end.isOfSC)]).toEqual([
          ...where,
          true,
        ]);
      }
      if (effect?.kind === 'none' && isWhole) {
        const keyOf = (end: GraphEnd): string => finalOf(program, sketch, end);
        const ended = graphs.ends.filter((end) => hasEnded(program, end));
        const ofSC = new Set(ended.filter((end) => end.isOfSC).map(keyOf));
        expect([...where, ended.every((end) => ofSC.has(keyOf(end)))]).toEqual([...where, true]);
      }
      const word =
        verdict.kind === 'robust'
          ? 'robust'
          : effect
            ? `${effect.kind}, ${assertions}`
            : 'load buffering';
      count(word);
      count(sketch.loop);
    }
    if (isCampaign) console.log(counts);
    expect(counts['assertion-fails, fail'] ?? 0).toBeGreaterThan(4);
  });
});

/**
 * A thread that polls `x` loads the plain cell `d` in each turn. Nothing orders this load before
 * the store of the other thread, which awaits `y` relaxed. The last turn does not load `d`.
 */
const racingPoll = (loop: string): string => `var w, x, y, plain d
thread b {
  local r, s, q;
  ${loop}
  q = load(w, acquire);
  store(y, 1, release);
}
thread c {
  store(w, 1, relaxed);
  store(x, 1, relaxed);
  await (load(y, relaxed) == 1);
  d = 1;
  assert(d == 1);
}`;

test.each([
  'do { r = load(x, relaxed); if (r == 0) { s = d; } } while (r == 0);',
  'r = load(x, relaxed); while (r == 0) { s = d; r = load(x, relaxed); }',
])('a plain load in a turn of a poll races: %s', async (loop) => {
  const { race, assertions } = await checkC11(
    programOf(racingPoll(loop)),
    'c11',
    new Budget({ maxStates: 50_000 }),
  );
  expect(race).not.toBe('none');
  expect(assertions).not.toBe('hold');
});
