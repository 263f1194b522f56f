import { unreachable } from '../../base/unreachable.js';
import type { Instruction } from '../../program/instruction.js';
import { misplaced, notSupported, wrongOperand } from '../../source/diagnostic.js';
import type { Span } from '../../source/span.js';
import { nestedStatements } from './collect-locals.js';
import type {
  AtomicStatement,
  ChooseStatement,
  Condition,
  ConditionStatement,
  DoStatement,
  GotoStatement,
  IfStatement,
  KeywordStatement,
  LocalStatement,
  MemoryStatement,
  NamedStatement,
  Statement,
  WhileStatement,
} from './generated/ast.js';
import type { Cursor } from './lower-expression.js';
import {
  lowerCall,
  lowerCondition,
  lowerIntoRegister,
  lowerStore,
  lowerValue,
} from './lower-expression.js';
import { lowerHavoc } from './lower-havoc.js';
import { brokenExpression, lowerTerm } from './lower-term.js';
import { readAnnotations } from './read-annotations.js';
import { readTerm, readTerms, toName } from './read-term.js';
import { lookUp } from './scope.js';
import { endOf, spanBetween, spanOf, spanOfName, startOf } from './spans.js';
import type { LoopTargets, StatementContext } from './structured-context.js';
import type { CellTerm, NameTerm, Term } from './term.js';
import type { Point } from './thread-builder.js';

/**
 * Emits the instructions of a statement, from the point `from` to the point `to`. Where nothing is to be done the two
 * become one: jumps, labels and blocks cost no instruction.
 */
export function lowerStatement(
  context: StatementContext,
  statement: Statement,
  from: Point,
  to: Point,
): void {
  const { builder, syntax } = context;
  const span = spanOf(statement);
  if (syntax.isBroken(statement, nestedStatements(statement))) {
    for (const nested of nestedStatements(statement))
      lowerStatement(context, nested, builder.point(span), builder.point(span));
    return;
  }
  const fresh = context.hidden;
  fresh.during(() => lowerWhole(context, statement, from, to));
}

function lowerWhole(context: StatementContext, statement: Statement, from: Point, to: Point): void {
  const { builder } = context;
  switch (statement.$type) {
    case 'AnnotatedStatement': {
      const { marks, scope, problems } = context;
      const inner = readAnnotations(statement.annotations, marks, scope.shared, problems);
      return lowerStatement({ ...context, marks: inner }, statement.statement, from, to);
    }
    case 'Block':
      return lowerSequence(context, statement.statements, from, to, spanOf(statement));
    case 'LocalStatement':
      return lowerLocals(context, statement, from, to);
    case 'NamedStatement':
      return lowerNamed(context, statement, from, to);
    case 'MemoryStatement':
      return lowerMemory(context, statement, from, to);
    case 'IfStatement':
      return lowerIf(context, statement, from, to);
    case 'WhileStatement':
      return lowerWhile(context, statement, from, to);
    case 'DoStatement':
      return lowerDo(context, statement, from, to);
    case 'LoopStatement':
      return lowerStatement(
        enterLoop(context, { exit: to, next: from }),
        statement.body,
        from,
        from,
      );
    case 'ChooseStatement':
      return lowerChoose(context, statement, from, to);
    case 'AtomicStatement':
      return lowerAtomic(context, statement, from, to);
    case 'GotoStatement':
      return lowerGoto(context, statement, from);
    case 'KeywordStatement':
      return lowerKeyword(context, statement, from, to);
    case 'ConditionStatement':
      return lowerAssertion(context, statement, from, to);
    case 'HavocStatement':
      return lowerHavoc(context, statement, from, to);
    case 'AsyncStatement':
      context.problems.add(notSupported(spanOf(statement), "'async' is not supported yet"));
      return undefined;
    case 'EmptyStatement':
      return builder.jump(from, to, spanOf(statement));
    default:
      return unreachable(statement);
  }
}

/** `span` is that of the block: the point behind an empty one stands at its end. */
function lowerSequence(
  context: StatementContext,
  statements: readonly Statement[],
  from: Point,
  to: Point,
  span: Span,
): void {
  if (statements.length === 0) context.builder.jump(from, to, span);
  let point = from;
  statements.forEach((statement, i) => {
    const following = statements[i + 1];
    const next = following ? context.builder.point(spanOf(following)) : to;
    lowerStatement(context, statement, point, next);
    point = next;
  });
}

function lowerLocals(
  context: StatementContext,
  { variables }: LocalStatement,
  from: Point,
  to: Point,
): void {
  const { builder, scope, problems } = context;
  let point = from;
  variables.forEach((variable, i) => {
    const following = variables[i + 1];
    const next = following ? builder.point(spanOf(following)) : to;
    const span = spanOf(variable);
    const into = scope.registers.get(toName(variable.name));
    const term = variable.initial && readTerm(variable.initial, problems);
    if (!term || into === undefined) builder.jump(point, next, span);
    else lowerIntoRegister(context, into, term, { from: point, to: next, span });
    point = next;
  });
}

