import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { rmwMeaning, type RmwExpression } from '@fencewright/model/program/rmw.js';
import { integerOfValue } from '@fencewright/model/program/wide-values.js';
import { userBits } from './address-numbers.js';
import { leastAddress, type ByteMemory } from './memory.js';

/**
 * Whether an integer may hold an address, and whether it may hold an address plus a large number,
 * as codes of 16-byte integers are.
 */
interface Held {
  readonly address: boolean;
  readonly moved: boolean;
}

const nothing: Held = { address: false, moved: false };

function either(one: Held, other: Held): Held {
  return { address: one.address || other.address, moved: one.moved || other.moved };
}

/** Operators whose results are 0 or 1. */
const truths: readonly string[] = ['==', '!=', '<', '<=', '>', '>=', '&&', '||'];

/**
 * The registers and cells that may hold addresses, whatever the order of threads and instructions.
 * The result of a computation with an address may be an address. A constant within an object counts
 * as an address; with `countsNear`, a constant near an object as well.
 */
export class HiddenAddresses {
  readonly #registers: Held[][];
  readonly #cells = new Map<number, Held>();
  /** The `Held` of all values together that are stored to unknown addresses. */
  #anywhere = nothing;
  #hasGrown = true;

  constructor(
    readonly memory: ByteMemory,
    readonly program: Program,
    readonly sets: readonly (readonly (AddressSet | undefined)[])[],
    readonly countsNear = false,
  ) {
    this.#registers = program.threads.map(({ registers }) => registers.map(() => nothing));
    for (const { base, initial } of program.symbols)
      for (const [cell, value] of initial.entries())
        this.#cells.set(base + cell, this.#ofNumber(value));
    while (this.#hasGrown) {
      this.#hasGrown = false;
      program.threads.forEach((_, thread) => {
        this.#perform(thread);
      });
    }
  }

  /**
   * Whether the value of a thread's expression may be an address; `cells` are those that a
   * read-modify-write may read.
   */
  mayBeAddress(thread: ThreadId, expression: RmwExpression, cells: AddressSet): boolean {
    return this.#held(thread, expression, this.#loaded(cells)).address;
  }

  #perform(thread: ThreadId): void {
    this.program.threads[thread]!.transitions.forEach(({ instruction }, transition) => {
      const set = this.sets[thread]?.[transition] ?? [];
      switch (instruction.kind) {
        case 'assign':
          this.#set(thread, instruction.into, this.#held(thread, instruction.value));
          return;
        case 'load':
          this.#set(thread, instruction.into, this.#loaded(set));
          return;
        case 'store':
          this.#store(set, this.#held(thread, instruction.value));
          return;
        case 'rmw': {
          const { written, result } = rmwMeaning(instruction.operation);
          const old = this.#loaded(set);
          if (instruction.into !== undefined)
            this.#set(thread, instruction.into, this.#held(thread, result, old));
          this.#store(set, this.#held(thread, written, old));
          return;
        }
        default:
          return;
      }
    });
  }

  #set(thread: ThreadId, register: RegisterId, held: Held): void {
    const row = this.#registers[thread]!;
    row[register] = this.#grown(row[register] ?? nothing, held);
  }

  #store(set: AddressSet, held: Held): void {
    if (set === 'any') this.#anywhere = this.#grown(this.#anywhere, held);
    else
      for (const address of set)
        this.#cells.set(address, this.#grown(this.#cells.get(address) ?? nothing, held));
  }

  #loaded(set: AddressSet): Held {
    const cells =
      set === 'any'
        ? [...this.#cells.values()]
        : set.map((address) => this.#cells.get(address) ?? nothing);
    return cells.reduce(either, this.#anywhere);
  }

  #grown(before: Held, held: Held): Held {
    const all = either(before, held);
    if (all.address === before.address && all.moved === before.moved) return before;
    this.#hasGrown = true;
    return all;
  }

  #isObject(number: number): boolean {
    return this.memory.objectAt(number, 0) !== undefined;
  }

  #ofNumber(value: number): Held {
    // A pointer may have other bits above it.
    const number = Number(BigInt.asUintN(userBits, integerOfValue(value)));
    const isNear = this.countsNear && this.memory.objectNear(number) !== undefined;
    const isOne = isNear || this.#isObject(number);
    return isOne ? { address: true, moved: false } : nothing;
  }

  #held(thread: ThreadId, expression: RmwExpression, old = nothing): Held {
    switch (expression.kind) {
      case 'constant':
        return this.#ofNumber(expression.value);
      case 'register':
        return this.#registers[thread]?.[expression.register] ?? nothing;
      case 'address':
      case 'element':
        return { address: true, moved: false };
      case 'old':
        return old;
      case 'conditional':
        return either(
          this.#held(thread, expression.then, old),
          this.#held(thread, expression.otherwise, old),
        );
      case 'unary': {
        const operand = this.#held(thread, expression.operand, old);
        return expression.operator === '!' ? nothing : operand;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        const name = operator.replace(/:?%?$/, '') || '%';
        if (truths.includes(name)) return nothing;
        const both = either(this.#held(thread, left, old), this.#held(thread, right, old));
        const number = constantOf(left, right);
        if (name === '+' || name === '-')
          return isFar(number) && !this.#isObject(Number(number))
            ? { address: both.moved, moved: both.address }
            : both;
        if (name === '>>' && number >= userBits) return nothing;
        // Low bits and remainders of an address are no addresses.
        const isSmall = name === '%' || (name === '&' && number > 0n);
        return isSmall && number < leastAddress ? nothing : both;
      }
    }
  }
}

/**
 * Whether the sum of an address and the number is so far away that it is no address of the same
 * object. Bits above an address keep the address recognisable, and do not count.
 */
function isFar(number: bigint): boolean {
  const low = BigInt.asIntN(userBits, number);
  return low >= leastAddress || low <= -leastAddress;
}

/** Returns the constant operand of an operator; 0 if there is none. */
function constantOf(left: RmwExpression, right: RmwExpression): bigint {
  const sizes = [left, right].map((each) =>
    each.kind === 'constant' ? integerOfValue(each.value) : 0n,
  );
  return sizes.find((each) => each !== 0n) ?? 0n;
}

/** Addresses of two objects for each alignment, as far as there are two. */
export function someAddresses({ objects }: ByteMemory): readonly number[] {
  const found = new Map<number, number[]>();
  for (const { alignment, address, isOfMarks } of objects) {
    if (isOfMarks) continue;
    const known = found.get(alignment) ?? [];
    if (known.length < 2) found.set(alignment, [...known, address]);
  }
  return [...found.values()].flat();
}
