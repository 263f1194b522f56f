// Texts of programs as editors need them: names, words, and layout.
export { formatNative, formatSound } from './frontends/native/format-native.js';
export { indexNames } from './frontends/native/name-index.js';
export type {
  NameIndex,
  NameSymbol,
  Occurrence,
  OccurrenceRole,
} from './frontends/native/name-symbols.js';
export { builtins, isReserved, keywords, type WordUse } from './frontends/native/keywords.js';
export { tokensOf } from './frontends/native/lexer.js';
export type { Token, Trivia } from './frontends/native/token.js';
export { parseSyntax } from './frontends/native/parse-syntax.js';
export { allTokensIn, nodesIn, type SyntaxTree } from './frontends/native/syntax-tree.js';
export type { NodeBase } from './frontends/native/syntax-node.js';
export { reserved as memoraxWords } from './frontends/memorax/spelling.js';
export { instructionWords, lineWords } from './frontends/trencher/words.js';
