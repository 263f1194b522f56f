import fc from 'fast-check';
import { markingOf, omega } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';

/** Numbers at the limits of 32-bit integers and of doubles, and small ones. */
const edges = [2 ** 30, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53 - 1];

const large: fc.Arbitrary<number> = fc
  .tuple(fc.constantFrom(...edges), fc.integer({ min: -3, max: 3 }), fc.constantFrom(1, 1, 2, 3))
  .map(([edge, more, part]) => Math.min(Math.floor(edge / part) + more, 2 ** 53 - 1));

/**
 * Random large numbers of one net. Most of them are close to one limit of number formats, or half
 * of it, so that sums and differences cross the limit.
 */
const scaled: fc.Arbitrary<fc.Arbitrary<number>> = fc
  .tuple(large, large)
  .map(([one, other]) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(one, one + 1, one - 1, Math.floor(one / 2)) },
      { weight: 1, arbitrary: fc.constant(other) },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
    ),
  )
  .map((number) => number.map((value) => Math.max(1, Math.min(value, 2 ** 53 - 1))));

function tokens(places: number, number: fc.Arbitrary<number>) {
  return fc
    .array(fc.tuple(fc.nat(places - 1), number), { maxLength: 2 })
    .map((pairs) => new Map(pairs));
}

/**
 * Random small nets with large numbers of tokens; some places start with any number of tokens. All
 * numbers are below 2^53.
 */
export const bigNet: fc.Arbitrary<Net> = fc
  .record({
    places: fc.integer({ min: 1, max: 4 }),
    controls: fc.constantFrom(1, 1, 2),
    number: scaled,
  })
  .chain(({ places, controls, number }) => {
    const control = fc.nat(controls - 1);
    const marking = tokens(places, number);
    const rule = fc.oneof(
      fc.record({ from: control, to: control, pre: marking, post: marking }),
      // A rule mostly keeps its tokens, up to a small change, as in the format of mist.
      fc
        .tuple(control, control, marking, fc.nat(places - 1), number)
        .map(([from, to, pre, place, more]) => {
          const kept = pre.get(place) ?? 0;
          const post = new Map(pre).set(place, Math.min(kept + more, 2 ** 53 - 1));
          return { from, to, pre, post };
        }),
    );
    return fc
      .record({
        rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
        start: fc.array(fc.oneof(fc.constantFrom(0, 0, 1, omega), number, number), {
          minLength: places,
          maxLength: places,
        }),
        target: tokens(places, number),
        goal: control,
        claim: fc.option(marking, { nil: undefined }),
      })
      .map(({ rules, start, target, goal, claim }) => ({
        name: 'random',
        places: Array.from({ length: places }, (_, i) => `p${i}`),
        controls: Array.from({ length: controls }, (_, i) => `c${i}`),
        rules: rules.map(({ from, to, pre, post }, id) => ({
          id,
          from,
          to,
          pre: markingOf(pre),
          post: markingOf(post),
        })),
        initial: { control: 0, marking: markingOf(start.entries()) },
        targets: [{ control: goal, marking: markingOf(target) }],
        claims: claim ? [markingOf(claim)] : [],
      }));
  });
