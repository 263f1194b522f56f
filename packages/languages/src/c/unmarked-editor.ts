import type { TextEditor } from '@fencewright/model/program/front-end.js';
import { instructionPlaces } from '@fencewright/model/program/instruction-places.js';
import type { Program } from '@fencewright/model/program/program.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';

/**
 * Returns the editor of a text without places for fences: the editor can only report the positions
 * of accesses.
 */
export function unmarkedEditor(program: Program): TextEditor {
  const message = 'clang gave no places at which fences can be inserted into this text';
  const hint = 'insert the fences by hand at the lines that the report names';
  return {
    placesOf: instructionPlaces(program),
    repair: () => ({ diagnostics: [notSupported(undefined, message, hint)] }),
  };
}
