import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { isSame } from '../program/expression.js';
import type { EventProgram } from '../program/event-program.js';
import type { EventAction, EventRun } from '../trace/event-run.js';
import { initialConfiguration, type EventConfiguration } from './configuration.js';
import { ConfigurationKeys } from './configuration-keys.js';
import { compileEventProgram } from './event-code.js';
import {
  actingThreads,
  commitStep,
  eventSuccessors,
  type EventMachine,
  type EventMachineOptions,
  type EventSemantics,
  type EventStep,
} from './machine.js';

/**
 * The result of replaying a run of an event program. `possible`: the machine can do the run, and
 * ends in one of `ends` (several if the run leaves choices open). `impossible`: `action` is the
 * first action that the machine cannot do.
 */
export type EventReplay =
  | { readonly kind: 'possible'; readonly ends: readonly EventConfiguration[] }
  | { readonly kind: 'impossible'; readonly action: number };

/**
 * Whether the step performs the given action of a run; if the run leaves the choice of a `havoc`
 * open, any choice matches.
 */
function does(action: EventAction, step: EventStep, run: EventRun): boolean {
  const done = at(step.actions, 0);
  if (done.kind === 'silent' && action.kind === 'silent' && action.choice === undefined) {
    const { choice: _any, ...rest } = done;
    return isSame(rest, action);
  }
  if (!isSame(done, action)) return false;
  const made = done.kind === 'start' ? done.task : done.kind === 'post' ? done.posted : undefined;
  return made === undefined || isSame(run.tasks[made], step.made[0]);
}

/** Returns one configuration (state) of each group of configurations with equal continuations. */
function distinct(
  keys: ConfigurationKeys,
  configurations: readonly EventConfiguration[],
): readonly EventConfiguration[] {
  if (configurations.length < 2) return configurations;
  // Equal actions lead to equal memory and tasks: configurations differ only in registers.
  const known = new Map<string, EventConfiguration>();
  for (const configuration of configurations) {
    const threads = configuration.threads.map((thread) => keys.ofThread(thread));
    known.set(threads.join('&'), configuration);
  }
  return [...known.values()];
}

/**
 * Performs a run action by action on the machine, and yields the possible configurations (states)
 * before each action and at the end. If an action is impossible with its exact task, site, address
 * and value, the last yield is empty. `onStep` receives every step that matches the next action.
 */
export function* walkEventRun(
  program: EventProgram,
  run: EventRun,
  semantics: EventSemantics,
  options: EventMachineOptions = {},
  onStep?: (step: EventStep, before: EventConfiguration) => void,
): Generator<readonly EventConfiguration[]> {
  const machine: EventMachine = { code: compileEventProgram(program), semantics, options };
  const keys = new ConfigurationKeys(program, { isOrdered: true, countsInstances: () => true });
  let ends: readonly EventConfiguration[] = [initialConfiguration(program)];
  yield ends;
  for (const action of run.actions) {
    ends = distinct(
      keys,
      ends.flatMap((configuration) =>
        eventSuccessors(machine, configuration)
          .steps.filter((step) => does(action, step, run))
          .map((step) => {
            onStep?.(step, configuration);
            return step.configuration;
          }),
      ),
    );
    yield ends;
    if (ends.length === 0) return;
  }
}

/**
 * Replays a run on the machine: each action must be possible at its position, and `run.tasks` must
 * equal the tasks created by the run, in order.
 */
export function replayEventRun(
  program: EventProgram,
  run: EventRun,
  semantics: EventSemantics,
  options: EventMachineOptions = {},
): EventReplay {
  let ends: readonly EventConfiguration[] = [];
  let done = -1;
  for (ends of walkEventRun(program, run, semantics, options)) {
    if (ends.length === 0) return { kind: 'impossible', action: done };
    done++;
  }
  const made = at(ends, 0).made.tasks;
  return made === run.tasks.length
    ? { kind: 'possible', ends }
    : { kind: 'impossible', action: run.actions.length };
}

/**
 * Returns a run of the machine with every choice of a `havoc` filled in, and with all stores
 * committed that are still buffered at the end. Throws `InternalError` if the run is impossible.
 */
export function completedRun(
  program: EventProgram,
  run: EventRun,
  semantics: EventSemantics,
  options: EventMachineOptions = {},
): EventRun {
  const past = new Map<EventConfiguration, readonly [EventAction, EventConfiguration]>();
  let ends: readonly EventConfiguration[] = [];
  for (ends of walkEventRun(program, run, semantics, options, (step, before) =>
    past.set(step.configuration, [at(step.actions, 0), before]),
  ));
  const [end] = ends;
  if (!end) throw new InternalError('a run is none of the program');
  const actions: EventAction[] = [];
  for (let step = past.get(end); step; step = past.get(step[1])) actions.push(step[0]);
  actions.reverse();
  let configuration = end;
  for (;;) {
    const [commit] = actingThreads(configuration).flatMap(
      (thread) => commitStep(configuration, thread) ?? [],
    );
    if (!commit) return { ...run, actions };
    actions.push(...commit.actions);
    configuration = commit.configuration;
  }
}
