import type { PlainKeyword } from './plain-instructions.js';
import type { CallSyntax, ExpressionSyntax } from './syntax-expressions.js';
import type { Name, NodeBase } from './syntax-node.js';

/** An instruction of the automaton form. */
export type InstructionSyntax =
  | AssignInstruction
  | CallInstruction
  | MemoryInstruction
  | PlainInstruction
  | ConditionInstruction
  | HavocInstruction;

/** An assignment: `x <- e`, `r <- e`, `a[e] <- e`. */
export interface AssignInstruction extends NodeBase {
  readonly kind: 'AssignInstruction';
  readonly name: Name;
  readonly index: ExpressionSyntax | undefined;
  readonly value: ExpressionSyntax;
}

/** An instruction that calls a function: `f(e, e)`. */
export interface CallInstruction extends NodeBase {
  readonly kind: 'CallInstruction';
  readonly call: CallSyntax;
}

/** An instruction that stores by address: `mem[e] <- e`. */
export interface MemoryInstruction extends NodeBase {
  readonly kind: 'MemoryInstruction';
  readonly address: ExpressionSyntax;
  readonly value: ExpressionSyntax;
}

export interface PlainInstruction extends NodeBase {
  readonly kind: 'PlainInstruction';
  readonly keyword: PlainKeyword;
  /**
   * The name of the memory order of a fence, `acquire` in `fence(acquire)`; `undefined` if the text
   * names none.
   */
  readonly order: Name | undefined;
}

/** A condition: `assert e`, `assume e`, `check e`. */
export interface ConditionInstruction extends NodeBase {
  readonly kind: 'ConditionInstruction';
  readonly keyword: 'assert' | 'assume' | 'check';
  readonly condition: ExpressionSyntax;
}

/** The syntax of a free choice: `havoc r in e..e with e`. */
export interface HavocInstruction extends NodeBase {
  readonly kind: 'HavocInstruction';
  readonly register: Name;
  readonly low: ExpressionSyntax | undefined;
  readonly high: ExpressionSyntax | undefined;
  readonly condition: ExpressionSyntax | undefined;
}
