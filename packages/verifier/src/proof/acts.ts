import {
  type Automata,
  type Expression,
  type Instruction,
  isIdle,
  type Operation,
  type Thread,
} from '../automata.js';
import type { Abstraction } from './claims.js';
import { Flaw } from '../report.js';

/**
 * One possible effect of an instruction in the program to be proved. A fence changes no state under
 * SC. The proof needs fences because no store is delayed past a fence under TSO (`drains`).
 */
export type Act =
  | {
      readonly kind: 'load';
      readonly into: number;
      readonly address: Expression;
      readonly guess?: Guess;
    }
  | { readonly kind: 'store'; readonly address: Expression; readonly value: Expression }
  /**
   * An atomic read-modify-write with a restricted outcome. `changes`: the rmw stores a value
   * different from the value read. A `cas` has two acts: one only `succeeds`, the other only
   * `fails`.
   */
  | {
      readonly kind: 'rmw';
      readonly into?: number;
      readonly address: Expression;
      readonly operation: Operation;
      readonly outcome: 'any' | 'changes' | 'succeeds' | 'fails';
    }
  | { readonly kind: 'assign'; readonly into: number; readonly value: Expression }
  | { readonly kind: 'test'; readonly condition: Expression }
  | {
      readonly kind: 'choose';
      readonly into: number;
      readonly range?: Range;
      readonly where?: Expression;
    }
  | { readonly kind: 'fence' | 'lock' | 'unlock' | 'skip' }
  /**
   * A failure of a weak rmw (an rmw that may fail at any time): the thread waits until its own
   * stores have reached memory, and the register is set to `value`, the result of a failure.
   */
  | { readonly kind: 'give-up'; readonly into?: number; readonly value: Expression };

interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * An abstraction of a load: the load may return any value for which `condition` holds. In
 * `condition`, the register `cell` represents the value in memory.
 */
export interface Guess {
  readonly condition: Expression;
  readonly cell: number;
  readonly range?: Range;
}

/** An act (a possible effect of an instruction) with its source and target location. */
export interface Arc {
  /**
   * The number of the transition that has the act; for a guess (a load that may return any value
   * its condition allows), of the transition of the load.
   */
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly act: Act;
}

/** Whether the act can be executed only after the thread's own stores have reached memory. */
export function drains({ kind }: Act): boolean {
  return ['rmw', 'fence', 'lock', 'unlock', 'give-up'].includes(kind);
}

/** Whether no other thread notices the act, under SC. */
export function isLocal({ kind }: Act): boolean {
  return !['load', 'store', 'rmw', 'lock', 'unlock'].includes(kind);
}

/**
 * Returns all acts of an instruction of the program; `domain` is the range of a `havoc` without
 * range.
 */
export function actsOf(instruction: Instruction, domain: Range | undefined): readonly Act[] {
  if (isIdle(instruction)) return [{ kind: 'skip' }];
  switch (instruction.kind) {
    case 'rmw':
      return instruction.operation.kind === 'cas'
        ? [
            { ...instruction, outcome: 'succeeds' },
            { ...instruction, outcome: 'fails' },
          ]
        : [{ ...instruction, outcome: 'any' }];
    case 'assume':
      return [{ kind: 'test', condition: instruction.condition }];
    // A thread goes on after a failed assertion.
    case 'assert':
      return [{ kind: 'skip' }];
    case 'havoc': {
      const range = instruction.range ?? domain;
      return [{ ...instruction, kind: 'choose', ...(range && { range }) }];
    }
    case 'heavy-fence':
      throw new Error('programs with heavy fences are refused');
    default:
      return [instruction];
  }
}

/**
 * Returns the acts of a locked instruction that may fail at any time: the failure, and the
 * executions not covered by the failure; `undefined` if the instruction cannot be weakened.
 */
function weakActs(instruction: Instruction): readonly Act[] | undefined {
  if (instruction.kind !== 'rmw') return undefined;
  const { operation, into } = instruction;
  const failure = (value: Expression): Act => ({
    kind: 'give-up',
    ...(into !== undefined && { into }),
    value,
  });
  switch (operation.kind) {
    case 'cas':
      return [{ ...instruction, outcome: 'succeeds' }, failure({ kind: 'constant', value: 0 })];
    case 'xchg':
      return [{ ...instruction, outcome: 'changes' }, failure(operation.value)];
    case 'fetch':
      return undefined;
  }
}

/** Returns every register that an expression reads. */
export function registersOf(expression: Expression): readonly number[] {
  switch (expression.kind) {
    case 'register':
      return [expression.register];
    case 'element':
      return registersOf(expression.index);
    case 'unary':
      return registersOf(expression.operand);
    case 'binary':
      return [...registersOf(expression.left), ...registersOf(expression.right)];
    case 'constant':
    case 'address':
    case 'self':
      return [];
  }
}

/** Returns the registers that an instruction reads. A `havoc` reads its own new value. */
function reads(instruction: Instruction): readonly number[] {
  const inside = (value: unknown): readonly number[] => {
    if (typeof value !== 'object' || value === null) return [];
    if ('kind' in value && value.kind === 'register') return registersOf(value as Expression);
    return Object.values(value).flatMap(inside);
  };
  return inside(instruction);
}

