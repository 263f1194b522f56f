import type { TextEditor } from '@fencewright/model/program/front-end.js';
import { instructionPlaces } from '@fencewright/model/program/instruction-places.js';
import type { Program } from '@fencewright/model/program/program.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';

/**
 * Returns the editor of a text in which no places for fences are known: the editor only tells the
 * places of accesses.
 */
export function unmarkedEditor(program: Program): TextEditor {
  const message = 'the compiler does not tell where in this text fences can be put';
  const hint = 'put them where the report says';
  return {
    placesOf: instructionPlaces(program),
    repair: () => ({ diagnostics: [notSupported(undefined, message, hint)] }),
  };
}
