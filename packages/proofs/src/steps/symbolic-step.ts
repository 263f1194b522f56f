import { at, valueAt } from '@fencewright/ground/base/at.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import {
  isWithoutOld,
  rmwMeaning,
  resultIf,
  type RmwExpression,
} from '@fencewright/model/program/rmw.js';
import type { ProofCell } from './memory-layout.js';
import type { OperationEdge, Operation, Step } from './operation.js';
import type { ProofProgram } from './proof-program.js';
import type { Role } from './roles.js';
import {
  readRegister,
  standsAt,
  type SymbolicLocalState,
  type SymbolicState,
} from './symbolic-state.js';
import {
  and,
  apply,
  equation,
  integer,
  not,
  truth,
  type Term,
} from '@fencewright/ground/smt/term.js';
import { conditionTerm, integerTerm, programNodes, symbol, type SmtDeclaration } from './terms.js';

/** An access of a step to one memory cell, as terms over the state before the whole step. */
export interface SymbolicAccess {
  readonly transition: TransitionId;
  readonly variable: number;
  /** The index of the accessed cell in the variable; absent if the variable is a number. */
  readonly index?: Term;
  /** The term for the value that the access finds in the cell. */
  readonly read?: Term;
  readonly written?: Term;
  /**
   * Returns the condition that the thread could do the same if the cell held `value` instead:
   * weaker than `read = value` for a guess and a failing cas. Absent for stores.
   */
  readonly allows?: (value: Term) => Term;
}

/** The result of a step from a state: the step's condition, the next state, and the accesses. */
export interface PerformedStep {
  readonly guard: Term;
  readonly after: SymbolicState;
  readonly accesses: readonly SymbolicAccess[];
  /** The declarations of the solver's variables for values that the step chooses. */
  readonly declarations: readonly SmtDeclaration[];
}

/**
 * Executes `edges` one after the other in a state, from the location of the first edge; `role` is
 * the moving thread.
 */
export function performEdges(
  program: ProofProgram,
  { edges, from, to }: Pick<Step, 'edges' | 'from' | 'to'>,
  role: Role,
  before: SymbolicState,
): PerformedStep {
  const start = valueAt(before.threads, role.name);
  const performance = new Performance(program, role, before.memory, start);
  for (const edge of edges) performance.do(edge);
  const local = { ...performance.local, place: integer(to) };
  return {
    guard: and(standsAt(start, from), ...performance.guards),
    after: {
      memory: performance.memory,
      threads: new Map([...before.threads, [role.name, local]]),
    },
    accesses: performance.accesses,
    declarations: performance.declarations,
  };
}

function between(low: number, value: Term, high: number): Term {
  return apply('<=', integer(low), value, integer(high));
}

class Performance {
  readonly #program: ProofProgram;
  readonly #role: Role;
  readonly guards: Term[] = [];
  readonly accesses: SymbolicAccess[] = [];
  readonly declarations: SmtDeclaration[] = [];
  memory: readonly Term[];
  local: SymbolicLocalState;

  constructor(
    program: ProofProgram,
    role: Role,
    memory: readonly Term[],
    local: SymbolicLocalState,
  ) {
    this.#program = program;
    this.#role = role;
    this.memory = memory;
    this.local = local;
  }

