import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackName } from '../words/attack-name.js';
import { explainedSummary } from '../words/explained-summary.js';
import type { Subject } from '../words/subject.js';
import { checkSummary } from './check.js';
import { executionLines, type ExplainOptions } from './explain.js';

/**
 * Returns the report on the requested attacks. Executions of feasible attacks are shown as
 * `explainReport` shows the witness.
 */
export function explainedReport(
  subject: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
  options: ExplainOptions,
): string {
  const { program } = subject;
  const { executions } = explained;
  const shown = executions.flatMap(({ witness, replay }, i) => {
    const place = executions.length > 1 ? `Attack ${i + 1} of ${executions.length}` : 'The attack';
    const title = `${place}, ${printableLine(attackName(program, witness.attack))}`;
    return executionLines(subject, title, witness, replay, options);
  });
  const lines = [
    ...checkSummary(subject, result, options.palette),
    '',
    ...explainedSummary(program, result, explained),
    ...shown,
  ];
  return `${lines.join('\n')}\n`;
}
