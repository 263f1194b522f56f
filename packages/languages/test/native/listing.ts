import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/core/native';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';

/** The program of a text without errors. */
export function parseGood(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics, undefined, 1));
  return program;
}

/** The transitions of a thread, as `from: instruction -> to`. */
export function listing(program: Program, id = 0): readonly string[] {
  const thread = program.threads[id]!;
  const name = (location: number) => thread.locations[location]!.name;
  return thread.transitions.map(
    ({ from, to, instruction }) =>
      `${name(from)}: ${formatInstruction(program, thread, instruction)} -> ${name(to)}`,
  );
}

/**
 * Returns the listing of one structured thread. Its body starts in line 4, with one statement a
 * line.
 */
export function listBody(...lines: readonly string[]): readonly string[] {
  return listing(parseBody(...lines));
}

/** Returns the program with one structured thread, whose body starts in line 4. */
export function parseBody(...lines: readonly string[]): Program {
  return parseGood(['program P', 'var x, y, z, a[2], p', 'thread t {', ...lines, '}'].join('\n'));
}

/** The errors of a text: code, one-based place, message and hint. */
export function errorsOf(text: string): readonly string[] {
  const { model, diagnostics } = parseNative(text);
  if ((model === undefined) !== diagnostics.some(({ severity }) => severity === 'error'))
    throw new Error('a program comes exactly without errors');
  return diagnostics.map(({ code, span, message, hint }) => {
    const place = span ? `${span.start.line + 1}:${span.start.column + 1} ` : '';
    return `${code} ${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}

/** Returns the errors of a structured thread whose body is line 4. */
export function errorsOfBody(body: string): readonly string[] {
  return errorsOf(`program P\nvar x, y, a[2]\nthread t { local r;\n${body}\n}`);
}
