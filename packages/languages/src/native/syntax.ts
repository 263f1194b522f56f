import type { Annotation, Expression, NumberLiteral } from './syntax-expressions.js';
import type { Instruction } from './syntax-instructions.js';
import type { Name, NodeBase } from './syntax-node.js';
import type { Block } from './syntax-statements.js';

/** A whole text. */
export interface Model extends NodeBase {
  readonly kind: 'Model';
  /** The name in the program's header; `undefined` if the header is missing. */
  readonly name: Name | undefined;
  readonly declarations: readonly Declaration[];
}

export type Declaration =
  | ConstDeclaration
  | VarDeclaration
  | DomainDeclaration
  | ThreadDeclaration
  | PropertyDeclaration
  | InvariantDeclaration
  | EventDeclaration
  | ProcedureDeclaration
  | EventsDeclaration;

export interface ConstDeclaration extends NodeBase {
  readonly kind: 'ConstDeclaration';
  readonly constants: readonly ConstDefinition[];
}

export interface ConstDefinition extends NodeBase {
  readonly kind: 'ConstDefinition';
  readonly name: Name;
  readonly value: Expression;
}

export interface VarDeclaration extends NodeBase {
  readonly kind: 'VarDeclaration';
  readonly variables: readonly Variable[];
}

/** `x`, `x @ 64`, `x = e`, `a[e] = { e, e }`, `a[*]` */
export interface Variable extends NodeBase {
  readonly kind: 'Variable';
  readonly name: Name;
  readonly isBoundless: boolean;
  readonly length: Expression | undefined;
  readonly base: Base | undefined;
  readonly initial: Expression | undefined;
  readonly cells: Cells | undefined;
}

/** `@ 64`, `@ -64` */
export interface Base extends NodeBase {
  readonly kind: 'Base';
  readonly isNegative: boolean;
  readonly number: NumberLiteral;
}

export interface Cells extends NodeBase {
  readonly kind: 'Cells';
  readonly values: readonly Expression[];
}

export interface DomainDeclaration extends NodeBase {
  readonly kind: 'DomainDeclaration';
  readonly low: Expression;
  readonly high: Expression;
}

export interface ThreadDeclaration extends NodeBase {
  readonly kind: 'ThreadDeclaration';
  readonly name: Name;
  readonly copies: Copies | undefined;
  readonly body: Automaton | Block;
}

/** `[3]`, `[*]` */
export interface Copies extends NodeBase {
  readonly kind: 'Copies';
  /** The number of copies; `undefined` for any number. */
  readonly count: Expression | undefined;
}

export interface Automaton extends NodeBase {
  readonly kind: 'Automaton';
  readonly registers: readonly Name[];
  /** The label at which the thread starts; `undefined` only after an error. */
  readonly initial: Name | undefined;
  readonly instructions: readonly LabelledInstruction[];
}

/** `label: instruction; goto target;` */
export interface LabelledInstruction extends NodeBase {
  readonly kind: 'LabelledInstruction';
  readonly label: Name;
  readonly annotations: readonly Annotation[];
  /** The instruction at the label; `undefined` if unreadable. */
  readonly instruction: Instruction | undefined;
  readonly target: Name;
}

export interface PropertyDeclaration extends NodeBase {
  readonly kind: 'PropertyDeclaration';
  readonly name: Name;
  readonly quantifier: Name;
  readonly condition: Expression;
}

/** An invariant: conditions separated by `==>`, which groups to the right and is no operator. */
export interface InvariantDeclaration extends NodeBase {
  readonly kind: 'InvariantDeclaration';
  readonly name: Name;
  readonly binders: readonly Binder[];
  readonly conditions: readonly Expression[];
}

/** `name: thread` */
export interface Binder extends NodeBase {
  readonly kind: 'Binder';
  readonly name: Name;
  readonly thread: Name;
}

export interface EventDeclaration extends NodeBase {
  readonly kind: 'EventDeclaration';
  readonly name: Name;
  readonly parameters: readonly Name[];
  readonly body: Block;
}

export interface ProcedureDeclaration extends NodeBase {
  readonly kind: 'ProcedureDeclaration';
  readonly name: Name;
  readonly parameters: readonly Name[];
  readonly body: Block;
}

export interface EventsDeclaration extends NodeBase {
  readonly kind: 'EventsDeclaration';
  readonly instances: readonly EventInstance[];
}

/** `name(e, e) * 2` */
export interface EventInstance extends NodeBase {
  readonly kind: 'EventInstance';
  readonly name: Name;
  readonly arguments: readonly Expression[];
  /** The number of instances; absent for one instance. */
  readonly count: InstanceCount | undefined;
}

/** `*`, `* 2`, `* -2`, `* n` */
export interface InstanceCount extends NodeBase {
  readonly kind: 'InstanceCount';
  readonly isNegative: boolean;
  /** The number of instances; `undefined` for any number. */
  readonly value: NumberLiteral | Name | undefined;
}
