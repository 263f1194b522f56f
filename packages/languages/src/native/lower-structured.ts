import type { EventInstruction, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { DeclaredCopies, SharedScope, ThreadScope } from './scope.js';
import type { BlockSyntax } from './syntax-statements.js';
import { collectLocals } from './collect-locals.js';
import { HiddenRegisters } from './hidden-registers.js';
import type { LoweredThread } from './lowered-thread.js';
import { lowerStatement, startSpan } from './lower-statement.js';
import type { Procedures } from './procedures.js';
import type { ProblemList } from './problem-list.js';
import { endOf } from './spans.js';
import type { StatementContext } from './structured-context.js';
import type { Name } from './syntax-node.js';
import { ThreadBuilder } from './thread-builder.js';

/** The head of a structured body, before the braces: kind, name, parameters and copies. */
interface BodyHead {
  readonly role: StatementContext['role'];
  readonly name: string;
  readonly parameters: readonly Name[];
  readonly copies: ThreadScope['copies'];
  /**
   * By label, the milestones in the body: labels that a task has to pass before an event starts.
   */
  readonly milestones?: ReadonlyMap<string, MilestoneId>;
  /** The milestone at the end of the body; absent if no event waits for the end. */
  readonly endMilestone?: MilestoneId;
}

/** Returns the automaton of a thread in the structured form, with called procedures inlined. */
export function lowerStructured(
  name: string,
  body: BlockSyntax,
  shared: SharedScope,
  copies: DeclaredCopies,
  procedures: Procedures,
  problems: ProblemList,
): LoweredThread {
  const head = { role: 'thread', name, parameters: [], copies } as const;
  const lowered = lowerBody(head, body, shared, problems);
  return { ...lowered, ...procedures.inline(lowered.thread, body.span, problems) };
}

/**
 * Returns the automaton of a thread, an event or a procedure; its first registers are the
 * parameters.
 */
export function lowerBody(
  { role, name, parameters, copies, milestones = new Map(), endMilestone }: BodyHead,
  body: BlockSyntax,
  shared: SharedScope,
  problems: ProblemList,
): LoweredThread<EventInstruction> {
  const locals = collectLocals(parameters, body, shared, problems);
  const scope: ThreadScope = { shared, registers: locals.ids, copies };
  const builder = new ThreadBuilder(name);
  for (const register of locals.ids.keys()) builder.register(register);
  const isTaken = (text: string): boolean =>
    locals.ids.has(text) || shared.constants.has(text) || shared.symbolIds.has(text);
  const hidden = new HiddenRegisters(builder, isTaken);
  const labels = new Map(
    [...locals.labels].map(([label, declaration]) => [
      label,
      { ...declaration, point: builder.location(declaration.span, label) },
    ]),
  );
  const start = builder.location(startSpan(body));
  const end = builder.location(endOf(body.span));
  // Every `return` leads to `end`.
  if (role !== 'thread') builder.pin(end);
  const about = { scope, problems, builder, hidden, labels, milestones };
  const context = { ...about, marks: {}, role, end };
  lowerStatement(context, body, start, end);
  if (endMilestone !== undefined) {
    const span = endOf(body.span);
    const pass = { kind: 'pass', milestone: endMilestone } as const;
    builder.emit(end, builder.location(span), pass, span, {});
  }
  const { thread, flow } = builder.finish(start, end);
  return {
    thread,
    labels: new Map([...labels].map(([label, { point }]) => [label, builder.idOf(point)!])),
    registers: locals.ids,
    text: { kind: 'structured', body, flow },
  };
}
