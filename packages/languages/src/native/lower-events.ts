import type { BodyId, EventInstances } from '@fencewright/model/program/event-program.js';
import { isSame } from '@fencewright/model/program/expression.js';
import { misplaced, notSupported, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { bodiesIn } from './declare-shared.js';
import { evaluateConstant } from './evaluate-constant.js';
import { checkNumber } from './lower-invocation.js';
import { lowerBody } from './lower-structured.js';
import { type Milestones, refuseCircles } from './lower-milestones.js';
import type { LoweredBody } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import { readNumber, readTerm } from './read-term.js';
import { type BodySignature, type SharedScope, lookUpShared } from './scope.js';
import { startOf } from './spans.js';
import type {
  AwaitedPlace,
  DeclarationSyntax,
  EventInstance,
  InstanceCount,
  ModelSyntax,
} from './syntax.js';
import type { ExpressionSyntax } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';

/** The maximum number of instances of an event that `* k` can start. */
const mostInstances = 64;

/** Reports the first declaration that mixes threads and events. */
export function refuseThreadsBesideEvents(
  declarations: readonly DeclarationSyntax[],
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
      'a program cannot have both threads and events',
      'write the threads as procedures that an event posts: async[any] p();',
    ),
  );
}

/** Reports declarations allowed only in programs of threads. */
export function refuseThreadParts(
  declarations: readonly DeclarationSyntax[],
  problems: ProblemList,
): void {
  for (const declaration of declarations) {
    if (declaration.kind === 'InvariantDeclaration')
      problems.add(
        misplaced(
          startOf(declaration.span, 'invariant'.length),
          'invariants are about threads, and a program of events has none',
          'write a property: never (...)',
        ),
      );
    if (declaration.kind !== 'VarDeclaration') continue;
    for (const { isBoundless, isDamaged, name } of declaration.variables)
      if (isBoundless && !isDamaged)
        problems.add(
          misplaced(
            name.span,
            `'${name.text}' has no bounds: only proofs about threads support such arrays`,
            'give the number of its cells',
          ),
        );
  }
}

/** Lowers the events and procedures, in the order of the text. */
export function lowerBodies(
  declarations: readonly DeclarationSyntax[],
  shared: SharedScope,
  milestones: Milestones,
  problems: ProblemList,
): readonly LoweredBody[] {
  return bodiesIn(declarations).map(({ kind, name, parameters, body }, id) => {
    const role = kind === 'EventDeclaration' ? 'event' : 'procedure';
    const copies = { kind: 'invocations' } as const;
    const end = milestones.endOf(id);
    const own = {
      ...{ copies, milestones: milestones.of(id) },
      ...(end !== undefined && { endMilestone: end }),
    } as const;
    const head = { role, name: name.text, parameters, ...own } as const;
    const lowered = lowerBody(head, body, shared, problems);
    return { ...lowered, role, parameters: parameters.length, span: name.span };
  });
}

/** Instances of an event that the text tells the environment to start. */
interface WrittenInstances {
  readonly made: EventInstances;
  readonly places: readonly AwaitedPlace[];
  readonly span: Span;
}

/** The parts of a program of events that are known when its instances are read. */
interface InstanceScope {
  readonly shared: SharedScope;
  readonly milestones: Milestones;
  readonly bodies: readonly LoweredBody[];
  readonly problems: ProblemList;
}

/**
 * Returns the instances that the environment starts, in the order of the text; the numbers in
 * `given`, by event name, replace the text's.
 */