  do({ operation, transition }: OperationEdge): void {
    switch (operation.kind) {
      case 'load': {
        const { term, ...cell } = this.#cell(operation.address);
        this.#access({ ...cell, transition, read: term, allows: (value) => equation(term, value) });
        this.#assign(operation.into, term);
        return;
      }
      case 'guess':
        this.#guess(operation, transition);
        return;
      case 'store': {
        const { term: _, ...cell } = this.#cell(operation.address);
        const written = this.#integer(operation.value);
        this.#store(cell, written);
        this.#access({ ...cell, transition, written });
        return;
      }
      case 'rmw':
        this.#rmw(operation, transition);
        return;
      case 'assign':
        this.#assign(operation.into, this.#integer(operation.value));
        return;
      case 'assume':
        this.guards.push(this.#condition(operation.condition));
        return;
      case 'choose':
        this.#assign(operation.into, this.#fresh());
        if (operation.condition) this.guards.push(this.#condition(operation.condition));
        return;
      case 'fence':
      case 'lock':
      case 'unlock':
      case 'skip':
        return;
    }
  }

  #guess(operation: Operation & { kind: 'guess' }, transition: TransitionId): void {
    const { into, through, condition } = operation;
    const { term, ...cell } = this.#cell(operation.address);
    this.#assign(into, this.#fresh());
    const { local } = this;
    // The term of the guess's condition for another value in the cell, over the registers before
    // the step.
    const allows = (value: Term): Term =>
      conditionTerm(
        condition,
        programNodes(this.#program.templates.symbols, (register) =>
          register === through ? value : readRegister(local, register),
        ),
      );
    this.guards.push(allows(term));
    this.#access({ ...cell, transition, read: term, allows });
    // No later step reads the register of the load.
    this.#assign(through, integer(0));
  }

  #rmw(rmw: Operation & { kind: 'rmw' }, transition: TransitionId): void {
    const { operation, stores, mustChange, into } = rmw;
    const { term, ...cell } = this.#cell(rmw.address);
    const meaning = rmwMeaning(operation);
    const { condition } = meaning;
    const result = resultIf(stores, meaning);
    const written = stores ? this.#integer(meaning.written, term) : undefined;
    const nodesWith = this.#nodesWith();
    const happens = (old: Term): Term => {
      if (!condition) return truth;
      const holds = conditionTerm(condition, nodesWith(old));
      return stores ? holds : not(holds);
    };
    if (condition) this.guards.push(happens(term));
    if (mustChange && written !== undefined) this.guards.push(not(equation(term, written)));
    if (written !== undefined) this.#store(cell, written);
    // If the results do not depend on the old value, the operation is possible with every old value
    // that satisfies its condition.
    const isTold = [result, ...(stores ? [meaning.written] : [])].some(
      (each) => !isWithoutOld(each),
    );
    const allows = (value: Term): Term =>
      isTold || !condition ? equation(term, value) : happens(value);
    this.#access({
      ...cell,
      transition,
      read: term,
      ...(written !== undefined && { written }),
      allows,
    });
    if (into !== undefined) this.#assign(into, this.#integer(result, term));
  }

  #access(access: SymbolicAccess): void {
    this.accesses.push(access);
  }

  #fresh(): Term {
    const term = symbol(`choice${this.declarations.length}_${this.#role.name}`);
    this.declarations.push({ term, sort: 'Int' });
    return term;
  }

  #assign(into: RegisterId, value: Term): void {
    this.local = { ...this.local, registers: this.local.registers.with(into, value) };
  }

  #store({ variable, index }: { variable: number; index?: Term }, value: Term): void {
    const { domain } = this.#program.templates;
    // A value outside the domain is a fault, which ends the execution.
    if (domain) this.guards.push(between(domain.low, value, domain.high));
    const old = at(this.memory, variable);
    const next = index === undefined ? value : apply('store', old, index, value);
    this.memory = this.memory.with(variable, next);
  }

  /** Returns the cell at an address, with the term of its value. */
  #cell(address: Expression): { variable: number; index?: Term; term: Term } {
    const { variable, index, bounds }: ProofCell = this.#program.memory.cellAt(address);
    const held = at(this.memory, variable);
    if (!index) return { variable, term: held };
    const where = this.#integer(index);
    if (bounds) {
      const place = this.#integer(bounds.index);
      this.guards.push(between(bounds.low, place, bounds.high - 1));
    }
    return { variable, index: where, term: apply('select', held, where) };
  }

  /**
   * Returns the function that opens an expression's outermost node, over the current registers and
   * the value that an rmw has read.
   */
  #nodesWith() {
    const { local } = this;
    const { symbols } = this.#program.templates;
    return (old?: Term) => programNodes(symbols, (register) => readRegister(local, register), old);
  }

  #nodes(old?: Term) {
    return this.#nodesWith()(old);
  }

  #integer(expression: RmwExpression, old?: Term): Term {
    return integerTerm(expression, this.#nodes(old));
  }

  #condition(expression: Expression): Term {
    return conditionTerm(expression, this.#nodes());
  }
}
