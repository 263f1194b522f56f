import {
  automataToJson,
  check,
  fence,
  type Program,
  type Repair,
  repairItems,
  type RepairMode,
  finiteProgram,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { randomProgram } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { verifyCertificate } from '../src/verify.js';
import { type Chance, type Draft, forge, forgeries } from './forgeries.js';
import { forgeMany, isCheapest, type Subject } from './forgery-campaign.js';
import { repairedBy } from './repaired-by.js';

const changes = randomRuns(150, 4000);
const seed = randomSeed(20261122);

function parse(text: string): Program {
  return finiteProgram(parseNative(`program P\n${text}`).model)!;
}

async function certify(program: Program, mode: RepairMode, happensBefore: 'standard' | 'value') {
  const { certificate } = await fence(program, {
    mode,
    happensBefore,
    limits: { maxStates: 20_000 },
  });
  return certificate && (JSON.parse(JSON.stringify(certificate)) as Draft);
}

/**
 * Returns a judge of claims about a program, which tries all subsets of the items with the engine
 * of the tool and uses no part of the verifier.
 */
function judgeOf(program: Program): Subject['isTrue'] {
  const known = new Map<string, boolean>();
  return ({ mode: named, happensBefore: claimed, ...claim }) => {
    const [mode, happensBefore] = [named as RepairMode, claimed as 'standard' | 'value'];
    const all = repairItems(program, { mode }, []);
    return isCheapest<Repair>(all, claim, async (items) => {
      const key = JSON.stringify([mode, items, happensBefore]);
      if (!known.has(key)) {
        const { verdict } = await check(repairedBy(program, mode, all, items), { happensBefore });
        known.set(key, verdict.kind === 'robust');
      }
      return known.get(key);
    });
  };
}

const twoDelays = `var x, y, z, w
  thread a { local r, q; x = 1; r = y; z = 1; q = w; }
  thread b { local s; y = 1; fence; s = x; }`;

describe('a forged certificate of fence', () => {
  test('whose clause names a delay that its cycle does not need is rejected', async () => {
    const program = parse(twoDelays);
    const honest = (await certify(program, 'fence', 'standard'))!;
    expect(honest.cost).toBe(1);
    expect(await verifyCertificate(honest, automataToJson(program), {})).toMatchObject({
      kind: 'accepted',
    });
    // The computation is that of the witness of a's delayed store to x. Then thread a continues,
    // and delays its store to z past the load of w; this delay is harmless.
    const [clause] = honest.clauses;
    const [store, load] = [2, 3];
    const first = clause!.computation.filter(
      (action) => action.thread !== 0 || action.transition < 2,
    );
    const act = (kind: string, transition: number) => ({ thread: 0, kind, transition });
    const computation = [...first, act('issue', store), act('load', load), act('store', store)];
    const isBeforeLoad = ({ item }: Draft['items'][number]): boolean =>
      item.kind === 'fence' &&
      item.thread === 0 &&
      item.location === honest.automata.threads[0]!.transitions[load]!.from;
    const item = honest.items.findIndex(isBeforeLoad);
    expect(item).toBeGreaterThanOrEqual(0);
    const forged = forge(
      honest,
      (draft) => {
        draft.clauses.push({ items: [item], computation });
        draft.chosen = [...draft.chosen, item].sort((a, b) => a - b);
        draft.cost = 2;
        return true;
      },
      () => 0,
    );
    expect(await verifyCertificate(forged, automataToJson(program), {})).toEqual({
      kind: 'rejected',
      findings: ['clause 2: repairs outside the clause stop its computation, too'],
    });
  });

  test('whose computation ends while a store waits in a buffer is rejected', async () => {
    const program = parse(twoDelays);
    const honest = (await certify(program, 'fence', 'standard'))!;
    const [clause] = honest.clauses;
    const known = clause!.computation.filter(
      (action) => action.thread !== 0 || action.transition < 2,
    );
    const unfinished = [...known, { thread: 0, kind: 'issue', transition: 2 }];
    const forged = forge(
      honest,
      (draft) => {
        draft.clauses[0]!.computation = unfinished;
        return true;
      },
      () => 0,
    );
    expect(await verifyCertificate(forged, automataToJson(program), {})).toEqual({
      kind: 'rejected',
      findings: ['clause 1: the computation leaves stores in a buffer'],
    });
  });

  test(`is accepted only if what it says is true: ${changes} changes, with the digest renewed`, async () => {
    expect(Object.keys(forgeries).length).toBeGreaterThanOrEqual(30);
    const subject = async (round: number, chance: Chance): Promise<Subject | undefined> => {
      const program =
        round % 5 === 0
          ? parse(twoDelays)
          : fc.sample(randomProgram({ maxItems: 3 }), { seed: seed + round, numRuns: 1 })[0]!;
      const mode = (['fence', 'fence', 'xchg', 'any', 'minimise'] as const)[round % 5]!;
      const happensBefore = mode === 'fence' && round % 3 === 0 ? 'value' : 'standard';
      const { length } = repairItems(program, { mode }, []);
      if (length === 0 || length > 8) return undefined;
      const honest = await certify(program, mode, happensBefore);
      if (!honest || (honest.clauses.length === 0 && chance(10) > 0)) return undefined;
      return { honest, given: automataToJson(program), isTrue: judgeOf(program) };
    };
    await forgeMany({ changes, seed, forgeries, subject });
  });
});
