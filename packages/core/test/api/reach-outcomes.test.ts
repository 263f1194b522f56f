import { expect, test } from 'vitest';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { reachOutcomes } from '../../src/api/reach-outcomes.js';

const stores = (cell: string): string =>
  Array.from({ length: 7 }, (_, i) => `${cell} = ${i + 1};`).join(' ');

// Some 47,000 states under TSO; 71,000 if stores are issued one at a time.
const many = `program P
var x, y
thread a { local r, q; ${stores('x')} r = y; x = 8; q = y; }
thread b { local r, q; ${stores('y')} r = x; y = 8; q = x; }`;

test('the threads that wait are known where all states are, however many', async () => {
  const program = finiteProgram(parseNative(many).model)!;
  const model = { kind: 'finite', program, observed: { ...program } } as const;
  const { result } = await reachOutcomes(model, {});
  expect(result.answer.kind).toBe('differs');
  // Both threads end in every execution.
  expect(result.hangs).toMatchObject({ kind: 'found', hangs: [] });
  const limited = await reachOutcomes(model, { limits: { maxStates: 60_000 } });
  expect(limited.result.hangs).toMatchObject({ kind: 'unknown' });
});

test('values without which the states were counted are named, and only these', async () => {
  const ask = async (own: string, shown: string) => {
    const [program, observed] = [own, shown].map((text) =>
      finiteProgram(parseNative(`program P\nvar x\n${text}`).model)!,
    );
    return (await reachOutcomes({ kind: 'finite', program: program!, observed: observed! }, {}))
      .result;
  };
  const own = 'thread a { local s; s = x; loop { x = 1; } }';
  const counts = 'thread a { local s, r; s = x; loop { x = 1; r = r + 1; } }';
  expect((await ask(own, counts)).notShown).toEqual(['a.r']);
  const ends = 'thread a { local s, r; s = x; loop { x = 1; r = 1; } }';
  expect((await ask(own, ends)).notShown).toBeUndefined();
});
