import { at } from '@fencewright/ground/base/at.js';
import {
  constant,
  forEachRegister,
  mapLeaves,
  negation,
  type Expression,
} from '@fencewright/model/program/expression.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { LocationId, RegisterId, SymbolId } from '@fencewright/model/program/ids.js';
import type { Instruction, RmwInstruction } from '@fencewright/model/program/instruction.js';
import type { InvariantExpression, Program, Thread } from '@fencewright/model/program/program.js';
import { definedRegister } from '@fencewright/model/analysis/liveness.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { CandidateMaker, implies, join, type Candidate } from './candidates.js';
import { symbolOfAddress } from './value-classes.js';

/** A variable that threads take by an rmw and give back by a store, and its value while free. */
interface Lock {
  readonly symbol: SymbolId;
  readonly free: number;
}

/** The result of the last attempt to take a lock, in a register. */
interface Attempt {
  readonly register: RegisterId;
  /**
   * Whether the result is the old value of the lock, and the attempt has succeeded if this is the
   * value of a free lock; otherwise the attempt has succeeded if the result is not 0.
   */
  readonly isOld: boolean;
  /** The result of an attempt that has failed, as far as the text tells. */
  readonly failure: number;
}

/**
 * Whether a thread at a location holds a lock: always, never, if its last attempt succeeded, or
 * sometimes for another reason (`unknown`).
 */
type Held = 'yes' | 'no' | Attempt | 'unknown';

/**
 * Returns candidates for programs with locks by `cas` or `xchg`: a lock that some thread holds is
 * not free, and no two threads hold the same lock. A thread holds a lock from a successful attempt
 * on, up to its store of the value of a free lock. Programs without such locks have no candidates.
 */
export function lockCandidates(program: ProofProgram): readonly Candidate[] {
  const { templates, threads, unbounded } = program;
  const make = new CandidateMaker(program, 'lock');
  return locksOf(templates).flatMap((lock) => {
    const holders = threads.flatMap(({ thread, places }) => {
      const held = computeHeld(templates, at(templates.threads, thread), lock);
      const holding = (binder: number): InvariantExpression | undefined =>
        holdsAt(held, places, lock, binder);
      return holding(0) ? [{ thread, holding }] : [];
    });
    const isFree = join('==', { kind: 'cell', symbol: lock.symbol }, constant(lock.free));
    return holders.flatMap(({ thread, holding }, i) => [
      make.candidate([thread], implies([holding(0)!], negation(isFree))),
      ...holders
        .slice(i)
        .filter((other) => other.thread !== thread || unbounded.includes(thread))
        .map((other) =>
          make.candidate(
            [thread, other.thread],
            implies([holding(0)!], negation(other.holding(1)!)),
          ),
        ),
    ]);
  });
}

function locksOf(program: Program): readonly Lock[] {
  const found = new Map<SymbolId, Lock>();
  for (const { transitions } of program.threads)
    for (const { instruction } of transitions) {
      if (instruction.kind !== 'rmw' || !/^(?:cas|xchg)$/.test(instruction.operation.name))
        continue;
      const symbol = symbolOfAddress(program, instruction.address);
      if (symbol === undefined) continue;
      const { isArray, initial } = at(program.symbols, symbol);
      if (!isArray) found.set(symbol, { symbol, free: initial[0] ?? 0 });
    }
  return [...found.values()];
}

/** Returns for each location whether a thread there holds the lock, as its text suggests. */
function computeHeld(
  program: Program,
  { initial, transitions }: Thread,
  lock: Lock,
): ReadonlyMap<LocationId, Held> {
  const held = new Map<LocationId, Held>([[initial, 'no']]);
  const pending = [initial];
  for (let place = pending.pop(); place !== undefined; place = pending.pop())
    for (const { from, to, instruction } of transitions) {
      if (from !== place) continue;
      const after = heldAfter(program, instruction, held.get(place)!, lock);
      if (after === undefined) continue;
      const before = held.get(to);
      const joined = before === undefined ? after : joinHeld(before, after);
      if (before === joined) continue;
      held.set(to, joined);
      pending.push(to);
    }
  return held;
}

/**
 * Joins two facts about a lock at a location that two paths lead to. An attempt absorbs `yes` and
 * `no`, since its result tells whether the lock is held. All other different facts give `unknown`.
 * So repeated joins at a location end.
 */
function joinHeld(one: Held, other: Held): Held {
  if (one === other || one === 'unknown') return one;
  if (other === 'unknown') return other;
  if (typeof one === 'string') return typeof other === 'string' ? 'unknown' : other;
  if (typeof other === 'string') return one;
  return one.register === other.register && one.isOld === other.isOld ? one : 'unknown';
}

/** Returns whether the lock is held after an instruction; `undefined` if the thread stops there. */
function heldAfter(
  program: Program,
  instruction: Instruction,
  before: Held,
  lock: Lock,
): Held | undefined {
  const isAbout = (address: Expression): boolean =>
    symbolOfAddress(program, address) === lock.symbol;
  if (instruction.kind === 'rmw' && isAbout(instruction.address))
    return attemptOf(program, instruction, lock) ?? before;
  if (instruction.kind === 'store' && isAbout(instruction.address)) return 'no';
  if (typeof before === 'string') return before;
  if (instruction.kind === 'assume') return heldIf(program, instruction.condition, before, lock);
  return definedRegister(instruction) === before.register ? 'no' : before;
}

function attemptOf(
  program: Program,
  { operation, into }: RmwInstruction,
  lock: Lock,
): Held | undefined {
  const [first] = operation.operands;
  const value = first && constantValue(first, program.symbols);
  switch (operation.name) {
    case 'cas':
      if (value !== lock.free) return undefined;
      return into === undefined ? 'no' : { register: into, isOld: false, failure: 0 };
    case 'xchg':
      if (value === lock.free) return 'no';
      return into === undefined
        ? 'no'
        : { register: into, isOld: true, failure: value ?? lock.free + 1 };
    default:
      return undefined;
  }
}

/** Returns whether the lock is held after a test of the result of an attempt. */
function heldIf(
  program: Program,
  condition: Expression,
  before: Attempt,
  lock: Lock,
): Held | undefined {
  let isAlone = true;
  forEachRegister(condition, (register) => (isAlone &&= register === before.register));
  if (!isAlone) return before;
  const passes = (result: number): boolean =>
    constantValue(
      mapLeaves(condition, (leaf) => (leaf.kind === 'register' ? constant(result) : leaf)),
      program.symbols,
    ) !== 0;
  const success = before.isOld ? lock.free : 1;
  if (passes(success)) return passes(before.failure) ? before : 'yes';
  return passes(before.failure) ? 'no' : undefined;
}

/** Returns the condition that a thread holds the lock; `undefined` if it holds it at no place. */
function holdsAt(
  held: ReadonlyMap<LocationId, Held>,
  places: readonly LocationId[],
  { free }: Lock,
  binder: number,
): InvariantExpression | undefined {
  const cases = places.flatMap((place): InvariantExpression[] => {
    const here = held.get(place) ?? 'no';
    if (here === 'no' || here === 'unknown') return [];
    const isThere: InvariantExpression = { kind: 'at', binder, location: place };
    if (here === 'yes') return [isThere];
    const result = { kind: 'register', binder, register: here.register } as const;
    const succeeded = join(here.isOld ? '==' : '!=', result, constant(here.isOld ? free : 0));
    return [join('&&', isThere, succeeded)];
  });
  return cases.length === 0 ? undefined : cases.reduce((left, right) => join('||', left, right));
}
