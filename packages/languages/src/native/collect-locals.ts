import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { duplicateName, misplaced } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Name } from './syntax-node.js';
import type { AtomicStatement, BlockSyntax, StatementSyntax } from './syntax-statements.js';
import type { ProblemList } from './problem-list.js';
import type { SharedScope } from './scope.js';

/** A label of a structured thread. */
export interface LabelDeclaration {
  readonly name: string;
  readonly span: Span;
  /** The atomic block that contains the label, if any. */
  readonly atomic?: AtomicStatement;
}

/** The registers and labels declared anywhere in the text of a structured thread. */
export interface Locals {
  readonly ids: ReadonlyMap<string, RegisterId>;
  readonly labels: ReadonlyMap<string, LabelDeclaration>;
}

/** Returns the statements directly inside a statement. */
export function nestedStatements(statement: StatementSyntax): readonly StatementSyntax[] {
  switch (statement.kind) {
    case 'AnnotatedStatement':
      return [statement.statement];
    case 'Block':
      return statement.statements;
    case 'LabelledStatement':
      return present([statement.statement]);
    case 'IfStatement':
      return present([statement.then, statement.else]);
    case 'WhileStatement':
    case 'DoStatement':
    case 'LoopStatement':
    case 'AtomicStatement':
      return [statement.body];
    case 'ChooseStatement':
      return statement.branches;
    case 'AssignStatement':
    case 'CallStatement':
    case 'LocalStatement':
    case 'MemoryStatement':
    case 'GotoStatement':
    case 'KeywordStatement':
    case 'ConditionStatement':
    case 'HavocStatement':
    case 'AsyncStatement':
    case 'ProcedureCallStatement':
    case 'EmptyStatement':
    case 'UnreadStatement':
      return [];
    default:
      return unreachable(statement);
  }
}

function present(statements: readonly (StatementSyntax | undefined)[]): readonly StatementSyntax[] {
  return statements.filter((statement) => statement !== undefined);
}

/**
 * Returns the labels in a statement, in the order of the text; `atomic` is the atomic block that
 * contains the statement, if any.
 */
export function* labelsIn(
  statement: StatementSyntax,
  atomic?: AtomicStatement,
): Generator<LabelDeclaration> {
  if (statement.kind === 'LabelledStatement') {
    const { text: name, span } = statement.label;
    yield { name, span, ...(atomic && { atomic }) };
  }
  const inner = statement.kind === 'AtomicStatement' ? statement : atomic;
  for (const nested of nestedStatements(statement)) yield* labelsIn(nested, inner);
}

/**
 * Finds the registers and labels of a thread, or of a body with parameters, known in its whole
 * text; reports names that are already taken.
 */
export function collectLocals(
  parameters: readonly Name[],
  body: BlockSyntax,
  shared: SharedScope,
  problems: ProblemList,
): Locals {
  const ids = new Map<string, RegisterId>();
  const places = new Map<string, Span>();
  const labels = new Map<string, LabelDeclaration>();

  const declareRegister = ({ text: name, span }: Name): void => {
    if (name === '') return;
    const first = places.get(name) ?? shared.places.get(name);
    if (first) {
      problems.add(duplicateName(span, 'name', name, first));
    } else if (name === 'self') {
      problems.add(misplaced(span, "'self' is the number of a thread's copy", 'take another name'));
    } else {
      places.set(name, span);
      ids.set(name, ids.size);
    }
  };
  const visit = (statement: StatementSyntax): void => {
    if (statement.kind === 'LocalStatement')
      for (const { name } of statement.variables) declareRegister(name);
    nestedStatements(statement).forEach(visit);
  };
  parameters.forEach(declareRegister);
  visit(body);
  for (const label of labelsIn(body)) {
    const first = labels.get(label.name);
    if (first) problems.add(duplicateName(label.span, 'label', label.name, first.span));
    else labels.set(label.name, label);
  }
  return { ids, labels };
}
