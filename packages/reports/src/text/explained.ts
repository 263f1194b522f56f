import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackName } from '../words/attack-name.js';
import { explainedSummary } from '../words/explained-summary.js';
import { blankLine, say } from '../words/blocks.js';
import type { Subject } from '../words/subject.js';
import { checkSummary } from './check.js';
import { printText } from './print-text.js';
import { executionBlocks, type ExplainOptions } from './explain.js';

/**
 * Returns the report on the requested attacks. Executions of feasible attacks are shown as
 * `explainReport` shows the witness.
 */
export function explainedReport(
  subject: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
  { palette, width }: ExplainOptions,
): string {
  const { program } = subject;
  const { executions } = explained;
  const shown = executions.flatMap(({ witness, replay }, i) => {
    const place = executions.length > 1 ? `Attack ${i + 1} of ${executions.length}` : 'The attack';
    const title = `${place}, ${printableLine(attackName(program, witness.attack))}`;
    return executionBlocks(subject, title, witness, replay, width);
  });
  const blocks = [
    ...checkSummary(subject, result),
    blankLine,
    ...explainedSummary(program, result, explained).map((line) => say(line, 0)),
    ...shown,
  ];
  return printText(blocks, palette);
}
