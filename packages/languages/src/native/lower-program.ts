import { at } from '@fencewright/ground/base/at.js';
import { seqCstStoreAsWritten } from '@fencewright/model/program/assumption.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Model } from '@fencewright/model/program/model.js';
import { openParts, readsSelf } from '@fencewright/model/program/open-parts.js';
import {
  propertyOfInstance,
  type InInstance,
  type InstanceThreads,
} from '@fencewright/model/program/property-of-instance.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import {
  duplicateName,
  emptyInput,
  notSupported,
  unknownWord,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { declareShared } from './declare-shared.js';
import { copyThread } from './copy-thread.js';
import { evaluateConstant } from './evaluate-constant.js';
import {
  lowerBodies,
  lowerInstances,
  refuseThreadParts,
  refuseThreadsBesideEvents,
} from './lower-events.js';
import type { DeclarationSyntax, ModelSyntax, ThreadDeclaration } from './syntax.js';
import { lowerAutomaton } from './lower-automaton.js';
import { lowerInvariants } from './lower-invariants.js';
import { Milestones } from './lower-milestones.js';
import { lowerProperty, type PropertyScope } from './lower-property.js';
import { lowerStructured } from './lower-structured.js';
import type { LoweredBody, LoweredThread } from './lowered-thread.js';
import { Procedures, toBodies } from './procedures.js';
import type { ProblemList } from './problem-list.js';
import { readTerm } from './read-term.js';
import { type DeclaredCopies, type SharedScope, lookUpShared } from './scope.js';
import { startOf } from './spans.js';

/** A program, and the source texts of its threads, or of its events and procedures. */
export interface LoweredModel {
  readonly model: Model;
  /**
   * The lowered threads of the program, indexed by `ThreadId`, one for each template; or the events
   * and procedures, indexed by `BodyId`.
   */
  readonly threads: readonly LoweredThread<EventInstruction>[];
  /** The lowered events and procedures, indexed by `BodyId`. */
  readonly bodies: readonly LoweredBody[];
}

/** The maximum number of copies of a thread that `[k]` can ask for. */
const mostCopies = 64;

/**
 * Returns the program that a syntax tree describes, usable only if no problem was added. `copies`
 * overrides the text's numbers of copies of threads, or of instances of events, by name.
 */
export function lowerModel(
  model: ModelSyntax,
  problems: ProblemList,
  copies: ReadonlyMap<string, number> = new Map(),
): LoweredModel {
  const { declarations } = model;
  if (!model.name && declarations.length === 0 && problems.count === 0)
    problems.add(
      emptyInput("a program starts with 'program NAME' and has threads: thread t { ... }"),
    );
  refuseThreadsBesideEvents(declarations, problems);
  const shared = declareShared(declarations, problems);
  const milestones = new Milestones(declarations, shared, problems);
  const bodies = lowerBodies(declarations, shared, milestones, problems);
  const procedures = new Procedures(shared.isEventDriven ? [] : bodies, problems);
  const groups = lowerThreads(declarations, shared, procedures, problems, copies);
  const threads = groups.flatMap((group) => group.threads);
  if (shared.isEventDriven)
    return lowerEventProgram(model, { shared, milestones, bodies, problems }, copies);
  checkNames(model, copies, problems);
  const properties = lowerProperties(declarations, {
    shared,
    threads: groups.flatMap(({ named }) => named),
    problems,
  }).map((property) => propertyOfInstance(property, instanceOf(groups)));
  const invariants = lowerInvariants(declarations, { shared, threads, problems });
  const program: Program = {
    name: model.name?.text ?? '',
    symbols: shared.symbols,
    ...(shared.domain && { domain: shared.domain }),
    threads: threads.map(({ thread }) => thread),
    properties,
    ...(invariants.length > 0 && { invariants }),
    ...(hasSeqCstStore(threads) && { assumptions: [seqCstStoreAsWritten] }),
  };
  refuseLockedHeavyFences(program, problems);
  if (shared.domain && usesWideValues(program))
    problems.add(
      notSupported(model.name?.span, 'a program with a domain has numbers of 32 bits', noWide),
    );
  const unbounded = threads.flatMap(({ isUnbounded }, id) => (isUnbounded ? [id] : []));
  return { model: toModel({ templates: program, unbounded }), threads, bodies };
}

function hasSeqCstStore(threads: readonly LoweredThread[]): boolean {
  return threads.some(({ thread }) =>
    thread.transitions.some(
      ({ instruction }) => instruction.kind === 'store' && instruction.order === 'seq_cst',
    ),
  );
}

/** Reports each heavy fence that a thread may reach while it holds the bus lock. */
function refuseLockedHeavyFences({ threads }: Program, problems: ProblemList): void {
  for (const thread of threads) {
    const block = computeLockBlocks(thread);
    for (const { from, instruction, origin } of thread.transitions)
      if (instruction.kind === 'heavy-fence' && block(from).length > 0)
        problems.add(
          notSupported(
            origin.span,
            'a heavy fence where the thread holds the bus lock',
            'a heavy fence is a system call: put the heavy fence before the block',
          ),
        );
  }
}

const noWide = 'leave out numbers with an L, and operators with a colon';

function toModel(templates: Templates): Model {
  if (openParts(templates).length > 0) return { kind: 'open', ...templates };
  if (templates.unbounded.length > 0) return { kind: 'unbounded', ...templates };
  return { kind: 'finite', program: templates.templates };
}

