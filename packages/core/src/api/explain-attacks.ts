import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { searchAttack } from '@fencewright/engines/search/search-attack.js';
import type { SearchOptions } from '@fencewright/engines/search/search-session.js';
import { isInfeasibleByControlFlow } from '@fencewright/engines/robustness/attacks.js';
import type { Attack, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type {
  AttackExecution,
  ExplainedAttacks,
} from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import { replay } from './replay.js';

/** The maximum number of executions to find, each by a separate search. */
const mostExecutions = 200;

const keyOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;

/** Returns those of the wanted attacks that a check has already decided. */
function knownOf(
  program: Program,
  wanted: readonly Attack[] | 'all',
  { verdict, attacks }: CheckResult,
): readonly DecidedAttack[] {
  if (wanted === 'all') return attacks;
  const decided = new Map(attacks.map((one) => [keyOf(one.attack), one]));
  return wanted.map((attack): DecidedAttack => {
    if (isInfeasibleByControlFlow(program, attack))
      return { attack, verdict: 'by-cfg', settledBy: 'control-flow' };
    const known = decided.get(keyOf(attack));
    return known ?? { attack, verdict: verdict.kind === 'robust' ? 'infeasible' : 'unknown' };
  });
}

/**
 * Returns the verdicts on attacks, and an execution of each feasible attack, up to `mostExecutions`
 * executions. `result` is the check of the program, with the attacks decided so far. If `result`
 * has no violation, no execution is searched for.
 */
export async function explainAttacks(
  program: Program,
  wanted: readonly Attack[] | 'all',
  result: CheckResult,
  budget: Budget,
  options: Omit<SearchOptions, 'only' | 'happensBefore'>,
): Promise<ExplainedAttacks> {
  const { verdict, happensBefore } = result;
  const known = knownOf(program, wanted, result);
  if (verdict.kind !== 'not-robust') return { attacks: known, executions: [] };
  const attacks: DecidedAttack[] = [];
  const executions: AttackExecution[] = [];
  const show = (witness: Witness): void => {
    executions.push({ witness, replay: replay(program, witness.computation) });
  };
  for (const one of known) {
    const { attack, verdict: its } = one;
    const isOpen = its === 'feasible' || (its === 'unknown' && wanted !== 'all');
    const isShown = keyOf(attack) === keyOf(verdict.witness.attack);
    if (isShown && !verdict.witness.others) {
      show(verdict.witness);
      attacks.push({ ...one, verdict: 'feasible' });
    } else if (!isOpen || executions.length >= mostExecutions) {
      attacks.push(one);
    } else {
      const searched = await searchAttack(program, attack, budget, { ...options, happensBefore });
      if (searched.witness) show(searched.witness);
      attacks.push(its === 'feasible' ? confirmed(one, searched.decided) : searched.decided);
    }
  }
  return { attacks, executions };
}

/**
 * Returns a feasible attack that a second search has confirmed or left undecided; throws if the
 * second search refutes the attack.
 */
function confirmed(one: DecidedAttack, { verdict }: DecidedAttack): DecidedAttack {
  if (verdict === 'infeasible' || verdict === 'by-cfg')
    throw new InternalError('two searches do not agree about an attack');
  return one;
}
