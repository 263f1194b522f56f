import { at } from '@fencewright/ground/base/at.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { commitSteps, stepsOfEdge } from '../words/commit-steps.js';
import { cycleInWords, storeBehindAttack } from '../words/cycle-in-words.js';
import { graphInPage } from '../graph/graph-svg.js';
import {
  cycleOf,
  happensBeforeGraph,
  type HappensBeforeGraph,
} from '../graph/happens-before-graph.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { stepNumbers } from '../words/step-numbers.js';
import type { Subject } from '../words/subject.js';
import { html, type Html, trusted } from './html-text.js';

function cycleList({ program }: Subject, witness: Witness): Html {
  const { computation, cycle } = witness;
  const behind = storeBehindAttack(program, witness);
  const commits = commitSteps(computation);
  const numbers = stepNumbers(program, computation);
  const items = cycleInWords(program, computation, cycle).map(({ sentence, edge }) => {
    const [from, to] = stepsOfEdge(commits, computation, edge).map((step) => at(numbers, step));
    const [first, second] = [edge.from, edge.to].map((step) => at(numbers, step) - 1);
    return html`<li>
      <span class="edge-words" data-from="${first}" data-to="${second}">${sentence}.</span>
      <small>${edge.relation}, step ${from} to step ${to}</small>
    </li>`;
  });
  return html`${behind !== undefined && html`<p>${behind}</p>`}
    <ol class="cycle-words">
      ${items}
    </ol>
    <p>
      Going round, each of these accesses would come before itself: no sequentially consistent run
      is like this.
    </p>`;
}

/**
 * The maximum number of accesses outside the cycle that a page shows at once; if there are more, a
 * checkbox shows or hides all of them.
 */
const fewBeside = 8;

/** Returns the happens-before graph with its cycle, and the cycle in words. */
export function cycleSection(
  subject: Subject,
  witness: Witness,
  happensBefore: HappensBefore,
): Html {
  const graph = happensBeforeGraph(subject.program, witness, happensBefore);
  const cycle = cycleOf(graph);
  const isMore = cycle.leftOut > 0;
  const isAlone = !isMore || cycle.leftOut > fewBeside;
  const columns = new Set(graph.nodes.map(({ thread }) => thread)).size;
  const picture = (of: HappensBeforeGraph): Html => trusted(graphInPage(subject.program, of));
  return html`<section class="cycle-section" aria-labelledby="why-title">
    <h2 id="why-title">Why it is not sequentially consistent</h2>
    ${
      isMore &&
      html`<label class="cycle-only-choice"
        ><input type="checkbox" id="cycle-only" ${isAlone && ' checked'} /> only the cycle</label
      >`
    }
    <div class="cycle-parts${columns < 3 && ' beside'}">
      <div class="graph" tabindex="0" role="region" aria-label="Happens-before graph">
        <div class="cycle-alone" ${!isAlone && ' hidden'}>${picture(cycle)}</div>
        ${isMore && html`<div class="with-others" ${isAlone && ' hidden'}>${picture(graph)}</div>`}
      </div>
      <div>
        <p>
          An arrow says that one access comes before another: <b>po</b> by the order of the program,
          <b>st</b> as the earlier store to the cell, <b>src</b> as the store that was read,
          <b>cf</b> as a read of what was there before the store. The cycle is
          marked.${graph.leftOut > 0 && html` ${countOf(graph.leftOut, 'access', 'accesses')} that are not on it are left out.`}
        </p>
        ${cycleList(subject, witness)}
      </div>
    </div>
  </section>`;
}
