import type { Annotation, ExpressionSyntax, NumberLiteral } from './syntax-expressions.js';
import type { InstructionSyntax } from './syntax-instructions.js';
import type { Name, NodeBase } from './syntax-node.js';
import type { BlockSyntax } from './syntax-statements.js';

/** The syntax of a whole text. */
export interface ModelSyntax extends NodeBase {
  readonly kind: 'Model';
  /** The name in the program's header; `undefined` if the header is missing. */
  readonly name: Name | undefined;
  readonly declarations: readonly DeclarationSyntax[];
}

export type DeclarationSyntax =
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
  readonly value: ExpressionSyntax;
}

export interface VarDeclaration extends NodeBase {
  readonly kind: 'VarDeclaration';
  readonly variables: readonly VariableSyntax[];
}

/** The syntax of a variable: `x`, `x @ 64`, `x = e`, `a[e] = { e, e }`, `a[*]`, `plain x`. */
export interface VariableSyntax extends NodeBase {
  readonly kind: 'Variable';
  readonly isPlain: boolean;
  readonly name: Name;
  readonly isBoundless: boolean;
  readonly length: ExpressionSyntax | undefined;
  readonly base: Base | undefined;
  readonly initial: ExpressionSyntax | undefined;
  readonly cells: CellsSyntax | undefined;
}

/** The base address of a variable: `@ 64`, `@ -64`. */
export interface Base extends NodeBase {
  readonly kind: 'Base';
  readonly isNegative: boolean;
  readonly number: NumberLiteral;
}

export interface CellsSyntax extends NodeBase {
  readonly kind: 'Cells';
  readonly values: readonly ExpressionSyntax[];
}

export interface DomainDeclaration extends NodeBase {
  readonly kind: 'DomainDeclaration';
  readonly low: ExpressionSyntax;
  readonly high: ExpressionSyntax;
}

export interface ThreadDeclaration extends NodeBase {
  readonly kind: 'ThreadDeclaration';
  readonly name: Name;
  readonly copies: CopiesSyntax | undefined;
  readonly body: Automaton | BlockSyntax;
}

/** The number of copies of a thread: `[3]`, or `[*]` for any number. */
export interface CopiesSyntax extends NodeBase {
  readonly kind: 'Copies';
  /** The number of copies of the thread; `undefined` for any number. */
  readonly count: ExpressionSyntax | undefined;
}

export interface Automaton extends NodeBase {
  readonly kind: 'Automaton';
  readonly registers: readonly Name[];
  /** The label at which the thread starts; `undefined` only after an error. */
  readonly initial: Name | undefined;
  readonly instructions: readonly LabelledInstruction[];
}

/** An instruction of the automaton form: `label: instruction; goto target;` */
export interface LabelledInstruction extends NodeBase {
  readonly kind: 'LabelledInstruction';
  readonly label: Name;
  readonly annotations: readonly Annotation[];
  /** The instruction at the label; `undefined` if unreadable. */
  readonly instruction: InstructionSyntax | undefined;
  readonly target: Name;
}

export interface PropertyDeclaration extends NodeBase {
  readonly kind: 'PropertyDeclaration';
  readonly name: Name;
  readonly quantifier: Name;
  readonly condition: ExpressionSyntax;
}

/** An invariant: conditions separated by `==>`, which groups to the right and is no operator. */
export interface InvariantDeclaration extends NodeBase {
  readonly kind: 'InvariantDeclaration';
  readonly name: Name;
  readonly binders: readonly Binder[];
  readonly conditions: readonly ExpressionSyntax[];
}

/** A binder of an invariant: `name: thread`. */
export interface Binder extends NodeBase {
  readonly kind: 'Binder';
  readonly name: Name;
  readonly thread: Name;
}

export interface EventDeclaration extends NodeBase {
  readonly kind: 'EventDeclaration';
  readonly name: Name;
  readonly parameters: readonly Name[];
  readonly body: BlockSyntax;
}

export interface ProcedureDeclaration extends NodeBase {
  readonly kind: 'ProcedureDeclaration';
  readonly name: Name;
  readonly parameters: readonly Name[];
  readonly body: BlockSyntax;
}

export interface EventsDeclaration extends NodeBase {
  readonly kind: 'EventsDeclaration';
  readonly instances: readonly EventInstance[];
}

/**
 * A label that a task has to pass before an instance of an event starts, `name.label`, or an event
 * that has to end with all its tasks, `name`.
 */
export interface AwaitedPlace extends NodeBase {
  readonly kind: 'AwaitedPlace';
  readonly body: Name;
  /** The label; `undefined` for the end of an event. */
  readonly label: Name | undefined;
}

/** The syntax of an event's instances: `name(e, e) * 2 after name.label && name`. */
export interface EventInstance extends NodeBase {
  readonly kind: 'EventInstance';
  readonly name: Name;
  readonly arguments: readonly ExpressionSyntax[];
  /** The number of instances of the event; absent for one instance. */
  readonly count: InstanceCount | undefined;
  /** The labels and events that have to be passed or ended before an instance starts. */
  readonly after: readonly AwaitedPlace[];
}

/** The syntax of a number of instances: `*`, `* 2`, `* -2`, `* n`. */
export interface InstanceCount extends NodeBase {
  readonly kind: 'InstanceCount';
  readonly isNegative: boolean;
  /** The number of instances of the event; `undefined` for any number. */
  readonly value: NumberLiteral | Name | undefined;
}