export function lowerInstances(
  model: ModelSyntax,
  { shared, milestones, bodies, problems }: InstanceScope,
  given: ReadonlyMap<string, number> = new Map(),
): readonly EventInstances[] {
  const { declarations, isDamaged } = model;
  const lists = declarations.filter((one) => one.kind === 'EventsDeclaration');
  const [event] = declarations.filter(({ kind }) => kind === 'EventDeclaration');
  if (event && lists.length === 0 && !isDamaged)
    problems.add(
      misplaced(
        startOf(event.span, 'event'.length),
        "the declaration 'events' is missing: no event has an instance",
        'write events e(), or events e() * for any number',
      ),
    );
  const written = lists
    .flatMap(({ instances }) => instances)
    .filter((instance) => !instance.isDamaged)
    .flatMap((instance) => lowerInstance(instance, shared, milestones, problems));
  const lowered = bodies.map(({ thread }) => thread);
  if (problems.count === 0) refuseCircles(written, milestones.all, lowered, problems);
  const nowhere = startOf(model.span, 1);
  const counts = new Map<BodyId, number>();
  for (const [name, count] of given) {
    const event = findEvent({ text: name, span: nowhere }, shared, problems);
    if (!event) continue;
    counts.set(event.id, count);
    checkArguments(name, event, count, { written, nowhere }, problems);
  }
  const instances = recounted(written, counts);
  milestones.refuseSeveral(instances, problems);
  return instances;
}

/**
 * Reports an event whose number of instances is given although the text has instances with
 * different arguments, instances that wait for different places, or no instance that gives the
 * arguments.
 */
function checkArguments(
  name: string,
  { id, parameters }: BodySignature,
  count: number,
  { written, nowhere }: { readonly written: readonly WrittenInstances[]; readonly nowhere: Span },
  problems: ProblemList,
): void {
  const own = written.filter(({ made }) => made.event === id);
  const [first] = own;
  const other = own.find(({ made }) => !isSame(made.arguments, first?.made.arguments));
  const apart = own.find(({ made }) => !isSame(made.after, first?.made.after));
  if (other)
    problems.add(
      notSupported(
        other.span,
        `the number of instances of '${name}' is given, but its instances have different arguments`,
        'give all instances the same arguments, or leave the number out',
      ),
    );
  else if (apart)
    problems.add(
      notSupported(
        apart.span,
        `the number of instances of '${name}' is given, but its instances wait for different places`,
        'let all instances wait for the same places, or leave the number out',
      ),
    );
  else if (own.length === 0 && parameters !== 0 && count > 0)
    problems.add(
      notSupported(
        nowhere,
        `the number of instances of '${name}' is given, but their arguments are missing`,
        `write the arguments: events ${name}(...)`,
      ),
    );
}

/**
 * Returns the instances of all events. If a number is given for an event, that many instances stand
 * at the event's first place in the text, and none at its other places.
 */
function recounted(
  written: readonly WrittenInstances[],
  counts: ReadonlyMap<BodyId, number>,
): readonly EventInstances[] {
  const all = written.map(({ made }) => made);
  const first = new Map([...all].reverse().map((made) => [made.event, made]));
  const kept = all.flatMap((made) => {
    const count = counts.get(made.event);
    if (count === undefined) return [made];
    return count > 0 && first.get(made.event) === made ? [{ ...made, count }] : [];
  });
  const added = [...counts]
    .filter(([event, count]) => count > 0 && !first.has(event))
    .map(([event, count]) => ({ event, arguments: [], count }));
  return [...kept, ...added];
}

function lowerInstance(
  { name, arguments: given, count, after: places, span }: EventInstance,
  shared: SharedScope,
  milestones: Milestones,
  problems: ProblemList,
): readonly WrittenInstances[] {
  const values = given.map((value) => evaluate(value, shared, problems) ?? 0);
  const event = findEvent(name, shared, problems);
  const times = readCount(count, shared, problems);
  if (!event) return [];
  checkNumber(name, given, event, span, problems);
  const after = milestones.at(places);
  const made = { event: event.id, arguments: values, count: times };
  return [{ made: { ...made, ...(after.length > 0 && { after }) }, places, span }];
}

/** Returns the event with a name; `undefined` after a reported error. */
function findEvent(
  { text, span }: Pick<Name, 'text' | 'span'>,
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
      `an event has 1 to ${mostInstances} instances, not ${times}`,
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
  expression: ExpressionSyntax,
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
