export {
  barrierFunctions,
  programTexts,
  withFencesAtCalls,
} from '@fencewright/languages/c/barrier-functions.js';
export { editC } from '@fencewright/languages/c/c-editor.js';
export { findMacroPoints } from '@fencewright/languages/c/find-macro-points.js';
export { wantsNoFences } from '@fencewright/languages/c/find-fence-points.js';
export {
  markPlaces,
  type MarkedText,
  unmarkedPlaces,
} from '@fencewright/languages/c/mark-places.js';
export { type LlvmIrOptions, parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
export { isOrderedByLanguage } from '@fencewright/model/c11/is-ordered-by-language.js';
