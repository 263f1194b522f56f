import type { Program } from '@fencewright/model/program/program.js';
import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type {
  AttackExecution,
  ExplainedAttacks,
} from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackActions } from '../text/attack-in-words.js';
import { attackName } from '../words/attack-name.js';
import { explainedSummary } from '../words/explained-summary.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Subject } from '../words/subject.js';
import { executionMenu } from './execution-menu.js';
import { html, type Html } from './html-text.js';

/**
 * The maximum number of characters in all executions of a page, so that browsers open the page
 * without a delay.
 */
const mostCharacters = 4_000_000;

/** Returns the entry of the menu for an execution: `t1:4:5, x = 1 past y`. */
function optionText(program: Program, { witness }: AttackExecution): string {
  const actions = attackActions(witness);
  const name = printableLine(attackName(program, witness.attack));
  if (!actions) return name;
  const [store, load] = [actions.store.address, actions.load.address];
  return `${name}, ${formatAddress(program, store)} past ${formatAddress(program, load)}`;
}

/** Returns the contents for as many executions as fit into a page, and always for the first. */
function fitting(
  { executions }: ExplainedAttacks,
  contentsOf: (execution: AttackExecution) => Html,
): readonly Html[] {
  const contents: Html[] = [];
  let size = 0;
  for (const execution of executions) {
    const one = contentsOf(execution);
    size += one.html.length;
    if (contents.length > 0 && size > mostCharacters) break;
    contents.push(one);
  }
  return contents;
}

/**
 * Returns the executions of attacks with a menu that shows one at a time; without scripts, the page
 * shows the first. Says how many executions the page leaves out. Requires at least one execution.
 */
export function attackMenu(
  { program, file, advise }: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
  contentsOf: (execution: AttackExecution) => Html,
): Html {
  const { executions } = explained;
  const contents = fitting(explained, contentsOf);
  const cut = executions[contents.length];
  const command =
    cut && advise?.({ kind: 'show-attack', file, name: attackName(program, cut.witness.attack) });
  const leftOut = executions.length - contents.length;
  const remarks = html`<p class="hint">${explainedSummary(program, result, explained).join(' ')}</p>
    ${
      cut &&
      html`<p class="cut">
        ${countOf(leftOut, 'more execution')} would make this page too
        large.${command !== undefined && ' Each by itself:'}
      </p>`
    }
    ${command !== undefined && html`<pre class="command" tabindex="0">${command}</pre>`}`;
  const entries = executions.slice(0, contents.length).map((one) => optionText(program, one));
  return executionMenu({ noun: 'Attack', entries, contents, remarks });
}
