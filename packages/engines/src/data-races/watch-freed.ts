import { at } from '@fencewright/ground/base/at.js';
import {
  addressSetsIn,
  computeValueClosure,
  type AddressSet,
} from '@fencewright/model/analysis/address-sets.js';
import { evaluateSet } from '@fencewright/model/analysis/value-set.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import { isAccess, type Instruction } from '@fencewright/model/program/instruction.js';
import { computeLockStatus, type LockStatus } from '@fencewright/model/program/lock-status.js';
import { type MemoryModel, memoryModels } from '@fencewright/model/trace/memory-model.js';
import { isBlockAccess } from '@fencewright/model/program/block-access.js';
import type {
  Location,
  MemoryBlock,
  Origin,
  Program,
  Thread,
  Transition,
} from '@fencewright/model/program/program.js';

/** A program with assertions that no thread accesses or frees a freed block. */
export interface Watched {
  readonly program: Program;
  /**
   * For each thread and each transition of `program`, the transition of the original program;
   * indexed by thread, then by transition.
   */
  readonly from: readonly (readonly TransitionId[])[];
  /** By thread, the transitions of `program` that only test and change flags. */
  readonly added: readonly ReadonlySet<TransitionId>[];
  /**
   * Each cell of a block has a flag: a further cell at this distance in memory, which is 1 while
   * the block is freed. A free of a block tests the flag of the cell at the block's address.
   */
  readonly distance: number;
}

/** A block that threads free, as its address and the cells of the block that threads access. */
interface WatchedBlock {
  readonly address: number;
  readonly cells: readonly number[];
}

/**
 * Returns the program with new assertions in place of the program's assertions. The new assertions
 * fail under the memory model exactly where a thread accesses or frees a block that is freed at
 * this moment. `undefined` if no thread frees memory. Accesses with addresses not bounded by the
 * value closure are not watched.
 *
 * A thread tests the flag right before the access. If another thread frees the block between the
 * test and the access, there is also an execution in which the other thread frees the block before
 * the test: a test changes nothing, and commutes with the steps of other threads up to the access.
 * Under SC all flags of a block change at once. Under TSO the stores to the flags wait in the store
 * buffer of the thread that frees the block, so freeing does not drain the buffer. The access of
 * another thread can wait until these stores are in memory. A flag in memory may then be older than
 * a new allocation of the block; the caller has to exclude this case.
 */
export function watchFreed(program: Program, model: MemoryModel): Watched | undefined {
  const { freedBlocks = [] } = program;
  if (freedBlocks.length === 0) return undefined;
  const closure = computeValueClosure(program);
  const sets = addressSetsIn(program, closure).map((own, t) =>
    own.map((set, id): AddressSet => {
      const transition = at(at(program.threads, t).transitions, id);
      if (transition.origin.access === 'allocation') return [];
      const marked = accessedByMark(transition);
      return set ?? (marked?.kind === 'constant' ? [marked.value] : []);
    }),
  );
  const blocks = freedBlocks.map((block) => watchedBlock(block, sets));
  const distance = distanceBehind(program, sets, freedBlocks);
  const watched = program.threads.map((thread, t) => {
    const valuesOf = (value: Expression, location: LocationId): AddressSet => {
      const before = closure.registers[t]?.[location];
      return before ? evaluateSet(value, before, program.symbols) : [];
    };
    return new ThreadWatch(thread, blocks, distance, model).watch(at(sets, t), valuesOf);
  });
  return {
    program: { ...program, properties: [], threads: watched.map(({ thread }) => thread) },
    from: watched.map(({ from }) => from),
    added: watched.map(({ added }) => added),
    distance,
  };
}

/**
 * Returns the address of the accessed cell, if the transition only marks an access to a block, and
 * no other transition of the program makes the access; otherwise `undefined`.
 */
function accessedByMark({ instruction, origin }: Transition): Expression | undefined {
  return instruction.kind === 'assign' && isBlockAccess(origin.block)
    ? instruction.value
    : undefined;
}

function watchedBlock(
  { address, size }: MemoryBlock,
  sets: readonly (readonly AddressSet[])[],
): WatchedBlock {
  const cells = new Set([address]);
  for (const own of sets)
    for (const set of own)
      if (set !== 'any')
        for (const cell of set) if (cell >= address && cell < address + size) cells.add(cell);
  return { address, cells: [...cells].sort((a, b) => a - b) };
}

/** A distance beyond all cells of the program. */
function distanceBehind(
  { symbols }: Program,
  sets: readonly (readonly AddressSet[])[],
  blocks: readonly MemoryBlock[],
): number {
  let last = 0;
  for (const { base, length } of symbols) last = Math.max(last, base + length);
  for (const { address, size } of blocks) last = Math.max(last, address + size);
  for (const own of sets)
    for (const set of own) if (set !== 'any') for (const cell of set) last = Math.max(last, cell);
  return 2 ** Math.ceil(Math.log2(last + 1));
}

