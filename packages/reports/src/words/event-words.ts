import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress, formatEventInstruction } from '@fencewright/model/program/format.js';
import type {
  EventAction,
  EventRun,
  Site,
  Task,
  TaskId,
} from '@fencewright/model/trace/event-run.js';

/** Returns the text of a task's first call: `search(1)`. */
function invocationText({ bodies }: EventProgram, { body, arguments: given }: Task): string {
  return `${at(bodies, body).name}(${given.join(', ')})`;
}

/**
 * Returns the names of a run's tasks in reports, by `TaskId`: `search(1)`; of several tasks with
 * one name, `search(1) #2` is the second.
 */
export function taskNames(program: EventProgram, { tasks }: EventRun): readonly string[] {
  const texts = tasks.map((task) => invocationText(program, task));
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const number = (seen.get(text) ?? 0) + 1;
    seen.set(text, number);
    const isAlone = texts.indexOf(text) === texts.lastIndexOf(text);
    return isAlone ? text : `${text} #${number}`;
  });
}

/** Returns the first task of an event, which the environment started. */
export function handlerOf({ tasks }: EventRun, event: number): TaskId {
  return tasks.findIndex((task) => task.event === event && task.parent === undefined);
}

/** Returns the name of a thread: `main`, or `t2` for a further thread. */
export function eventThreadName(thread: number): string {
  return thread === 0 ? 'main' : `t${thread}`;
}

/** Returns the line of a place in the text, from 1; `undefined` if the program has no text. */
export function siteLine({ bodies }: EventProgram, { body, transition }: Site): number | undefined {
  const { span } = at(at(bodies, body).transitions, transition).origin;
  return span && span.start.line + 1;
}

/** Returns the line of a place, as `, line 4`; empty if the program has no text. */
function inLine(program: EventProgram, site: Site): string {
  const line = siteLine(program, site);
  return line === undefined ? '' : ` (line ${line})`;
}

/** Returns an instruction in C's notation: `x = r + 1`, `async[any] p(1)`. */
export function eventInstructionText(program: EventProgram, { body, transition }: Site): string {
  const owner = at(program.bodies, body);
  return formatEventInstruction(program, owner, at(owner.transitions, transition).instruction);
}

/** Returns an action without its task, in words: `issues x = 1`, `loads y from memory: 0`. */
export function eventActionSentence(
  program: EventProgram,
  names: readonly string[],
  action: EventAction,
): string {
  const cell = (address: number): string => formatAddress(program, address);
  switch (action.kind) {
    case 'start':
      return 'is put into the queue of the main thread by the environment';
    case 'begin':
      return 'begins';
    case 'return':
      return 'returns';
    case 'load':
      return `loads ${cell(action.address)} from ${action.fromBuffer ? "its thread's buffer" : 'memory'}: ${action.value}`;
    case 'issue':
      return `issues ${cell(action.address)} = ${action.value}`;
    case 'store':
      return `stores ${cell(action.address)} = ${action.value} to memory`;
    case 'rmw':
      return action.written === undefined
        ? `fails its atomic update of ${cell(action.address)}: reads ${action.read}`
        : `updates ${cell(action.address)} at once: ${action.read} becomes ${action.written}`;
    case 'fence':
      return 'passes a fence';
    case 'lock':
      return 'takes the bus lock';
    case 'unlock':
      return 'releases the bus lock';
    case 'silent':
      return `goes on: ${eventInstructionText(program, action.site)}`;
    case 'post':
      return `posts ${at(names, action.posted)}`;
    default:
      return unreachable(action);
  }
}

/**
 * Returns `passing of 'shown'` for the passing of a milestone (a label for which events wait),
 * `step` for another silent step.
 */
function passedLabel({ bodies, milestones = [] }: EventProgram, site: Site): string {
  const { instruction } = at(at(bodies, site.body).transitions, site.transition);
  return instruction.kind === 'pass'
    ? `passing of '${at(milestones, instruction.milestone).label}'`
    : 'step';
}

/** Returns an access as a noun, with its task: `p(1)'s load of x (line 4)`. */
export function accessNoun(
  program: EventProgram,
  names: readonly string[],
  action: EventAction,
): string {
  const owner = `${at(names, action.task)}'s`;
  switch (action.kind) {
    case 'load':
    case 'store':
    case 'issue': {
      const noun = action.kind === 'load' ? 'load' : 'store';
      return `${owner} ${noun} of ${formatAddress(program, action.address)}${inLine(program, action.site)}`;
    }
    case 'rmw':
      return `${owner} atomic update of ${formatAddress(program, action.address)}${inLine(program, action.site)}`;
    case 'post':
      return `${owner} posting of ${at(names, action.posted)}${inLine(program, action.site)}`;
    case 'begin':
      return `the begin of ${at(names, action.task)}`;
    case 'fence':
    case 'lock':
    case 'unlock':
      return `${owner} ${action.kind}${inLine(program, action.site)}`;
    case 'silent':
      return `${owner} ${passedLabel(program, action.site)}${inLine(program, action.site)}`;
    case 'start':
    case 'return':
      return `the ${action.kind} of ${at(names, action.task)}`;
    default:
      return unreachable(action);
  }
}
