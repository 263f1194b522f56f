import type { Annotation, CallSyntax, ExpressionSyntax } from './syntax-expressions.js';
import type { PlainKeyword } from './plain-instructions.js';
import type { Name, NodeBase } from './syntax-node.js';

/** A variable of `local`: `name = e`. */
export interface LocalVariable extends NodeBase {
  readonly kind: 'LocalVariable';
  readonly name: Name;
  readonly initial: ExpressionSyntax | undefined;
}

/** A condition: `*`, or an expression. */
export interface ConditionSyntax extends NodeBase {
  readonly kind: 'Condition';
  /** The condition of the `if` or `while`; `undefined` for `*`. */
  readonly expression: ExpressionSyntax | undefined;
}

/** A statement of the structured form. */
export type StatementSyntax =
  | BlockSyntax
  | LabelledStatement
  | AnnotatedStatement
  | AssignStatement
  | CallStatement
  | MemoryStatement
  | LocalStatement
  | IfStatement
  | WhileStatement
  | DoStatement
  | LoopStatement
  | ChooseStatement
  | AtomicStatement
  | GotoStatement
  | KeywordStatement
  | ConditionStatement
  | HavocStatement
  | AsyncStatement
  | ProcedureCallStatement
  | EmptyStatement
  | UnreadStatement;

export interface BlockSyntax extends NodeBase {
  readonly kind: 'Block';
  readonly statements: readonly StatementSyntax[];
}

/** A statement after a label: `label: statement`; `label:` alone at the end of a block. */
export interface LabelledStatement extends NodeBase {
  readonly kind: 'LabelledStatement';
  readonly label: Name;
  readonly statement: StatementSyntax | undefined;
}

export interface AnnotatedStatement extends NodeBase {
  readonly kind: 'AnnotatedStatement';
  readonly annotations: readonly Annotation[];
  readonly statement: StatementSyntax;
}

/** An assignment: `x = e;`, `a[e] = e;`. */
export interface AssignStatement extends NodeBase {
  readonly kind: 'AssignStatement';
  readonly name: Name;
  readonly index: ExpressionSyntax | undefined;
  readonly value: ExpressionSyntax;
}

/** A call of a built-in: `f(e, e);`. */
export interface CallStatement extends NodeBase {
  readonly kind: 'CallStatement';
  readonly call: CallSyntax;
}

/** A statement that stores by address: `mem[e] = e;` */
export interface MemoryStatement extends NodeBase {
  readonly kind: 'MemoryStatement';
  readonly address: ExpressionSyntax;
  readonly value: ExpressionSyntax;
}

export interface LocalStatement extends NodeBase {
  readonly kind: 'LocalStatement';
  readonly variables: readonly LocalVariable[];
}

export interface IfStatement extends NodeBase {
  readonly kind: 'IfStatement';
  readonly condition: ConditionSyntax;
  readonly then: StatementSyntax;
  readonly else: StatementSyntax | undefined;
}

export interface WhileStatement extends NodeBase {
  readonly kind: 'WhileStatement';
  readonly condition: ConditionSyntax;
  readonly body: StatementSyntax;
}

export interface DoStatement extends NodeBase {
  readonly kind: 'DoStatement';
  readonly body: StatementSyntax;
  readonly condition: ConditionSyntax;
}

export interface LoopStatement extends NodeBase {
  readonly kind: 'LoopStatement';
  readonly body: BlockSyntax;
}

export interface ChooseStatement extends NodeBase {
  readonly kind: 'ChooseStatement';
  readonly branches: readonly BlockSyntax[];
}

export interface AtomicStatement extends NodeBase {
  readonly kind: 'AtomicStatement';
  readonly body: BlockSyntax;
}

export interface GotoStatement extends NodeBase {
  readonly kind: 'GotoStatement';
  readonly target: Name;
}

export interface KeywordStatement extends NodeBase {
  readonly kind: 'KeywordStatement';
  readonly keyword: PlainKeyword | 'break' | 'continue' | 'return';
  /**
   * The name of the memory order of a fence, `acquire` in `fence(acquire);`; `undefined` if the
   * text names none.
   */
  readonly order: Name | undefined;
}

/** The statements `assert e;` and `assume e;` */
export interface ConditionStatement extends NodeBase {
  readonly kind: 'ConditionStatement';
  readonly keyword: 'assert' | 'assume';
  readonly condition: ExpressionSyntax;
}

/** The syntax of a free choice: `havoc r in e..e with e;` */
export interface HavocStatement extends NodeBase {
  readonly kind: 'HavocStatement';
  readonly register: Name;
  readonly low: ExpressionSyntax | undefined;
  readonly high: ExpressionSyntax | undefined;
  readonly condition: ExpressionSyntax | undefined;
}

/** The posting of a task: `async[t] f(e, e);` */
export interface AsyncStatement extends NodeBase {
  readonly kind: 'AsyncStatement';
  readonly target: Name;
  readonly call: CallSyntax;
}

/** A call of a procedure: `call f(e, e);`. */
export interface ProcedureCallStatement extends NodeBase {
  readonly kind: 'ProcedureCallStatement';
  readonly call: CallSyntax;
}

export interface EmptyStatement extends NodeBase {
  readonly kind: 'EmptyStatement';
}

/**
 * A statement that the parser could not read: a name with something unexpected after it, or no
 * text.
 */
export interface UnreadStatement extends NodeBase {
  readonly kind: 'UnreadStatement';
}
