import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { computeCounterBlind } from '@fencewright/ground/petri/counter-blind.js';
import { refuteBasis, refuteInvariant } from '@fencewright/ground/petri/cover-certificate.js';
import { decideCover } from '../src/nets/decide-cover.js';
import {
  fire,
  isCovered,
  type Marking,
  markingOf,
  omega,
} from '@fencewright/ground/petri/marking.js';
import { type Net, toSystem } from '@fencewright/ground/petri/net.js';
import { toPlainNet } from '@fencewright/ground/petri/one-hot.js';
import { reachesTarget, replayRun } from '@fencewright/ground/petri/replay-run.js';
import { randomNet } from './random-net.js';

const runs = randomRuns(3000, 60_000);
const seed = randomSeed(20260101);

/**
 * Whether at most `steps` firings of rules cover a target, from up to `tokens` tokens: the
 * definition with bounds.
 */
function coveredByHand(net: Net, tokens: number, steps: number): boolean {
  const key = (control: number, marking: Marking): string => `${control}:${marking.join(',')}`;
  const start = markingOf(
    [...Array(net.places.length).keys()].map((place) => {
      const at = net.initial.marking.indexOf(place);
      const known = at >= 0 && at % 2 === 0 ? net.initial.marking[at + 1]! : 0;
      return [place, known === omega ? tokens : known];
    }),
  );
  let layer = [{ control: net.initial.control, marking: start }];
  const seen = new Set(layer.map(({ control, marking }) => key(control, marking)));
  for (let step = 0; step <= steps && layer.length > 0 && seen.size < 3_000; step++) {
    if (
      layer.some(({ control, marking }) =>
        net.targets.some(
          (target) => target.control === control && isCovered(target.marking, marking),
        ),
      )
    )
      return true;
    layer = layer
      .flatMap(({ control, marking }) =>
        net.rules
          .filter(({ from, pre }) => from === control && isCovered(pre, marking))
          .map(({ to, pre, post }) => ({ control: to, marking: fire(marking, pre, post) })),
      )
      .filter(({ control, marking }) => {
        const name = key(control, marking);
        return !seen.has(name) && seen.add(name);
      });
  }
  return false;
}

describe('the two searches', () => {
  it('agree on random nets, and their evidence holds', async () => {
    const seen = { coverable: 0, 'not-coverable': 0, unknown: 0, counting: 0 };
    await fc.assert(
      fc.asyncProperty(randomNet, async (net) => {
        const limits = { maxStates: 3_000 };
        const forward = await decideCover(net, new Budget(limits), 'forward');
        const backward = await decideCover(net, new Budget(limits), 'backward');
        const kinds = [forward, backward].map(({ verdict }) => verdict.kind);
        const known = kinds.filter((kind) => kind !== 'unknown');
        expect(new Set(known).size).toBeLessThanOrEqual(1);
        const kind = known[0] ?? 'unknown';
        seen[kind] += 1;
        const blind = computeCounterBlind(toSystem(net))!;
        if (kind === 'coverable') expect(blind.isTargetPossible).toBe(true);
        if (kind === 'not-coverable') {
          if (blind.isTargetPossible) seen.counting += 1;
          expect(coveredByHand(net, 3, 8)).toBe(false);
        }
        if (coveredByHand(net, 2, 6)) expect(known).toContain('coverable');
        for (const { verdict } of [forward, backward])
          if (verdict.kind === 'coverable' && verdict.run)
            expect(reachesTarget(toSystem(net), verdict.run)).toBe(true);
      }),
      { numRuns: runs, seed },
    );
    console.log('random nets:', seen);
    expect(seen.coverable).toBeGreaterThan(runs / 10);
    expect(seen.counting).toBeGreaterThan(runs / 50);
    expect(seen.unknown).toBeLessThan(runs / 50);
  });

  it('find the same with places for controls', async () => {
    await fc.assert(
      fc.asyncProperty(randomNet, async (net) => {
        const limits = { maxStates: 3_000 };
        const one = await decideCover(net, new Budget(limits));
        const other = await decideCover(toPlainNet(net), new Budget(limits));
        if (one.verdict.kind !== 'unknown' && other.verdict.kind !== 'unknown')
          expect(other.verdict.kind).toBe(one.verdict.kind);
      }),
      { numRuns: Math.ceil(runs / 6), seed },
    );
  });
});

const rule = (id: number, pre: [number, number][], post: [number, number][]) => ({
  id,
  from: 0,
  to: 0,
  pre: markingOf(pre),
  post: markingOf(post),
});