/**
 * Returns the arcs (acts with their locations) of a thread of the program to be proved, that is,
 * the program with its abstractions. Throws `Flaw` if the abstractions do not fit the thread.
 */
export function arcsOf(
  { domain }: Automata,
  thread: Thread,
  abstractions: readonly Abstraction[],
): readonly Arc[] {
  const replaced = new Map<number, readonly Arc[]>();
  const replace = (id: number, arcs: readonly Arc[]): void => {
    if (replaced.has(id)) throw new Flaw(`${thread.name}: transition ${id} is abstracted twice`);
    replaced.set(id, arcs);
  };
  for (const abstraction of abstractions)
    if (abstraction.kind === 'rmw') weaken(thread, abstraction, replace);
    else relax(thread, abstraction, domain, replace);
  const guessed = abstractions.flatMap((each) => ('havoc' in each ? [each] : []));
  checkHidden(thread, guessed);
  return thread.transitions.flatMap(
    ({ from, to, instruction }, id) =>
      replaced.get(id) ?? actsOf(instruction, domain).map((act) => ({ id, from, to, act })),
  );
}

/**
 * Whether `first` and `second` form a sequence: the location between the two transitions has no
 * further transitions, and no thread starts there.
 */
function follows(thread: Thread, first: number, second: number): boolean {
  const middle = thread.transitions[first]!.to;
  const touching = thread.transitions.filter(({ from, to }) => from === middle || to === middle);
  return (
    middle !== thread.initial &&
    touching.length === 2 &&
    thread.transitions[second]!.from === middle
  );
}

function weaken(
  thread: Thread,
  { rmw, failure }: Abstraction & { readonly kind: 'rmw' },
  replace: (id: number, arcs: readonly Arc[]) => void,
): void {
  const { from, to, instruction } = thread.transitions[rmw]!;
  const acts = weakActs(instruction);
  if (!acts) throw new Flaw(`${thread.name}: transition ${rmw} cannot fail`);
  if (failure) {
    const [fence, result] = [failure.fence, failure.result];
    const [first, second] = [thread.transitions[fence]!, thread.transitions[result]!];
    const isFailure =
      first.from === from &&
      second.to === to &&
      first.instruction.kind === 'fence' &&
      fence !== result;
    if (!isFailure || !follows(thread, fence, result) || !gives(acts, second.instruction))
      throw new Flaw(
        `${thread.name}: transitions ${fence} and ${result} are not a failure of ${rmw}`,
      );
    replace(fence, []);
    replace(result, []);
  }
  replace(
    rmw,
    acts.map((act) => ({ id: rmw, from, to, act })),
  );
}

/**
 * Whether the instruction has the same effect as the failure among the acts, apart from waiting.
 */
function gives(acts: readonly Act[], instruction: Instruction): boolean {
  const failure = acts.find(({ kind }) => kind === 'give-up');
  if (failure?.kind !== 'give-up') return false;
  if (failure.into === undefined) return instruction.kind === 'skip';
  return (
    instruction.kind === 'assign' &&
    instruction.into === failure.into &&
    JSON.stringify(instruction.value) === JSON.stringify(failure.value)
  );
}

function relax(
  thread: Thread,
  abstraction: Abstraction & { readonly kind: 'read' },
  domain: Range | undefined,
  replace: (id: number, arcs: readonly Arc[]) => void,
): void {
  const { load: id } = abstraction;
  const { from, to, instruction: load } = thread.transitions[id]!;
  if (load.kind !== 'load') throw new Flaw(`${thread.name}: transition ${id} is not a load`);
  if ('condition' in abstraction) {
    const guess = { condition: abstraction.condition, cell: thread.registers.length };
    replace(id, [{ id, from, to, act: { ...load, guess } }]);
    return;
  }
  const behind = thread.transitions[abstraction.havoc]!;
  const havoc = behind.instruction;
  if (
    havoc.kind !== 'havoc' ||
    !havoc.where ||
    havoc.into === load.into ||
    !follows(thread, id, abstraction.havoc)
  )
    throw new Flaw(
      `${thread.name}: transition ${abstraction.havoc} does not guess what ${id} loads`,
    );
  const range = havoc.range ?? domain;
  const guess = { condition: havoc.where, cell: load.into, ...(range && { range }) };
  replace(abstraction.havoc, []);
  replace(id, [{ id, from, to: behind.to, act: { ...load, into: havoc.into, guess } }]);
}

/**
 * Throws `Flaw` if an instruction other than the abstraction reads the register for a cell in an
 * abstraction: the thread has to behave the same without this register.
 */
function checkHidden(
  thread: Thread,
  guessed: readonly (Abstraction & { readonly havoc: number; readonly load: number })[],
): void {
  const cellOf = new Map(
    guessed.map(({ load, havoc }) => {
      const { instruction } = thread.transitions[load]!;
      return [havoc, instruction.kind === 'load' ? instruction.into : -1];
    }),
  );
  const hidden = new Set(cellOf.values());
  thread.transitions.forEach(({ instruction }, id) => {
    for (const register of reads(instruction))
      if (hidden.has(register) && cellOf.get(id) !== register)
        throw new Flaw(`${thread.name}: transition ${id} reads the register of an abstracted load`);
  });
}
