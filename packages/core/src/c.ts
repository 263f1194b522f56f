export { editC } from './frontends/c/c-editor.js';
export { markPlaces, type MarkedText, unmarkedPlaces } from './frontends/c/mark-places.js';
export { type LlvmIrOptions, parseLlvmIr } from './frontends/llvm-ir/parse-llvm-ir.js';
