import {
  attacksByDefinition,
  FeatureCount,
  programFeatures,
  randomAutomata,
  randomProgram,
} from '@fencewright/core/testing';
import { automataToJson, type Program } from '@fencewright/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { Automata } from '../../src/automata.js';
import { Budget, Endless } from '../../src/budget.js';
import { Met } from '../../src/code.js';
import { ModularInvariant, type WrittenInvariant } from '../../src/modular/invariant.js';
import { attackThreads } from '../../src/attack/thread.js';
import { AttackRefuter } from '../../src/attack/refute-attacks.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import { ShapeError } from '../../src/shape.js';
import { changed, changes } from './changed-invariant.js';
import { leastInvariants } from './least-invariant.js';

const runs = randomRuns(150, 3000);
const seed = randomSeed(20261123);
const mostConfigurations = inCampaign(3_000, 20_000);
const mostPlaces = 400;

/**
 * Random programs, half with a lock block or an rmw in every thread but one; a quarter computes
 * addresses.
 */
const programs: fc.Arbitrary<Program> = fc.oneof(
  randomProgram({ maxThreads: 2 }),
  randomProgram({ fewValues: true }),
  randomProgram().filter(({ threads }) => {
    const locked = threads.filter(({ transitions }) =>
      transitions.some(({ instruction: { kind } }) => kind === 'lock' || kind === 'rmw'),
    );
    return locked.length >= threads.length - 1;
  }),
  randomAutomata({ faults: true, maxThreads: 2, maxSpine: 5 }),
);

/**
 * Returns, for each thread, the addresses that no other thread may write, as far as constants tell.
 */
function ownedCells(automata: Automata): readonly (readonly number[])[] {
  const writers = new Map<number, Set<number>>();
  const all = automata.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, i) => base + i),
  );
  for (const [t, { transitions }] of automata.threads.entries())
    for (const { instruction } of transitions) {
      if (instruction.kind !== 'store' && instruction.kind !== 'rmw') continue;
      const { address } = instruction;
      const cells = address.kind === 'address' ? [automata.symbols[address.symbol]!.base] : all;
      for (const cell of cells) writers.set(cell, (writers.get(cell) ?? new Set()).add(t));
    }
  return automata.threads.map((_, t) =>
    [...writers].flatMap(([cell, by]) => (by.size === 1 && by.has(t) ? [cell] : [])),
  );
}

/** Returns the attacks refuted by a valid list of invariants, as `t:store:load`. */
function refuted(
  automata: Automata,
  written: readonly WrittenInvariant[],
): readonly string[] | 'wrong' {
  const budget = new Budget({});
  try {
    const all: ModularInvariant[] = [];
    // As in the check of certificates, invariants share the steps of threads, and attackers share a
    // refuter: their answers must not mix.
    const threads = attackThreads(automata, 'standard');
    for (const one of written) all.push(new ModularInvariant(automata, threads, one, all));
    if (all.some((invariant) => invariant.refute(budget))) return 'wrong';
    const invariant = all.at(-1)!;
    const refuter = new AttackRefuter(invariant, budget);
    return automata.threads.flatMap((thread, t) =>
      [...openAttacks(thread)].flatMap(([store, loads]) =>
        !invariant.isAbout(t, [store])
          ? []
          : [...loads].flatMap((load) =>
              refuter.refute(t, store, new Set([load])).kind === 'refuted'
                ? [`${t}:${store}:${load}`]
                : [],
            ),
      ),
    );
  } catch (error) {
    if (error instanceof Met || error instanceof Endless || error instanceof ShapeError)
      return 'wrong';
    throw error;
  }
}

test(`what invariants refute is infeasible by definition, on ${runs} random programs, honest or changed`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(
      programs,
      fc.nat(),
      fc.array(fc.record({ change: fc.constantFrom(...changes), at: fc.nat(), by: fc.nat() }), {
        minLength: 8,
        maxLength: 8,
      }),
      (program, pick, forgeries) => {
        const byDefinition = attacksByDefinition(program, mostConfigurations, 'standard');
        const feasible = new Set(
          byDefinition.feasible.map(({ thread, store, load }) => `${thread}:${store}:${load}`),
        );
        const automata = readAutomata(automataToJson(program), 'automata');
        const stores = automata.threads.flatMap((thread, t) =>
          [...openAttacks(thread).keys()].map((store) => ({ thread: t, store })),
        );
        if (stores.length === 0) return;
        const owned = pick % 2 === 0 ? ownedCells(automata) : automata.threads.map(() => []);
        const towards = pick % 3 === 0 ? undefined : stores[pick % stores.length];
        let honest: readonly WrittenInvariant[] | undefined;
        try {
          honest = leastInvariants(automata, owned, mostPlaces, towards);
        } catch (error) {
          if (!(error instanceof Met || error instanceof Endless)) throw error;
        }
        const features = programFeatures(program);
        if (!honest) {
          count.add(['too large']);
          return;
        }
        const found = refuted(automata, honest);
        expect(found).not.toBe('wrong');
        const isRestricted = honest.at(-1)!.towards !== undefined;
        count.add([
          ...features,
          `feasible ${feasible.size > 0}`,
          `refuted ${found.length > 0}`,
          ...(isRestricted ? [`restricted refuted ${found.length > 0}`] : []),
          ...(owned.some(({ length }) => length > 0) ? [`own refuted ${found.length > 0}`] : []),
        ]);
        for (const attack of found) expect(feasible).not.toContain(attack);
        for (const { change, at, by } of forgeries) {
          const forged = changed(honest, change, at, by);
          if (!forged) continue;
          const believed = refuted(automata, forged);
          count.add([`${change} ${believed === 'wrong' ? 'wrong' : 'believed'}`]);
          if (believed === 'wrong') continue;
          for (const attack of believed) expect(feasible).not.toContain(attack);
        }
      },
    ),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(count.toString());
  if (runs < 600) return;
  for (const change of changes) expect(count.get(`${change} wrong`), change).toBeGreaterThan(5);
  for (const feature of ['refuted true', 'restricted refuted true', 'own refuted true'])
    expect(count.get(feature), feature).toBeGreaterThan(20);
  expect(count.get('feasible true')).toBeGreaterThan(50);
});
