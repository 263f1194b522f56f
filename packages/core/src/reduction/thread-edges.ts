import { computeControlFlow } from '../analysis/control-flow.js';
import { computeLiveRegisters, instructionAccess } from '../analysis/liveness.js';
import { binary, constant, forEachRegister, registerValue } from '../program/expression.js';
import type { Expression } from '../program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '../program/ids.js';
import type { Instruction, RmwOperation } from '../program/instruction.js';
import type { Domain, Program, Thread, Transition } from '../program/program.js';
import { findWeakRmws } from '../program/weak-rmw.js';
import type { Edge, Operation } from './operation.js';

/** A load and the `havoc` behind it that together are one read abstraction. */
export interface ReadAbstraction {
  readonly load: TransitionId;
  readonly havoc: TransitionId;
}

type Havoc = Instruction & { readonly kind: 'havoc' };

/**
 * The read abstractions of a thread: a load whose value only the `havoc` directly behind it looks at, in its condition. This is what the
 * native language makes of `havoc r with e` where `e` names a shared variable. If the location in between is `observed`, the two stay apart.
 */
export function findReadAbstractions(
  thread: Thread,
  observed: ReadonlySet<LocationId> = new Set(),
): readonly ReadAbstraction[] {
  const flow = computeControlFlow(thread);
  const withoutSelf = computeLiveRegisters(thread, {
    ...instructionAccess,
    forEachUse: (instruction, visit) =>
      instructionAccess.forEachUse(instruction, (register) => {
        if (register >= 0) visit(register);
      }),
  });
  return thread.transitions.flatMap(({ instruction: load, to }, id) => {
    if (load.kind !== 'load' || to === thread.initial || flow.incoming[to]?.length !== 1) return [];
    if (observed.has(to)) return [];
    const [next, ...others] = flow.outgoing[to] ?? [];
    const following = next === undefined ? undefined : thread.transitions[next];
    if (next === undefined || others.length > 0 || following?.instruction.kind !== 'havoc')
      return [];
    const { into, where } = following.instruction;
    const isPrivate = load.into !== into && withoutSelf[following.to]?.[load.into] === false;
    return isPrivate && where && reads(where, load.into) ? [{ load: id, havoc: next }] : [];
  });
}

function reads(expression: Expression, register: RegisterId): boolean {
  let found = false;
  forEachRegister(expression, (each) => {
    found ||= each === register;
  });
  return found;
}

/** The edges of a thread; those of unreachable code as well. `observed` locations stay visible. */
export function computeEdges(
  thread: Thread,
  { domain }: Program,
  observed: ReadonlySet<LocationId>,
): readonly Edge[] {
  const abstractions = findReadAbstractions(thread, observed);
  const merged = new Set(abstractions.map(({ havoc }) => havoc));
  const weak = new Set(findWeakRmws(thread).map(({ rmw }) => rmw));
  return thread.transitions.flatMap((transition, id) => {
    if (merged.has(id)) return [];
    const abstraction = abstractions.find(({ load }) => load === id);
    const havoc = abstraction && thread.transitions[abstraction.havoc];
    if (transition.instruction.kind === 'load' && havoc?.instruction.kind === 'havoc')
      return [guessEdge(transition, transition.instruction, havoc.to, havoc.instruction, id)];
    const operations = operationsOf(transition.instruction, domain);
    return (weak.has(id) ? operations.flatMap(withEffect) : operations).map((operation) => ({
      from: transition.from,
      to: transition.to,
      operation,
      transition: id,
    }));
  });
}

/** What is left of an operation of a weak rmw: its failure does all else that it could do. */
function withEffect(operation: Operation): readonly Operation[] {
  if (operation.kind === 'cas') return operation.succeeds ? [operation] : [];
  return operation.kind === 'rmw' ? [{ ...operation, mustChange: true }] : [operation];
}

function guessEdge(
  { from }: Transition,
  load: Instruction & { readonly kind: 'load' },
  to: number,
  havoc: Havoc,
  transition: TransitionId,
): Edge {
  const { into, range, where } = havoc;
  const condition = both(where, range && within(into, range)) ?? constant(1);
  const operation = { kind: 'guess', into, address: load.address, through: load.into, condition };
  return { from, to, operation: operation as Operation, transition };
}

function both(a: Expression | undefined, b: Expression | undefined): Expression | undefined {
  return a && b ? binary('&&', a, b) : (a ?? b);
}

function within(register: RegisterId, { low, high }: Domain): Expression {
  const value = registerValue(register);
  return binary('&&', binary('>=', value, constant(low)), binary('<=', value, constant(high)));
}

function operationsOf(instruction: Instruction, domain: Domain | undefined): readonly Operation[] {
  switch (instruction.kind) {
    case 'rmw':
      return rmwOperations(instruction, instruction.operation);
    case 'havoc': {
      const { into, range = domain, where } = instruction;
      const condition = both(where, range && within(into, range));
      return [{ kind: 'choose', into, ...(condition && { condition }) }];
    }
    // In programs without gates an assertion goes on in any case; whether it holds is another question.
    case 'assert':
      return [{ kind: 'skip' }];
    case 'store':
    case 'load':
    case 'assign':
    case 'assume':
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return [instruction];
  }
}

/** What the rmw can do: a `cas` two things, any other one. */
export function rmwOperations(
  { into, address }: Instruction & { readonly kind: 'rmw' },
  operation: RmwOperation,
): readonly Operation[] {
  const result = into === undefined ? {} : { into };
  switch (operation.kind) {
    case 'xchg':
    case 'fetch':
      return [{ kind: 'rmw', ...result, address, change: operation }];
    case 'cas': {
      const { expected, desired } = operation;
      return [true, false].map((succeeds): Operation => ({
        kind: 'cas',
        succeeds,
        ...result,
        address,
        expected,
        desired,
      }));
    }
  }
}
