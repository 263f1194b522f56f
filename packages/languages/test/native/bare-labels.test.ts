import { Budget } from '@fencewright/ground/base/budget.js';
import type { Model } from '@fencewright/model/program/model.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reachUnder } from '../../../core/src/api/reach-under.js';
import { parseNative } from '../../src/native/parse-native.js';
import { errorsOf, parseGood } from './listing.js';
import { randomStructuredText } from './random-structured-text.js';

/** Returns the text of a program whose x is always 0, with claims about thread a. */
function textOf(code: string, ...claims: readonly string[]): string {
  return `program L\nvar x, y\nthread a { local r; ${code} }\n${claims.join('\n')}`;
}

const refusal =
  "the thread can come to the code behind the label 'cs' without passing the label, " +
  "and takes no step at the label (write 'cs: skip;' in the thread: then the label is a place " +
  'of its own)';

/** Code in which control can avoid the label on the way to the code behind the label. */
const avoided = [
  'r = x; if (r == 1) { cs: ; }',
  'r = x; if (r == 1) { cs: }',
  'r = x; if (r == 1) { cs: { } } y = 1;',
  'r = x; if (r == 1) cs: ; else skip;',
  'r = x; if (r == 1) { cs: { local s; } }',
  'r = x; if (r == 1) { cs: goto out; } y = 1; out: ;',
  'r = x; while (r == 1) { r = x; cs: ; }',
  'r = x; while (r == 1) { if (r == 1) { cs: break; } }',
  'r = x; while (r == 1) { r = x; if (r == 1) { cs: continue; } }',
  'r = x; if (r == 0) goto ds; cs: ; ds: y = 1;',
  'loop { r = x; cs: ; }',
  'choose { cs: ; } or { y = 1; }',
  'if (r == 1) { cs: ds: ; }',
  'r = x; if (r == 1) { cs: loop { break; } } y = 1;',
  'r = x; if (r == 1) { cs: while (true) { break; } } y = 1;',
  'r = x; if (r == 1) { cs: while (false) { x = 1; } } y = 1;',
  'r = x; if (r == 1) { cs: do { } while (false); } y = 1;',
  'r = x; if (r == 1) { cs: if (0) { x = 1; } } y = 1;',
  'r = x; if (r == 1) { cs: { goto on; x = 1; } } y = 1; on: y = 2;',
];

test.each(avoided)('a claim cannot name a label that control can avoid: %s', (code) => {
  for (const claim of [
    'property p: never (a @ cs)',
    'property p: progress (a @ cs)',
    'invariant i: a @ cs ==> x == 1',
    'invariant i: !(a @ cs) || a.r == 1',
  ]) {
    const errors = errorsOf(textOf(code, claim)).filter((one) => !one.startsWith('FW2'));
    expect(errors).toEqual([expect.stringContaining(refusal)]);
  }
});

test('so it is with any number of copies, and with several', () => {
  const text = (copies: string, claim: string) =>
    `program L\nvar x\nthread a[${copies}] { local r; r = x; if (r == 1) { cs: ; } }\n${claim}`;
  for (const claim of [
    'property p: never (a[0] @ cs && a[1] @ cs)',
    'invariant i(b: a): !(b @ cs)',
  ])
    for (const copies of ['*', '2']) {
      if (copies === '2' && claim.startsWith('invariant')) continue;
      expect(errorsOf(text(copies, claim)).join('\n')).toContain('without passing the label');
    }
});

/**
 * Code in which control passes the label on every way to the code behind the label, or executes an
 * instruction at the label.
 */
const passed = [
  'x = 0; cs: ; y = 1;',
  'x = 0; cs: ;',
  'cs: ;',
  'cs: ds: ; y = 1;',
  'do { r = x; cs: ; } while (r == 1);',
  'r = x; if (r == 1) { cs: ; y = 1; }',
  'r = x; if (r == 1) { cs: skip; }',
  'r = x; if (r == 1) { cs: goto out; } goto on; out: y = 1; on: ;',
  'loop { r = x; if (r == 1) { cs: break; } }',
  'r = x; if (r == 1) cs: fence;',
  'loop { cs: r = x; }',
  'cs: while (r == 0) { r = x; }',
  'r = x; if (r == 1) { cs: while (*) { break; } } y = 1;',
  'r = x; if (r == 1) { cs: choose { } or { } } y = 1;',
  'r = x; if (r == 1) { cs: loop { continue; } } y = 1;',
  'r = x; if (r == 1) { cs: { goto on; on: x = 1; } } y = 1;',
];

test.each(passed)('a claim names any other label: %s', (code) => {
  const { properties } = parseGood(textOf(code, 'property p: never (a @ cs)'));
  expect(properties).toHaveLength(1);
});

test('a label that no claim names is free, and takes no step', () => {
  for (const code of avoided) {
    const text = textOf(code, 'property p: never (x == 3)');
    expect(parseNative(text).model, text).toBeDefined();
  }
});

const runs = randomRuns(300, 6000, 150);
const seed = randomSeed(20301130);

/** Returns the claims of the text that hold under SC, by name; `undefined` if too many states. */
async function holding(model: Model | undefined): Promise<ReadonlySet<string> | undefined> {
  if (model?.kind !== 'finite') throw new Error('the text is not a program');
  const { reach } = await reachUnder('SC', model.program, new Budget({ maxStates: 20_000 }));
  if (reach.incomplete) return undefined;
  return new Set(
    reach.properties.flatMap(({ property, verdict }) => (verdict === 'holds' ? [property] : [])),
  );
}

test('a claim that is not refused means what it means with a step at each bare label', async () => {
  let compared = 0;
  let refused = 0;
  let violated = 0;
  for (let run = 0; run < runs; run++) {
    const text = randomStructuredText(seed + run)
      .replaceAll(/@cost\([\d.]+\) |\/\/[^\n]*|\/\*[^*]*\*\//g, '')
      .replaceAll(/\{\s*(?:\{\})?\s*\}/g, '{ }')
      .replaceAll(/([xy]) = 1;/g, '{ $1 = 1; k?: ; }');
    let labels = 0;
    const numbered = text.replaceAll('k?', () => `k${labels++}`);
    const stepping = numbered.replaceAll(
      /([kl]\d+:\s*)(;|\{ \}|goto l\d+;|break;|continue;)/g,
      '$1{ skip; $2 }',
    );
    const names = numbered
      .split('thread ')
      .flatMap((thread, part) =>
        [...thread.matchAll(/([kl]\d+):/g)].map(([, label]) => [`t${part - 1}`, label] as const),
      );
    const claims = names.map(
      ([thread, label], i) =>
        `property p${i}: never (${thread} @ ${label} && (${thread}.r == ${i % 2} || x == y))`,
    );
    const good = claims.filter((claim) => {
      const { model } = parseNative(`${numbered}\n${claim}`);
      expect(parseNative(`${stepping}\n${claim}`).model, `${stepping}\n${claim}`).toBeDefined();
      return model !== undefined;
    });
    refused += claims.length - good.length;
    const own = await holding(parseNative(`${numbered}\n${good.join('\n')}`).model);
    const theirs = await holding(parseNative(`${stepping}\n${good.join('\n')}`).model);
    if (!own || !theirs) continue;
    expect(own, `${numbered}\n${good.join('\n')}`).toEqual(theirs);
    compared += good.length;
    violated += good.length - own.size;
  }
  expect(refused).toBeGreaterThan(runs / 4);
  expect(violated).toBeGreaterThan(runs / 2);
  expect(compared - violated).toBeGreaterThan(runs / 8);
});
