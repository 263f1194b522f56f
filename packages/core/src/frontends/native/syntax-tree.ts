import type { AstNode } from 'langium';
import type { Diagnostic } from '../../source/diagnostic.js';
import type { Model } from './generated/ast.js';

/** What could be read of a text. */
export interface SyntaxTree {
  /** Absent if the parser gave up. */
  readonly model?: Model;
  /** The first of them. */
  readonly errors: readonly Diagnostic[];
  /** How many errors `errors` leaves out. */
  readonly unshown: number;
  /** Whether `name` may have been declared in text that could not be read. */
  mayDeclare(name: string): boolean;
  /** Whether `node` has an error in it that does not lie inside one of `parts`. */
  isBroken(node: AstNode, parts?: readonly AstNode[]): boolean;
}
