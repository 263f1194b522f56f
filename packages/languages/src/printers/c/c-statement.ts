import { at } from '@fencewright/ground/base/at.js';
import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { Expression, ThreadLeaf } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import {
  isOnlyNative,
  onlyNative,
  refuseHandOver,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import { computeLockStatus, type LockStatus } from '@fencewright/model/program/lock-status.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';
import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { CExpressions } from './c-expression.js';
import { type CLayout, constantCell } from './c-memory.js';
import type { CNames, CThreadNames } from './c-names.js';
import type { Support } from './c-support.js';

/** Data shared by the threads of one file while the file is printed. */
export interface CFile {
  readonly program: Program;
  readonly layout: CLayout;
  readonly names: CNames;
  readonly report: PrintReport;
  readonly uses: (support: Support) => void;
  /** Whether an execution of the program may fault. */
  readonly isChecked: boolean;
  /** Whether some thread takes the bus lock, so that other threads wait before accesses. */
  readonly hasBlocks: boolean;
}

const atomicFunctions: Partial<Record<RmwOperation['name'], string>> = {
  xchg: 'atomic_exchange',
  fetch_add: 'atomic_fetch_add',
  fetch_sub: 'atomic_fetch_sub',
  fetch_add32: 'atomic_fetch_add',
  fetch_sub32: 'atomic_fetch_sub',
  fetch_and: 'atomic_fetch_and',
  fetch_or: 'atomic_fetch_or',
  fetch_xor: 'atomic_fetch_xor',
};

/**
 * Whether a read-modify-write needs a block under the bus lock: C has no such atomic operation, or
 * none that checks the domain.
 */
export function needsBlock({ domain }: Program, { name, operands }: RmwOperation): boolean {
  if (name === 'xchg') return false;
  if (name !== 'cas') return domain !== undefined || atomicFunctions[name] === undefined;
  const value = operands[1]!.kind === 'constant' ? operands[1]!.value : undefined;
  return (
    domain !== undefined && !(value !== undefined && value >= domain.low && value <= domain.high)
  );
}

/** Writes the instructions of one thread as statements. */
export class CStatements {
  readonly #file: CFile;
  readonly #own: CThreadNames;
  readonly #expressions: CExpressions<ThreadLeaf>;
  readonly #locks: readonly LockStatus[];

  constructor(file: CFile, thread: Thread, own: CThreadNames) {
    this.#file = file;
    this.#own = own;
    this.#locks = computeLockStatus(thread);
    this.#expressions = new CExpressions({
      leaf: (leaf) => {
        if (leaf.kind === 'register') return at(own.registers, leaf.register);
        const name = at(file.names.symbols, leaf.symbol);
        const offset = leaf.kind === 'address' ? '0' : this.#index(leaf, true);
        return offset === '0' ? name : `(${name} + ${offset})`;
      },
      uses: file.uses,
      isChecked: file.isChecked,
    });
  }

  /** Returns the text of a condition: only zero or non-zero matters. */
  condition(condition: Expression): string {
    return this.#expressions.condition(condition);
  }

  /** Returns the statement that waits for ever unless the condition holds. */
  assume(condition: Expression): string {
    this.#file.uses('assume');
    return `__VERIFIER_assume(${this.#expressions.condition(condition)});`;
  }

  statement({ instruction, origin, from }: Transition): readonly string[] {
    const { registers } = this.#own;
    if (isOnlyNative(instruction)) {
      this.#file.report.refuse(origin.span, ...onlyNative(instruction.kind));
      return [];
    }
    switch (instruction.kind) {
      case 'store':
        return this.#access(this.#store(instruction.address, this.#stored(instruction.value)));
      case 'load': {
        const into = at(registers, instruction.into);
        return this.#access(`${into} = ${this.#load(instruction.address)}`);
      }
      case 'rmw':
        refuseHandOver(instruction);
        return this.#rmw(instruction, from, origin.span);
      case 'fence':
        return ['atomic_thread_fence(memory_order_seq_cst);'];
      case 'lock':
        return [this.#begin()];
      case 'unlock':
        return [this.#end()];
      case 'assign':
        return [`${at(registers, instruction.into)} = ${this.#value(instruction.value)};`];
      case 'assume':
        return [this.assume(instruction.condition)];
      case 'assert':
        this.#file.report.note(
          origin.span,
          'a failed assertion ends the program',
          'in this language the thread goes on after the assertion',
        );
        return [`assert(${this.#expressions.condition(instruction.condition)});`];
      case 'skip':
        return [];
      case 'havoc': {
        const { into, where } = instruction;
        const range = instruction.range ?? this.#file.program.domain;
        const { low, high } = range ?? { low: -(2 ** 31), high: 2 ** 31 - 1 };
        this.#file.uses('choose');
        const bounds = [low, high].map((value) => this.#value({ kind: 'constant', value }));
        const chosen = `${at(registers, into)} = choose(${bounds.join(', ')});`;
        return [chosen, ...(where ? [this.assume(where)] : [])];
      }
      default:
        return unreachable(instruction);
    }
  }

  /**
   * Returns a statement with one memory access, which first waits for the holder of the bus lock.
   */
  #access(statement: string): readonly string[] {
    return [this.#file.hasBlocks ? `BUS(${statement});` : `${statement};`];
  }

  #begin(): string {
    this.#file.uses('blocks');
    return '__VERIFIER_atomic_begin();';
  }

  #end(): string {
    this.#file.uses('blocks');
    return '__VERIFIER_atomic_end();';
  }

  #value(expression: Expression): string {
    return this.#expressions.value(expression);
  }

  /** Returns the text of a value to be stored, checked if it may lie outside the domain. */
  #stored(value: Expression): string {
    const { domain } = this.#file.program;
    const text = this.#value(value);
    const known = constantValue(value, this.#file.program.symbols);
    const isInside =
      !domain || (known !== undefined && known >= domain.low && known <= domain.high);
    return isInside || !this.#file.isChecked ? text : this.#inDomain(text);
  }

  #inDomain(text: string): string {
    this.#file.uses('in_domain');
    return `in_domain(${text})`;
  }

  #store(address: Expression, value: string): string {
    return `atomic_store_explicit(&${this.#cell(address)}, ${value}, memory_order_relaxed)`;
  }

  #load(address: Expression): string {
    return `atomic_load_explicit(&${this.#cell(address)}, memory_order_relaxed)`;
  }

  #rmw(
    { into, address, operation }: Extract<Instruction, { kind: 'rmw' }>,
    from: LocationId,
    span: Span | undefined,
  ): readonly string[] {
    if (needsBlock(this.#file.program, operation))
      return this.#rmwAsBlock(address, operation, into, from, span);
    const cell = `&${this.#cell(address)}`;
    const [one, other] = operation.operands;
    const call =
      operation.name === 'cas'
        ? `atomic_compare_exchange_strong(${cell}, &(int){${this.#value(one!)}}, ${this.#value(other!)})`
        : `${atomicFunctions[operation.name]!}(${cell}, ${operation.name === 'xchg' ? this.#stored(one!) : this.#value(one!)})`;
    return this.#access(into === undefined ? call : `${at(this.#own.registers, into)} = ${call}`);
  }

  #rmwAsBlock(
    address: Expression,
    operation: RmwOperation,
    into: number | undefined,
    from: LocationId,
    span: Span | undefined,
  ): readonly string[] {
    const lock = at(this.#locks, from);
    if (lock === 'unknown')
      this.#file.report.refuse(
        span,
        `whether the bus lock is held at this ${operation.name} depends on the path`,
        'C has no such operation and needs a block: let the operation always stand inside of a block, or always outside',
      );
    const { domain } = this.#file.program;
    const { name, operands } = operation;
    const operand = this.#expressions.operand(operands[0]!);
    const kept = domain && this.#file.isChecked;
    const store = (value: string): string =>
      `${this.#store(address, kept ? this.#inDomain(value) : value)};`;
    const load = `int old = ${this.#load(address)};`;
    const set = (value: string): readonly string[] =>
      into === undefined ? [] : [`${at(this.#own.registers, into)} = ${value};`];
    const body =
      name === 'cas'
        ? [
            `  int is_same = old == ${operand};`,
            `  if (is_same) ${store(this.#value(operands[1]!))}`,
            ...set('is_same').map((line) => `  ${line}`),
          ]
        : [`  ${store(updated(name, operand))}`, ...set('old').map((line) => `  ${line}`)];
    const isFree = lock !== 'held';
    return [
      ...(isFree ? [this.#begin()] : []),
      '{',
      `  ${load}`,
      ...body,
      '}',
      ...(isFree ? [this.#end()] : []),
    ];
  }

  /** Returns the text of an element's index, checked if it may lie outside the array. */
  #index({ symbol, index }: Extract<Expression, { kind: 'element' }>, isOperand: boolean): string {
    const { length } = at(this.#file.program.symbols, symbol);
    const known = constantValue(index, this.#file.program.symbols);
    const isInside = known === undefined ? !this.#file.isChecked : known >= 0 && known < length;
    if (isInside) return isOperand ? this.#expressions.operand(index) : this.#value(index);
    this.#file.uses('at_index');
    return `at_index(${this.#value(index)}, ${length})`;
  }

  #cell(address: Expression): string {
    const { program, layout, names } = this.#file;
    const known = constantValue(address, program.symbols);
    const cell =
      known === undefined ? undefined : constantCell(layout, program.symbols, names, known);
    if (cell !== undefined) return cell;
    if (layout.kind === 'variables') {
      if (address.kind === 'element')
        return `${at(names.symbols, address.symbol)}[${this.#index(address, false)}]`;
      throw new InternalError('an access names no cell, and memory is no array');
    }
    const text = this.#value(address);
    const isSafe = !layout.isOpen;
    if (!isSafe) this.#file.uses('at_address');
    const index = isSafe ? text : `at_address(${text})`;
    return `memory[${layout.low < 0 ? `${isSafe ? `(${index})` : index} + ${-layout.low}` : index}]`;
  }
}

/** Returns the text of the value that an rmw stores; `old` is the value found. */
function updated(name: RmwOperation['name'], operand: string): string {
  switch (name) {
    case 'fetch_max':
      return `old < ${operand} ? ${operand} : old`;
    case 'fetch_min':
      return `${operand} < old ? ${operand} : old`;
    case 'fetch_add':
      return `old + ${operand}`;
    case 'fetch_sub':
      return `old - ${operand}`;
    case 'fetch_add32':
      return `(int)((unsigned)old + (unsigned)${operand})`;
    case 'fetch_sub32':
      return `(int)((unsigned)old - (unsigned)${operand})`;
    case 'fetch_add64':
    case 'fetch_sub64':
      throw new InternalError(`'${name}' in C`);
    case 'fetch_and':
      return `old & ${operand}`;
    case 'fetch_or':
      return `old | ${operand}`;
    case 'fetch_xor':
      return `old ^ ${operand}`;
    case 'xchg':
    case 'cas':
      return operand;
  }
}
