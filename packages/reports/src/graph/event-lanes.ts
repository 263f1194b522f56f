import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { EventAction, EventRun, TaskId } from '@fencewright/model/trace/event-run.js';
import { eventStepNumbers, isToldOfEvents } from '../words/event-step-numbers.js';
import { eventThreadName, taskNames } from '../words/event-words.js';

/**
 * A range of rows of a drawing, both ends included; `isOpen` means that the range continues after
 * the end of the drawn run.
 */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

/** An action of the run, drawn in a row. */
interface LaneStep {
  readonly step: number;
  readonly row: number;
  readonly lane: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * A task in the drawing of a run: the rows from begin to return, and the rows of the wait from
 * posting or start to begin.
 */
export interface LaneTask {
  readonly task: TaskId;
  readonly name: string;
  readonly event: number;
  readonly lane: number;
  /** The rows of the running task; absent for a task that never begins. */
  readonly runs?: Stretch;
  readonly waits: Stretch;
  /**
   * The number of the track in which the wait of the task is drawn, from 0; waits of a lane that
   * overlap have different tracks.
   */
  readonly waitTrack: number;
}

/** A store in the drawing, from its issue until the value reaches memory. */
export interface LaneStore extends Stretch {
  readonly lane: number;
  readonly track: number;
  readonly text: string;
}

/** The drawing of a run: a lane for each thread, a row for each action shown. */
export interface EventLanes {
  /**
   * For each thread, its lane: the thread's name, and how many tracks stores and waiting tasks
   * need.
   */
  readonly lanes: readonly {
    readonly name: string;
    readonly storeTracks: number;
    readonly waitTracks: number;
  }[];
  readonly rows: number;
  readonly steps: readonly LaneStep[];
  readonly tasks: readonly LaneTask[];
  readonly stores: readonly LaneStore[];
}

function stepText(program: EventProgram, names: readonly string[], action: EventAction): string {
  const cell = (address: number): string => formatAddress(program, address);
  switch (action.kind) {
    case 'load':
      return `${cell(action.address)} is ${action.value}${action.fromBuffer ? ' (own buffer)' : ''}`;
    case 'issue':
      return `${cell(action.address)} = ${action.value}`;
    case 'store':
      return `${cell(action.address)} = ${action.value} in memory`;
    case 'rmw':
      return action.written === undefined
        ? `${cell(action.address)} is ${action.read}`
        : `${cell(action.address)}: ${action.read} to ${action.written}`;
    case 'post':
      return `posts ${at(names, action.posted)}`;
    case 'begin':
      return at(names, action.task);
    case 'return':
      return 'returns';
    case 'fence':
    case 'lock':
    case 'unlock':
      return action.kind;
    case 'start':
    case 'silent':
      return '';
  }
}

/**
 * Returns the number of the first track that is free in the given rows, and records the rows as
 * used; `taken` has the last used row of each track.
 */
function freeTrack(taken: number[], { from, to }: Stretch): number {
  const found = taken.findIndex((last) => last < from);
  const track = found < 0 ? taken.length : found;
  taken[track] = to;
  return track;
}

/**
 * Returns the drawing of a run: the positions of all tasks, steps and stores; the steps of `marked`
 * are highlighted.
 */
export function eventLanes(
  program: EventProgram,
  run: EventRun,
  marked: ReadonlySet<number>,
): EventLanes {
  const { actions, tasks } = run;
  const names = taskNames(program, run);
  const threads = [...new Set([0, ...tasks.map(({ thread }) => thread)])].sort((a, b) => a - b);
  const laneOf = (task: TaskId): number => threads.indexOf(at(tasks, task).thread);
  const rowOf: number[] = [];
  let rows = 0;
  for (const action of actions) {
    rowOf.push(rows);
    if (isToldOfEvents(action)) rows++;
  }
  const last = Math.max(0, rows - 1);
  const stretch = (from: number, to: number): Stretch => ({
    from: Math.min(last, at(rowOf, from)),
    to: to < 0 ? last : Math.min(last, at(rowOf, to)),
    isOpen: to < 0,
  });
  const place = (kind: 'begin' | 'return', task: TaskId): number =>
    actions.findIndex((action) => action.kind === kind && action.task === task);
  const waitTracks = threads.map((): number[] => []);
  const laneTasks = tasks.map((_, task): LaneTask => {
    const made = actions.findIndex(
      (action) =>
        (action.kind === 'start' && action.task === task) ||
        (action.kind === 'post' && action.posted === task),
    );
    const begins = place('begin', task);
    const waits = stretch(Math.max(0, made), begins);
    const lane = laneOf(task);
    return {
      ...{ task, name: at(names, task), event: at(tasks, task).event, lane, waits },
      ...(begins >= 0 && { runs: stretch(begins, place('return', task)) }),
      waitTrack: freeTrack(at(waitTracks, lane), waits),
    };
  });
  const numbers = eventStepNumbers(run);
  const storeTracks = threads.map((): number[] => []);
  const stores = actions.flatMap((action, step): LaneStore[] => {
    if (action.kind !== 'issue') return [];
    const lane = laneOf(action.task);
    const { thread } = at(tasks, action.task);
    const isSame = (other: EventAction, kind: 'issue' | 'store'): boolean =>
      other.kind === kind && at(tasks, other.task).thread === thread;
    // Buffers are queues: the n-th store of a thread completes its n-th issue.
    const earlier = actions.slice(0, step).filter((other) => isSame(other, 'issue')).length;
    const commits = actions.flatMap((other, i) => (isSame(other, 'store') ? [i] : []));
    const waits = stretch(step, commits[earlier] ?? -1);
    const text = stepText(program, names, action);
    return [{ ...waits, lane, track: freeTrack(at(storeTracks, lane), waits), text }];
  });
  return {
    lanes: threads.map((thread, lane) => ({
      name: eventThreadName(thread),
      storeTracks: at(storeTracks, lane).length,
      waitTracks: at(waitTracks, lane).length,
    })),
    rows,
    steps: actions.flatMap((action, step): LaneStep[] =>
      isToldOfEvents(action)
        ? [
            {
              ...{ step: at(numbers, step) - 1, row: at(rowOf, step), lane: laneOf(action.task) },
              text: stepText(program, names, action),
              isMarked: marked.has(step),
            },
          ]
        : [],
    ),
    tasks: laneTasks,
    stores,
  };
}
