import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { hasPart, type Expression } from '@fencewright/model/program/expression.js';
import { formatAddress, symbolAt } from '@fencewright/model/program/format.js';
import type { RegisterId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import { isWithoutValues, type Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { rmwMeaning, type RmwExpression, type RmwLeaf } from '@fencewright/model/program/rmw.js';
import { formatValue } from '@fencewright/model/program/wide-values.js';

/** The possible values, besides 0, of a register or of all cells of a shared variable. */
interface PossiblePointers {
  /** The shared variables whose addresses the register or the cells may contain. */
  readonly targets: Set<SymbolId>;
  /** Whether the register or the cells may contain a number that is no address. */
  hasNumber: boolean;
}

/**
 * The values that may be written to a register or to cells; for a plain copy, those of the source.
 */
type Contents = Pick<PossiblePointers, 'hasNumber'> & { readonly targets: ReadonlySet<SymbolId> };

interface Places {
  /**
   * The possible values of the cells of each shared variable, by `SymbolId`; the last entry is for
   * all cells that belong to no variable.
   */
  readonly symbols: readonly PossiblePointers[];
  /** The possible values of each register, by `ThreadId` and `RegisterId`. */
  readonly registers: readonly (readonly PossiblePointers[])[];
}

const nothing: Contents = { targets: new Set(), hasNumber: false };
const someNumber: Contents = { targets: new Set(), hasNumber: true };

/**
 * Finds the registers and cells that contain only addresses, whatever the order of the threads and
 * of their instructions: an inclusion-based points-to analysis. All cells of a symbol are treated
 * as one, and a value computed from a pointer may be the address of any symbol. The flow of
 * addresses is computed first, since the flow of numbers through sums depends on it.
 */
class PointsTo {
  readonly places: Places;
  readonly #program: Program;
  readonly #any: ReadonlySet<SymbolId>;
  #hasGrown = true;
  #seesNumbers = false;

  constructor(program: Program) {
    this.#program = program;
    const place = (): PossiblePointers => ({ targets: new Set(), hasNumber: false });
    this.#any = new Set([...program.symbols.keys(), program.symbols.length]);
    this.places = {
      symbols: [...this.#any].map(place),
      registers: program.threads.map(({ registers }) => registers.map(place)),
    };
    this.#close();
    this.#addInitial();
    this.#close();
    this.#seesNumbers = true;
    this.#close();
  }

  /**
   * Adds the initial values of cells to their possible values. Initial values are numbers; in cells
   * that receive addresses, an initial value that equals an address counts as this address.
   */
  #addInitial(): void {
    this.#program.symbols.forEach(({ initial }, symbol) => {
      const place = this.places.symbols[symbol];
      if (!place) return;
      const isPointer = place.targets.size > 0;
      for (const value of initial) {
        if (value === 0) continue;
        const target = symbolAt(this.#program, value);
        if (isPointer && target !== undefined) place.targets.add(target);
        else place.hasNumber = true;
      }
    });
  }

  #close(): void {
    this.#hasGrown = true;
    while (this.#hasGrown) {
      this.#hasGrown = false;
      this.#program.threads.forEach(({ transitions }, thread) => {
        for (const { instruction } of transitions) this.#perform(thread, instruction);
      });
    }
  }

  #perform(thread: ThreadId, instruction: Instruction): void {
    const of = (expression: Expression) => this.#contents(thread, expression);
    if (isWithoutValues(instruction)) return;
    switch (instruction.kind) {
      case 'store':
        for (const cell of this.#cells(thread, instruction.address))
          this.#flow(of(instruction.value), cell);
        return;
      case 'load':
        for (const cell of this.#cells(thread, instruction.address))
          this.#flowInto(cell, thread, instruction.into);
        return;
      case 'rmw':
        this.#update(thread, instruction);
        return;
      case 'assign':
        this.#flowInto(of(instruction.value), thread, instruction.into);
        return;
      case 'havoc':
        this.#flowInto(someNumber, thread, instruction.into);
        return;
      case 'assume':
      case 'assert':
        return;
      default:
        unreachable(instruction);
    }
  }

  #update(thread: ThreadId, { into, address, operation }: Instruction & { kind: 'rmw' }): void {
    const meaning = rmwMeaning(operation);
    for (const cell of this.#cells(thread, address)) {
      const result =
        meaning.condition === meaning.result
          ? someNumber
          : this.#contents(thread, meaning.result, cell);
      if (into !== undefined) this.#flowInto(result, thread, into);
      this.#flow(this.#contents(thread, meaning.written, cell), cell);
    }
  }

  /**
   * Returns the possible values of the cells that may be at the address of an instruction; callers
   * add further values to the returned objects.
   */
  #cells(thread: ThreadId, address: Expression): PossiblePointers[] {
    if (address.kind === 'address' || address.kind === 'element')
      return this.#named([address.symbol]);
    if (address.kind === 'constant') return this.#named([this.#symbolOf(address.value)]);
    const { targets, hasNumber } = this.#contents(thread, address);
    // A pointer may be 0, and a number the address of any cell.
    return this.#named(hasNumber ? this.#any : new Set([...targets, this.#symbolOf(0)]));
  }

  #symbolOf(address: number): SymbolId {
    return symbolAt(this.#program, address) ?? this.#program.symbols.length;
  }

  #named(symbols: Iterable<SymbolId>): PossiblePointers[] {
    return [...symbols].flatMap((symbol) => this.places.symbols[symbol] ?? []);
  }

  /**
   * Returns the possible values of an expression; `old` is the content of the cell read by a
   * read-modify-write.
   */
  #contents(thread: ThreadId, expression: RmwExpression, old: Contents = nothing): Contents {
    switch (expression.kind) {
      case 'constant':
        return expression.value === 0 ? nothing : someNumber;
      case 'register':
        return this.places.registers[thread]?.[expression.register] ?? someNumber;
      case 'address':
      case 'element':
        return { targets: new Set([expression.symbol]), hasNumber: false };
      case 'unary':
        return someNumber;
      case 'binary': {
        const { left, right } = expression;
        return this.#computed(
          expression.operator,
          this.#contents(thread, left, old),
          this.#contents(thread, right, old),
        );
      }
      case 'old':
        return old;
      case 'conditional': {
        const [then, otherwise] = [expression.then, expression.otherwise].map((part) =>
          this.#contents(thread, part, old),
        );
        return {
          targets: new Set([...then!.targets, ...otherwise!.targets]),
          hasNumber: then!.hasNumber || otherwise!.hasNumber,
        };
      }
      default:
        return unreachable(expression);
    }
  }

  /**
   * Returns the possible values of an operator: a pointer plus a number is the address of any
   * symbol; every other result is a number.
   */
  #computed(operator: string, left: Contents, right: Contents): Contents {
    if (!['+', '-', '+%', '-%', '+:', '-:', '+:%', '-:%'].includes(operator)) return someNumber;
    const [isLeft, isRight] = [left.targets.size > 0, right.targets.size > 0];
    if (!isLeft && !isRight) return { ...nothing, hasNumber: left.hasNumber || right.hasNumber };
    const isDifference = isRight && (isLeft || operator.startsWith('-'));
    const hasNumber = isDifference || (left.hasNumber && right.hasNumber);
    return { targets: this.#any, hasNumber };
  }

  #flowInto(contents: Contents, thread: ThreadId, register: RegisterId): void {
    const place = this.places.registers[thread]?.[register];
    if (place) this.#flow(contents, place);
  }

  #flow(contents: Contents, place: PossiblePointers): void {
    if (contents.targets !== place.targets && place.targets.size < this.#any.size)
      for (const target of contents.targets) {
        if (place.targets.has(target)) continue;
        place.targets.add(target);
        this.#hasGrown = true;
      }
    if (!this.#seesNumbers || place.hasNumber || !contents.hasNumber) return;
    place.hasNumber = true;
    this.#hasGrown = true;
  }
}

