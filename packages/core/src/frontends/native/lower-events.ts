import type { EventInstances } from '../../program/event-program.js';
import { misplaced, wrongOperand } from '../../source/diagnostic.js';
import { bodiesIn } from './declare-shared.js';
import { evaluateConstant } from './evaluate-constant.js';
import { checkNumber } from './lower-invocation.js';
import { lowerBody } from './lower-structured.js';
import type { LoweredBody } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import { readNumber, readTerm } from './read-term.js';
import type { BodySignature, SharedScope } from './scope.js';
import { lookUpShared } from './scope.js';
import { startOf } from './spans.js';
import type { Declaration, EventInstance, InstanceCount, Model } from './syntax.js';
import type { Expression } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';

/** Most instances of an event that `* k` makes. */
const mostInstances = 64;

/** Reports the first declaration that makes a program one of threads and of events. */
export function refuseThreadsBesideEvents(
  declarations: readonly Declaration[],
  problems: ProblemList,
): void {
  const thread = declarations.find(({ kind }) => kind === 'ThreadDeclaration');
  const event = declarations.find(
    ({ kind }) => kind === 'EventDeclaration' || kind === 'EventsDeclaration',
  );
  if (!thread || !event) return;
  const later = thread.start < event.start ? event : thread;
  problems.add(
    misplaced(
      startOf(later.span, later === thread ? 'thread'.length : 'event'.length),
      'a program has threads or events, and not both',
      'write the threads as procedures that an event posts: async[any] p();',
    ),
  );
}

/** Reports what only programs of threads have. */
export function refuseThreadParts(
  declarations: readonly Declaration[],
  problems: ProblemList,
): void {
  for (const declaration of declarations) {
    if (declaration.kind === 'InvariantDeclaration')
      problems.add(
        misplaced(
          startOf(declaration.span, 'invariant'.length),
          'invariants are about threads, and this program has events',
          'write a property: never (...)',
        ),
      );
    if (declaration.kind !== 'VarDeclaration') continue;
    for (const { isBoundless, isDamaged, name } of declaration.variables)
      if (isBoundless && !isDamaged)
        problems.add(
          misplaced(
            name.span,
            `'${name.text}' has no bounds, and only proofs about threads know such arrays`,
            'give the number of its cells',
          ),
        );
  }
}

/** The events and procedures, in the order of the text. */
export function lowerBodies(
  declarations: readonly Declaration[],
  shared: SharedScope,
  problems: ProblemList,
): readonly LoweredBody[] {
  return bodiesIn(declarations).map(({ kind, name, parameters, body }) => {
    const role = kind === 'EventDeclaration' ? 'event' : 'procedure';
    const copies = { kind: 'invocations' } as const;
    const head = { role, name: name.text, parameters, copies } as const;
    const lowered = lowerBody(head, body, shared, problems);
    return { ...lowered, role, parameters: parameters.length, span: name.span };
  });
}

/** What the environment starts, in the order of the text. */
export function lowerInstances(
  { declarations, isDamaged }: Model,
  shared: SharedScope,
  problems: ProblemList,
): readonly EventInstances[] {
  const lists = declarations.filter((one) => one.kind === 'EventsDeclaration');
  const [event] = declarations.filter(({ kind }) => kind === 'EventDeclaration');
  if (event && lists.length === 0 && !isDamaged)
    problems.add(
      misplaced(
        startOf(event.span, 'event'.length),
        "the program says nowhere which events there are: 'events' is missing",
        'write events e(), or events e() * for any number',
      ),
    );
  return lists
    .flatMap(({ instances }) => instances)
    .filter(({ isDamaged }) => !isDamaged)
    .flatMap((instance) => lowerInstance(instance, shared, problems));
}

function lowerInstance(
  { name, arguments: given, count, span }: EventInstance,
  shared: SharedScope,
  problems: ProblemList,
): readonly EventInstances[] {
  const values = given.map((value) => evaluate(value, shared, problems) ?? 0);
  const event = findEvent(name, shared, problems);
  const times = readCount(count, shared, problems);
  if (!event) return [];
  checkNumber(name, given, event, span, problems);
  return [{ event: event.id, arguments: values, count: times }];
}

/** Absent after an error, which has been reported. */
function findEvent(
  { text, span }: Name,
  { bodies }: SharedScope,
  problems: ProblemList,
): BodySignature | undefined {
  const body = bodies.get(text);
  if (body?.role === 'event') return body;
  if (body)
    problems.add(
      wrongOperand(
        span,
        `'${text}' is a procedure, and the environment starts events only`,
        `write an event that calls it: event e() { call ${text}(); }`,
      ),
    );
  else
    problems.addUnknown(span, 'event', text, () =>
      [...bodies].flatMap(([name, { role }]) => (role === 'event' ? [name] : [])),
    );
  return undefined;
}

function readCount(
  count: InstanceCount | undefined,
  shared: SharedScope,
  problems: ProblemList,
): EventInstances['count'] {
  if (!count) return 1;
  const { value, isNegative, span } = count;
  if (!value) return 'any';
  const times =
    value.kind === 'Name'
      ? readConstant(value, isNegative, shared, problems)
      : readNumber(value, isNegative, problems);
  if (times === undefined || (times >= 1 && times <= mostInstances)) return times ?? 1;
  problems.add(
    wrongOperand(
      span,
      `an event has 1 to ${mostInstances} instances here, and not ${times}`,
      'write * alone for any number of them',
    ),
  );
  return 1;
}

function readConstant(
  { text, span }: Name,
  isNegative: boolean,
  shared: SharedScope,
  problems: ProblemList,
): number | undefined {
  const value = evaluateConstant({ kind: 'name', name: text, span }, constants(shared), problems);
  return value === undefined || !isNegative ? value : -value;
}

function evaluate(
  expression: Expression,
  shared: SharedScope,
  problems: ProblemList,
): number | undefined {
  const term = readTerm(expression, problems);
  return term && evaluateConstant(term, constants(shared), problems);
}

function constants(shared: SharedScope) {
  return {
    lookUp: (name: string) => lookUpShared(shared, name),
    candidates: () => shared.constants.keys(),
  };
}
