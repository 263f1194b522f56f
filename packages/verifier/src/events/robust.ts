import { localKinds } from '../automata.js';
import type { Budget } from '../budget.js';
import { explore } from '../explore.js';
import {
  type EventState,
  configurationKey,
  EventMachine,
  main,
  type BodyPlace,
  type TaskStep,
  topOf,
} from './machine.js';
import type { EventAutomata } from './program.js';
import { type Criterion, type Watch, watchFor } from './watch.js';

interface EventQuestion {
  readonly criterion: Criterion;
  readonly postingFenced: boolean;
  /** The fences that are added to the fences of the program. */
  readonly fences: readonly BodyPlace[];
}

type EventRobustness =
  /** The program is robust; `faults`: some execution ends in a fault. */
  | { readonly kind: 'robust'; readonly faults: boolean }
  | { readonly kind: 'not-robust' }
  | { readonly kind: 'unknown'; readonly reason: string };

interface WatchedConfiguration {
  readonly configuration: EventState;
  readonly watch: Watch;
}

/**
 * The bound of the searched configurations: the maximum number of tasks, of pending procedure calls
 * in a task, and of stores in a buffer.
 */
const mostAtOnce = 48;

/**
 * Whether a configuration is too large for a search, which might find larger and larger
 * configurations without end.
 */
function isLarge({ running, waiting, buffers }: EventState): boolean {
  return (
    running.size + waiting.length > mostAtOnce ||
    [...running.values()].some(({ frames }) => frames.length > mostAtOnce) ||
    [...buffers.values()].some((buffer) => buffer.length > mostAtOnce)
  );
}

/** The kinds of instructions that no other thread can notice, whenever they are executed. */
const quiet: ReadonlySet<string> = new Set([...localKinds, 'call', 'post']);

/**
 * Whether no other thread can notice when a thread makes its next steps, and no series of such
 * steps returns to its start: locations ascend, a call returns to a later location, and each task
 * is made, begins and returns once.
 */
function isQuiet(machine: EventMachine, configuration: EventState, thread: string): boolean {
  const running = configuration.running.get(thread)!;
  const { location } = topOf(running);
  const isDrained = machine.isDrained(configuration, thread);
  const { sc, postingFenced } = machine.rules;
  return machine.leaving(running).every(({ to, instruction: { kind } }) => {
    if (to <= location) return false;
    if (kind === 'fence' || (kind === 'post' && postingFenced)) return isDrained;
    return quiet.has(kind) || (kind === 'store' && !sc);
  });
}

/**
 * Returns the steps by which a run can go on. If the steps of one thread suffice to find a
 * violation, only these steps are returned.
 */
function stepsFrom(
  machine: EventMachine,
  configuration: EventState,
  fault: () => void,
): readonly TaskStep[] {
  const { running, waiting, buffers } = configuration;
  const all: TaskStep[] = [];
  for (const task of waiting) {
    const begun = task.thread === main ? undefined : machine.begin(configuration, task);
    if (begun) return [begun];
  }
  for (const thread of running.keys()) {
    const { steps, faults } = machine.steps(configuration, thread);
    if (faults) fault();
    if (steps.length > 0 && isQuiet(machine, configuration, thread)) return steps;
    all.push(...steps);
  }
  for (const thread of buffers.keys()) {
    const committed = machine.commit(configuration, thread);
    if (committed) all.push(committed);
  }
  if (running.has(main)) return all;
  for (const task of waiting) {
    const begun = task.thread === main ? machine.begin(configuration, task) : undefined;
    if (begun) all.push(begun);
  }
  // An instance may start at any moment before its task begins, without any difference.
  machine.automata.instances.forEach((_, entry) => {
    const started = machine.start(configuration, entry);
    if (started) all.push(started);
  });
  return all;
}

/**
 * Decides whether every run of a program with added fences satisfies a criterion, by visiting all
 * configurations, each with a summary of the runs leading there. The result is exact, loops
 * included, if the numbers of instances are fixed and the budget suffices.
 */
export function decideEventRobustness(
  automata: EventAutomata,
  { criterion, postingFenced, fences }: EventQuestion,
  budget: Budget,
): EventRobustness {
  const machine = new EventMachine(automata, {
    sc: criterion === 'concurrency',
    postingFenced,
    fences,
  });
  let faults = false;
  let isTooLarge = false;
  const found = explore<WatchedConfiguration>(
    [{ configuration: machine.initial, watch: watchFor(criterion) }],
    ({ configuration, watch }) => `${configurationKey(configuration)} ${watch.key}`,
    ({ configuration, watch }) => {
      isTooLarge = isLarge(configuration);
      if (isTooLarge) return 'goal';
      const next: WatchedConfiguration[] = [];
      for (let step of stepsFrom(machine, configuration, () => (faults = true))) {
        if (step.effect.kind === 'start') step = machine.begin(step.after, step.task)!;
        const seen = watch.after(step);
        if (seen === 'violation') return 'goal';
        next.push({ configuration: step.after, watch: seen });
      }
      return next;
    },
    budget,
  );
  if (isTooLarge)
    return {
      kind: 'unknown',
      reason: `more than ${mostAtOnce} tasks, calls or stores wait at once`,
    };
  if (found === 'goal') return { kind: 'not-robust' };
  if (typeof found === 'object') return { kind: 'unknown', reason: found.exhausted };
  return { kind: 'robust', faults };
}

/**
 * Returns the program in which each event with any number of instances has `most` instances
 * instead.
 */
export function bounded(automata: EventAutomata, most: number): EventAutomata {
  return {
    ...automata,
    instances: automata.instances.map((one) =>
      one.count === 'any' ? { ...one, count: most } : one,
    ),
  };
}
