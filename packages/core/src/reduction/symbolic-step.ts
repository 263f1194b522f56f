import type { Expression } from '../program/expression.js';
import type { RegisterId, TransitionId } from '../program/ids.js';
import { bitTerm } from './bit-terms.js';
import type { Cell } from './memory-layout.js';
import type { Edge, Operation, Step } from './operation.js';
import type { ProofProgram } from './proof-program.js';
import type { Role } from './roles.js';
import { readRegister, standsAt, type LocalState, type SymbolicState } from './symbolic-state.js';
import {
  conditionTerm,
  conjunction,
  equality,
  integerTerm,
  negation,
  numeral,
  programNodes,
  symbol,
  type Declaration,
} from './terms.js';

/** What a step does to one memory cell; terms are over the state before the whole step. */
export interface Access {
  readonly transition: TransitionId;
  readonly variable: number;
  /** Absent where the variable is a number. */
  readonly index?: string;
  /** The value that it finds in the cell. */
  readonly read?: string;
  readonly written?: string;
  /**
   * Whether the thread could do the same if the cell held `value` instead: for a guess and a failing cas, weaker than `read = value`.
   * Absent for stores.
   */
  readonly allows?: (value: string) => string;
}

/** A step done from a state. */
export interface PerformedStep {
  readonly guard: string;
  readonly after: SymbolicState;
  readonly accesses: readonly Access[];
  /** Declarations of the values that were chosen. */
  readonly declarations: readonly Declaration[];
}

/** Does `edges` one after the other, from the location where the first starts; `role` is the thread that moves. */
export function perform(
  program: ProofProgram,
  { edges, from, to }: Pick<Step, 'edges' | 'from' | 'to'>,
  role: Role,
  before: SymbolicState,
): PerformedStep {
  const start = before.threads.get(role.name);
  if (!start) throw new RangeError(`no role ${role.name}`);
  const performance = new Performance(program, role, before.memory, start);
  for (const edge of edges) performance.do(edge);
  const local = { ...performance.local, place: numeral(to) };
  return {
    guard: conjunction([standsAt(start, from), ...performance.guards]),
    after: {
      memory: performance.memory,
      threads: new Map([...before.threads, [role.name, local]]),
    },
    accesses: performance.accesses,
    declarations: performance.declarations,
  };
}

const bitOperators = { and: '&', or: '|', xor: '^' } as const;

class Performance {
  readonly #program: ProofProgram;
  readonly #role: Role;
  readonly guards: string[] = [];
  readonly accesses: Access[] = [];
  readonly declarations: Declaration[] = [];
  memory: readonly string[];
  local: LocalState;

  constructor(program: ProofProgram, role: Role, memory: readonly string[], local: LocalState) {
    this.#program = program;
    this.#role = role;
    this.memory = memory;
    this.local = local;
  }

  do({ operation, transition }: Edge): void {
    switch (operation.kind) {
      case 'load': {
        const { term, ...cell } = this.#cell(operation.address);
        this.#access({ ...cell, transition, read: term, allows: (value) => equality(term, value) });
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
      case 'rmw': {
        const { term, ...cell } = this.#cell(operation.address);
        const written = this.#changed(operation, term);
        if (operation.mustChange) this.guards.push(negation(equality(term, written)));
        this.#store(cell, written);
        const allows = (value: string): string => equality(term, value);
        this.#access({ ...cell, transition, read: term, written, allows });
        if (operation.into !== undefined) this.#assign(operation.into, term);
        return;
      }
      case 'cas':
        this.#compareAndSwap(operation, transition);
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
    // The condition with another value in the cell; registers as they are here.
    const allows = (value: string): string =>
      conditionTerm(
        condition,
        programNodes(this.#program.templates.symbols, (register) =>
          register === through ? value : readRegister(local, register),
        ),
      );
    this.guards.push(allows(term));
    this.#access({ ...cell, transition, read: term, allows });
    // Nobody reads the register of the load any more.
    this.#assign(through, '0');
  }

  #compareAndSwap(operation: Operation & { kind: 'cas' }, transition: TransitionId): void {
    const { succeeds, into } = operation;
    const { term, ...cell } = this.#cell(operation.address);
    const expected = this.#integer(operation.expected);
    const matches = equality(term, expected);
    if (succeeds) {
      const written = this.#integer(operation.desired);
      this.guards.push(matches);
      this.#store(cell, written);
      const allows = (value: string): string => equality(value, expected);
      this.#access({ ...cell, transition, read: term, written, allows });
    } else {
      this.guards.push(`(not ${matches})`);
      const allows = (value: string): string => `(not ${equality(value, expected)})`;
      this.#access({ ...cell, transition, read: term, allows });
    }
    if (into !== undefined) this.#assign(into, succeeds ? '1' : '0');
  }

  #changed({ change }: Operation & { kind: 'rmw' }, old: string): string {
    if (change.kind === 'xchg') return this.#integer(change.value);
    const operand = this.#integer(change.operand);
    switch (change.operator) {
      case 'add':
        return `(+ ${old} ${operand})`;
      case 'sub':
        return `(- ${old} ${operand})`;
      case 'and':
      case 'or':
      case 'xor':
        return (
          bitTerm(bitOperators[change.operator], old, operand) ??
          `(bits_${change.operator} ${old} ${operand})`
        );
    }
  }

  #access(access: Access): void {
    this.accesses.push(access);
  }

  #fresh(): string {
    const term = symbol(`choice${this.declarations.length}_${this.#role.name}`);
    this.declarations.push({ term, sort: 'Int' });
    return term;
  }

  #assign(into: RegisterId, value: string): void {
    this.local = { ...this.local, registers: this.local.registers.with(into, value) };
  }

  #store({ variable, index }: { variable: number; index?: string }, value: string): void {
    const { domain } = this.#program.templates;
    // A value outside the domain is a fault, which ends the execution.
    if (domain) this.guards.push(`(<= ${numeral(domain.low)} ${value} ${numeral(domain.high)})`);
    const old = this.memory[variable] ?? '0';
    const next = index === undefined ? value : `(store ${old} ${index} ${value})`;
    this.memory = this.memory.with(variable, next);
  }

  /** The cell at an address, with the term of what it holds. */
  #cell(address: Expression): { variable: number; index?: string; term: string } {
    const { variable, index, bounds }: Cell = this.#program.memory.cellAt(address);
    const held = this.memory[variable] ?? '0';
    if (!index) return { variable, term: held };
    const at = this.#integer(index);
    if (bounds) {
      const place = this.#integer(bounds.index);
      this.guards.push(`(<= ${numeral(bounds.low)} ${place} ${numeral(bounds.high - 1)})`);
    }
    return { variable, index: at, term: `(select ${held} ${at})` };
  }

  #nodes() {
    const { local } = this;
    return programNodes(this.#program.templates.symbols, (register) =>
      readRegister(local, register),
    );
  }

  #integer(expression: Expression): string {
    return integerTerm(expression, this.#nodes());
  }

  #condition(expression: Expression): string {
    return conditionTerm(expression, this.#nodes());
  }
}
