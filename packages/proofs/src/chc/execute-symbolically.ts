import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import { isIdle, refuseHandOver } from '@fencewright/model/program/instruction.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type {
  InstrumentedStep,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import {
  rmwMeaning,
  resultIf,
  type RmwExpression,
  type RmwOperation,
} from '@fencewright/model/program/rmw.js';
import type { Space } from '@fencewright/model/reach/state-layout.js';
import { instructionSteps, type AddressCandidates } from './address-candidates.js';
import { cellKey } from './relevant-data.js';
import {
  under,
  withCell,
  withRegister,
  type SymbolicPath,
  type ChcState,
} from './symbolic-state.js';
import { equal, isNonZero, less } from '@fencewright/ground/smt/arithmetic.js';
import { and, falsity, integer, not, or, truth, type Term } from '@fencewright/ground/smt/term.js';
import { translateExpression, type Translation } from './translate-expression.js';

/** The results of executing a transition symbolically. */
export interface SymbolicExecution {
  readonly paths: readonly SymbolicPath[];
  /**
   * The conditions under which the execution of the transition ends in a mistake of the program.
   */
  readonly faults: readonly (readonly Term[])[];
}

export interface ExecutionContext {
  readonly program: InstrumentedProgram;
  readonly candidates: AddressCandidates;
  /** Returns a new variable that represents any integer. */
  readonly anyInteger: () => Term;
}

/**
 * The maximum number of values for which a choice becomes one case per value; a choice among more
 * values becomes a variable with bounds.
 */
const fewChoices = 4;

class Executor {
  readonly faults: (readonly Term[])[] = [];

  constructor(
    readonly context: ExecutionContext,
    readonly thread: ThreadId,
    readonly transition: TransitionId,
  ) {}

  evaluate(state: ChcState, expression: RmwExpression, old?: Term): Translation {
    const { program, anyInteger } = this.context;
    const registers = state.registers[this.thread] ?? [];
    const { symbols } = program;
    return translateExpression(expression, { registers, symbols, anyInteger, old });
  }

  /**
   * Records the fault, and returns the path without the runs that end here in the fault;
   * `undefined` if all runs of the path do.
   */
  withoutFault(path: SymbolicPath, fault: Term): SymbolicPath | undefined {
    if (fault.kind !== 'truth') this.faults.push([...path.guard, fault]);
    else if (fault.value) this.faults.push(path.guard);
    return under(path, not(fault));
  }

  /**
   * Returns, for each address that the step may access, the address and the path on which the step
   * accesses it.
   */
  atAddress(path: SymbolicPath, index: number, address: Term): [SymbolicPath, number][] {
    if (address.kind === 'integer') return [[path, address.value]];
    const candidates = this.context.candidates[this.thread]?.[this.transition]?.[index] ?? [];
    if (candidates === 'any') return [];
    return candidates.flatMap((candidate): [SymbolicPath, number][] => {
      const there = under(path, equal(address, integer(candidate)));
      return there ? [[there, candidate]] : [];
    });
  }

  outsideDomain(value: Term): Term {
    const { domain } = this.context.program;
    if (!domain) return falsity;
    return or(less(value, integer(domain.low)), less(integer(domain.high), value));
  }

  step(path: SymbolicPath, index: number, step: InstrumentedStep): SymbolicPath[] {
    const { state } = path;
    const goOn = (next: ChcState): SymbolicPath[] => [{ ...path, state: next }];
    if (isIdle(step)) return [path];
    switch (step.kind) {
      case 'store':
        return this.#store(path, index, 'program', step.address, step.value);
      case 'auxiliary-store':
        return this.#store(path, index, step.space, step.address, step.value);
      case 'load':
        return this.#load(path, index, 'program', step);
      case 'auxiliary-load':
        return this.#load(path, index, step.space, step);
      case 'rmw':
        refuseHandOver(step);
        return this.#rmw(path, index, step);
      case 'assign': {
        const { value, fault } = this.evaluate(state, step.value);
        const fine = this.withoutFault(path, fault);
        if (!fine) return [];
        return [{ ...fine, state: withRegister(state, this.thread, step.into, value) }];
      }
      case 'assume': {
        const { value, fault } = this.evaluate(state, step.condition);
        const fine = this.withoutFault(path, fault);
        const passed = fine && under(fine, not(equal(value, integer(0))));
        return passed ? [passed] : [];
      }
      case 'assert': {
        const fine = this.withoutFault(path, this.evaluate(state, step.condition).fault);
        return fine ? [fine] : [];
      }
      case 'havoc':
        return this.#havoc(path, step);
      case 'lock':
        return state.holder < 0 ? goOn({ ...state, holder: this.thread }) : [];
      case 'unlock':
        return state.holder === this.thread ? goOn({ ...state, holder: -1 }) : [];
      case 'heavy-fence':
        return refuseHeavyFence();
    }
  }

