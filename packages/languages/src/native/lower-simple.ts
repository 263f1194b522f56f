import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { misplaced, notSupported, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { type Span, spanBetween } from '@fencewright/ground/source/span.js';
import type {
  AnnotatedStatement,
  AssignStatement,
  AtomicStatement,
  BlockSyntax,
  CallStatement,
  ChooseStatement,
  ConditionStatement,
  DoStatement,
  GotoStatement,
  IfStatement,
  KeywordStatement,
  LabelledStatement,
  LocalStatement,
  LoopStatement,
  MemoryStatement,
  StatementSyntax,
  WhileStatement,
} from './syntax-statements.js';
import { lowerFence } from './lower-fence.js';
import { plainInstructions } from './plain-instructions.js';
import { isAccessName, readAccess } from './read-access.js';
import {
  type Cursor,
  emitCall,
  lowerCall,
  lowerCondition,
  lowerIntoRegister,
  lowerStore,
  lowerValue,
} from './lower-expression.js';
import { lowerHavoc } from './lower-havoc.js';
import { lowerAsync, lowerProcedureCall } from './lower-invocation.js';
import { brokenExpression, lowerTerm } from './lower-term.js';
import { readCall, readTerm } from './read-term.js';
import { lookUp } from './scope.js';
import { startOf } from './spans.js';
import type { StatementContext } from './structured-context.js';
import type { CallTerm, CellTerm, NativeTerm } from './term.js';
import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';

/** The hint for a jump out of an atomic block. */
const leavesAtomic = 'end the block first: otherwise the bus lock stays held';

/** A statement without nested statements. */
type SimpleStatement = Exclude<
  StatementSyntax,
  | IfStatement
  | WhileStatement
  | DoStatement
  | LoopStatement
  | ChooseStatement
  | AtomicStatement
  | BlockSyntax
  | AnnotatedStatement
  | LabelledStatement
>;

/** Emits the instructions of a statement without nested statements. */
export function lowerSimple(
  context: StatementContext,
  statement: SimpleStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  switch (statement.kind) {
    case 'AssignStatement':
      lowerAssignment(context, statement, from, to);
      break;
    case 'CallStatement':
      lowerCallStatement(context, statement, from, to);
      break;
    case 'LocalStatement':
      lowerLocals(context, statement, from, to);
      break;
    case 'MemoryStatement':
      lowerMemory(context, statement, from, to);
      break;
    case 'GotoStatement':
      lowerGoto(context, statement, from);
      break;
    case 'KeywordStatement':
      lowerKeyword(context, statement, from, to);
      break;
    case 'ConditionStatement':
      lowerAssertion(context, statement, from, to);
      break;
    case 'HavocStatement':
      lowerHavoc(context, statement, from, to);
      break;
    case 'AsyncStatement':
      lowerAsync(context, statement, from, to);
      break;
    case 'ProcedureCallStatement':
      lowerProcedureCall(context, statement, from, to);
      break;
    case 'UnreadStatement':
      break;
    case 'EmptyStatement':
      context.builder.jump(from, to, statement.span);
      break;
    default:
      unreachable(statement);
  }
}

function lowerLocals(
  context: StatementContext,
  { variables }: LocalStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, scope, problems } = context;
  let point = from;
  variables.forEach((variable, i) => {
    const following = variables[i + 1];
    const next = following ? builder.location(following.span) : to;
    const span = variable.span;
    const into = scope.registers.get(variable.name.text);
    const term = variable.initial && readTerm(variable.initial, problems);
    if (!term || into === undefined) builder.jump(point, next, span);
    else lowerIntoRegister(context, into, term, { from: point, to: next, span });
    point = next;
  });
}

