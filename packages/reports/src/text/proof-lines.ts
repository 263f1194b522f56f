import {
  formatCell,
  formatExpression,
  formatInstruction,
} from '@fencewright/model/program/format.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { InstructionName, NamedValue } from '@fencewright/model/verdict/prove-result.js';
import { placeInWords } from '../words/action-words.js';

/** Returns the line about the state before steps that do not commute; empty without a state. */
export function stateLines(state: readonly NamedValue[]): readonly string[] {
  if (state.length === 0) return [];
  const list = state.map(({ name, value }) =>
    /^(at|before) /.test(value) ? `${name} ${value}` : `${name} = ${value}`,
  );
  return [`    from ${list.join(', ')}`];
}

/** The maximal number of steps back to the instruction that writes a hidden register. */
const mostStepsBack = 50;

/**
 * Returns the registers of a thread at a transition, under names for users: a hidden register is
 * named by the expression that the straight code before the transition writes to it, or by `...`.
 */
function namedRegisters(
  program: Program,
  thread: Thread,
  transition: Thread['transitions'][number],
): Pick<Thread, 'registers'> {
  const { registers, transitions } = thread;
  const before: Thread['transitions'][number][] = [];
  for (let here = transition.from; before.length < mostStepsBack;) {
    const into = transitions.filter(({ to }) => to === here);
    if (into.length !== 1) break;
    before.unshift(into[0]!);
    here = into[0]!.from;
  }
  const names = registers.map(({ name, hidden }) => ({
    name: hidden ? '...' : name,
    hidden: false,
  }));
  for (const { instruction } of before) {
    if (!('into' in instruction) || !registers[instruction.into ?? -1]?.hidden) continue;
    const table = { registers: names.slice() };
    const name =
      instruction.kind === 'load'
        ? formatCell(program, table, instruction.address)
        : instruction.kind === 'assign'
          ? formatExpression(program, table, instruction.value)
          : '...';
    names[instruction.into] = { name, hidden: false };
  }
  return { registers: names };
}

/**
 * Returns an instruction in the user's words, without hidden registers: `thief's load of items[h]
 * at line 57`.
 */
export function instructionText(open: Templates, name: InstructionName): string {
  const { templates } = open;
  const thread = templates.threads[name.thread];
  const transition = thread?.transitions[name.transition];
  if (!thread || !transition) return '';
  const { instruction } = transition;
  const line = placeInWords(templates, name.thread, name.transition);
  const at = line === undefined ? '' : ` at ${line}`;
  const isHidden =
    'into' in instruction && thread.registers[instruction.into ?? -1]?.hidden === true;
  const named = namedRegisters(templates, thread, transition);
  const text =
    instruction.kind === 'load' && isHidden
      ? `load of ${formatCell(templates, named, instruction.address)}`
      : formatInstruction(templates, named, instruction);
  return `${thread.name}'s ${text}${at}`;
}