  #store(
    path: SymbolicPath,
    index: number,
    space: Space,
    address: Expression,
    value: Expression,
  ): SymbolicPath[] {
    const to = this.evaluate(path.state, address);
    const stored = this.evaluate(path.state, value);
    const isData = space === 'program' || space === 'buffer';
    const outside = isData ? this.outsideDomain(stored.value) : falsity;
    const fine = this.withoutFault(path, or(to.fault, stored.fault, outside));
    if (!fine) return [];
    return this.atAddress(fine, index, to.value).map(([there, at]) => ({
      ...there,
      state: withCell(there.state, cellKey(space, at), stored.value),
    }));
  }

  #load(
    path: SymbolicPath,
    index: number,
    space: Space,
    { into, address }: Extract<InstrumentedStep, { kind: 'load' | 'auxiliary-load' }>,
  ): SymbolicPath[] {
    const from = this.evaluate(path.state, address);
    const fine = this.withoutFault(path, from.fault);
    if (!fine) return [];
    return this.atAddress(fine, index, from.value).map(([there, at]) => {
      const value = there.state.cells.get(cellKey(space, at)) ?? integer(0);
      return { ...there, state: withRegister(there.state, this.thread, into, value) };
    });
  }

  #rmw(
    path: SymbolicPath,
    index: number,
    { into, address, operation }: Extract<InstrumentedStep, { kind: 'rmw' }>,
  ): SymbolicPath[] {
    const target = this.evaluate(path.state, address);
    const fine = this.withoutFault(path, target.fault);
    if (!fine) return [];
    return this.atAddress(fine, index, target.value).flatMap(([there, at]) => {
      const key = cellKey('program', at);
      const old = there.state.cells.get(key) ?? integer(0);
      return this.#written(there, operation, old).map(({ guard, state, written, result }) => {
        const stored = written ? withCell(state, key, written) : state;
        const next = into === undefined ? stored : withRegister(stored, this.thread, into, result);
        return { guard, state: next };
      });
    });
  }

  /**
   * Returns the continuations of an rmw: for each, the value written, if any, and the value put
   * into the register.
   */
  #written(
    path: SymbolicPath,
    operation: RmwOperation,
    old: Term,
  ): (SymbolicPath & { readonly written?: Term; readonly result: Term })[] {
    const meaning = rmwMeaning(operation);
    const evaluate = (expression: RmwExpression): Translation =>
      this.evaluate(path.state, expression, old);
    const storing = (
      from: SymbolicPath | undefined,
    ): (SymbolicPath & { readonly written?: Term; readonly result: Term })[] => {
      const { value, fault } = evaluate(meaning.written);
      const fine = from && this.withoutFault(from, or(fault, this.outsideDomain(value)));
      const result = evaluate(resultIf(true, meaning)).value;
      return fine ? [{ ...fine, written: value, result }] : [];
    };
    if (!meaning.condition) return storing(path);
    const { value, fault } = evaluate(meaning.condition);
    const fine = this.withoutFault(path, fault);
    if (!fine) return [];
    const failed = under(fine, not(isNonZero(value)));
    const result = evaluate(resultIf(false, meaning)).value;
    return [...storing(under(fine, isNonZero(value))), ...(failed ? [{ ...failed, result }] : [])];
  }

  #havoc(
    path: SymbolicPath,
    { into, range, where }: Extract<InstrumentedStep, { kind: 'havoc' }>,
  ): SymbolicPath[] {
    const bounds = range ?? this.context.program.domain;
    const choices =
      bounds && bounds.high - bounds.low < fewChoices
        ? Array.from({ length: bounds.high - bounds.low + 1 }, (_, i) => integer(bounds.low + i))
        : [this.context.anyInteger()];
    return choices.flatMap((value): SymbolicPath[] => {
      const state = withRegister(path.state, this.thread, into, value);
      const inside = bounds
        ? and(not(less(value, integer(bounds.low))), not(less(integer(bounds.high), value)))
        : truth;
      const chosen = under({ ...path, state }, inside);
      if (!chosen || !where) return chosen ? [chosen] : [];
      const { value: holds, fault } = this.evaluate(state, where);
      const fine = this.withoutFault(chosen, fault);
      const passed = fine && under(fine, not(equal(holds, integer(0))));
      return passed ? [passed] : [];
    });
  }
}

/**
 * Executes one transition of a thread at the transition's source; the bus lock is assumed to permit
 * the transition.
 */
export function executeSymbolically(
  context: ExecutionContext,
  from: SymbolicPath,
  thread: ThreadId,
  transition: TransitionId,
): SymbolicExecution {
  const code = context.program.threads[thread]?.transitions[transition];
  if (!code) return { paths: [], faults: [] };
  const executor = new Executor(context, thread, transition);
  let paths: readonly SymbolicPath[] = [from];
  instructionSteps(code.instruction).forEach((step, index) => {
    paths = paths.flatMap((path) => executor.step(path, index, step));
  });
  const arrived = paths.map(({ guard, state }) => ({
    guard,
    state: { ...state, locations: state.locations.with(thread, code.to) },
  }));
  return { paths: arrived, faults: executor.faults };
}
