import {
  type Body,
  type BodyId,
  type EventInstruction,
  type EventProgram,
  isInvocation,
} from '../program/event-program.js';
import { constant } from '../program/expression.js';
import type { LocationId, SymbolId } from '../program/ids.js';
import {
  type Diagnostic,
  eventWithoutInstance,
  neverReturns,
  procedureNeverRuns,
  racesWithOwnTask,
} from '@fencewright/ground/source/diagnostic.js';
import { byPlace } from './lint-program.js';

/**
 * Warnings about programs of events: procedures that never run, events without instances, calls
 * that never return, accesses that race with a task posted earlier.
 */
export function lintEvents(program: EventProgram): readonly Diagnostic[] {
  return [
    ...lintInstances(program),
    ...lintProcedures(program),
    ...lintRecursion(program),
    ...lintRaces(program),
  ].toSorted(byPlace);
}

function lintInstances({ bodies, instances }: EventProgram): Diagnostic[] {
  const started = new Set(instances.map(({ event }) => event));
  return bodies.flatMap(({ role, span, name }, id) =>
    role === 'event' && !started.has(id) ? [eventWithoutInstance(span, name)] : [],
  );
}

/**
 * Warns of procedures neither called nor posted by any event, directly or indirectly. Events
 * without instances count as running here, as `lintInstances` warns of them.
 */
function lintProcedures({ bodies }: EventProgram): Diagnostic[] {
  const events = [...bodies.keys()].filter((id) => bodies[id]!.role === 'event');
  const run = reachable(events, (id) => invokedBy(bodies[id]!, isInvocation));
  return bodies.flatMap(({ span, name }, id) =>
    run.has(id) ? [] : [procedureNeverRuns(span, name)],
  );
}

