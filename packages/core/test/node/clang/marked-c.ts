import { editC } from '@fencewright/languages/c/c-editor.js';
import { insertFencesInC } from '@fencewright/languages/c/insert-fences.js';
import {
  markPlaces,
  type MarkedText,
  unmarkedPlaces,
} from '@fencewright/languages/c/mark-places.js';
import { parseLlvmIr, type LlvmIrOptions } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../src/node/compile-c.js';
import type { Clang } from '../../../src/node/find-clang.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { applyEdits } from '@fencewright/ground/source/text-edit.js';
import { shipped } from './clangs.js';

/** Returns the model of a C text. Throws if the text is refused. */
export async function readC(
  clang: Clang,
  file: string,
  text: string,
  options: LlvmIrOptions = {},
): Promise<Program> {
  const compiled = await compileC(clang, [{ file, text }], { folder: '/', shipped });
  if (compiled.kind !== 'compiled') throw new Error(`${JSON.stringify(compiled)}\n${text}`);
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: file, ...options });
  const program = finiteProgram(model);
  if (!program) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
  return program;
}

/**
 * Returns the program of a text with a no-op at each place where a fence may be inserted, and the
 * editor of the text.
 */
export async function readMarked(
  clang: Clang,
  file: string,
  text: string,
): Promise<{
  readonly program: Program;
  readonly marked: MarkedText;
  readonly editor: TextEditor;
}> {
  const marked = markPlaces(text, () => true);
  const unmarked = unmarkedPlaces(text, marked);
  const program = await readC(clang, file, marked.text, { unmarked });
  return { program, marked, editor: editC(text, marked, program, file.endsWith('.cpp')) };
}

/** Returns the text with a fence at the given places. */
export function withFences(text: string, { points }: MarkedText, at: readonly number[]): string {
  const fence = '__atomic_thread_fence(__ATOMIC_SEQ_CST)';
  const placed = at.map((index) => ({ point: points[index]!, fence }));
  return applyEdits(text, insertFencesInC(text, placed, 'inline'));
}
