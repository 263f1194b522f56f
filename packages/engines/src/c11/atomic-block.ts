import { at } from '@fencewright/ground/base/at.js';
import { instructionAccess } from '@fencewright/model/analysis/liveness.js';
import {
  alwaysReads,
  type Expression,
  hasPart,
  isLazy,
  isSame,
  negate,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { transitionsOfBlock } from './block-transitions.js';

type Leaving = readonly (readonly CodeTransition[])[];

/** The result of one path through a lock block, for one value of the accessed cell. */
interface BlockOutcome {
  /** The value stored on this path through the lock block; absent without a store. */
  readonly written?: number;
  readonly registers: readonly number[];
  readonly to: LocationId;
}

/** Thrown if a lock block accesses several cells. */
export class SeveralCells extends Error {
  override readonly name = 'SeveralCells';
}

/** A lock block that amounts to one read-modify-write of a single cell. */
export interface AtomicBlock {
  /** The first memory access in the lock block. */
  readonly access: CodeTransition;
  /** The registers that the instructions of the lock block set. */
  readonly sets: ReadonlySet<RegisterId>;
  /** The registers whose values from before the lock block are needed to execute the block. */
  readonly uses: ReadonlySet<RegisterId>;
  /**
   * Whether some values of the cell let no path through the block pass, so that the thread waits.
   */
  readonly waits: boolean;
  /** Whether each condition in the block depends on a value that the block has loaded. */
  readonly testsValue: boolean;
  /** Whether an operator of the block may leave out its right side: `&&` and `||`. */
  readonly mayLeaveOut: boolean;
  /** The locations to which the `unlock`s of the block lead. */
  readonly targets: readonly LocationId[];
  /** Returns the address of the cell that the lock block accesses. Throws `SeveralCells`. */
  readonly addressOf: (registers: readonly number[]) => number;
  /**
   * Returns the results of all paths through the lock block if the cell holds `old`. Throws
   * `SeveralCells`.
   */
  readonly outcomes: (registers: readonly number[], old: number) => readonly BlockOutcome[];
  /**
   * Returns the results of all paths through the block without a store, for a cell that holds
   * `old`. Conditions are ignored, since a weak `cas` may fail even if the cell holds the expected
   * value. Throws `SeveralCells`.
   */
  readonly failures: (registers: readonly number[], old: number) => readonly BlockOutcome[];
}

/**
 * Whether every value passes at least one of the tests at a location, as far as the form of the
 * tests shows.
 */
function isTotal(tests: readonly CodeTransition[]): boolean {
  const conditions = tests.flatMap(({ transition: { instruction } }) =>
    instruction.kind === 'assume' ? [instruction.condition] : [],
  );
  const [one, other] = conditions;
  if (conditions.length < tests.length || !one) return true;
  return conditions.length === 2 && other !== undefined && isSame(negate(one), other);
}

/**
 * Whether each condition reads a register with the loaded value, or with a value computed from it.
 */
function testValue(transitions: readonly CodeTransition[]): boolean {
  const loaded = new Set<RegisterId>();
  const reads = (value: Expression): boolean =>
    [...loaded].some((register) => alwaysReads(value, register));
  for (let size = -1; size < loaded.size;) {
    ({ size } = loaded);
    for (const { transition } of transitions) {
      const { instruction } = transition;
      if (instruction.kind === 'load') loaded.add(instruction.into);
      if (instruction.kind === 'assign' && reads(instruction.value)) loaded.add(instruction.into);
    }
  }
  return transitions.every(
    ({ transition: { instruction } }) =>
      instruction.kind !== 'assume' || reads(instruction.condition),
  );
}

interface Walk {
  readonly location: LocationId;
  readonly registers: readonly number[];
  readonly written?: number;
}

/**
 * Returns the lock block that begins with the `lock` `begin`; `undefined` if the thread never
 * releases the lock, or the block accesses no memory.
 */
export function atomicBlock(leaving: Leaving, begin: CodeTransition): AtomicBlock | undefined {
  const transitions = transitionsOfBlock(
    begin.transition.to,
    (location) => at(leaving, location),
    ({ transition }) => transition,
  );
  const access = transitions.find(({ transition }) => 'address' in transition.instruction);
  const ends = transitions.filter(({ transition }) => transition.instruction.kind === 'unlock');
  if (!access || ends.length === 0) return undefined;
  const sets = new Set<RegisterId>();
  const uses = new Set<RegisterId>();
  for (const { transition } of transitions) {
    const { instruction } = transition;
    instructionAccess.forEachUse(instruction, (one) => uses.add(one));
    if (!('into' in instruction) || instruction.into === undefined) continue;
    sets.add(instruction.into);
    // On a path that does not set the register, the value from before the block is kept, as a later
    // step may read it.
    uses.add(instruction.into);
  }
  const inner = transitions.filter(({ transition }) => transition.instruction.kind !== 'unlock');
  const places = new Set([begin.transition.to, ...inner.map(({ transition }) => transition.to)]);
  const cellOf = ({ address }: CodeTransition, registers: readonly number[]): number =>
    address(registers, 0);
  const visitorOf = (old: number): Visit => {
    let cell: number | undefined;
    return (step, values) => {
      cell ??= cellOf(step, values);
      if (cell !== cellOf(step, values)) throw new SeveralCells();
      return old;
    };
  };
  return {
    ...{ access, sets, uses },
    waits: [...places].some((place) => !isTotal(at(leaving, place))),
    testsValue: testValue(inner),
    mayLeaveOut: inner.some(({ transition: { instruction } }) =>
      operandsOf(instruction).some((operand) => hasPart(operand, isLazy)),
    ),
    targets: [...new Set(ends.map(({ transition }) => transition.to))],
    addressOf: (registers) => {
      let found: number | undefined;
      walk(leaving, begin, registers, (step, values) => {
        found ??= cellOf(step, values);
        if (found !== cellOf(step, values)) throw new SeveralCells();
        return undefined;
      });
      if (found === undefined) throw new SeveralCells();
      return found;
    },
    outcomes: (registers, old) => walk(leaving, begin, registers, visitorOf(old)),
    failures: (registers, old) => {
      const without = withoutStores(transitions, leaving);
      return walk(without, begin, registers, visitorOf(old), 'ignored');
    },
  };
}

/** Returns, by location, the transitions on paths without stores to an `unlock` of the block. */
function withoutStores(transitions: readonly CodeTransition[], leaving: Leaving): Leaving {
  const kept = new Set(
    transitions.filter(({ transition }) => transition.instruction.kind === 'unlock'),
  );
  for (let size = 0; size < kept.size;) {
    ({ size } = kept);
    const starts = new Set([...kept].map(({ transition }) => transition.from));
    for (const one of transitions)
      if (one.transition.instruction.kind !== 'store' && starts.has(one.transition.to))
        kept.add(one);
  }
  return leaving.map((ways) => ways.filter((one) => kept.has(one)));
}

/**
 * Called with each access of a path; returns the value of the cell before the block, or `undefined`
 * to end the path.
 */
type Visit = (access: CodeTransition, registers: readonly number[]) => number | undefined;

/** Returns the results of all paths through a lock block. */
function walk(
  leaving: Leaving,
  begin: CodeTransition,
  given: readonly number[],
  visit: Visit,
  conditions: 'tested' | 'ignored' = 'tested',
): readonly BlockOutcome[] {
  const found: BlockOutcome[] = [];
  const work: Walk[] = [{ location: begin.transition.to, registers: given }];
  for (let state = work.pop(); state; state = work.pop()) {
    const { location, registers, written } = state;
    for (const step of at(leaving, location)) {
      const { instruction, to } = step.transition;
      const next = { ...state, location: to };
      switch (instruction.kind) {
        case 'assign':
          work.push({
            ...next,
            registers: registers.with(instruction.into, step.value(registers, 0)),
          });
          break;
        case 'assume':
          if (conditions === 'ignored' || step.value(registers, 0) !== 0) work.push(next);
          break;
        case 'skip':
        case 'assert':
          work.push(next);
          break;
        case 'havoc': {
          const { range } = instruction;
          if (!range || range.high - range.low > mostChoices) throw new SeveralCells();
          for (let choice = range.low; choice <= range.high; choice++)
            work.push({ ...next, registers: registers.with(instruction.into, choice) });
          break;
        }
        case 'load': {
          const old = visit(step, registers);
          if (old === undefined) break;
          work.push({ ...next, registers: registers.with(instruction.into, written ?? old) });
          break;
        }
        case 'store':
          if (visit(step, registers) === undefined) break;
          work.push({ ...next, written: step.value(registers, 0) });
          break;
        case 'unlock':
          found.push({ registers, to, ...(written !== undefined && { written }) });
          break;
        default:
          throw new SeveralCells();
      }
    }
  }
  return found;
}

/** The maximum number of values of a `havoc` in a lock block. */
const mostChoices = 16;