/** A net whose rule converts two tokens of `a` to one of `b`. */
const pairs: Net = {
  name: 'pairs',
  places: ['a', 'b'],
  controls: ['net'],
  rules: [rule(0, [[0, 2]], [[1, 1]])],
  initial: { control: 0, marking: markingOf([[0, 5]]) },
  targets: [{ control: 0, marking: markingOf([[1, 3]]) }],
  claims: [],
};

describe('evidence', () => {
  it('is a run that starts with as many tokens as it needs', async () => {
    const net = { ...pairs, initial: { control: 0, marking: markingOf([[0, omega]]) } };
    for (const engine of ['forward', 'backward'] as const) {
      const { verdict } = await decideCover(net, new Budget(), engine);
      const run = verdict.kind === 'coverable' ? verdict.run : undefined;
      expect(run?.steps).toHaveLength(3);
      expect(run?.initial.marking).toEqual(markingOf([[0, 6]]));
      expect(replayRun(toSystem(net), run!)).toHaveLength(4);
      const short = { ...run!, initial: { control: 0, marking: markingOf([[0, 5]]) } };
      expect(replayRun(toSystem(net), short)).toBeUndefined();
    }
  });

  it('is an invariant or a basis that a checker refutes once it is damaged', async () => {
    const system = toSystem(pairs);
    const { verdict } = await decideCover(pairs, new Budget(), 'forward');
    expect(verdict.kind).toBe('not-coverable');
    const elements =
      verdict.kind === 'not-coverable' ? verdict.certificate.elements : ([] as const);
    expect(refuteInvariant(system, elements)).toBeUndefined();
    expect(refuteInvariant(system, [])).toBe(
      'the initial configuration lies outside the invariant',
    );
    expect(refuteInvariant(system, elements.slice(0, 1))).toBe('a step leads out of the invariant');
    const everything = [
      {
        control: 0,
        marking: markingOf([
          [0, omega],
          [1, omega],
        ]),
      },
    ];
    expect(refuteInvariant(system, everything)).toBe('a target lies inside the invariant');

    const { verdict: back } = await decideCover(pairs, new Budget(), 'backward');
    const certificate = back.kind === 'not-coverable' ? back.certificate : undefined;
    expect(certificate?.kind).toBe('basis');
    const weights = certificate?.kind === 'basis' ? certificate.weights : [];
    expect(weights).toEqual([
      markingOf([
        [0, 1],
        [1, 2],
      ]),
    ]);
    expect(refuteBasis(pairs, certificate!.elements, weights)).toBeUndefined();
    expect(refuteBasis(pairs, [], [])).toBe('a target lies outside the closure of the basis');
    const target = pairs.targets;
    expect(refuteBasis(pairs, target, [])).toBe(
      'a step leads into the closure of the basis from outside',
    );
    expect(refuteBasis(pairs, target, [markingOf([[1, 1]])])).toBe(
      'a rule raises one of the weights',
    );
    expect(refuteBasis(pairs, [{ control: 0, marking: markingOf([]) }], [])).toBe(
      'the initial configuration lies inside the closure of the basis',
    );
  });

  it('is never given when the budget ends', async () => {
    // Counts up in two places: no invariant of few elements, and the target is out of reach for its
    // weight only.
    const verdict = async (limits: {
      maxStates?: number;
      timeout?: number;
      signal?: AbortSignal;
    }) => (await decideCover(pairs, new Budget(limits), 'forward')).verdict;
    expect((await verdict({})).kind).toBe('not-coverable');
    const many: Net = {
      ...pairs,
      rules: Array.from({ length: 12 }, (_, i) => rule(i, [[i, 1]], [[i + 1, 1]])),
      places: Array.from({ length: 13 }, (_, i) => `p${i}`),
      initial: { control: 0, marking: markingOf([[0, 12]]) },
      targets: [{ control: 0, marking: markingOf([[12, 13]]) }],
    };
    const cut = (await decideCover(many, new Budget({ maxStates: 100 }), 'forward')).verdict;
    expect(cut).toEqual({ kind: 'unknown', reason: 'states' });
    const stopped = await decideCover(many, new Budget({ signal: AbortSignal.abort() }), 'forward');
    expect(stopped.verdict).toEqual({ kind: 'unknown', reason: 'cancelled' });
    expect((await decideCover(many, new Budget())).verdict.kind).toBe('not-coverable');
  });
});
