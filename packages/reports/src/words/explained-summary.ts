import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type { DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackName } from './attack-name.js';
import { countOf, formatCount } from '@fencewright/ground/base/number-words.js';
import { stageWords } from './stage-words.js';

/**
 * Returns a sentence on the outcome of an attack; `isShown`: whether an execution of a feasible
 * attack is shown.
 */
function outcomeSentence(
  program: Program,
  { attack, verdict, settledBy }: DecidedAttack,
  isShown: boolean,
): string {
  const name = `The attack ${printableLine(attackName(program, attack))}`;
  switch (verdict) {
    case 'feasible':
      return isShown
        ? `${name} is feasible.`
        : `${name} is feasible, but within the limits no execution of it was found to show.`;
    case 'infeasible':
    case 'by-cfg':
      return settledBy && settledBy !== 'search'
        ? `${name} is not feasible: it is ruled out by ${stageWords[settledBy]}.`
        : `${name} is not feasible: no execution carries it out.`;
    case 'unknown':
      return `${name} is not decided: a limit ended the search.`;
    default:
      return unreachable(verdict);
  }
}

/** Returns sentences on the outcomes of the requested attacks. */
export function explainedSummary(
  program: Program,
  { verdict, statistics }: CheckResult,
  { name, attacks, executions }: ExplainedAttacks,
): readonly string[] {
  if (name !== undefined) {
    const shown = new Set(executions.map(({ witness: { attack } }) => attackName(program, attack)));
    return attacks.map((one) =>
      outcomeSentence(program, one, shown.has(attackName(program, one.attack))),
    );
  }
  const { total } = statistics.attacks;
  const feasible = attacks.filter((one) => one.verdict === 'feasible').length;
  if (verdict.kind !== 'not-robust') return ['No attack is known to be feasible.'];
  // Heavy fences can make all attacks by one thread infeasible, and leave executions in which
  // several threads delay stores.
  if (feasible === 0)
    return [
      'No attack by a single thread is known to be feasible: the program is not robust because ' +
        'several threads can delay stores at the same time.',
    ];
  const rest = feasible - executions.length;
  const all = `${formatCount(feasible)} of ${countOf(total, 'attack')} ${feasible === 1 ? 'is' : 'are'} known to be feasible`;
  return [
    rest > 0
      ? `${all}. Below is an execution of ${formatCount(executions.length)} of them; ask for the others one by one.`
      : `${all}. Below is an execution of each.`,
  ];
}
