import { isAccess, isWithoutValues } from '@fencewright/model/program/instruction.js';
import {
  evaluateSet,
  joinSets,
  rangeSet,
  type ValueSet,
} from '@fencewright/model/analysis/value-set.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type {
  InstrumentedStep,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import { isWithoutOld, rmwMeaning, resultIf } from '@fencewright/model/program/rmw.js';
import type { Space } from '@fencewright/model/reach/state-layout.js';

/** The address space and the address of a step's memory access. */
interface StepAccess {
  readonly space: Space;
  readonly address: Expression;
}

/** Returns the memory access of a step; `undefined` if the step accesses no memory. */
export function accessOf(step: InstrumentedStep): StepAccess | undefined {
  if (isAccess(step)) return { space: 'program', address: step.address };
  return 'space' in step ? { space: step.space, address: step.address } : undefined;
}

/** Returns the steps of an instruction. */
export function instructionSteps(
  instruction: InstrumentedProgram['threads'][number]['transitions'][number]['instruction'],
): readonly InstrumentedStep[] {
  return instruction.kind === 'block' ? instruction.steps : [instruction];
}

/** The values that each register, cell and address space may have at any time in an execution. */
class ValueSets {
  readonly #sets = new Map<string, ValueSet>();
  hasGrown = false;

  get(key: string): ValueSet {
    return this.#sets.get(key) ?? [0];
  }

  add(key: string, values: ValueSet): void {
    const known = this.get(key);
    const joined = joinSets(known, values);
    if (joined === known) return;
    this.#sets.set(key, joined);
    this.hasGrown = true;
  }
}

/**
 * The addresses that each step may access, indexed by thread, transition and step; `undefined` for
 * steps without an access.
 */
export type AddressCandidates = readonly (readonly (readonly (ValueSet | undefined)[])[])[];

/**
 * Returns a superset of the addresses that each step of a program may access. The values of
 * registers and cells at all times are joined, except for values inside a block, whose steps are
 * executed in sequence.
 */
export function computeAddressCandidates(program: InstrumentedProgram): AddressCandidates {
  const registers = program.threads.map((thread) => thread.registers.map((): ValueSet => [0]));
  const cells = new ValueSets();
  /** By address space, the values that steps with an unknown address may have stored. */
  const anywhere = new ValueSets();
  for (const { base, initial } of program.symbols)
    initial.forEach((value, i) => cells.add(`program ${base + i}`, [value]));
  const read = (space: Space, addresses: ValueSet): ValueSet => {
    if (addresses === 'any') return 'any';
    return addresses.reduce<ValueSet>(
      (joined, address) => joinSets(joined, cells.get(`${space} ${address}`)),
      anywhere.get(space),
    );
  };
  const write = (space: Space, addresses: ValueSet, values: ValueSet): void => {
    if (addresses === 'any') anywhere.add(space, values);
    else for (const address of addresses) cells.add(`${space} ${address}`, values);
  };
  let candidates: AddressCandidates = [];
  let grown = true;
  const follow = (thread: ThreadId, id: TransitionId): (ValueSet | undefined)[] => {
    const known = registers[thread] ?? [];
    const own = [...known];
    const transition = program.threads[thread]?.transitions[id];
    const steps = transition ? instructionSteps(transition.instruction) : [];
    const set = (register: RegisterId, values: ValueSet): void => {
      own[register] = values;
    };
    const evaluate = (expression: Expression): ValueSet =>
      evaluateSet(expression, own, program.symbols);
    const addresses = steps.map((step) => {
      const access = accessOf(step);
      const at = access && evaluate(access.address);
      runStep(program, step, at, { set, evaluate, read, write });
      return at;
    });
    own.forEach((values, register) => {
      const before = known[register] ?? [0];
      const joined = joinSets(before, values);
      if (joined === before) return;
      known[register] = joined;
      grown = true;
    });
    return addresses;
  };
  while (grown) {
    grown = false;
    for (const values of [cells, anywhere]) values.hasGrown = false;
    candidates = program.threads.map((thread, t) =>
      thread.transitions.map((_, id) => follow(t, id)),
    );
    grown ||= cells.hasGrown || anywhere.hasGrown;
  }
  return candidates;
}

interface Effects {
  readonly set: (register: RegisterId, values: ValueSet) => void;
  readonly evaluate: (expression: Expression) => ValueSet;
  readonly read: (space: Space, addresses: ValueSet) => ValueSet;
  readonly write: (space: Space, addresses: ValueSet, values: ValueSet) => void;
}

function runStep(
  program: InstrumentedProgram,
  step: InstrumentedStep,
  at: ValueSet | undefined,
  { set, evaluate, read, write }: Effects,
): void {
  if (isWithoutValues(step)) return;
  switch (step.kind) {
    case 'store':
      write('program', at ?? 'any', evaluate(step.value));
      return;
    case 'auxiliary-store':
      write(step.space, at ?? 'any', evaluate(step.value));
      return;
    case 'load':
      set(step.into, read('program', at ?? 'any'));
      return;
    case 'auxiliary-load':
      set(step.into, read(step.space, at ?? 'any'));
      return;
    case 'assign':
      set(step.into, evaluate(step.value));
      return;
    case 'havoc': {
      const range = step.range ?? program.domain;
      set(step.into, range ? rangeSet(range.low, range.high) : 'any');
      return;
    }
    case 'rmw': {
      const { operation, into } = step;
      const old = read('program', at ?? 'any');
      const meaning = rmwMeaning(operation);
      const { written } = meaning;
      write('program', at ?? 'any', isWithoutOld(written) ? evaluate(written) : 'any');
      if (into === undefined) return;
      const results = [false, true].map((isStored): ValueSet => {
        const result = resultIf(isStored, meaning);
        return isWithoutOld(result) ? evaluate(result) : old;
      });
      set(into, joinSets(results[0]!, results[1]!));
      return;
    }
    case 'assume':
    case 'assert':
  }
}
