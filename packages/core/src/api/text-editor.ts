import type { FrontEnd, TextEditor } from '@fencewright/model/program/front-end.js';
import { instructionPlaces } from '@fencewright/model/program/instruction-places.js';
import type { FencePart, RepairMode } from '@fencewright/model/program/repair.js';
import type { FenceOptions } from './fence.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Position } from '@fencewright/ground/source/span.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import { frontEndOf, type InputFormat } from '@fencewright/languages/read/front-ends.js';

/**
 * Returns the editor of a text; `program` is the program read from the text with the given numbers
 * of copies.
 */
export function textEditorOf(
  format: InputFormat,
  text: string,
  program: Program,
  copies?: ReadonlyMap<string, number>,
): Promise<TextEditor> {
  return editorOf(frontEndOf(format), text, program, copies);
}

/**
 * Returns the editor of a text in the language of a front end. If the front end has no editor,
 * fences can be found, but not inserted.
 */
export async function editorOf(
  { edit }: Pick<FrontEnd, 'edit'>,
  text: string,
  program: Program,
  copies?: ReadonlyMap<string, number>,
): Promise<TextEditor> {
  if (edit) return edit(text, program, copies);
  const hint = 'convert it to the native language';
  const refusal = notSupported(undefined, 'texts of this format cannot be changed', hint);
  return { placesOf: instructionPlaces(program), repair: () => ({ diagnostics: [refusal] }) };
}

/** Returns the places for fences in the text, as options for a search for repairs. */
export function fencePlacesOf(
  editor: TextEditor,
  mode: RepairMode,
): Pick<FenceOptions, 'canFence' | 'canFenceBefore' | 'canBeHeavy' | 'repairs' | 'noHeavyFences'> {
  const noHeavyFences = !editor.hasHeavyFences && { noHeavyFences: true as const };
  if (editor.repairs) return { repairs: editor.repairs(mode), ...noHeavyFences };
  return {
    ...noHeavyFences,
    ...(editor.canBeHeavy && { canBeHeavy: editor.canBeHeavy }),
    canFence: (...where) => editor.placesOf(...where).length > 0,
    canFenceBefore: (...where) => (editor.placesBefore?.(...where) ?? []).length > 0,
  };
}

/** Returns the text positions of a fence at a location. */
export function placesOfFence(
  editor: TextEditor,
  { thread, location, before }: FencePart,
): readonly Position[] {
  return (
    (before ? editor.placesBefore?.(thread, location) : undefined) ??
    editor.placesOf(thread, location)
  );
}
