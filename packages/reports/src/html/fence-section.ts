import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isHeavyFence } from '@fencewright/model/program/repair.js';
import { findTransition } from '../words/action-words.js';
import { underHappensBefore } from '../words/verdict-meaning.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { FenceFindings } from '../words/fence-findings.js';
import { formatCost } from '../text/fence-headline.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { delaySentence, needFor, repairNoun, whoseText } from '../words/repair-in-words.js';
import type { Subject } from '../words/subject.js';
import { wayOn } from '../words/way-on.js';
import { html, type Html } from './html-text.js';
import { transitionKey } from '../words/page-data.js';
import type { FenceMark } from './program-text.js';

/** Returns the places in the text of the repairs that a search chose. */
export function fenceMarks(
  subject: Program,
  { result, placesOf, about: program = subject }: FenceFindings,
): FenceMark[] {
  const { verdict } = result;
  if (verdict.kind !== 'found') return [];
  return verdict.repairs.flatMap((repair, index): FenceMark[] => {
    const { thread } = repair;
    if (repair.kind === 'fence')
      return placesOf(thread, repair.location).map((place) => ({
        place,
        text: isHeavyFence(repair) ? 'heavy fence' : 'fence',
        repair: index,
      }));
    const span = findTransition(program, thread, repair.transition)?.transition.origin.span;
    return span && !span.source ? [{ place: span.start, text: 'exchange', repair: index }] : [];
  });
}

/** Returns the section on the repairs that would make the program robust, as far as known. */
export function fenceSection(
  { file, program: subject, advise }: Subject,
  findings: FenceFindings,
): Html {
  const { about: program = subject } = findings;
  const { verdict, happensBefore = 'standard' } = findings.result;
  switch (verdict.kind) {
    case 'found': {
      const count = countOf(verdict.repairs.length, 'fence');
      const what = verdict.repairs.length === 1 ? 'it' : 'them';
      const command = advise?.({ kind: 'insert-fences', file, happensBefore });
      return html`<p>
          <strong>${count} of cost ${formatCost(verdict.cost)}</strong>
          make${verdict.repairs.length === 1 && 's'} the program
          robust${underHappensBefore(happensBefore)}, and nothing cheaper does. The program shows
          where.
        </p>
        <ol class="fences">
          ${verdict.repairs.map((repair, index) => {
            const need = needFor(verdict, repair);
            const ends = need && [need.store, need.overtaker];
            const keys =
              ends?.map(({ thread, transition }) => transitionKey(thread, transition)) ?? [];
            return html`<li data-fence="${index}" data-keys="${keys.join(' ')}">
              <strong>${whoseText(program, repair)}</strong>:
              ${repairNoun(program, repair, findings.placesOf)}.${need && html` <span class="why">Otherwise ${delaySentence(program, need)}.</span>`}
            </li>`;
          })}
        </ol>
        ${
          command !== undefined &&
          html`<p>To put ${what} in:</p>
            <pre class="command" tabindex="0">${command}</pre>`
        }`;
    }
    case 'impossible':
      return html`<p>
        No set of fences makes this program robust${underHappensBefore(happensBefore)}: no fence may
        stand where one would be needed.
      </p>`;
    case 'unknown': {
      const advice = wayOn(advise, verdict.reason, findings.result.diagnostics);
      return html`<p>
        Not known: ${reasonInWords[verdict.reason]}${advice !== undefined && html`; ${advice}`}.
        Every sufficient set costs at least ${formatCost(verdict.bound)}.
      </p>`;
    }
    case 'property-fails':
    case 'error':
      return html`<p>Not known: an execution of the program ends in a fault.</p>`;
    default:
      return unreachable(verdict);
  }
}