/** Label, assignment or call. */
function lowerNamed(context: StatementContext, node: NamedStatement, from: Point, to: Point): void {
  const { builder, scope, problems } = context;
  const name = toName(node.name);
  const nameSpan = spanOfName(node, name);
  if (node.label) {
    const point = context.labels.get(name)?.point ?? builder.point(nameSpan);
    builder.jump(from, point, nameSpan);
    if (node.labelled) lowerStatement(context, node.labelled, point, to);
    else builder.jump(point, to, nameSpan);
    return;
  }
  if (!node.value) return lowerCallStatement(context, node, from, to);
  const value = readTerm(node.value, problems);
  const index = node.index && readTerm(node.index, problems);
  const meaning = lookUp(scope, name, nameSpan, problems);
  if (!value || !meaning || (node.index && !index)) return;
  const place = { from, to, span: spanBetween(nameSpan, spanOf(node.value)) };
  if (meaning.kind === 'register' && !node.index)
    return lowerIntoRegister(context, meaning.register, value, place);
  const cell: NameTerm = {
    kind: 'name',
    name,
    span: cellSpan(node, nameSpan),
    ...(index && { index }),
  };
  if (meaning.kind === 'symbol') return lowerStore(context, cell, value, place);
  problems.add(
    meaning.kind === 'constant'
      ? wrongOperand(
          nameSpan,
          `'${name}' is a constant`,
          "declare it with 'var' or 'local' to change it",
        )
      : wrongOperand(cell.span, `'${name}' is not an array`, 'only shared variables can be arrays'),
  );
}

/** `a[i]` without the rest of the assignment. */
function cellSpan(node: NamedStatement, name: Span): Span {
  if (!node.index) return name;
  const { end } = spanOf(node.index);
  return { start: name.start, end: { line: end.line, column: end.column + 1 } };
}

/** A read-modify-write whose result is dropped. */
function lowerCallStatement(
  context: StatementContext,
  node: NamedStatement,
  from: Point,
  to: Point,
): void {
  const { builder, problems, marks } = context;
  const whole = spanOf(node);
  const last = node.arguments.at(-1);
  const end = last ? spanOf(last).end : spanOfName(node, node.name).end;
  const span = { start: whole.start, end: { line: end.line, column: end.column + 1 } };
  const operands = readTerms(node.arguments, problems);
  if (!operands) return;
  const cursor: Cursor = { point: from };
  const call = { kind: 'call', name: toName(node.name), arguments: operands, span } as const;
  const instruction = lowerCall(context, call, cursor);
  if (instruction) builder.emit(cursor.point, to, instruction, span, marks);
}

function lowerMemory(
  context: StatementContext,
  node: MemoryStatement,
  from: Point,
  to: Point,
): void {
  const address = readTerm(node.address, context.problems);
  const value = readTerm(node.value, context.problems);
  if (!address || !value) return;
  const span = spanBetween(spanOf(node), spanOf(node.value));
  const cell: CellTerm = { kind: 'memory', address, span };
  lowerStore(context, cell, value, { from, to, span });
}

/** Where a condition leads; for `*` both branches are entered by their first instructions where that can be. */
interface Branch {
  readonly start: Point;
  /** Emits the branch, from `start`; absent when `start` is the point behind. */
  readonly lower?: () => void;
  readonly span: Span;
}

function lowerBranches(
  context: StatementContext,
  condition: Condition,
  from: Point,
  whenTrue: Branch,
  whenFalse: Branch,
): void {
  const { builder, problems, marks } = context;
  const { expression } = condition;
  if (expression) {
    const term = readTerm(expression, problems);
    if (term) lowerCondition(context, term, from, whenTrue.start, whenFalse.start);
  }
  whenTrue.lower?.();
  whenFalse.lower?.();
  if (condition.free)
    for (const { start, lower, span } of [whenTrue, whenFalse])
      if (lower) builder.adopt(start, from, span, marks);
      else builder.emit(from, start, { kind: 'skip' }, span, marks);
}

function lowerIf(context: StatementContext, node: IfStatement, from: Point, to: Point): void {
  const { builder } = context;
  builder.pin(to);
  const branch = (statement: Statement | undefined): Branch => {
    if (!statement) return { start: to, span: spanOf(node.condition) };
    const span = spanOf(statement);
    const start = builder.point(span);
    return { start, span, lower: () => lowerStatement(context, statement, start, to) };
  };
  lowerBranches(context, node.condition, from, branch(node.then), branch(node.else));
}

function enterLoop(
  context: StatementContext,
  { exit, next }: { readonly exit: Point; readonly next: Point },
): StatementContext {
  context.builder.pin(exit);
  context.builder.pin(next);
  const loop: LoopTargets = { exit, next, atomic: context.atomic };
  return { ...context, loop };
}