function holdsAddress(expression: RmwExpression): boolean {
  return hasPart<RmwLeaf>(expression, ({ kind }) => kind === 'address' || kind === 'element');
}

/** Whether the instruction uses an address as a value, not only to access the cell there. */
function takesAddress(instruction: Instruction): boolean {
  if (isWithoutValues(instruction)) return false;
  switch (instruction.kind) {
    case 'store':
    case 'assign':
      return holdsAddress(instruction.value);
    case 'rmw':
      return holdsAddress(rmwMeaning(instruction.operation).written);
    case 'load':
    case 'assume':
    case 'assert':
    case 'havoc':
      return false;
    default:
      return unreachable(instruction);
  }
}

/** The results of the analysis; `undefined` without pointers, as in most programs. */
const pointerPlaces = fact((program: Program): Places | undefined => {
  const hasPointers = program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => takesAddress(instruction)),
  );
  return hasPointers ? new PointsTo(program).places : undefined;
});

function valueText(
  program: Program,
  place: PossiblePointers | undefined,
  value: number,
  unsignedBits?: number,
): string {
  const symbol = symbolAt(program, value);
  const isPointer = value !== 0 && place && !place.hasNumber;
  return isPointer && symbol !== undefined && place.targets.has(symbol)
    ? `&${formatAddress(program, value)}`
    : formatValue(value, unsignedBits);
}

/**
 * Returns a value of the memory cell at `address` for users: `&b`, `&a[2]` if the cell can only
 * contain addresses or the front end says so; `?` if nothing was stored, and the number otherwise;
 * 0 is always a number.
 */
export function cellValueText(program: Program, address: number, value: number): string {
  const symbol = symbolAt(program, address) ?? program.symbols.length;
  const { noValue, unsignedBits } = program.symbols[symbol] ?? {};
  if (noValue === value) return '?';
  const { cells, names } = program.pointers ?? {};
  const target = value !== 0 && cells?.has(address) ? names?.get(value) : undefined;
  if (target !== undefined) return `&${target}`;
  const place = pointerPlaces(program)?.symbols[symbol];
  return valueText(program, place, value, unsignedBits);
}

/**
 * Returns the value that an access loads, reads, stores or issues, formatted by `cellValueText`.
 */
export function accessedValue(
  program: Program,
  { address, value }: { readonly address: number; readonly value: number },
): string {
  return cellValueText(program, address, value);
}

/**
 * Returns the target of a pointer in a register, as `&x`; `undefined` if the value is no address.
 */
export function targetOf(
  { threads, pointers }: Program,
  thread: ThreadId,
  register: RegisterId,
  value: number,
): string | undefined {
  if (value === 0 || !threads[thread]?.registers[register]?.holdsPointers) return undefined;
  const target = pointers?.names.get(value);
  return target === undefined ? undefined : `&${target}`;
}

/**
 * Returns a value of a register, formatted as by `cellValueText`; `none` for the value that means
 * an absent object.
 */
export function registerValueText(
  program: Program,
  thread: ThreadId,
  register: RegisterId,
  value: number,
): string {
  const { noValue, texts, unsignedBits } = program.threads[thread]?.registers[register] ?? {};
  if (noValue === value) return 'none';
  const text = texts?.get(value);
  if (text !== undefined) return JSON.stringify(text);
  const target = targetOf(program, thread, register, value);
  if (target !== undefined) return target;
  const place = pointerPlaces(program)?.registers[thread]?.[register];
  return valueText(program, place, value, unsignedBits);
}
