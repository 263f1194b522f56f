import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { addedCells } from '@fencewright/model/program/thread-cells.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { threadName } from '../words/action-words.js';
import { attackActions } from '../text/attack-in-words.js';
import { commitSteps } from '../words/commit-steps.js';
import { stepNumbers } from '../words/step-numbers.js';
import {
  isWithoutBuffers,
  threadStepInWords,
  type ToldStep,
  toldSteps,
} from '../words/told-steps.js';
import { foundCondition } from '../words/found-condition.js';
import { instructionTexts } from '../words/instruction-texts.js';
import type { ShownExecution } from '../words/shown-execution.js';
import { html, type Html } from './html-text.js';
import { type PageData, threadsOf } from '../words/page-data.js';
import { accessedValue, cellValueText } from '../words/pointer-values.js';
import { setUpSteps } from './set-up-steps.js';

/** Returns the words for a step in the time line: the kind of step, and its object. */
function eventWords(
  program: Program,
  action: Action,
  text: string,
  { threadStep, named }: Pick<ToldStep, 'threadStep' | 'named'>,
): readonly [string, string] {
  if (named) return ['', `${named.verb} ${named.target}`];
  if (threadStep) return ['', threadStepInWords(threadStep, threadName(program, action.thread))];
  switch (action.kind) {
    case 'issue':
      return [
        'into its buffer',
        `${formatAddress(program, action.address)} = ${accessedValue(program, action)}`,
      ];
    case 'store':
      return [
        'reaches memory',
        `${formatAddress(program, action.address)} = ${accessedValue(program, action)}`,
      ];
    case 'load': {
      const from = action.early ? 'loads own buffer' : 'loads memory';
      return [
        from,
        `${formatAddress(program, action.address)} is ${accessedValue(program, action)}`,
      ];
    }
    case 'rmw': {
      const cell = formatAddress(program, action.address);
      return action.written === undefined
        ? ['cas fails', `${cell} is ${accessedValue(program, action)}`]
        : [
            'atomic',
            `${cell}: ${accessedValue(program, action)} to ${cellValueText(program, action.address, action.written)}`,
          ];
    }
    case 'fence':
      return ['', 'fence'];
    case 'heavy-fence':
      return ['', 'heavy fence'];
    case 'lock':
      return ['', 'takes the bus lock'];
    case 'unlock':
      return ['', 'releases the bus lock'];
    case 'local':
      return ['', text.startsWith('assume(') ? foundCondition(text) : text];
  }
}

/**
 * The told steps, counted from 0, during which a store is in its buffer. `to` is the step of its
 * commit, or the end of the computation.
 */
interface Wait {
  readonly thread: number;
  readonly from: number;
  readonly to: number;
  readonly isDone: boolean;
  /**
   * The number of the track in which the bar for the store is drawn; stores of a thread that wait
   * at the same time have different tracks.
   */
  readonly track: number;
}

function waitsOf(
  program: Program,
  { computation }: ShownExecution,
  threads: readonly number[],
): Wait[] {
  if (isWithoutBuffers(computation)) return [];
  const commits = commitSteps(computation);
  const own = addedCells(program);
  const numbers = stepNumbers(program, computation);
  const last = toldSteps(program, computation).length;
  const waits: Wait[] = [];
  computation.forEach((action, issue) => {
    if (action.kind !== 'issue' || own.has(action.address)) return;
    const commit = commits.get(issue);
    const from = at(numbers, issue) - 1;
    const to = commit === undefined ? undefined : at(numbers, commit) - 1;
    const thread = threads.indexOf(action.thread);
    const busy = waits.filter((wait) => wait.thread === thread && wait.to > from);
    let track = 0;
    while (busy.some((wait) => wait.track === track)) track++;
    waits.push({ thread, from, to: to ?? last, isDone: to !== undefined, track });
  });
  return waits;
}

/** The maximum number of tracks for a thread's bars; more would leave no space in the picture. */
const mostTracks = 4;

/** The positions of lanes and tracks in the grid of the time line. */
interface Grid {
  readonly threads: readonly number[];
  /**
   * For each thread in `threads`, the number of tracks for the bars of its stores, side by side.
   */
  readonly tracks: readonly number[];
  /** For each thread in `threads`, the column of the grid with its first track. */
  readonly firstColumns: readonly number[];
  /** Returns the column of the grid for the steps of a thread, given by its index in `threads`. */
  readonly eventColumn: (t: number) => number;
  /** Returns the row of the grid for a step; row 1 has the names, row 2 the start, row 3 step 0. */
  readonly rowOf: (step: number) => number;
}

function gridOf(threads: readonly number[], waits: readonly Wait[]): Grid {
  const tracks = threads.map((_, t) => {
    const used = waits.filter(({ thread }) => thread === t).map(({ track }) => track + 1);
    return Math.min(mostTracks, Math.max(1, ...used));
  });
  const firstColumns = tracks.map(
    (_, t) => 2 + tracks.slice(0, t).reduce((sum, count) => sum + count + 1, 0),
  );
  return {
    threads,
    tracks,
    firstColumns,
    eventColumn: (t) => firstColumns[t]! + tracks[t]!,
    rowOf: (step) => step + 3,
  };
}

