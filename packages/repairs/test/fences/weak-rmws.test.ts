import { expect, it } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { parseGood } from '../../../languages/test/native/listing.js';
import { repairNativeText } from '@fencewright/languages/native/repair-native.js';
import { instructionOf, repairName } from '@fencewright/model/program/repair.js';

/** Returns store buffering with further statements between the accesses of each thread. */
const text = (left: string, right: string) => `program SB
var x, y, z
thread a { local r; x = 1; ${left} r = y; }
thread b { local r; y = 1; ${right} r = x; }`;

it('a weak rmw is no fence that could be removed, and makes others superfluous', async () => {
  const source = text('fence; weak_xchg(z, 1);', 'fence; r = weak_cas(z, 0, 1);');
  const program = parseGood(source);
  const { verdict } = await fence(program, { mode: 'minimise-locked' });
  if (verdict.kind !== 'found') throw new Error(verdict.kind);
  expect(verdict.repairs).toEqual([]);
  const instructions = verdict.removable.map(
    (repair) => repair.kind === 'keep' && instructionOf(program, repair),
  );
  expect(instructions).toEqual([{ kind: 'fence' }, { kind: 'fence' }]);
  expect(verdict.removable.map(repairName)).toEqual(['keep 0 1', 'keep 1 1']);
});

it('a weak rmw that fails is a fence', async () => {
  const program = parseGood(text('weak_xchg(z, 1);', ''));
  const { verdict } = await fence(program, {});
  if (verdict.kind !== 'found') throw new Error(verdict.kind);
  expect(verdict.repairs.map(({ thread }) => thread)).toEqual([1]);
});

it('the text refuses to remove a part of a weak rmw', () => {
  const source = text('weak_xchg(z, 1);', 'fence;');
  const transitions = parseGood(source).threads[0]!.transitions;
  const parts = transitions.flatMap(({ instruction }, transition) =>
    instruction.kind === 'fence' || instruction.kind === 'rmw' ? [transition] : [],
  );
  expect(parts).toHaveLength(2);
  for (const transition of parts) {
    const { text: repaired, diagnostics } = repairNativeText(source, [
      { kind: 'remove', thread: 0, transition },
    ]);
    expect(repaired).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
  }
});