/** Emits an assignment: `x = e`, `a[i] = e`, `r = e`. */
function lowerAssignment(
  context: StatementContext,
  node: AssignStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { scope, problems } = context;
  const name = node.name.text;
  const nameSpan = node.name.span;
  const value = readTerm(node.value, problems);
  const index = node.index && readTerm(node.index, problems);
  const meaning = lookUp(scope, name, nameSpan, problems);
  if (!value || (node.index && !index)) return;
  if (!meaning) {
    // The terms are lowered for their errors only.
    for (const term of [index, value]) if (term) lowerValue(context, term, { point: from });
    return;
  }
  const place = { from, to, span: spanBetween(nameSpan, node.value.span) };
  const span = cellSpan(node, nameSpan);
  if (meaning.kind === 'symbol') {
    lowerStore(context, { kind: 'name', name, span, ...(index && { index }) }, value, place);
  } else if (index) {
    const hint = 'only shared variables can be arrays';
    problems.add(wrongOperand(span, `'${name}' is not an array`, hint));
  } else if (meaning.kind === 'register') {
    lowerIntoRegister(context, meaning.register, value, place);
  } else {
    const hint = "declare it with 'var' or 'local' to change it";
    problems.add(wrongOperand(nameSpan, `'${name}' is a constant`, hint));
  }
}

/** Returns the span of the assigned cell, `a[i]` without the rest of the assignment. */
function cellSpan(node: AssignStatement, name: Span): Span {
  if (!node.index) return name;
  const { end } = node.index.span;
  return spanBetween(name, { end: { line: end.line, column: end.column + 1 } });
}

/** Emits a read-modify-write whose result is not used. */
function lowerCallStatement(
  context: StatementContext,
  node: CallStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { problems, scope } = context;
  const call = readCall(node.call, problems);
  if (!call) return;
  if (call.name === 'await') {
    lowerAwait(context, call, from, to);
    return;
  }
  if (isAccessName(call.name)) {
    const access = readAccess({ ...call, name: call.name }, scope.shared, problems);
    const { span } = call;
    if (access?.kind === 'store')
      lowerStore(context, access.cell, access.value, {
        ...{ from, to, span },
        ...(access.order && { order: access.order }),
      });
    else if (access)
      problems.add(
        wrongOperand(span, 'the result of the load is dropped', 'write r = load(x, acquire);'),
      );
    return;
  }
  const cursor: Cursor = { point: from };
  const lowered = lowerCall(context, call, cursor);
  if (lowered) emitCall(context, lowered, { from: cursor.point, to, span: call.span });
}

/** Emits `await (e)`: the thread evaluates `e` again and again until it is true. */
function lowerAwait(
  context: StatementContext,
  { arguments: [condition, ...others], span }: CallTerm,
  from: DraftLocation,
  to: DraftLocation,
): void {
  if (!condition || others.length > 0) {
    const message = 'await takes one condition';
    context.problems.add(wrongOperand(span, message, 'write await (x == 1);'));
    return;
  }
  context.builder.awaitAt(from);
  context.builder.pin(to);
  lowerCondition(context, condition, from, to, from);
}

function lowerMemory(
  context: StatementContext,
  node: MemoryStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const address = readTerm(node.address, context.problems);
  const value = readTerm(node.value, context.problems);
  if (!address || !value) return;
  const span = spanBetween(node.span, node.value.span);
  const cell: CellTerm = { kind: 'memory', address, span };
  lowerStore(context, cell, value, { from, to, span });
}

