import type { Copies, SharedScope, ThreadScope } from './scope.js';
import type { Block } from './syntax-statements.js';
import { collectLocals } from './collect-locals.js';
import { HiddenRegisters } from './hidden-registers.js';
import type { LoweredThread } from './lowered-thread.js';
import { lowerStatement, startSpan } from './lower-statement.js';
import type { ProblemList } from './problem-list.js';
import { endOf } from './spans.js';
import { ThreadBuilder } from './thread-builder.js';

/** The automaton of a thread in the structured form. */
export function lowerStructured(
  name: string,
  body: Block,
  shared: SharedScope,
  copies: Copies,
  problems: ProblemList,
): LoweredThread {
  const locals = collectLocals(body, shared, problems);
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
  const context = { scope, problems, builder, hidden, labels, marks: {} };
  lowerStatement(context, body, start, end);
  const { thread, flow } = builder.finish(start, end);
  return {
    thread,
    labels: new Map([...labels].map(([label, { point }]) => [label, builder.idOf(point)!])),
    registers: locals.ids,
    text: { kind: 'structured', body, flow },
  };
}