function laneHtml(program: Program, grid: Grid, t: number, steps: number): Html {
  const name = threadName(program, grid.threads[t]!);
  return html`<div
      class="lane-head t${t % 6}"
      style="grid-column:${grid.firstColumns[t]}/span ${grid.tracks[t]! + 1}"
    >
      ${name}
    </div>
    <div
      class="lane t${t % 6}"
      style="grid-column:${grid.eventColumn(t)};grid-row:3/${grid.rowOf(steps)}"
    ></div> `;
}

function waitHtml(
  { thread, from, to, isDone, track }: Wait,
  grid: Grid,
  isAttack: boolean,
  isSetUp: boolean,
): Html {
  const column = grid.firstColumns[thread]! + Math.min(track, grid.tracks[thread]! - 1);
  const classes = `wait t${thread % 6}${isAttack ? ' attack' : ''}${isDone ? '' : ' open'}${isSetUp ? ' set-up' : ''}`;
  const end = grid.rowOf(to) + (isDone ? 1 : 0);
  const steps = isDone ? `${from} ${to}` : String(from);
  return html`<div
    class="${classes}"
    data-steps="${steps}"
    style="grid-column:${column};grid-row:${grid.rowOf(from)}/${end}"
  ></div> `;
}

/**
 * Returns the time line: a lane for each thread, a row for each step, a bar for the time of a store
 * in its buffer.
 */
export function timeLine(program: Program, execution: ShownExecution, data: PageData): Html {
  const { computation, cycle, attack: attacked } = execution;
  const threads = threadsOf(execution);
  const waits = waitsOf(program, execution, threads);
  const grid = gridOf(threads, waits);
  const attack = attacked && attackActions({ ...execution, attack: attacked });
  const texts = instructionTexts(program, computation);
  const issueOf = new Map([...commitSteps(computation)].map(([issue, store]) => [store, issue]));
  const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
  const isWaiting = (issue: number): boolean =>
    attack !== undefined && computation[issue] === attack.store;
  const setUp = setUpSteps(program, execution);
  const told = toldSteps(program, computation);
  const waitingFrom = told.findIndex(({ index }) => isWaiting(index));
  const events = told.map((step, i) => {
    const { index } = step;
    const action = at(computation, index);
    const t = threads.indexOf(action.thread);
    const [kind, what] = eventWords(program, action, at(texts, index), step);
    const issue = issueOf.get(index) ?? index;
    const role = isWaiting(issue) ? ' waiting' : action === attack?.load ? ' overtaking' : '';
    const classes = `event t${t % 6} ${action.kind}${role}${onCycle.has(issue) ? ' cycle' : ''}${i < setUp ? ' set-up' : ''}`;
    const { line, key } = data.steps[i]!;
    const place = line === undefined ? '' : `, line ${line}`;
    // Speech control finds a button by its visible words, so that the label has to contain them.
    const seen = kind === '' ? what : `${what} ${kind}`;
    const label = `Step ${i + 1}, ${threadName(program, action.thread)}: ${seen}${place}${onCycle.has(issue) ? ', on the cycle' : ''}`;
    const row = grid.rowOf(i);
    return html`<span class="step-number${i < setUp && ' set-up'}" style="grid-row:${row}"
        >${i + 1}</span
      >
      <button
        type="button"
        tabindex="-1"
        class="${classes}"
        data-step="${i}"
        data-key="${key}"
        aria-label="${label}"
        style="grid-column:${grid.eventColumn(t)};grid-row:${row}"
      >
        ${what}${kind !== '' && html` <small>${kind}</small>`}
      </button> `;
  });
  const columns = grid.tracks
    .map((count) => `repeat(${count}, 0.6rem) minmax(6.6rem, 1fr)`)
    .join(' ');
  return html`<div
    class="time-line${setUp > 0 && ' folded'}"
    id="time-line"
    data-set-up="${setUp}"
    role="group"
    aria-label="Time line: choose a step"
    style="grid-template-columns:2.2rem ${columns};--set-up:${setUp}"
  >
    <div class="lane-head corner"></div>
    <div class="cursor" id="cursor" aria-hidden="true"></div>
    ${threads.map((_, t) => laneHtml(program, grid, t, told.length))}${waits.map((wait) => waitHtml(wait, grid, wait.from === waitingFrom, wait.to < setUp))}<span
      class="step-number"
      style="grid-row:2"
      >0</span
    ><button
      type="button"
      tabindex="-1"
      class="event start"
      data-step="-1"
      aria-label="Step 0: the start"
      style="grid-column:2/-1;grid-row:2"
    >
      the start
    </button>
    ${events}
  </div>`;
}
