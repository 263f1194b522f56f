import { formatCell, formatInstruction } from '@fencewright/model/program/format.js';
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

/**
 * Returns an instruction in the user's words, without hidden registers: `thief's load of items[h]
 * at line 57`.
 */
export function instructionText(open: Templates, name: InstructionName): string {
  const { templates } = open;
  const thread = templates.threads[name.thread];
  const instruction = thread?.transitions[name.transition]?.instruction;
  if (!thread || !instruction) return '';
  const line = placeInWords(templates, name.thread, name.transition);
  const at = line === undefined ? '' : ` at ${line}`;
  const isHidden =
    'into' in instruction && thread.registers[instruction.into ?? -1]?.hidden === true;
  const text =
    instruction.kind === 'load' && isHidden
      ? `load of ${formatCell(templates, thread, instruction.address)}`
      : formatInstruction(templates, thread, instruction);
  return `${thread.name}'s ${text}${at}`;
}
