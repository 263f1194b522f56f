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
import { randomProgram, SeededRandom } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../src/verify.js';
import { type Chance, type Draft, forge, forgeries } from './forgeries.js';
import { repairedBy } from './repaired-by.js';

const changes = Number(process.env.FENCEWRIGHT_FORGERIES ?? 250);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261122);

function parse(text: string): Program {
  return finiteProgram(parseNative(`program P\n${text}`).model)!;
}

async function certify(program: Program, mode: RepairMode, notion: 'standard' | 'value') {
  const { certificate } = await fence(program, { mode, notion, limits: { maxStates: 20_000 } });
  return certificate && (JSON.parse(JSON.stringify(certificate)) as Draft);
}

/** Judges claims about a program by trying all subsets of its items with the engine of the tool; nothing of the verifier. */
class Judge {
  readonly #program: Program;
  readonly #known = new Map<string, boolean>();

  constructor(program: Program) {
    this.#program = program;
  }

  async #isRobust(mode: RepairMode, items: readonly Repair[], notion: 'standard' | 'value') {
    const key = JSON.stringify([mode, items, notion]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { verdict } = await check(repairedBy(this.#program, mode, items), { notion });
    this.#known.set(key, verdict.kind === 'robust');
    return verdict.kind === 'robust';
  }

  /** Whether the chosen items make the program robust, cost what is said, and nothing does so for less. */
  async isTrue({ mode, happensBefore, items, chosen, cost }: Draft): Promise<boolean> {
    const notion = happensBefore as 'standard' | 'value';
    const all = repairItems(this.#program, { mode: mode as RepairMode }, false);
    const costOf = (item: unknown): number =>
      all.find((one) => JSON.stringify(one.item) === JSON.stringify(item))?.cost ?? Number.NaN;
    const own = chosen.map((index) => items[index]!.item as Repair);
    if (own.reduce((sum, item) => sum + costOf(item), 0) !== cost) return false;
    if (!(await this.#isRobust(mode as RepairMode, own, notion))) return false;
    for (let bits = 0; bits < 2 ** all.length; bits++) {
      const subset = all.filter((_, i) => bits & (1 << i));
      if (subset.reduce((sum, one) => sum + one.cost, 0) >= cost) continue;
      const chosenItems = subset.map(({ item }) => item);
      if (await this.#isRobust(mode as RepairMode, chosenItems, notion)) return false;
    }
    return true;
  }
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
    // The witness of a's delayed store to x; then a goes on, delaying its store to z past the load of w, which harms nobody.
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
      findings: ['clause 2: repairs outside it stop its computation, too'],
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
      findings: ['clause 1: its computation leaves stores in a buffer'],
    });
  });

  test(`is accepted only if what it says is true: ${changes} changes, with the digest renewed`, async () => {
    const random = new SeededRandom(seed);
    const chance: Chance = (n) => random.below(n);
    const names = Object.keys(forgeries);
    expect(names.length).toBeGreaterThanOrEqual(30);
    const tried = new Map<string, number>();
    const accepted = new Map<string, number>();
    const verdicts = new Map<string, number>();
    const wrong: string[] = [];
    const add = (counts: Map<string, number>, name: string): void =>
      void counts.set(name, (counts.get(name) ?? 0) + 1);
    let done = 0;
    for (let round = 0; done < changes && round < changes * 10; round++) {
      const program =
        round % 5 === 0
          ? parse(twoDelays)
          : fc.sample(randomProgram({ maxItems: 3 }), { seed: seed + round, numRuns: 1 })[0]!;
      const mode = (['fence', 'fence', 'xchg', 'any', 'minimise'] as const)[round % 5]!;
      const notion = mode === 'fence' && round % 3 === 0 ? 'value' : 'standard';
      const { length } = repairItems(program, { mode }, false);
      if (length === 0 || length > 8) continue;
      const honest = await certify(program, mode, notion);
      if (!honest || (honest.clauses.length === 0 && chance(10) > 0)) continue;
      const judge = new Judge(program);
      const given = automataToJson(program);
      expect(await verifyCertificate(honest, given, {})).toMatchObject({ kind: 'accepted' });
      for (let i = 0; i < 12 && done < changes; i++) {
        const name = names[chance(names.length)]!;
        const forged = forge(honest, forgeries[name]!, chance);
        if (!forged) continue;
        done++;
        add(tried, name);
        const report = await verifyCertificate(forged, given, {});
        add(verdicts, report.kind);
        if (report.kind !== 'accepted') continue;
        add(accepted, name);
        if (!(await judge.isTrue(forged))) wrong.push(`${name}: ${JSON.stringify(forged)}`);
      }
    }
    const shown = [...tried].map(
      ([name, count]) => `${accepted.get(name) ?? 0} of ${count}: ${name}`,
    );
    console.info(
      [
        `${done} changes of ${tried.size} kinds`,
        JSON.stringify([...verdicts]),
        'accepted:',
        ...shown,
      ].join('\n'),
    );
    expect(wrong).toEqual([]);
    expect(done).toBe(changes);
    expect(tried.size).toBeGreaterThanOrEqual(Math.min(30, changes / 20));
    expect(accepted.size).toBeGreaterThan(0);
  });
});
