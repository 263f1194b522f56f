import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import { editText } from '../../src/api/edit-text.js';

const seed = randomSeed(20261129);
const runs = randomRuns(300, 20_000);

/**
 * A fence that has several places in the text, and the sets of these places that are sufficient.
 */
interface FencePlaces {
  readonly places: number;
  /** Sets of places; each must contain a place with a fence. */
  readonly needs: readonly (readonly number[])[];
}

/**
 * Edits a text with fences of thread 0, one at each location; the text is the list of chosen
 * places.
 */
async function edit(fences: readonly FencePlaces[]) {
  const repairs = fences.map((_, location): SourceRepair => ({
    kind: 'fence',
    thread: 0,
    location,
  }));
  const all = ({ places }: FencePlaces) => Array.from({ length: places }, (_, index) => index);
  const position = { line: 1, column: 1, offset: 0 };
  const editor: TextEditor = {
    placesOf: (_, location) => all(fences[location]!).map(() => position),
    repair: (_, choose) => ({
      text: JSON.stringify(fences.map((own, location) => choose(0, location) ?? all(own))),
      diagnostics: [],
    }),
  };
  let tests = 0;
  const isGood = (text: string): boolean =>
    (JSON.parse(text) as number[][]).every((chosen, location) =>
      fences[location]!.needs.every((need) => need.some((index) => chosen.includes(index))),
    );
  const edited = await editText(editor, repairs, (text) => {
    tests++;
    return Promise.resolve(isGood(text));
  });
  if (edited.kind !== 'text') throw new Error(edited.kind);
  const chosen = JSON.parse(edited.text) as number[][];
  return { chosen, tests, isGood, edited };
}

const fencePlaces = fc.integer({ min: 1, max: 4 }).chain((places) => {
  const place = fc.nat({ max: places - 1 });
  const one = place.map((index) => [index]);
  const need = fc.oneof(one, fc.uniqueArray(place, { minLength: 1 }));
  const needs = fc.array(need, { minLength: 1, maxLength: 4, size: 'max' });
  return fc.record({ places: fc.constant(places), needs });
});

describe('places of fences in a text', () => {
  test(`are minimal, for ${runs} random needs`, async () => {
    let several = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fencePlaces, { maxLength: 6, size: 'max' }), async (fences) => {
        const { chosen, isGood, edited } = await edit(fences);
        expect(isGood(JSON.stringify(chosen))).toBe(true);
        for (const [location, own] of chosen.entries()) {
          if (own.length > 1) several++;
          for (const index of own.length > 1 ? own : []) {
            const fewer = chosen.with(
              location,
              own.filter((other) => other !== index),
            );
            expect(isGood(JSON.stringify(fewer)), `${location} ${index}`).toBe(false);
          }
          expect(edited.chosenPlaces(0, location) ?? own).toEqual(own);
        }
      }),
      { numRuns: runs, seed },
    );
    expect(several).toBeGreaterThan(runs / 10);
  });

  // One test of the whole text, and one with all fences in front of their loops.
  test('fences in front of all loops are found together', async () => {
    const heads = Array.from({ length: 30 }, () => ({ places: 2, needs: [[0]] }));
    const { chosen, tests } = await edit(heads);
    expect(chosen).toEqual(heads.map(() => [0]));
    expect(tests).toBe(2);
  });

  test('one head among many that needs both places costs a few tests', async () => {
    const heads = Array.from({ length: 32 }, (_, i) => ({
      places: 2,
      needs: i === 19 ? [[0], [1]] : [[0]],
    }));
    const { chosen, tests } = await edit(heads);
    expect(chosen.flat()).toHaveLength(33);
    // Five times one half is tried in vain, in two ways, and the other half successfully; the
    // remaining fence is needed at the head itself.
    expect(tests).toBeLessThan(20);
  });

  test('a head that needs only the place behind its body has its fence there', async () => {
    const { chosen } = await edit([
      { places: 2, needs: [[0]] },
      { places: 2, needs: [[1]] },
    ]);
    expect(chosen).toEqual([[0], [1]]);
  });
});