function lowerEventProgram(
  model: ModelSyntax,
  scope: Parameters<typeof lowerInstances>[1],
  counts: ReadonlyMap<string, number>,
): LoweredModel {
  const { shared, milestones, bodies, problems } = scope;
  const { name, declarations } = model;
  const instances = lowerInstances(model, scope, counts);
  refuseThreadParts(declarations, problems);
  const program: EventProgram = {
    name: name?.text ?? '',
    symbols: shared.symbols,
    ...(shared.domain && { domain: shared.domain }),
    bodies: toBodies(bodies),
    instances,
    ...(milestones.all.length > 0 && { milestones: milestones.all }),
    properties: lowerProperties(declarations, { shared, threads: [], bodies, problems }),
  };
  if (usesWideValues(program))
    problems.add(notSupported(model.name?.span, 'events have numbers of 32 bits', noWide));
  return { model: { kind: 'events', program }, threads: bodies, bodies };
}

/** Reports a repeated name. */
function checkUnique(
  what: string,
  name: string,
  span: Span,
  places: Map<string, Span>,
  problems: ProblemList,
): void {
  if (name === '') return;
  const first = places.get(name);
  if (first) problems.add(duplicateName(span, what, name, first));
  else places.set(name, span);
}

/** The threads that result from one declaration of a thread. */
interface ThreadGroup {
  /**
   * The threads of the declaration that properties can name; the template as a single thread, if
   * the text declares any number of copies.
   */
  readonly named: readonly LoweredThread[];
  readonly threads: readonly LoweredThread[];
}

/**
 * Returns a function from a thread that properties name to the threads that stand for it in the
 * instance, the program with fixed numbers of copies.
 */
function instanceOf(groups: readonly ThreadGroup[]): InstanceThreads {
  const all: InInstance[] = [];
  let first = 0;
  for (const { named, threads } of groups) {
    const ids = threads.map((_, i) => first + i);
    for (const [i, { thread, isUnbounded }] of named.entries())
      all.push(
        named !== threads
          ? { kind: 'copies', threads: ids, areAlike: !readsSelf(thread) }
          : isUnbounded
            ? { kind: 'template', thread: at(ids, i) }
            : { kind: 'copies', threads: [at(ids, i)], areAlike: true },
      );
    first += ids.length;
  }
  return (thread) => at(all, thread);
}

function lowerThreads(
  declarations: readonly DeclarationSyntax[],
  shared: SharedScope,
  procedures: Procedures,
  problems: ProblemList,
  given: ReadonlyMap<string, number>,
): readonly ThreadGroup[] {
  const places = new Map<string, Span>();
  const groups: ThreadGroup[] = [];
  for (const node of declarations) {
    if (node.kind !== 'ThreadDeclaration') continue;
    const name = node.name.text;
    checkUnique('thread', name, node.name.span, places, problems);
    const count = given.get(name);
    const copies: DeclaredCopies =
      count === undefined ? readCopies(node, shared, problems) : { kind: 'fixed', count };
    // If the number of copies may have been unreadable, `self` may be right.
    const isUncertain = node.isDamaged && !node.copies;
    const known: DeclaredCopies = isUncertain ? { kind: 'any' } : copies;
    const lowered =
      node.body.kind === 'Automaton'
        ? lowerAutomaton(name, node.body, shared, known, problems)
        : lowerStructured(name, node.body, shared, known, procedures, problems);
    const threads = isUncertain
      ? [{ ...lowered, isUncertain }]
      : multiply(lowered, copies, shared, problems);
    const isAny = !isUncertain && node.copies && !node.copies.count && copies.kind === 'fixed';
    groups.push({ threads, named: isAny ? [{ ...lowered, isUnbounded: true }] : threads });
  }
  return groups;
}

/** Reports numbers of copies given for threads that do not exist. */
function checkNames(
  model: ModelSyntax,
  copies: ReadonlyMap<string, number>,
  problems: ProblemList,
): void {
  const names = model.declarations.flatMap((node) =>
    node.kind === 'ThreadDeclaration' ? [node.name.text] : [],
  );
  for (const name of copies.keys())
    if (!names.includes(name))
      problems.add(unknownWord(startOf(model.span, 1), 'thread', name, names));
}

function multiply(
  lowered: LoweredThread,
  copies: DeclaredCopies,
  { symbols }: SharedScope,
  problems: ProblemList,
): readonly LoweredThread[] {
  switch (copies.kind) {
    case 'single':
      return [lowered];
    case 'fixed':
      return copyThread(lowered, copies.count, symbols, problems);
    case 'any':
      return [{ ...lowered, isUnbounded: true }];
  }
}

function readCopies(
  { copies }: Pick<ThreadDeclaration, 'copies'>,
  shared: SharedScope,
  problems: ProblemList,
): DeclaredCopies {
  if (!copies) return { kind: 'single' };
  if (!copies.count) return { kind: 'any' };
  const term = readTerm(copies.count, problems);
  const scope = {
    lookUp: (name: string) => lookUpShared(shared, name),
    candidates: () => shared.constants.keys(),
  };
  const count = term && evaluateConstant(term, scope, problems);
  if (count === undefined) return { kind: 'fixed', count: 1 };
  if (count >= 1 && count <= mostCopies) return { kind: 'fixed', count };
  problems.add(
    wrongOperand(
      copies.span,
      `a thread has 1 to ${mostCopies} copies, and not ${count}`,
      'write the number of copies, such as [2], or [*] for any number of them',
    ),
  );
  return { kind: 'fixed', count: 1 };
}

function lowerProperties(
  declarations: readonly DeclarationSyntax[],
  scope: PropertyScope,
): readonly Property[] {
  const places = new Map<string, Span>();
  return declarations
    .filter((node) => node.kind === 'PropertyDeclaration')
    .filter((node) => !node.isDamaged)
    .map((node) => {
      const span = node.name.span;
      checkUnique('property', node.name.text, span, places, scope.problems);
      return lowerProperty(node, scope);
    })
    .filter((property) => property !== undefined);
}
