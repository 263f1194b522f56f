import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { nestedStatements } from './collect-locals.js';
import type { BlockSyntax, StatementSyntax } from './syntax-statements.js';
import type { EventDeclaration, ProcedureDeclaration } from './syntax.js';
import type { Name } from './syntax-node.js';

type BodySyntax = EventDeclaration | ProcedureDeclaration;

/** A statement that posts a task or calls a procedure. */
interface Use {
  readonly kind: 'post' | 'call';
  readonly name: string;
  /** Whether the statement runs exactly once in each run of the body to its end. */
  readonly runsOnce: boolean;
}

/**
 * Returns the names of the bodies whose ends, taken together, are the end of an event with all its
 * tasks: the event, and each body that its tasks run. Returns an error, at `place`, if the text
 * does not tell that each task is posted exactly once in each run of the event: a task posted under
 * a condition may be no part of the event, and of a task posted twice the first may end alone.
 */
export function endOfEvent(
  event: BodySyntax,
  bodies: readonly BodySyntax[],
  place: Name,
): readonly string[] | Diagnostic {
  const uses = bodies.map(({ body }) => usesIn(body));
  const named = new Map(bodies.map(({ name }, id) => [name.text, uses[id]!]));
  const all = uses.flat();
  const isPostedOnce = ({ name, runsOnce }: Use): boolean =>
    runsOnce && all.filter((use) => use.name === name).length === 1;
  const ended = [event.name.text];
  for (const body of ended)
    for (const use of named.get(body) ?? []) {
      if (use.kind === 'call') {
        if (!postsByCalls(use.name, named)) continue;
        return unclear(place, `a procedure that it calls posts tasks`);
      }
      if (!isPostedOnce(use))
        return unclear(place, `'${use.name}' need not be posted exactly once`);
      ended.push(use.name);
    }
  return ended;
}

function unclear({ text, span }: Name, why: string): Diagnostic {
  return notSupported(
    span,
    `the end of '${text}' with all its tasks has no place in the text: ${why}`,
    'wait for a label: put one behind the last statement that has to come before',
  );
}

/** Whether a procedure posts tasks, itself or by procedures that it calls. */
function postsByCalls(
  procedure: string,
  named: ReadonlyMap<string, readonly Use[]>,
  seen = new Set<string>(),
): boolean {
  if (seen.has(procedure)) return false;
  seen.add(procedure);
  return (named.get(procedure) ?? []).some(
    ({ kind, name }) => kind === 'post' || postsByCalls(name, named, seen),
  );
}

/** Returns the postings and calls in a body, in the order of the text. */
function usesIn(body: BlockSyntax): readonly Use[] {
  const isStraight = !hasJump(body);
  const found: Use[] = [];
  const visit = (statement: StatementSyntax, isAlways: boolean): void => {
    if (statement.kind === 'AsyncStatement')
      found.push({ kind: 'post', name: statement.call.name.text, runsOnce: isAlways });
    if (statement.kind === 'ProcedureCallStatement')
      found.push({ kind: 'call', name: statement.call.name.text, runsOnce: isAlways });
    const inOrder = ['Block', 'LabelledStatement', 'AnnotatedStatement'].includes(statement.kind);
    for (const inner of nestedStatements(statement)) visit(inner, isAlways && inOrder);
  };
  visit(body, isStraight);
  return found;
}

/**
 * Whether a statement contains a `goto` or `return`, so that control may leave the order of the
 * text.
 */
function hasJump(statement: StatementSyntax): boolean {
  if (statement.kind === 'GotoStatement') return true;
  if (statement.kind === 'KeywordStatement' && statement.keyword === 'return') return true;
  return nestedStatements(statement).some(hasJump);
}
