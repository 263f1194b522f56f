import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { findTransition, labelOf, placeCell, threadName } from './action-words.js';
import { withoutEmptyColumns } from './blocks.js';
import type { Column, Run, RunStep, Table, TonedText } from './document.js';
import { eventStepNumbers, isToldOfEvents } from './event-step-numbers.js';
import { eventInstructionText, eventThreadName, siteLine, taskNames } from './event-words.js';
import { foundCondition } from './found-condition.js';
import { instructionTexts } from './instruction-texts.js';
import { accessedValue, cellValueText } from './pointer-values.js';
import { toldSteps } from './told-steps.js';

function valueText(program: Program, action: Action): string {
  if (!('address' in action)) return '';
  const value = accessedValue(program, action);
  if (action.kind !== 'rmw' || action.written === undefined) return value;
  return `${value} -> ${cellValueText(program, action.address, action.written)}`;
}

function actionWord(action: Action): string {
  return action.kind === 'load' && action.early ? 'load (early)' : action.kind;
}

/**
 * Returns the steps of a computation, numbered from 1; the actions of `cycle` are marked. Steps
 * that say nothing to users are left out.
 */
export function threadRun(
  program: Program,
  computation: Computation,
  cycle: readonly CycleEdge[],
): Run {
  const onCycle = new Set(cycle.flatMap((edge) => [edge.from, edge.to]));
  const texts = instructionTexts(program, computation);
  const isFound = ({ kind, thread, transition }: Action): boolean =>
    kind === 'local' &&
    findTransition(program, thread, transition)?.transition.instruction.kind === 'assume';
  return toldSteps(program, computation).map(({ index, threadStep, named }, i) => {
    const action = at(computation, index);
    const { thread, transition } = action;
    return {
      step: String(i + 1),
      thread: threadName(program, thread),
      task: '',
      label: labelOf(program, thread, transition) ?? '',
      line: placeCell(program, thread, transition),
      isMarked: onCycle.has(index),
      ...(named
        ? {
            action: named.verb,
            address: named.target,
            ...{ value: '', instruction: '' },
          }
        : threadStep
          ? {
              action: threadStep.what,
              address: threadStep.on ?? threadStep.thread,
              ...{ value: '', instruction: '' },
            }
          : {
              action: isFound(action) ? 'finds' : actionWord(action),
              address: 'address' in action ? formatAddress(program, action.address) : '',
              value: valueText(program, action),
              instruction: isFound(action) ? foundCondition(at(texts, index)) : at(texts, index),
            }),
    };
  });
}

function eventValueText(action: EventAction): string {
  if ('value' in action) return String(action.value);
  if (action.kind !== 'rmw') return '';
  return action.written === undefined ? String(action.read) : `${action.read} -> ${action.written}`;
}

/**
 * Returns the steps of a run of events, numbered from 1 without gaps, without local steps and
 * starts of events; the actions of `marked` are marked.
 */
export function eventRun(program: EventProgram, run: EventRun, marked: ReadonlySet<number>): Run {
  const names = taskNames(program, run);
  const numbers = eventStepNumbers(run);
  return run.actions.flatMap((action, step): RunStep | [] => {
    if (!isToldOfEvents(action)) return [];
    const site = 'site' in action ? action.site : undefined;
    return {
      step: String(at(numbers, step)),
      thread: eventThreadName(at(run.tasks, action.task).thread),
      task: at(names, action.task),
      action: action.kind === 'load' && action.fromBuffer ? 'load (early)' : action.kind,
      label: '',
      line: String((site && siteLine(program, site)) ?? ''),
      address: 'address' in action ? formatAddress(program, action.address) : '',
      value: eventValueText(action),
      instruction: site ? eventInstructionText(program, site) : '',
      isMarked: marked.has(step),
    };
  });
}

const names = [
  ...['step', 'thread', 'task', 'action', 'label', 'line', 'address', 'value', 'instruction'],
] as readonly Exclude<keyof RunStep, 'isMarked'>[];

const columns = names.map((title): Column => {
  return ['step', 'line', 'value'].includes(title) ? { title, align: 'right' } : { title };
});

/** Returns a run as a table, without columns that are empty in every step. */
export function runTable(run: Run): Table {
  const rows = run.map((step) =>
    names.map((name): TonedText => {
      const isFaint = name === 'step' || name === 'instruction';
      if (isFaint) return { text: step[name], tone: 'faint' };
      return step.isMarked ? { text: step[name], tone: 'strong' } : step[name];
    }),
  );
  return withoutEmptyColumns({ columns, rows });
}
