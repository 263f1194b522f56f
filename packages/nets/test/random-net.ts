import fc from 'fast-check';
import { markingOf, omega } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';

const counts = (places: number, most: number) =>
  fc
    .array(fc.tuple(fc.nat(places - 1), fc.integer({ min: 1, max: most })), { maxLength: 2 })
    .map((pairs) => markingOf(new Map(pairs)));

/** Random small nets with control states; some places start with any number of tokens. */
export const randomNet: fc.Arbitrary<Net> = fc
  .record({ places: fc.integer({ min: 1, max: 5 }), controls: fc.integer({ min: 1, max: 3 }) })
  .chain(({ places, controls }) => {
    const control = fc.nat(controls - 1);
    return fc
      .record({
        rules: fc.array(
          fc.record({
            from: control,
            to: control,
            pre: counts(places, 2),
            post: counts(places, 2),
          }),
          { minLength: 1, maxLength: 7 },
        ),
        start: fc.array(fc.constantFrom(0, 0, 0, 1, 2, omega), {
          minLength: places,
          maxLength: places,
        }),
        target: counts(places, 3),
        goal: control,
      })
      .map(({ rules, start, target, goal }) => ({
        name: 'random',
        places: Array.from({ length: places }, (_, i) => `p${i}`),
        controls: Array.from({ length: controls }, (_, i) => `c${i}`),
        rules: rules.map((rule, id) => ({ ...rule, id })),
        initial: { control: 0, marking: markingOf(start.entries()) },
        targets: [{ control: goal, marking: target }],
        claims: [],
      }));
  });
