import type { Call, Expression } from './syntax-expressions.js';
import type { Name, NodeBase } from './syntax-node.js';

/** An instruction of the automaton form. */
export type Instruction =
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
  readonly index: Expression | undefined;
  readonly value: Expression;
}

/** `f(e, e)` */
export interface CallInstruction extends NodeBase {
  readonly kind: 'CallInstruction';
  readonly call: Call;
}

/** `mem[e] <- e` */
export interface MemoryInstruction extends NodeBase {
  readonly kind: 'MemoryInstruction';
  readonly address: Expression;
  readonly value: Expression;
}

export interface PlainInstruction extends NodeBase {
  readonly kind: 'PlainInstruction';
  readonly keyword: 'fence' | 'mfence' | 'skip' | 'lock' | 'unlock';
}

/** A condition: `assert e`, `assume e`, `check e`. */
export interface ConditionInstruction extends NodeBase {
  readonly kind: 'ConditionInstruction';
  readonly keyword: 'assert' | 'assume' | 'check';
  readonly condition: Expression;
}

/** `havoc r in e..e with e` */
export interface HavocInstruction extends NodeBase {
  readonly kind: 'HavocInstruction';
  readonly register: Name;
  readonly low: Expression | undefined;
  readonly high: Expression | undefined;
  readonly condition: Expression | undefined;
}
