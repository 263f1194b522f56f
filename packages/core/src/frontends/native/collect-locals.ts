import { unreachable } from '../../base/unreachable.js';
import type { RegisterId } from '../../program/ids.js';
import type { Register } from '../../program/program.js';
import { duplicateName, misplaced } from '../../source/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { AtomicStatement, Block, Statement } from './generated/ast.js';
import type { ProblemList } from './problem-list.js';
import { toName } from './read-term.js';
import type { SharedScope } from './scope.js';
import { spanOfName } from './spans.js';

/** A label of a structured thread. */
export interface LabelDeclaration {
  readonly name: string;
  readonly span: Span;
  /** The atomic block around it, if any. */
  readonly atomic?: AtomicStatement;
}

/** The names that a structured thread declares anywhere in its text. */
export interface Locals {
  readonly ids: ReadonlyMap<string, RegisterId>;
  readonly registers: readonly Register[];
  readonly labels: ReadonlyMap<string, LabelDeclaration>;
}

/** The statements directly inside of a statement. */
export function nestedStatements(statement: Statement): readonly Statement[] {
  switch (statement.$type) {
    case 'AnnotatedStatement':
      return present([statement.statement]);
    case 'Block':
      return statement.statements;
    case 'NamedStatement':
      return present([statement.labelled]);
    case 'IfStatement':
      return present([statement.then, statement.else]);
    case 'WhileStatement':
    case 'DoStatement':
    case 'LoopStatement':
    case 'AtomicStatement':
      return present([statement.body]);
    case 'ChooseStatement':
      return statement.branches;
    case 'LocalStatement':
    case 'MemoryStatement':
    case 'GotoStatement':
    case 'KeywordStatement':
    case 'ConditionStatement':
    case 'HavocStatement':
    case 'AsyncStatement':
    case 'EmptyStatement':
      return [];
    default:
      return unreachable(statement);
  }
}

/** After a syntax error, parts of the tree may be absent, whatever their types say. */
function present(statements: readonly (Statement | undefined)[]): readonly Statement[] {
  return statements.filter((statement) => statement !== undefined);
}

/** Finds the registers and labels of a thread, which are known in all of it; reports names that are taken. */
export function collectLocals(body: Block, shared: SharedScope, problems: ProblemList): Locals {
  const ids = new Map<string, RegisterId>();
  const places = new Map<string, Span>();
  const registers: Register[] = [];
  const labels = new Map<string, LabelDeclaration>();

  const declareRegister = (name: string, span: Span): void => {
    const first = places.get(name) ?? shared.places.get(name);
    if (first) {
      problems.add(duplicateName(span, 'name', name, first));
    } else if (name === 'self') {
      problems.add(misplaced(span, "'self' is the number of a thread's copy", 'take another name'));
    } else {
      places.set(name, span);
      ids.set(name, registers.push({ name, hidden: false }) - 1);
    }
  };
  const declareLabel = (name: string, span: Span, atomic: AtomicStatement | undefined): void => {
    const first = labels.get(name);
    if (first) problems.add(duplicateName(span, 'label', name, first.span));
    else labels.set(name, { name, span, ...(atomic && { atomic }) });
  };
  const visit = (statement: Statement, atomic: AtomicStatement | undefined): void => {
    if (statement.$type === 'LocalStatement')
      for (const variable of statement.variables) {
        const name = toName(variable.name);
        declareRegister(name, spanOfName(variable, name));
      }
    if (statement.$type === 'NamedStatement' && statement.label) {
      const name = toName(statement.name);
      declareLabel(name, spanOfName(statement, name), atomic);
    }
    const inner = statement.$type === 'AtomicStatement' ? statement : atomic;
    for (const nested of nestedStatements(statement)) visit(nested, inner);
  };
  visit(body, undefined);
  return { ids, registers, labels };
}
