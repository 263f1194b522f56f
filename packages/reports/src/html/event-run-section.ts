import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun, TaskId } from '@fencewright/model/trace/event-run.js';
import {
  actionsInViolation,
  type EventViolation,
} from '@fencewright/model/trace/event-violation.js';
import { eventLanesSvg } from '../graph/event-lanes-svg.js';
import { eventLanes } from '../graph/event-lanes.js';
import { eventActionSentence, eventThreadName, siteLine, taskNames } from '../words/event-words.js';
import { isToldOfEvents } from '../words/event-step-numbers.js';
import { eventViolationBlocks } from '../text/event-check.js';
import { blocksHtml } from './blocks-html.js';
import { html, type Html, trusted } from './html-text.js';

/** Returns the tree of tasks posted by a task, directly or indirectly, as nested lists. */
function branch(run: EventRun, names: readonly string[], task: TaskId): Html {
  const { thread } = at(run.tasks, task);
  const children = run.actions.flatMap((action) =>
    action.kind === 'post' && action.task === task ? [action.posted] : [],
  );
  return html`<li>
    <code>${at(names, task)}</code> <small>on ${eventThreadName(thread)}</small>
    ${
      children.length > 0 &&
      html`<ul>
        ${children.map((child) => branch(run, names, child))}
      </ul>`
    }
  </li>`;
}

/** Returns the call trees of a run's events, in the order in which the events start. */
function callTrees(run: EventRun, names: readonly string[]): Html {
  const handlers = run.tasks.flatMap(({ parent }, id) => (parent === undefined ? [id] : []));
  return html`<ul class="call-tree">
    ${handlers.map((handler) => branch(run, names, handler))}
  </ul>`;
}

function stepList(program: EventProgram, run: EventRun, marked: ReadonlySet<number>): Html {
  const names = taskNames(program, run);
  return html`<ol>
    ${run.actions.flatMap((action, step) => {
      if (!isToldOfEvents(action)) return [];
      const line = 'site' in action ? siteLine(program, action.site) : undefined;
      const words = html`<code>${at(names, action.task)}</code>
        ${eventActionSentence(program, names, action)}${line !== undefined && html` <small>line ${line}</small>`}`;
      return marked.has(step) ? html`<li><strong>${words}</strong></li>` : html`<li>${words}</li>`;
    })}
  </ol>`;
}

/**
 * Returns the section on a run: lanes, call trees, steps, and any accesses that contradict every
 * serial order.
 */
export function eventRunSection(
  program: EventProgram,
  run: EventRun,
  {
    id,
    title,
    violation,
  }: {
    /** The id of the section, unique on the page. */
    readonly id: string;
    readonly title: string;
    readonly violation?: EventViolation;
  },
): Html {
  const marked = violation ? actionsInViolation(violation) : new Set<number>();
  const names = taskNames(program, run);
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <div class="scroller" tabindex="0" role="region" aria-label="Picture: ${title}">
      ${trusted(eventLanesSvg(eventLanes(program, run, marked), { standalone: false }))}
    </div>
    <p class="hint">
      A lane is a thread, a block a task in the colour of its event, a dotted line a task that
      waits. A bar is a store that waits in the buffer of its thread; it may outlive its task.
    </p>
    ${
      violation &&
      html`<h3>Why no order explains it</h3>
        ${blocksHtml(eventViolationBlocks(program, run, violation))}`
    }
    <h3>The call trees of its events</h3>
    ${callTrees(run, names)}
    <details>
      <summary>All steps</summary>
      ${stepList(program, run, marked)}
    </details>
  </section>`;
}
