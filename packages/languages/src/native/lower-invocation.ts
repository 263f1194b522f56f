import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { PostedTo } from '@fencewright/model/program/event-program.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import { misplaced, unknownWord, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { spanBetween, type Span } from '@fencewright/ground/source/span.js';
import { type Cursor, lowerValue } from './lower-expression.js';
import { brokenExpression } from './lower-term.js';
import type { ProblemList } from './problem-list.js';
import { readTerm } from './read-term.js';
import type { BodySignature, SharedScope } from './scope.js';
import { startOf } from './spans.js';
import type { StatementContext } from './structured-context.js';
import type { CallSyntax, ExpressionSyntax } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';
import type { AsyncStatement, ProcedureCallStatement } from './syntax-statements.js';

/**
 * Emits `call p(e, e);`: the loads in the arguments from left to right, then the call of the
 * procedure.
 */
export function lowerProcedureCall(
  context: StatementContext,
  { call, span }: ProcedureCallStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  refuseInAtomic(context, 'call', span);
  lowerInvocation(context, call, span, { from, to }, (body, values) => ({
    ...{ kind: 'call', body, arguments: values },
  }));
}

/** Emits `async[main] p(e, e);`: the arguments are evaluated when the task is posted. */
export function lowerAsync(
  context: StatementContext,
  { target, call, span }: AsyncStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { problems, scope } = context;
  if (!scope.shared.isEventDriven)
    problems.add(
      misplaced(
        startOf(span, 'async'.length),
        "'async' posts a task, but programs of threads have no tasks",
        'write the program with events, or call the procedure',
      ),
    );
  refuseInAtomic(context, 'async', span);
  const place = readTarget(target, problems);
  lowerInvocation(context, call, span, { from, to }, (body, values) => ({
    ...{ kind: 'post', body, to: place, arguments: values },
  }));
}

const targets = ['main', 'any'] as const;

function readTarget({ text, span }: Name, problems: ProblemList): PostedTo {
  const target = targets.find((known) => known === text);
  if (!target) problems.add(unknownWord(span, 'thread for tasks', text, targets));
  return target ?? 'any';
}

function refuseInAtomic({ atomic, problems }: StatementContext, word: string, span: Span): void {
  if (!atomic) return;
  problems.add(
    misplaced(
      startOf(span, word.length),
      `'${word}' stands inside of an atomic block`,
      'end the block first: an atomic block holds only memory accesses',
    ),
  );
}

function lowerInvocation(
  context: StatementContext,
  { name, arguments: given }: CallSyntax,
  whole: Span,
  { from, to }: { readonly from: DraftLocation; readonly to: DraftLocation },
  make: (body: number, values: readonly Expression[]) => EmittedInstruction,
): void {
  const { builder, problems, scope, marks } = context;
  const cursor: Cursor = { point: from };
  const values = given.map((value) => lowerArgument(context, value, cursor));
  const body = findProcedure(name, scope.shared, problems);
  if (!body) return;
  const last = given.at(-1)?.span ?? name.span;
  checkNumber(name, given, body, spanBetween(name.span, last), problems);
  const end = { line: whole.end.line, column: whole.end.column - 1 };
  builder.emit(cursor.point, to, make(body.id, values), spanBetween(whole, { end }), marks);
}

type EmittedInstruction = Parameters<StatementContext['builder']['emit']>[2];

function lowerArgument(
  context: StatementContext,
  value: ExpressionSyntax,
  cursor: Cursor,
): Expression {
  const term = readTerm(value, context.problems);
  return term ? lowerValue(context, term, cursor) : brokenExpression;
}

/** Returns the procedure with a name; `undefined` after a reported error. */
function findProcedure(
  { text, span }: Name,
  { bodies }: SharedScope,
  problems: ProblemList,
): BodySignature | undefined {
  const body = bodies.get(text);
  if (body?.role === 'procedure') return body;
  if (body)
    problems.add(
      wrongOperand(
        span,
        `'${text}' is an event, and only the environment starts events`,
        'move the code into a procedure that the event calls',
      ),
    );
  else
    problems.addUnknown(span, 'procedure', text, () =>
      [...bodies].flatMap(([name, { role }]) => (role === 'procedure' ? [name] : [])),
    );
  return undefined;
}

/** Reports a call whose number of arguments differs from the number of parameters. */
export function checkNumber(
  { text }: Name,
  given: readonly unknown[],
  { parameters, role }: BodySignature,
  span: Span,
  problems: ProblemList,
): void {
  if (parameters === undefined || given.length === parameters) return;
  const takes = parameters === 1 ? '1 argument' : `${parameters} arguments`;
  problems.add(
    wrongOperand(
      span,
      `${role} '${text}' takes ${takes}, not ${given.length}`,
      'give one argument for each parameter',
    ),
  );
}
