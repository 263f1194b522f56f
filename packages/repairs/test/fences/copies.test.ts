import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { repairNativeText } from '@fencewright/languages/native/repair-native.js';
import type { Program } from '@fencewright/model/program/program.js';

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** The text with `fence;` at the chosen ones of its marks `/*n*\/`. */
function withFences(text: string, chosen: number): string {
  let mark = 0;
  return text.replaceAll('/*f*/', () => ((chosen >> mark++) & 1 ? 'fence;' : ''));
}

/**
 * Returns the least number of sufficient fences in the text, by trying all sets of the marked
 * places.
 */
async function fewestFences(text: string): Promise<number> {
  const marks = text.split('/*f*/').length - 1;
  let fewest = Number.POSITIVE_INFINITY;
  for (let chosen = 0; chosen < 1 << marks; chosen++) {
    const { verdict } = await check(programOf(withFences(text, chosen)));
    const size = chosen.toString(2).replaceAll('0', '').length;
    if (verdict.kind === 'robust') fewest = Math.min(fewest, size);
  }
  return fewest;
}

const storeBuffering = `program SB
var x, y
thread left[2] { local r; /*f*/ x = 1; /*f*/ r = y; }
thread right { local r; /*f*/ y = 1; /*f*/ r = x; }
`;

/** Each copy stores to its own cell and loads the cell of the other copy. */
const flags = `program Flags
var flag[2]
thread t[2] { local r; /*f*/ flag[self] = 1; /*f*/ r = flag[1 - self]; }
`;

/**
 * A program in which copy 0 needs a fence between its first store and its first load, copy 1
 * between its second store and its second load: one place serves both.
 */
const overlapping = `program Overlapping
var a[2], b[2], x, y
thread t[2] {
  local r;
  /*f*/ a[self] = 1;
  /*f*/ r = b[1 - self];
  /*f*/ b[self] = 1;
  /*f*/ r = a[1 - self];
}
thread u { local r; x = 1; /*f*/ r = y; }
thread v { local r; y = 1; /*f*/ r = x; }
`;

/** A program in which only the second copy needs a fence. */
const lastCopy = `program Last
var x, y
thread t[2] { local r; if (self == 1) { /*f*/ x = 1; /*f*/ r = y; } }
thread u { local r; /*f*/ y = 1; /*f*/ r = x; }
`;

describe('a fence in the text of several copies', () => {
  test.each([
    ['store buffering', storeBuffering],
    ['flags', flags],
    ['overlapping', overlapping],
    ['the last copy', lastCopy],
  ])('is one fence: %s', async (_, text) => {
    const program = programOf(text);
    const answer = await fence(program);
    expect(answer.verdict.kind).toBe('found');
    if (answer.verdict.kind !== 'found') return;
    const { repairs, cost, repaired } = answer.verdict;
    expect(cost).toBe(await fewestFences(text));
    expect(repairs).toHaveLength(cost);
    expect((await check(repaired)).verdict.kind).toBe('robust');
    const fences = repairs.flatMap((repair) => (repair.kind === 'fence' ? [repair] : []));
    const written = repairNativeText(text, fences, () => undefined).text;
    expect(written?.match(/fence;/g)).toHaveLength(cost);
    expect((await check(programOf(written ?? ''))).verdict.kind).toBe('robust');
    expect(answer.certificate?.cost).toBe(cost);
  });

  test('stays for all copies or goes for all', async () => {
    const text = withFences(storeBuffering, 0b1111);
    const { verdict } = await fence(programOf(text), { mode: 'minimise' });
    expect(verdict.kind).toBe('found');
    if (verdict.kind !== 'found') return;
    expect(verdict.cost).toBe(2);
    expect(verdict.removable).toHaveLength(2);
    expect((await check(verdict.repaired)).verdict.kind).toBe('robust');
  });
});
