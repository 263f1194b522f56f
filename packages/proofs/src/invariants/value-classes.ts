import {
  hasPart,
  isComparison,
  selfRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import { isWithoutValues, type Instruction } from '@fencewright/model/program/instruction.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import type { Program } from '@fencewright/model/program/program.js';

/** A holder of values: a register, a cell, or the index of an array. */
type ValueHolder =
  | { readonly kind: 'register'; readonly thread: ThreadId; readonly register: RegisterId }
  /** A scalar variable, or any cell of an array. */
  | { readonly kind: 'cell'; readonly symbol: SymbolId }
  /** The index of an array: all expressions by which the program selects a cell of the array. */
  | { readonly kind: 'index'; readonly symbol: SymbolId };

/** The division of registers, variables and array indices into classes with unrelated values. */
export interface ValueClasses {
  /**
   * Returns equal classes for holders if the program moves values between the holders or compares
   * their values.
   */
  readonly classOf: (holder: ValueHolder) => string;
  /**
   * Returns the class of the holders in an expression of a thread; `undefined` if there are none.
   */
  readonly classOfExpression: (thread: ThreadId, expression: Expression) => string | undefined;
}

function nameOf(holder: ValueHolder): string {
  return holder.kind === 'register'
    ? `register ${holder.thread} ${holder.register}`
    : `${holder.kind} ${holder.symbol}`;
}

/**
 * Returns the classes of values made by assignments, loads, stores, comparisons and indices of the
 * program: a register compared with a variable is in the variable's class, a sum in the class of
 * its parts. An invariant hardly ever relates values of different classes.
 */
export function computeValueClasses(program: Program): ValueClasses {
  const union = new ClassUnion(program);
  for (const [thread, { transitions }] of program.threads.entries())
    for (const { instruction } of transitions) union.note(thread, instruction);
  return {
    classOf: (holder) => union.root(nameOf(holder)),
    classOfExpression: (thread, expression) => {
      const found = union.ofExpression(thread, expression);
      return found === undefined ? undefined : union.root(found);
    },
  };
}

/** Union-find over names: united names are in one class. */
class ClassUnion {
  readonly #program: Program;
  readonly #parents = new Map<string, string>();

  constructor(program: Program) {
    this.#program = program;
  }

  root(name: string): string {
    let at = name;
    for (let next = this.#parents.get(at); next !== undefined; next = this.#parents.get(at))
      at = next;
    return at;
  }

  #join(a: string | undefined, b: string | undefined): string | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    const [above, below] = [this.root(b), this.root(a)];
    if (above !== below) this.#parents.set(below, above);
    return b;
  }

  /**
   * Returns a holder whose class contains the values of the expression, by name; `undefined` if the
   * values come from no holder. Also unites the classes of the parts of the expression.
   */
  ofExpression(thread: ThreadId, expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'constant':
      case 'address':
        return undefined;
      case 'register':
        return nameOf({ kind: 'register', thread, register: expression.register });
      case 'element':
        this.#noteIndex(thread, expression);
        return undefined;
      case 'unary': {
        const operand = this.ofExpression(thread, expression.operand);
        return expression.operator === '!' ? undefined : operand;
      }
      case 'binary': {
        const { operator } = expression;
        const left = this.ofExpression(thread, expression.left);
        const right = this.ofExpression(thread, expression.right);
        if (operator === '&&' || operator === '||') return undefined;
        const both = this.#join(left, right);
        return isComparison(operator) ? undefined : both;
      }
    }
  }

  #noteIndex(thread: ThreadId, { symbol, index }: Expression & { kind: 'element' }): void {
    this.#join(nameOf({ kind: 'index', symbol }), this.ofExpression(thread, index));
  }

  /**
   * Returns the name of the cell at an address; `undefined` for computed addresses, whose cells
   * have no class.
   */
  #ofCell(thread: ThreadId, address: Expression): string | undefined {
    if (address.kind === 'element') this.#noteIndex(thread, address);
    const symbol = symbolOfAddress(this.#program, address);
    return symbol === undefined ? undefined : nameOf({ kind: 'cell', symbol });
  }

  /** Unites the classes of the values moved or compared by the instruction. */
  note(thread: ThreadId, instruction: Instruction): void {
    const value = (expression: Expression) => this.ofExpression(thread, expression);
    const register = (id: RegisterId | undefined): string | undefined =>
      id === undefined ? undefined : nameOf({ kind: 'register', thread, register: id });
    if (isWithoutValues(instruction)) return;
    switch (instruction.kind) {
      case 'store':
        this.#join(this.#ofCell(thread, instruction.address), value(instruction.value));
        return;
      case 'load':
        this.#join(this.#ofCell(thread, instruction.address), register(instruction.into));
        return;
      case 'rmw': {
        const cell = this.#ofCell(thread, instruction.address);
        const { operation, into } = instruction;
        // The flag whether an rmw has stored is no value of the cell.
        if (rmwMeaning(operation).result.kind === 'old') this.#join(cell, register(into));
        for (const operand of operation.operands) this.#join(cell, value(operand));
        return;
      }
      case 'assign':
        this.#join(register(instruction.into), value(instruction.value));
        return;
      case 'assume':
      case 'assert':
        value(instruction.condition);
        return;
      case 'havoc':
        if (instruction.where) value(instruction.where);
    }
  }
}

/** Returns the symbol whose cell the address names; `undefined` for a computed address. */
export function symbolOfAddress({ symbols }: Program, address: Expression): SymbolId | undefined {
  switch (address.kind) {
    case 'address':
    case 'element':
      return address.symbol;
    case 'constant': {
      const found = symbols.findIndex(
        ({ base, length }) => address.value >= base && address.value < base + length,
      );
      return found < 0 ? undefined : found;
    }
    default:
      return undefined;
  }
}

/** Whether the expression reads at most the register `self`. */
export function isOwnIndex(expression: Expression): boolean {
  return !hasPart(expression, (part) =>
    part.kind === 'register'
      ? part.register !== selfRegister
      : part.kind === 'address' || part.kind === 'element',
  );
}
