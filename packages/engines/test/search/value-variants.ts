import { expect } from 'vitest';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { check } from '../../../core/src/api/check.js';

/** Options for the search: each reduction on and off, each kernel forced and forbidden. */
const variants = [
  {},
  { without: ['static-path'], forTests: { stagesAfter: 0 } },
  {
    engine: { name: 'search', kernel: 'typescript' },
    without: ['static-path', 'symmetry', 'dead-registers', 'owned-cells'],
  },
  { without: ['static-path', 'shared-dead-states'], forTests: { tightLayout: true } },
  { engine: { name: 'search', kernel: 'wasm' }, without: ['static-path'] },
] as const;

/** Returns names of attacks, sorted. */
export function attackNames(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

/**
 * Expects that each variant of the search finds the given feasible attacks under value
 * happens-before, and no others.
 */
export async function expectFeasible(program: Program, attacks: readonly Attack[]): Promise<void> {
  for (const variant of variants) {
    const who = JSON.stringify(variant);
    const options = {
      ...variant,
      happensBefore: 'value',
      allAttacks: true,
      replayAll: true,
    } as const;
    const result = await check(program, options);
    const found = result.attacks.filter(({ verdict }) => verdict === 'feasible');
    expect(attackNames(found.map(({ attack }) => attack)), who).toEqual(attackNames(attacks));
    expect(result.verdict.kind, who).toBe(attacks.length > 0 ? 'not-robust' : 'robust');
  }
}