/**
 * Writes the code of a thread with tests of flags before accesses, and with changes of flags where
 * blocks are freed or allocated.
 */
class ThreadWatch {
  readonly #locations: Location[];
  readonly #transitions: Transition[] = [];
  readonly #from: TransitionId[] = [];
  readonly #added = new Set<TransitionId>();
  readonly #flag: number;
  readonly #watched: ReadonlySet<number>;
  readonly #locks: readonly (LockStatus | undefined)[];

  constructor(
    readonly thread: Thread,
    readonly blocks: readonly WatchedBlock[],
    readonly distance: number,
    readonly model: MemoryModel,
  ) {
    this.#locations = [...thread.locations];
    this.#flag = thread.registers.length;
    this.#locks = computeLockStatus(thread);
    this.#watched = new Set(blocks.flatMap(({ cells }) => cells));
  }

  watch(
    sets: readonly AddressSet[],
    valuesOf: (value: Expression, location: LocationId) => AddressSet,
  ): {
    readonly thread: Thread;
    readonly from: readonly TransitionId[];
    readonly added: ReadonlySet<TransitionId>;
  } {
    this.thread.transitions.forEach((transition, id) => {
      const { from, to, instruction, origin } = transition;
      const set = at(sets, id);
      const cell = isAccess(instruction) ? instruction.address : accessedByMark(transition);
      if (cell && set !== 'any' && set.some((each) => this.#watched.has(each))) {
        const tested = this.#chain(id, from, origin, this.#test(cell));
        this.#add(id, { ...transition, from: tested });
      } else if (
        (origin.block === 'freed' || origin.block === 'again') &&
        instruction.kind === 'assign'
      ) {
        this.#change(id, transition, instruction.value, valuesOf(instruction.value, from));
      } else if (instruction.kind === 'assert')
        // The program's own assertions are not checked here.
        this.#add(id, { ...transition, instruction: { kind: 'skip' } });
      else this.#add(id, { ...transition, from, to });
    });
    return {
      thread: {
        ...this.thread,
        registers: [...this.thread.registers, { name: 'freed', hidden: true }],
        locations: this.#locations,
        transitions: this.#transitions,
      },
      from: this.#from,
      added: this.#added,
    };
  }

  #add(id: TransitionId, transition: Transition): void {
    this.#transitions.push(transition);
    this.#from.push(id);
  }

  #location(): LocationId {
    const name = `freed ${this.#locations.length}`;
    return this.#locations.push({ name, hidden: true }) - 1;
  }

  /** Adds the instructions in sequence, and returns the location after the last instruction. */
  #chain(
    id: TransitionId,
    from: LocationId,
    { span, calls }: Origin,
    instructions: readonly Instruction[],
  ): LocationId {
    const origin = { ...(span && { span }), ...(calls && { calls }) };
    return instructions.reduce((before, instruction) => {
      const to = this.#location();
      this.#added.add(this.#transitions.length);
      this.#add(id, { from: before, to, instruction, origin });
      return to;
    }, from);
  }

  #flagOf(cell: Expression): Expression {
    return binary('+', cell, constant(this.distance));
  }

  /** Asserts that the flag of a cell is 0; a failing assertion ends the execution. */
  #test(cell: Expression): readonly Instruction[] {
    const condition = binary('!=', registerValue(this.#flag), constant(1));
    return [
      { kind: 'load', into: this.#flag, address: this.#flagOf(cell) },
      { kind: 'assert', condition },
      { kind: 'assume', condition },
    ];
  }

  /**
   * Adds the instructions for a free or a new allocation: the flags of each block that the
   * transition may concern are changed.
   */
  #change(id: TransitionId, transition: Transition, value: Expression, values: AddressSet): void {
    const { from, to, origin } = transition;
    const isFree = origin.block === 'freed';
    const others: Instruction[] = [];
    for (const { address, cells } of this.blocks) {
      if (values !== 'any' && !values.includes(address)) continue;
      others.push({ kind: 'assume', condition: binary('!=', value, constant(address)) });
      const changes = cells.map((cell): Instruction => ({
        kind: 'store',
        address: this.#flagOf(constant(cell)),
        value: constant(isFree ? 1 : 0),
      }));
      const changed = [...(isFree ? this.#test(constant(address)) : []), ...changes];
      const isAtOnce = !memoryModels[this.model].hasBuffers && this.#locks[from] === 'free';
      const end = this.#chain(id, from, origin, [
        { kind: 'assume', condition: binary('==', value, constant(address)) },
        ...(isAtOnce
          ? [{ kind: 'lock' } as const, ...changed, { kind: 'unlock' } as const]
          : changed),
      ]);
      this.#add(id, { from: end, to, instruction: transition.instruction, origin });
    }
    const end = this.#chain(id, from, origin, others);
    this.#add(id, { from: end, to, instruction: transition.instruction, origin });
  }
}