function lowerWhile(context: StatementContext, node: WhileStatement, from: Point, to: Point): void {
  const inner = enterLoop(context, { exit: to, next: from });
  const span = spanOf(node.body);
  const start = context.builder.point(span);
  lowerBranches(
    context,
    node.condition,
    from,
    { start, span, lower: () => lowerStatement(inner, node.body, start, from) },
    { start: to, span: spanOf(node.condition) },
  );
}

function lowerDo(context: StatementContext, node: DoStatement, from: Point, to: Point): void {
  const span = spanOf(node.condition);
  const test = context.builder.point(span);
  const inner = enterLoop(context, { exit: to, next: test });
  context.builder.pin(from);
  lowerStatement(inner, node.body, from, test);
  lowerBranches(context, node.condition, test, { start: from, span }, { start: to, span });
}

function lowerChoose(
  context: StatementContext,
  { branches }: ChooseStatement,
  from: Point,
  to: Point,
): void {
  const { builder, marks } = context;
  builder.pin(to);
  for (const branch of branches) {
    const span = spanOf(branch);
    const start = builder.point(span);
    lowerStatement(context, branch, start, to);
    builder.adopt(start, from, span, marks);
  }
}

function lowerAtomic(
  context: StatementContext,
  node: AtomicStatement,
  from: Point,
  to: Point,
): void {
  const { builder, marks, problems } = context;
  const span = spanOf(node);
  const keyword = startOf(span, 'atomic'.length);
  if (context.atomic)
    problems.add(
      misplaced(keyword, 'an atomic block inside of an atomic block', 'leave the inner one out'),
    );
  const start = builder.point(spanOf(node.body));
  const end = builder.point(endOf(span));
  builder.emit(from, start, { kind: 'lock' }, keyword, marks);
  lowerStatement({ ...context, atomic: node }, node.body, start, end);
  builder.emit(end, to, { kind: 'unlock' }, endOf(span), marks);
}

function lowerGoto(context: StatementContext, node: GotoStatement, from: Point): void {
  const { problems, labels, builder, atomic } = context;
  const name = toName(node.target.name);
  const span = spanOf(node.target);
  const label = labels.get(name);
  if (!label) {
    problems.addUnknown(span, 'label', name, () => labels.keys());
    return;
  }
  if (label.atomic !== atomic)
    problems.add(
      atomic
        ? misplaced(
            spanOf(node),
            "'goto' leads out of an atomic block",
            'let the block end first: the bus lock would stay held',
          )
        : misplaced(spanOf(node), "'goto' leads into an atomic block", 'jump to its start'),
    );
  builder.jump(from, label.point, spanOf(node));
}

function lowerKeyword(
  context: StatementContext,
  node: KeywordStatement,
  from: Point,
  to: Point,
): void {
  const { builder, marks, problems, loop, atomic } = context;
  const { keyword } = node;
  const span = startOf(spanOf(node), keyword.length);
  const emit = (instruction: Instruction) => builder.emit(from, to, instruction, span, marks);
  switch (keyword) {
    case 'break':
    case 'continue':
      if (!loop)
        problems.add(
          misplaced(span, `'${keyword}' stands outside of a loop`, 'use goto, or a loop'),
        );
      else if (loop.atomic !== atomic)
        problems.add(
          misplaced(
            span,
            `'${keyword}' leads out of an atomic block`,
            'let the block end first: the bus lock would stay held',
          ),
        );
      else builder.jump(from, keyword === 'break' ? loop.exit : loop.next, span);
      return;
    case 'lock':
    case 'unlock':
      if (atomic)
        problems.add(
          misplaced(
            span,
            `'${keyword}' inside of an atomic block`,
            'the block holds the bus lock itself',
          ),
        );
      return emit({ kind: keyword });
    case 'skip':
      return emit({ kind: 'skip' });
    case 'fence':
    case 'mfence':
      return emit({ kind: 'fence' });
    default:
      return unreachable(keyword);
  }
}

/** `assume` blocks and reads only registers; `assert` is a property and may load first. */
function lowerAssertion(
  context: StatementContext,
  node: ConditionStatement,
  from: Point,
  to: Point,
): void {
  const { builder, marks, problems } = context;
  const term = readTerm(node.condition, problems);
  if (!term) return;
  const span = spanBetween(spanOf(node), spanOf(node.condition));
  const cursor: Cursor = { point: from };
  const condition =
    node.keyword === 'assert'
      ? lowerValue(context, term, cursor)
      : lowerRegisterCondition(context, term);
  builder.emit(cursor.point, to, { kind: node.keyword, condition }, span, marks);
}

function lowerRegisterCondition({ scope, problems }: StatementContext, term: Term) {
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
