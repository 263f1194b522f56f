import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/**
 * Returns the program of a native text without the `program` line. Throws if the text has errors.
 */
export function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(`program Test\n${text}`);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics, null, 2));
  return program;
}

/** Returns the text of an instruction as users see it, such as `x = 1`. */
export function instructionName(program: Program, thread: number, id: TransitionId): string {
  const own = program.threads[thread];
  const instruction = own?.transitions[id]?.instruction;
  return own && instruction ? formatInstruction(program, own, instruction) : '?';
}

/** Returns the name of an attack: `thread: first delayed store | last load`. */
export function attackName(program: Program, { thread, store, load }: Attack): string {
  const name = (id: TransitionId): string => instructionName(program, thread, id);
  return `${program.threads[thread]?.name}: ${name(store)} | ${name(load)}`;
}
