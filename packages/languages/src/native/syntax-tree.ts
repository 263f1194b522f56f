import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { ModelSyntax } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import type { NativeToken } from './token.js';

/** The syntax tree of a text, with the errors of the lexer and the parser. */
export interface SyntaxTree {
  /** The syntax tree of the whole text, including text with errors. */
  readonly model: ModelSyntax;
  /** The first errors of the text, as messages. */
  readonly errors: readonly Diagnostic[];
  /** The number of errors of the text that `errors` leaves out. */
  readonly unshown: number;
  /** Whether `name` may have been declared in a part of the text that the parser could not read. */
  mayDeclare(name: string): boolean;
}

function isToken(part: NodeBase | NativeToken): part is NativeToken {
  return !('parts' in part);
}

/** Returns the child nodes of `node`, in the order of the text. */
export function nodesIn(node: NodeBase): readonly NodeBase[] {
  return node.parts.filter((part): part is NodeBase => !isToken(part));
}

/**
 * Returns the tokens directly in `node`, without those of nested nodes, in the order of the text.
 */
export function tokensIn(node: NodeBase): readonly NativeToken[] {
  return node.parts.filter(isToken);
}

/** Returns all tokens in `node`, nested ones included, in the order of the text. */
export function allTokensIn(node: NodeBase): readonly NativeToken[] {
  return node.parts.flatMap((part) => (isToken(part) ? [part] : allTokensIn(part)));
}

/** Returns the text of a node, exactly as it was read. */
export function printSyntax(node: NodeBase): string {
  return allTokensIn(node)
    .map(({ trivia, text }) => trivia.map((one) => one.text).join('') + text)
    .join('');
}
