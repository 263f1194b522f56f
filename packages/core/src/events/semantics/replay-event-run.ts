import { at } from '../../base/at.js';
import { isSame } from '../../program/expression.js';
import type { EventProgram } from '../../program/event-program.js';
import type { EventAction, EventRun } from '../../trace/event-run.js';
import {
  configurationKey,
  initialConfiguration,
  type EventConfiguration,
} from './configuration.js';
import { compileEventProgram } from './event-code.js';
import {
  eventSuccessors,
  type EventMachine,
  type EventMachineOptions,
  type EventSemantics,
  type EventStep,
} from './machine.js';

/**
 * The machine can do the run, and where it may be then (several configurations where choices are
 * not told); or it cannot, and the first action that it cannot do.
 */
export type EventReplay =
  | { readonly kind: 'possible'; readonly ends: readonly EventConfiguration[] }
  | { readonly kind: 'impossible'; readonly action: number };

/** Whether the step does this action; a choice that the run does not tell may be any. */
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

/** The configurations without those that go on like another. */
function distinct(configurations: readonly EventConfiguration[]): readonly EventConfiguration[] {
  if (configurations.length < 2) return configurations;
  // The same actions made the same tasks, so threads are the same ones where keys agree in order.
  const known = new Map<string, EventConfiguration>();
  for (const configuration of configurations) {
    const threads = configuration.threads.map((thread) => {
      const alone = { ...configuration, threads: [thread] };
      return `${thread.thread}:${configurationKey(alone, true, () => false)}`;
    });
    known.set(threads.join('&'), configuration);
  }
  return [...known.values()];
}

/**
 * Performs a run action by action on the machine: each has to be possible where it stands, with its
 * very task, place, address and value, and `run.tasks` has to be what the run makes, in that order.
 */
export function replayEventRun(
  program: EventProgram,
  run: EventRun,
  semantics: EventSemantics,
  options: EventMachineOptions = {},
): EventReplay {
  const machine: EventMachine = { code: compileEventProgram(program), semantics, options };
  let ends: readonly EventConfiguration[] = [initialConfiguration(program)];
  for (const [place, action] of run.actions.entries()) {
    ends = distinct(
      ends.flatMap((configuration) =>
        eventSuccessors(machine, configuration)
          .steps.filter((step) => does(action, step, run))
          .map((step) => step.configuration),
      ),
    );
    if (ends.length === 0) return { kind: 'impossible', action: place };
  }
  const made = at(ends, 0).made.tasks;
  return made === run.tasks.length
    ? { kind: 'possible', ends }
    : { kind: 'impossible', action: run.actions.length };
}
