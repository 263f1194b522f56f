import { misplaced } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { nestedStatements } from './collect-locals.js';
import type {
  AnnotatedStatement,
  AtomicStatement,
  ChooseStatement,
  ConditionSyntax,
  DoStatement,
  IfStatement,
  LabelledStatement,
  StatementSyntax,
  WhileStatement,
} from './syntax-statements.js';
import { lowerCondition } from './lower-expression.js';
import { lowerSimple } from './lower-simple.js';
import { readAnnotations } from './read-annotations.js';
import { readTerm } from './read-term.js';
import { endOf, startOf } from './spans.js';
import type { LoopTargets, StatementContext } from './structured-context.js';
import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import { gapsAround } from './text-flow.js';

/**
 * Emits the instructions of a statement, from the point `from` to the point `to`. A statement
 * without instructions merges the two points: jumps, labels and blocks cost no instruction.
 */
export function lowerStatement(
  context: StatementContext,
  statement: StatementSyntax,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder } = context;
  const span = statement.span;
  if (statement.isDamaged) {
    for (const nested of nestedStatements(statement))
      lowerStatement(context, nested, builder.location(span), builder.location(span));
    return;
  }
  const { before, after } = gapsAround(statement);
  const start = before ? builder.pointBehind(before, from) : from;
  const end = after ? builder.pointBefore(after, to) : to;
  context.hidden.during(() => lowerWhole(context, statement, start, end));
}

function lowerWhole(
  context: StatementContext,
  statement: StatementSyntax,
  from: DraftLocation,
  to: DraftLocation,
): void {
  switch (statement.kind) {
    case 'AnnotatedStatement':
      lowerAnnotated(context, statement, from, to);
      break;
    case 'Block':
      lowerSequence(context, statement.statements, from, to, statement.span);
      break;
    case 'LabelledStatement':
      lowerLabel(context, statement, from, to);
      break;
    case 'IfStatement':
      lowerIf(context, statement, from, to);
      break;
    case 'WhileStatement':
      lowerWhile(context, statement, from, to);
      break;
    case 'DoStatement':
      lowerDo(context, statement, from, to);
      break;
    case 'LoopStatement': {
      const inner = enterLoop(context, { exit: to, next: from });
      lowerStatement(inner, statement.body, from, from);
      break;
    }
    case 'ChooseStatement':
      lowerChoose(context, statement, from, to);
      break;
    case 'AtomicStatement':
      lowerAtomic(context, statement, from, to);
      break;
    default:
      lowerSimple(context, statement, from, to);
  }
}

function lowerAnnotated(
  context: StatementContext,
  { annotations, statement }: AnnotatedStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { scope, problems, role } = context;
  const marks = readAnnotations(annotations, context.marks, scope.shared, problems);
  lowerStatement({ ...context, marks }, statement, from, to);
  if (role === 'thread' || doesSomething(statement)) return;
  for (const { span } of annotations)
    problems.add(
      misplaced(
        span,
        'no fence can stand at this annotation',
        'put the annotation before a statement that has an effect',
      ),
    );
}

/** Whether a statement contains an instruction, before which a fence could be inserted. */
function doesSomething(statement: StatementSyntax): boolean {
  switch (statement.kind) {
    case 'Block':
    case 'LabelledStatement':
    case 'AnnotatedStatement':
      return nestedStatements(statement).some(doesSomething);
    case 'LocalStatement':
      return statement.variables.some(({ initial }) => initial);
    case 'KeywordStatement':
      return !['break', 'continue', 'return'].includes(statement.keyword);
    case 'EmptyStatement':
    case 'GotoStatement':
      return false;
    default:
      return true;
  }
}

function lowerLabel(
  context: StatementContext,
  { label, statement }: LabelledStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, marks } = context;
  const { text: name, span } = label;
  const point = context.labels.get(name)?.point ?? builder.location(span);
  const milestone = context.milestones.get(name);
  const end = milestone === undefined ? to : builder.location(span);
  builder.jump(from, point, span);
  if (statement) builder.lowerLabelled(name, () => lowerStatement(context, statement, point, end));
  else builder.jump(point, end, span);
  if (milestone !== undefined) builder.emit(end, to, { kind: 'pass', milestone }, span, marks);
}

