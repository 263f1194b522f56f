import {
  addressSetsIn,
  computeValueClosure,
  type ValueClosure,
} from '@fencewright/model/analysis/address-sets.js';
import {
  binary,
  constant,
  negate,
  type Binary,
  type Expression,
  type Unary,
} from '@fencewright/model/program/expression.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { modelLimit } from '@fencewright/model/program/model-limit.js';
import type { Location, Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { isOneOf } from './address-guards.js';
import type { Analysed } from './assemble-program.js';
import { addressJudge, cutsOf, forEachComputed, isGuarded, pairsOf } from './judge-places.js';
import type { ByteMemory } from './memory.js';

/** By transition, the condition for a result independent of the memory layout. */
type Guards = ReadonlyMap<TransitionId, Expression>;

/**
 * Returns the program with guards. A guard stands before a transition that computes a sum, a
 * difference, an order of two values, or a truncation, and ends the execution, as at a limit of the
 * model, if the result depends on the memory layout. `before` is the same program, analysed before
 * its accesses got guards of their addresses. If no transition of `before` needs a guard, no
 * transition of `program` does, and the values of `program` need not be analysed.
 */
export function withPlaceGuards(memory: ByteMemory, before: Analysed, program: Program): Program {
  if (!placeGuards(memory, before.program, before.closure).some(({ size }) => size > 0))
    return program;
  const found = placeGuards(memory, program, computeValueClosure(program));
  return {
    ...program,
    threads: program.threads.map((thread, id) => withGuards(thread, forCopies(program, id, found))),
  };
}

/**
 * For each thread, the guards of the transitions: the conditions for results independent of the
 * memory layout, computed from the possible values in `closure`.
 */
function placeGuards(
  memory: ByteMemory,
  program: Program,
  closure: ValueClosure,
): readonly Guards[] {
  const found = program.threads.map(() => new Map<TransitionId, Expression>());
  const isOfAddress = addressJudge(memory, program, () => addressSetsIn(program, closure));
  forEachComputed(program, closure, (computed) => {
    const { thread, transition } = computed;
    const guard = guardOf(memory, computed);
    if (!guard || !isOfAddress(computed)) return;
    const others = found[thread]!.get(transition);
    // Parts are visited after the whole, but their guards have to hold first.
    found[thread]!.set(transition, others ? binary('&&', guard, others) : guard);
  });
  return found;
}

/**
 * The condition under which the result of a part of an expression is the same in all memory
 * layouts; `undefined` if the result always is, or if the part gets no guard.
 */
function guardOf(
  memory: ByteMemory,
  { part, valuesOf }: Parameters<Parameters<typeof forEachComputed>[2]>[0],
): Expression | undefined {
  if (!isGuarded(part)) return undefined;
  if (part.kind === 'unary') {
    const { bad } = cutsOf(memory, part, valuesOf);
    return bad.length === 0 ? undefined : negate(isOneOf((part as Unary<never>).operand, bad));
  }
  const pairs = pairsOf(memory, part, valuesOf);
  if (pairs.every(({ rights, all }) => rights.length === all.length)) return undefined;
  return conditionFor(part as Binary<never>, pairs);
}

/**
 * The guards of a thread (conditions before transitions). At transitions guarded only in other
 * copies of the thread's template, the thread gets a guard that always holds: copies keep equal
 * code.
 */
function forCopies({ threads }: Program, id: ThreadId, found: readonly Guards[]): Guards {
  const guards = new Map(found[id]);
  const template = threads[id]!.copy?.template;
  if (template !== undefined)
    threads.forEach(({ copy }, other) => {
      if (copy?.template !== template) return;
      for (const transition of found[other]!.keys())
        if (!guards.has(transition)) guards.set(transition, constant(1));
    });
  return guards;
}

/**
 * The condition under which the result of an operation on the operands is the same in all memory
 * layouts.
 */
function conditionFor(
  { left, right }: Binary<never> & { readonly left: Expression; readonly right: Expression },
  pairs: ReturnType<typeof pairsOf>,
): Expression {
  const groups = new Map<
    string,
    { readonly rights: readonly number[]; readonly lefts: number[] }
  >();
  for (const { left: value, rights } of pairs) {
    if (rights.length === 0) continue;
    const key = rights.join(' ');
    const known = groups.get(key);
    if (known) known.lefts.push(value);
    else groups.set(key, { rights, lefts: [value] });
  }
  return [...groups.values()]
    .map(({ lefts, rights }) => binary('&&', isOneOf(left, lefts), isOneOf(right, rights)))
    .reduce<Expression>((any, each) => binary('||', any, each), constant(0));
}

function withGuards(thread: Thread, guards: Guards): Thread {
  if (guards.size === 0) return thread;
  const locations: Location[] = [...thread.locations];
  const names = new Set(locations.map(({ name }) => name));
  const location = (): number => {
    let name = `guard${locations.length}`;
    while (names.has(name)) name += '_';
    names.add(name);
    return locations.push({ name, hidden: true }) - 1;
  };
  const fault = thread.registers.length;
  const added: Transition[] = [];
  const transitions = thread.transitions.map((transition, id): Transition => {
    const guard = guards.get(id);
    if (!guard) return transition;
    const { from, origin, nofence, instruction } = transition;
    const inner = { origin, ...(nofence && { nofence }) };
    const wrong = location();
    added.push(
      { from, to: wrong, instruction: { kind: 'assume', condition: negate(guard) }, ...inner },
      {
        ...{ from: wrong, to: location(), instruction: modelLimit(fault) },
        ...{ ...inner, origin: { ...origin, fault: 'layout' } },
      },
    );
    // A thread must not take a way that it cannot continue.
    if (instruction.kind === 'assume') {
      const condition = binary('&&', guard, instruction.condition);
      return { ...transition, instruction: { ...instruction, condition } };
    }
    const right = location();
    added.push({
      ...{ from, to: right, instruction: { kind: 'assume', condition: guard } },
      ...inner,
    });
    return { ...transition, from: right };
  });
  return {
    ...thread,
    registers: [...thread.registers, { name: `fault${fault}`, hidden: true }],
    locations,
    transitions: [...transitions, ...added],
  };
}