/** Returns the members of `starts`, and everything reachable from them by `next`. */
function reachable<T>(starts: Iterable<T>, next: (from: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set(starts);
  for (const from of reached) for (const to of next(from)) reached.add(to);
  return reached;
}

type InvokingInstruction = Extract<EventInstruction, { readonly body: BodyId }>;

const isCall = (instruction: EventInstruction): instruction is InvokingInstruction =>
  instruction.kind === 'call';

function invokedBy(
  { transitions }: Body,
  counts: (instruction: EventInstruction) => instruction is InvokingInstruction,
): readonly BodyId[] {
  return transitions.flatMap(({ instruction }) => (counts(instruction) ? [instruction.body] : []));
}

/**
 * Warns of recursive procedures that never return: the procedure has an end, but every path to the
 * end contains a call that never returns.
 */
function lintRecursion({ bodies }: EventProgram): Diagnostic[] {
  const returning = new Set<BodyId>();
  let size: number;
  do {
    size = returning.size;
    bodies.forEach((body, id) => {
      if (canReturn(body, (callee) => returning.has(callee))) returning.add(id);
    });
  } while (returning.size > size);
  const callees = (id: BodyId): readonly BodyId[] => invokedBy(bodies[id]!, isCall);
  return bodies.flatMap((body, id) => {
    if (returning.has(id) || !canReturn(body, () => true)) return [];
    return reachable(callees(id), callees).has(id) ? [neverReturns(body.span, body.name)] : [];
  });
}

/**
 * Whether some path through the body leads to an end, if exactly the callees that satisfy `returns`
 * return.
 */
function canReturn({ initial, transitions }: Body, returns: (callee: BodyId) => boolean): boolean {
  const left = new Set(transitions.map(({ from }) => from));
  const reached = locationsFrom(transitions, initial, (instruction) =>
    isCall(instruction) ? returns(instruction.body) : true,
  );
  return [...reached].some((location) => !left.has(location));
}

function locationsFrom(
  transitions: Body['transitions'],
  start: LocationId,
  passes: (instruction: EventInstruction) => boolean = () => true,
): ReadonlySet<LocationId> {
  return reachable([start], (location) =>
    transitions.flatMap(({ from, to, instruction }) =>
      from === location && passes(instruction) ? [to] : [],
    ),
  );
}

/** An access to a shared variable, as known from the text. */
interface VariableAccess {
  readonly symbol: SymbolId;
  /** The index of the accessed array element, 0 for a scalar; absent if known only at run time. */
  readonly index: number | undefined;
  readonly writes: boolean;
}

function accessOf(instruction: EventInstruction): VariableAccess | undefined {
  if (!('address' in instruction)) return undefined;
  const { kind, address } = instruction;
  if (address.kind !== 'address' && address.kind !== 'element') return undefined;
  const { symbol } = address;
  const place = address.kind === 'element' ? address.index : constant(0);
  const index = place.kind === 'constant' ? place.value : undefined;
  return { symbol, index, writes: kind !== 'load' };
}

/**
 * Warns if a task posts a task and afterwards makes an access that conflicts with an access of the
 * posted task, which may run at the same time: the posted task has its own thread, or the poster
 * has its own thread and posts to main. Accesses of a called procedure count as accesses at the
 * call.
 */
function lintRaces({ bodies, symbols }: EventProgram): Diagnostic[] {
  const background = backgroundBodies(bodies);
  const warned = new Set<Body['transitions'][number]>();
  return bodies.flatMap(({ transitions }, id) =>
    transitions.flatMap(({ to, instruction }) => {
      const posted = postedBy(bodies, instruction, background.has(id));
      if (posted.length === 0) return [];
      const behind = locationsFrom(transitions, to);
      return transitions.flatMap((later) => {
        if (warned.has(later) || !behind.has(later.from)) return [];
        for (const access of accessesBy(bodies, later.instruction)) {
          const racing = posted.find((task) =>
            accessesOf(bodies, task).some((other) => conflict(access, other)),
          );
          if (racing === undefined) continue;
          warned.add(later);
          const { name = '' } = symbols[access.symbol] ?? {};
          const shown = `${access.writes ? 'store to' : 'load of'} ${name}`;
          return [racesWithOwnTask(later.origin.span, shown, bodies[racing]!.name)];
        }
        return [];
      });
    }),
  );
}

/**
 * Returns the events and procedures that may run on another thread than main: those posted to a new
 * thread, and their callees.
 */
function backgroundBodies(bodies: readonly Body[]): ReadonlySet<BodyId> {
  const posted = bodies.flatMap((body) =>
    invokedBy(body, (instruction): instruction is InvokingInstruction =>
      isPostTo(instruction, 'any'),
    ),
  );
  return reachable(posted, (id) => invokedBy(bodies[id]!, isCall));
}

function isPostTo(instruction: EventInstruction, to: 'any' | 'main'): boolean {
  return instruction.kind === 'post' && instruction.to === to;
}

/**
 * Returns the procedures posted by the instruction, directly or through called procedures, and able
 * to begin at once. `isBackground`: whether a task on a thread of its own executes the instruction.
 */
function postedBy(
  bodies: readonly Body[],
  instruction: EventInstruction,
  isBackground: boolean,
): readonly BodyId[] {
  const mayBeginAtOnce = (one: EventInstruction): one is InvokingInstruction =>
    isPostTo(one, 'any') || (isBackground && isPostTo(one, 'main'));
  if (instruction.kind === 'post') return mayBeginAtOnce(instruction) ? [instruction.body] : [];
  if (instruction.kind !== 'call') return [];
  return [...calledFrom(bodies, instruction.body)].flatMap((id) =>
    invokedBy(bodies[id]!, mayBeginAtOnce),
  );
}

function calledFrom(bodies: readonly Body[], start: BodyId): ReadonlySet<BodyId> {
  return reachable([start], (id) => invokedBy(bodies[id]!, isCall));
}

/** Returns the accesses of the instruction; for a call, the accesses of the called procedure. */
function accessesBy(
  bodies: readonly Body[],
  instruction: EventInstruction,
): readonly VariableAccess[] {
  if (isCall(instruction)) return accessesOf(bodies, instruction.body);
  const access = accessOf(instruction);
  return access ? [access] : [];
}

/** Returns the accesses of a procedure and of all procedures called, directly or indirectly. */
function accessesOf(bodies: readonly Body[], start: BodyId): readonly VariableAccess[] {
  return [...calledFrom(bodies, start)].flatMap((id) =>
    bodies[id]!.transitions.flatMap(({ instruction }) => accessOf(instruction) ?? []),
  );
}

function conflict(one: VariableAccess, other: VariableAccess): boolean {
  const isApart =
    one.symbol !== other.symbol ||
    (one.index !== undefined && other.index !== undefined && one.index !== other.index);
  return !isApart && (one.writes || other.writes);
}
