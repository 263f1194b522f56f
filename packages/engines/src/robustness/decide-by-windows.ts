import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { verifiedWitness } from './lift-witness.js';
import { WindowSearch } from './window-search.js';

/** The outcome of the search for violations in which several threads delay stores. */
interface WindowDecision {
  readonly witness?: Witness;
  readonly incomplete?: UnknownReason;
  readonly states: number;
}

/**
 * Whether the search for violations with several delaying threads supports the program, and this
 * notion of happens-before.
 */
function isSupported({ threads }: Program, happensBefore: HappensBefore): boolean {
  return happensBefore === 'standard' && !hasKind(threads, 'lock') && threads.length < 31;
}

/**
 * Decides robustness of a program in which no violation has a single delaying thread. Searches for
 * violations with two delaying threads, then with three, and so on, but never with all threads: a
 * cycle that passes a heavy fence has a thread that does not delay.
 */
export async function decideByWindows(
  program: Program,
  happensBefore: HappensBefore,
  budget: Budget,
): Promise<WindowDecision> {
  if (!isSupported(program, happensBefore)) return { incomplete: 'several-delays', states: 0 };
  let states = 0;
  for (let count = 2; count < program.threads.length; count++) {
    const search = new WindowSearch(program, count);
    const answer = await search.run(budget.part(Number.POSITIVE_INFINITY));
    states += search.states;
    budget.finishSearch(search.states, search.bytes);
    if (answer === 'none') continue;
    if (answer === 'faults') return { incomplete: 'several-delays', states };
    if (typeof answer === 'string') return { incomplete: answer, states };
    const [attack, ...others] = answer.delays;
    if (!attack) return { incomplete: 'several-delays', states };
    const witness = verifiedWitness(program, attack, answer.computation, happensBefore);
    return { witness: { ...witness, others }, states };
  }
  return { states };
}
