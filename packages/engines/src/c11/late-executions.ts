import { at } from '@fencewright/ground/base/at.js';
import { isConsistentButForThinAir } from '@fencewright/model/c11/consistency.js';
import type {
  C11Model,
  ExecutionGraph,
  GraphEvent,
} from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { C11Code, C11Step, ThreadPoint } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import { cellOfStep, extensionsOf, withEventAt } from './graph-extensions.js';
import type { StartedGraph } from './graph-search.js';
import { settleThread } from './settle.js';
import { effectsOf } from './step-effects.js';
import { type Draft, initialDraft } from './violation-graph.js';

/** The maximum number of skipped events added to one graph. */
const mostSkipped = 6;

/** The maximum number of executions made from one graph. */
const mostExecutions = 200;

/**
 * An execution under construction. The steps of some threads have already been followed, from the
 * thread's start to the end of its events.
 */
interface Followed extends Draft {
  /**
   * The places (location and registers) of the threads whose steps have been followed, after their
   * events.
   */
  readonly places: readonly (ThreadPoint | undefined)[];
  readonly failed: StartedGraph['failed'];
}

/**
 * An execution under construction, with a thread whose steps are being followed along the thread's
 * events in a graph.
 */
interface Following extends Followed {
  readonly place: ThreadPoint | undefined;
  /** The number of the thread's events whose steps have been followed. */
  readonly passed: number;
  /** The number of events that were added to the graph for skipped steps. */
  readonly skipped: number;
}

/** Returns the graph with the initial stores of all cells, in the order of the cells. */
function withAllCells(cells: C11Cells, { events, modification }: ExecutionGraph): Draft {
  const { events: initial } = initialDraft(cells);
  const renamed = new Map<number, number>();
  let next = initial.length;
  for (const [index, { thread, address }] of events.entries())
    renamed.set(index, thread === undefined ? cells.indexOf.get(address!)! : next++);
  const moved = ({ from, ...others }: GraphEvent): GraphEvent =>
    from === undefined ? others : { ...others, from: renamed.get(from)! };
  const orders = modification.map((stores) => stores.map((store) => renamed.get(store)!));
  return {
    events: [...initial, ...events.filter(({ thread }) => thread !== undefined).map(moved)],
    modification: initial.map((_, cell) => orders.find(([first]) => first === cell) ?? [cell]),
  };
}

/**
 * Returns executions of hardware with the load buffering that the search for a postponed load has
 * found, as starts for the search for graphs: each execution has the places (location and
 * registers) of all threads. The thread of the postponed load may have skipped further steps after
 * the load, for which the graph has no events. These events are added; each may read from any store
 * to its cell. Hardware executes the added events after all events of the graph. The list of
 * executions may be incomplete. Throws the exceptions of steps.
 */
export function executionsFrom(
  code: C11Code,
  cells: C11Cells,
  model: C11Model,
  { graph, event }: { readonly graph: ExecutionGraph; readonly event: number },
): readonly StartedGraph[] {
  const late = graph.events[event]!.thread!;
  const ownBefore = graph.events.filter(
    ({ thread }, index) => thread === late && index <= event,
  ).length;
  let all: readonly Followed[] = [{ ...withAllCells(cells, graph), places: [], failed: [] }];
  for (const [thread, { initial, registers }] of code.program.threads.entries()) {
    const zeros = registers.map(() => 0);
    const skipsFrom = thread === late ? ownBefore : Number.POSITIVE_INFINITY;
    all = all.flatMap((before) => {
      const start = { ...before, passed: 0, skipped: 0 };
      return follow(
        { code, cells, model, thread, skipsFrom },
        settled(code, thread, start, { registers: zeros, targets: [initial] }),
      );
    });
  }
  return all;
}

/**
 * Returns, for each place (location and registers) before the thread's next steps, the execution
 * with the thread at this place. If the thread is stuck, returns the execution without a place of
 * the thread.
 */
function settled(
  code: C11Code,
  thread: ThreadId,
  following: Omit<Following, 'place'>,
  { registers, targets }: Pick<ReturnType<typeof effectsOf>[number], 'registers' | 'targets'>,
): readonly Following[] {
  return targets.flatMap((target): readonly Following[] => {
    const { states, failed } = settleThread(code, thread, target, registers);
    const all = failed.map((assertion) => ({ thread, assertion }));
    const next = { ...following, failed: [...following.failed, ...all] };
    return (states.length > 0 ? states : [undefined]).map((place) => ({ ...next, place }));
  });
}

/**
 * Follows the steps of a thread along the thread's events in the graph. From the thread's event
 * number `skipsFrom` on, adds events for steps that the graph lacks. Returns the executions in
 * which all events of the thread have been reached.
 */
function follow(
  {
    code,
    cells,
    model,
    thread,
    skipsFrom,
  }: {
    readonly code: C11Code;
    readonly cells: C11Cells;
    readonly model: C11Model;
    readonly thread: ThreadId;
    readonly skipsFrom: number;
  },
  starts: readonly Following[],
): readonly Followed[] {
  const ended: Followed[] = [];
  const work = [...starts];
  const passing = (
    { place, passed, ...others }: Following,
    step: C11Step,
    event: GraphEvent,
  ): readonly Following[] => {
    const { registers } = place!;
    const next = { ...others, passed: passed + 1 };
    const { transition } = step.code;
    if (step.code.id !== event.transition) return [];
    if (step.kind === 'fence')
      return settled(code, thread, next, { registers, targets: [transition.to] });
    if (at(cells.addresses, cellOfStep(cells, step, place!)) !== event.address) return [];
    return effectsOf(code, step, registers, event.read ?? 0)
      .filter(({ kind, written }) => kind === event.kind && written === event.written)
      .flatMap((effect) => settled(code, thread, next, effect));
  };
  const adding = (following: Following, step: C11Step, index: number): readonly Following[] => {
    const { place, passed, skipped, ...others } = following;
    if (step.kind === 'fence' || passed < skipsFrom || skipped === mostSkipped) return [];
    return extensionsOf(code, cells, following, { thread, step, place: place! }).flatMap(
      ({ effect, ...added }) => {
        const draft = withEventAt(following, index, added);
        if (!isConsistentButForThinAir(draft, model)) return [];
        const next = { ...others, ...draft, passed: passed + 1, skipped: skipped + 1 };
        return settled(code, thread, next, effect);
      },
    );
  };
  while (work.length > 0 && ended.length < mostExecutions) {
    const following = work.pop()!;
    const { events, modification, places, failed, place, passed } = following;
    const own = [...events.keys()].filter((index) => events[index]!.thread === thread);
    const index = own[passed];
    if (index === undefined) {
      ended.push({ events, modification, places: [...places, place], failed });
      continue;
    }
    if (!place) continue;
    for (const step of at(at(code.steps, thread), place.location))
      work.push(...adding(following, step, index), ...passing(following, step, events[index]!));
  }
  return ended;
}
