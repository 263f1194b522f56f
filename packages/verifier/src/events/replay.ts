import { anyIndex, int32, list, type Read, record, tagged } from '../shape.js';
import { type EventState, type EventMachine, type TaskStep, type Task, topOf } from './machine.js';
import type { EventInstruction } from './program.js';

const ofTask = record({ task: anyIndex });
const ofTransition = record({ task: anyIndex, transition: anyIndex }, { choice: int32 });

const transitionKinds = [
  'issue',
  'store',
  'load',
  'rmw',
  'fence',
  'lock',
  'unlock',
  'silent',
  'post',
] as const;

/**
 * An action of a run in a certificate. `start` makes a task of an entry of `instances`, `post`
 * makes a task of a procedure; tasks are numbered from 0 in the order of creation. `store` is the
 * moment at which the oldest store of the task's thread reaches memory; under SC, at which the
 * store is executed. The return from a call has the transition of the call.
 */
export type EventAction =
  | { readonly kind: 'start'; readonly instances: number }
  | { readonly kind: 'begin'; readonly task: number }
  | { readonly kind: 'return'; readonly task: number }
  | ({ readonly kind: (typeof transitionKinds)[number] } & Read<typeof ofTransition>);

export const readRun = list(
  tagged<EventAction>({
    start: record({ instances: anyIndex }),
    begin: ofTask,
    return: ofTask,
    ...(Object.fromEntries(transitionKinds.map((kind) => [kind, ofTransition])) as Record<
      (typeof transitionKinds)[number],
      never
    >),
  }),
);

/** A moment of a replay: the configuration before a step of the run, and the step. */
export interface EventMoment {
  readonly before: EventState;
  readonly step: TaskStep;
}

/**
 * Returns the kind of the action by which a run executes an instruction; with `sc`, of a run under
 * SC.
 */
function kindOf({ kind }: EventInstruction, sc: boolean): EventAction['kind'] {
  switch (kind) {
    case 'store':
      return sc ? 'store' : 'issue';
    case 'load':
    case 'rmw':
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'post':
      return kind;
    default:
      return 'silent';
  }
}

/**
 * Returns the machine's step for an action of a run; `undefined` if the machine cannot do the
 * action.
 */
function stepOf(
  machine: EventMachine,
  configuration: EventState,
  tasks: readonly Task[],
  action: EventAction,
): TaskStep | undefined {
  if (action.kind === 'start')
    return action.instances < machine.automata.instances.length
      ? machine.start(configuration, action.instances)
      : undefined;
  const task = tasks[action.task];
  if (!task) return undefined;
  if (action.kind === 'begin')
    return configuration.waiting.includes(task) ? machine.begin(configuration, task) : undefined;
  if (action.kind === 'store' && !machine.rules.sc) {
    const [oldest] = configuration.buffers.get(task.thread) ?? [];
    return oldest?.task === task && oldest.transition === action.transition
      ? machine.commit(configuration, task.thread)
      : undefined;
  }
  const running = configuration.running.get(task.thread);
  if (running?.task !== task) return undefined;
  const { steps } = machine.steps(configuration, task.thread);
  if (action.kind === 'return') return steps.find(({ effect }) => effect.kind === 'return');
  const { transition, choice, kind } = action;
  const isBack = machine.leaving(running).length === 0;
  const instruction =
    machine.automata.bodies[topOf(running).body]!.transitions[transition]?.instruction;
  if (!isBack && (!instruction || kindOf(instruction, machine.rules.sc) !== kind)) return undefined;
  if (isBack && kind !== 'silent') return undefined;
  return steps.find((step) => step.transition === transition && step.choice === choice);
}

/**
 * Returns the steps of a run, each with the configuration before; or the index of the first action
 * that the machine cannot do.
 */
export function replayEvents(
  machine: EventMachine,
  run: readonly EventAction[],
): { readonly moments: readonly EventMoment[]; readonly end: EventState } | number {
  const moments: EventMoment[] = [];
  const tasks: Task[] = [];
  let configuration = machine.initial;
  for (const [at, action] of run.entries()) {
    const step = stepOf(machine, configuration, tasks, action);
    if (!step) return at;
    moments.push({ before: configuration, step });
    if (step.effect.kind === 'start') tasks.push(step.task);
    if (step.effect.kind === 'post') tasks.push(step.effect.posted);
    configuration = step.after;
  }
  return { moments, end: configuration };
}
