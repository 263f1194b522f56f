import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Model } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import type { Token } from './token.js';

/** What was read of a text. */
export interface SyntaxTree {
  /** All of the text is in it, that with errors, too. */
  readonly model: Model;
  /** The first errors. */
  readonly errors: readonly Diagnostic[];
  /** How many errors `errors` leaves out. */
  readonly unshown: number;
  /** Whether `name` may have been declared in text that could not be read. */
  mayDeclare(name: string): boolean;
}

function isToken(part: NodeBase | Token): part is Token {
  return !('parts' in part);
}

/** The nodes directly within `node`, in the order of the text. */
export function nodesIn(node: NodeBase): readonly NodeBase[] {
  return node.parts.filter((part): part is NodeBase => !isToken(part));
}

/**
 * The tokens directly in `node`, without those of the nodes within it, in the order of the text.
 */
export function tokensIn(node: NodeBase): readonly Token[] {
  return node.parts.filter(isToken);
}

/** The tokens of which `node` consists, in the order of the text. */
export function allTokensIn(node: NodeBase): readonly Token[] {
  return node.parts.flatMap((part) => (isToken(part) ? [part] : allTokensIn(part)));
}

/** The text that a tree was read from, exactly as it was. */
export function printSyntax(node: NodeBase): string {
  return allTokensIn(node)
    .map(({ trivia, text }) => trivia.map((one) => one.text).join('') + text)
    .join('');
}