function lowerKeyword(
  context: StatementContext,
  node: KeywordStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, marks, problems, atomic, role } = context;
  const { keyword } = node;
  const span = startOf(node.span, keyword.length);
  if (keyword === 'break' || keyword === 'continue') {
    lowerLoopExit(context, keyword, span, from);
    return;
  }
  if (keyword === 'return') {
    lowerReturn(context, span, from);
    return;
  }
  const isLock = keyword === 'lock' || keyword === 'unlock';
  if (isLock && role !== 'thread')
    problems.add(
      notSupported(
        span,
        `'${keyword}' stands in ${role === 'event' ? 'an event' : 'a procedure'}`,
        'write a block: atomic { ... }',
      ),
    );
  else if (atomic && isLock)
    problems.add(
      misplaced(
        span,
        `'${keyword}' stands inside of an atomic block`,
        'the block takes and releases the bus lock itself',
      ),
    );
  else if (keyword === 'heavy_fence' && role !== 'thread')
    problems.add(
      notSupported(
        span,
        'heavy fences in programs of events',
        'write the tasks as threads, or use a fence',
      ),
    );
  const instruction: Instruction = node.order
    ? lowerFence(node.order, problems)
    : plainInstructions[keyword];
  builder.emit(from, to, instruction, span, marks);
}

function lowerReturn(
  { builder, problems, role, atomic, end }: StatementContext,
  span: Span,
  from: DraftLocation,
): void {
  if (role === 'thread') {
    const message = "'return' stands outside of a procedure or an event";
    const hint = 'a thread ends after its last statement: jump to its end with goto';
    problems.add(misplaced(span, message, hint));
  } else if (atomic) {
    problems.add(misplaced(span, "'return' leads out of an atomic block", leavesAtomic));
  } else {
    builder.jump(from, end, span);
  }
}

function lowerLoopExit(
  { builder, problems, loop, atomic }: StatementContext,
  keyword: 'break' | 'continue',
  span: Span,
  from: DraftLocation,
): void {
  if (!loop) {
    problems.add(misplaced(span, `'${keyword}' stands outside of a loop`, 'use goto, or a loop'));
  } else if (loop.atomic !== atomic) {
    const message = `'${keyword}' leads out of an atomic block`;
    problems.add(misplaced(span, message, leavesAtomic));
  } else {
    builder.jump(from, keyword === 'break' ? loop.exit : loop.next, span);
  }
}

/**
 * Emits an assertion or assumption: `assume` blocks the thread and reads only registers; `assert`
 * is a property and may load first.
 */
function lowerAssertion(
  context: StatementContext,
  node: ConditionStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, marks, problems } = context;
  const term = readTerm(node.condition, problems);
  if (!term) return;
  const span = spanBetween(node.span, node.condition.span);
  const cursor: Cursor = { point: from };
  const condition =
    node.keyword === 'assert'
      ? lowerValue(context, term, cursor)
      : lowerRegisterCondition(context, term);
  builder.emit(cursor.point, to, { kind: node.keyword, condition }, span, marks);
}

function lowerRegisterCondition(
  { scope, problems }: StatementContext,
  term: NativeTerm,
): Expression {
  const refuse = (what: string, span: Span) => {
    problems.add(
      wrongOperand(
        span,
        `'assume' reads only registers, and ${what} is shared`,
        'load it into a register first, or wait in a loop: while (!(...)) { }',
      ),
    );
    return brokenExpression;
  };
  return lowerTerm(term, {
    scope,
    problems,
    folds: true,
    allowsBareArrays: false,
    readCell: (_, cell) => refuse(cell.kind === 'name' ? `'${cell.name}'` : 'mem[...]', cell.span),
    readCall: (call) => refuse(`the operand of ${call.name}`, call.span),
  });
}

function lowerGoto(context: StatementContext, node: GotoStatement, from: DraftLocation): void {
  const { problems, labels, builder, atomic, role } = context;
  const name = node.target.text;
  const span = node.target.span;
  const label = labels.get(name);
  if (!label) {
    const what = role === 'thread' ? 'label' : `label of this ${role}`;
    problems.addUnknown(span, what, name, () => labels.keys());
    return;
  }
  if (label.atomic !== atomic)
    problems.add(
      atomic
        ? misplaced(node.span, "'goto' leads out of an atomic block", leavesAtomic)
        : misplaced(node.span, "'goto' leads into an atomic block", 'jump to its start'),
    );
  builder.jump(from, label.point, node.span);
}
