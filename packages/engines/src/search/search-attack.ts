import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { searchAttacks } from './attack-search.js';
import type { SearchOptions } from './search-session.js';

/** The verdict on one attack, with a witness of the attack if feasible. */
interface SearchedAttack {
  readonly decided: DecidedAttack;
  readonly witness?: Witness;
}

/**
 * Decides one attack by a separate search, independently of other attacks. Threads with equal code
 * are distinguished, so that the witness is about the attack's own thread.
 */
export async function searchAttack(
  program: Program,
  attack: Attack,
  budget: Budget,
  options: Omit<SearchOptions, 'only'> = {},
): Promise<SearchedAttack> {
  const search = { ...options, symmetry: false, only: attack, budget, allAttacks: true };
  const { attacks, witness } = await searchAttacks(program, search);
  const [decided = { attack, verdict: 'unknown' as const }] = attacks;
  return { decided, ...(witness && { witness }) };
}
