import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type {
  EventRelation,
  EventViolation,
  RunEdge,
} from '@fencewright/model/trace/event-violation.js';
import { accessNoun, handlerOf, taskNames } from './event-words.js';

/** An edge of a violation, with a sentence about the edge. */
interface EdgeSentence extends RunEdge {
  readonly sentence: string;
  readonly relation: EventRelation | 'conflict';
}

const because: Readonly<Record<EventRelation, string>> = {
  po: 'in the order of its thread',
  src: 'which reads what it stored',
  st: 'which overwrites it',
  cf: 'which overwrites what it read',
  post: 'as no task begins before it is posted',
  cause: 'which waited for it',
  lock: 'which is in the same block',
};

/** Returns the edges of a violation as sentences, in the order of the violation. */
export function violationSentences(
  program: EventProgram,
  run: EventRun,
  violation: EventViolation,
): readonly EdgeSentence[] {
  const names = taskNames(program, run);
  const noun = (step: number): string => accessNoun(program, names, at(run.actions, step));
  const eventName = (step: number): string => {
    const { event } = at(run.tasks, at(run.actions, step).task);
    return at(names, handlerOf(run, event));
  };
  switch (violation.kind) {
    case 'dfs-order': {
      const { from, to } = violation;
      const sentence = `${noun(from)} comes before ${noun(to)}, both of event ${eventName(from)}`;
      return [{ from, to, relation: 'conflict', sentence }];
    }
    case 'event-cycle':
      return violation.edges.map(({ from, to, relation }) => ({
        ...{ from, to, relation },
        sentence: `${noun(from)} comes before ${noun(to)}: event ${eventName(from)} before event ${eventName(to)}`,
      }));
    case 'happens-before':
      return violation.edges.map(({ from, to, relation }) => ({
        ...{ from, to, relation },
        sentence: `${noun(from)} comes before ${noun(to)}, ${because[relation]}`,
      }));
    default:
      return unreachable(violation);
  }
}

/** Returns the reason why no serial order explains the run, to follow the sentences on the run. */
export function whyNotSerial(
  program: EventProgram,
  run: EventRun,
  violation: EventViolation,
): string {
  switch (violation.kind) {
    case 'dfs-order': {
      const names = taskNames(program, run);
      const task = (step: number): string => at(names, at(run.actions, step).task);
      return `On a single thread ${task(violation.to)} would be done before ${task(violation.from)} begins.`;
    }
    case 'event-cycle':
      return 'Around the cycle, each event would have to end before it begins: no serial order of the events does this.';
    case 'happens-before':
      return 'Around the cycle, each access would come before itself: no sequentially consistent run does this.';
    default:
      return unreachable(violation);
  }
}