/**
 * Returns the place of the first instruction in a statement; the statement's location is named
 * after the line of this place.
 */
export function startSpan(statement: StatementSyntax): Span {
  const [first] = nestedStatements(statement);
  switch (statement.kind) {
    case 'Block':
      return first ? startSpan(first) : endOf(statement.span);
    case 'LoopStatement':
    case 'DoStatement':
      return first ? startSpan(first) : statement.span;
    default:
      return statement.span;
  }
}

/**
 * Lowers statements in sequence. `span` is the span of the block: the point after an empty block
 * is at the end of the block.
 */
function lowerSequence(
  context: StatementContext,
  statements: readonly StatementSyntax[],
  from: DraftLocation,
  to: DraftLocation,
  span: Span,
): void {
  if (statements.length === 0) context.builder.jump(from, to, span);
  let point = from;
  statements.forEach((statement, i) => {
    const following = statements[i + 1];
    const next = following ? context.builder.location(startSpan(following)) : to;
    lowerStatement(context, statement, point, next);
    point = next;
  });
}

/**
 * A branch after a condition: its text and its first point. For the condition `*`, control enters
 * both branches directly by their first instructions if possible.
 */
interface Branch {
  readonly start: DraftLocation;
  /**
   * Emits the branch, from `start` on; absent when the branch is empty and `start` is the point
   * after the branch.
   */
  readonly lower?: () => void;
  readonly span: Span;
}

function lowerBranches(
  context: StatementContext,
  condition: ConditionSyntax,
  from: DraftLocation,
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
  if (!expression)
    for (const { start, lower, span } of [whenTrue, whenFalse])
      if (lower) builder.adopt(start, from, span, marks);
      else builder.emit(from, start, { kind: 'skip' }, span, marks);
}

function lowerIf(
  context: StatementContext,
  node: IfStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder } = context;
  if (!node.condition.expression) builder.pin(to);
  const branch = (statement: StatementSyntax | undefined): Branch => {
    if (!statement) return { start: to, span: node.condition.span };
    const span = statement.span;
    const start = builder.location(startSpan(statement));
    return { start, span, lower: () => lowerStatement(context, statement, start, to) };
  };
  lowerBranches(context, node.condition, from, branch(node.then), branch(node.else));
}

function enterLoop(
  context: StatementContext,
  { exit, next }: { readonly exit: DraftLocation; readonly next: DraftLocation },
): StatementContext {
  context.builder.pin(exit);
  context.builder.pin(next);
  const loop: LoopTargets = { exit, next, atomic: context.atomic };
  return { ...context, loop };
}

function lowerWhile(
  context: StatementContext,
  node: WhileStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const inner = enterLoop(context, { exit: to, next: from });
  const span = node.body.span;
  const start = context.builder.location(startSpan(node.body));
  lowerBranches(
    context,
    node.condition,
    from,
    { start, span, lower: () => lowerStatement(inner, node.body, start, from) },
    { start: to, span: node.condition.span },
  );
}

function lowerDo(
  context: StatementContext,
  node: DoStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const span = node.condition.span;
  const test = context.builder.location(span);
  const inner = enterLoop(context, { exit: to, next: test });
  context.builder.pin(from);
  lowerStatement(inner, node.body, from, test);
  lowerBranches(context, node.condition, test, { start: from, span }, { start: to, span });
}

function lowerChoose(
  context: StatementContext,
  { branches }: ChooseStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, marks } = context;
  builder.pin(to);
  for (const branch of branches) {
    const span = branch.span;
    const start = builder.location(startSpan(branch));
    lowerStatement(context, branch, start, to);
    builder.adopt(start, from, span, marks);
  }
}

function lowerAtomic(
  context: StatementContext,
  node: AtomicStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, marks, problems } = context;
  const span = node.span;
  const keyword = startOf(span, 'atomic'.length);
  if (context.atomic)
    problems.add(
      misplaced(keyword, 'an atomic block inside of an atomic block', 'remove the inner block'),
    );
  const start = builder.location(startSpan(node.body));
  const end = builder.location(endOf(span));
  builder.emit(from, start, { kind: 'lock' }, keyword, marks);
  lowerStatement({ ...context, atomic: node }, node.body, start, end);
  builder.emit(end, to, { kind: 'unlock' }, endOf(span), marks);
}
