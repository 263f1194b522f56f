// Texts of programs for editors: names, words, and layout.
export { formatSound } from '@fencewright/languages/native/format-native.js';
export { indexNames } from '@fencewright/languages/native/name-index.js';
export type {
  NameIndex,
  NameSymbol,
  Occurrence,
  OccurrenceRole,
} from '@fencewright/languages/native/name-symbols.js';
export {
  builtins,
  isReserved,
  keywords,
  type WordUse,
} from '@fencewright/languages/native/keywords.js';
export { tokensOf } from '@fencewright/languages/native/lexer.js';
export type { NativeToken, Trivia } from '@fencewright/languages/native/token.js';
export { parseSyntax } from '@fencewright/languages/native/parse-syntax.js';
export {
  allTokensIn,
  nodesIn,
  type SyntaxTree,
} from '@fencewright/languages/native/syntax-tree.js';
export type { NodeBase } from '@fencewright/languages/native/syntax-node.js';
export { reserved as memoraxWords } from '@fencewright/languages/memorax/spelling.js';
export { instructionWords, lineWords } from '@fencewright/languages/trencher/words.js';
