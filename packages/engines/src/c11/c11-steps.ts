import { at } from '@fencewright/ground/base/at.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { leavesOf, registersIn } from '@fencewright/model/analysis/state-leaves.js';
import {
  alwaysReads,
  type Expression,
  forEachRegister,
  hasPart,
  isLazy,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import {
  defaultAccessOrder,
  defaultRmwOrder,
  failureOrderOf,
} from '@fencewright/model/c11/default-orders.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import { isPlainInText } from '@fencewright/model/program/plain-in-text.js';
import type { Program, Transition } from '@fencewright/model/program/program.js';
import {
  type CodeTransition,
  compileProgram,
  type ProgramCode,
} from '@fencewright/model/semantics/thread-code.js';
import { type AtomicBlock, atomicBlock } from './atomic-block.js';
import { withoutEmptyBlocks } from './empty-blocks.js';
import { guardTransitions } from './guards.js';

/** A step of a thread that the memory model C11 orders: an access or a fence. */
export interface C11Step {
  readonly kind: 'load' | 'store' | 'rmw' | 'fence';
  readonly code: CodeTransition;
  readonly order: EventOrder;
  /** The memory order of the load if a read-modify-write stores nothing. */
  readonly failureOrder: EventOrder;
  /** Whether the read-modify-write may store nothing at any time, as a weak `cas` does. */
  readonly mayFail?: true;
  /** The register that receives the loaded value; absent for stores and fences. */
  readonly into?: RegisterId;
  /**
   * For a load or a `cas` that repeats until a condition holds: the tests on leaving the loop. The
   * step is possible only if one of the tests holds.
   */
  readonly exits?: readonly CodeTransition[];
  /** For a read-modify-write that is a lock block (a block under the bus lock): the block. */
  readonly block?: AtomicBlock;
}

/** The steps that the threads of a program can take, by thread and location. */
export interface C11Code {
  readonly program: Program;
  readonly code: ProgramCode;
  readonly steps: readonly (readonly (readonly C11Step[])[])[];
  /** Whether a register's value may be read later, by thread, location and register. */
  readonly live: readonly (readonly (readonly boolean[])[])[];
  /** The guards of all threads (`guardTransitions`): conditions for which no later store waits. */
  readonly guards: ReadonlySet<Transition>;
}

/** Whether other threads can notice the instruction. */
function isVisible(instruction: Instruction): boolean {
  switch (instruction.kind) {
    case 'store':
    case 'load':
    case 'rmw':
    case 'fence':
    case 'lock':
      return true;
    case 'skip':
      return instruction.fence !== undefined;
    default:
      return false;
  }
}

/** Returns the order of a non-atomic access in C; `undefined` for other accesses. */
function orderOfPlain({ transition: { origin } }: CodeTransition): EventOrder | undefined {
  return isPlainInText(origin) ? 'plain' : undefined;
}

/** Returns the step of a transition; `undefined` for a `lock` that the thread never releases. */
function plainStep(
  code: CodeTransition,
  leaving: readonly (readonly CodeTransition[])[],
): C11Step | undefined {
  const { instruction } = code.transition;
  switch (instruction.kind) {
    case 'lock': {
      const block = atomicBlock(leaving, code);
      const order = instruction.order ?? defaultRmwOrder;
      const failureOrder = instruction.failureOrder ?? failureOrderOf(order);
      const mayFail = instruction.mayFail && { mayFail: instruction.mayFail };
      return block && { kind: 'rmw', code: block.access, order, failureOrder, block, ...mayFail };
    }
    case 'store': {
      const order = instruction.order ?? orderOfPlain(code) ?? defaultAccessOrder;
      return { kind: 'store', code, order, failureOrder: order };
    }
    case 'load': {
      const order = instruction.order ?? orderOfPlain(code) ?? defaultAccessOrder;
      return { kind: 'load', code, order, failureOrder: order, into: instruction.into };
    }
    case 'rmw': {
      const order = instruction.order ?? defaultRmwOrder;
      const failureOrder = instruction.failureOrder ?? failureOrderOf(order);
      if (instruction.isStore) {
        const value: CodeTransition['value'] = (registers, self) =>
          code.rmw.written(0, registers, self) ?? 0;
        return { kind: 'store', code: { ...code, value }, order, failureOrder };
      }
      const { into, mayFail } = instruction;
      return {
        ...{ kind: 'rmw', code, order, failureOrder },
        ...(into !== undefined && { into }),
        ...(mayFail && { mayFail }),
      };
    }
    default: {
      const order = instruction.kind === 'skip' ? (instruction.fence ?? 'seq_cst') : 'seq_cst';
      return { kind: 'fence', code, order, failureOrder: order };
    }
  }
}

/** Whether the test reads no register but the given one. */
function isAbout({ transition: { instruction } }: CodeTransition, register: RegisterId): boolean {
  let isOwn = true;
  if (instruction.kind === 'assume')
    forEachRegister(instruction.condition, (one) => (isOwn &&= one === register));
  return isOwn;
}

/**
 * Whether every evaluation of the test reads the register, also if `&&` or `||` leaves out its
 * right side.
 */
function isTestOf(test: CodeTransition, register: RegisterId): boolean {
  const { instruction } = test.transition;
  if (instruction.kind !== 'assume' || !alwaysReads(instruction.condition, register)) return false;
  return isAbout(test, register) || !hasPart(instruction.condition, isLazy);
}

/** Whether an operand of the access reads the register. */
function usesRegister(instruction: Instruction, register: RegisterId): boolean {
  let uses = false;
  instructionAccess.forEachUse(instruction, (one) => (uses ||= one === register));
  return uses;
}

/**
 * Returns the first location that is reached after steps without effect, and the locations that are
 * passed before.
 */
export function behindSkips(
  leaving: readonly (readonly CodeTransition[])[],
  from: LocationId,
): { readonly to: LocationId; readonly passed: readonly LocationId[] } {
  const passed: LocationId[] = [];
  for (let to = from; ;) {
    const [only, ...others] = at(leaving, to);
    const { instruction } = only?.transition ?? {};
    const isSkip = instruction?.kind === 'skip' && instruction.fence === undefined;
    if (!only || !isSkip || others.length > 0 || passed.includes(to)) return { to, passed };
    passed.push(to);
    to = only.transition.to;
  }
}

/**
 * Returns the step, with the tests on leaving the loop if the location is a loop that only waits:
 * one access, followed by tests, some of which lead back to the access. An iteration of such a loop
 * changes only one register, and the next iteration overwrites the register.
 */
function asWait(
  step: C11Step,
  location: LocationId,
  leaving: readonly (readonly CodeTransition[])[],
): C11Step {
  const { into, code, kind } = step;
  const { instruction, to } = code.transition;
  if (into === undefined || at(leaving, location).length !== 1 || to === location) return step;
  if (usesRegister(instruction, into)) return step;
  const tests = at(leaving, behindSkips(leaving, to).to);
  const isTest = ({ transition }: CodeTransition): boolean =>
    transition.instruction.kind === 'assume' && !transition.instruction.cutsOff;
  const leadsBack = ({ transition }: CodeTransition): boolean =>
    behindSkips(leaving, transition.to).to === location;
  if (!tests.every(isTest) || !tests.some(leadsBack)) return step;
  const exits = tests.filter((test) => !leadsBack(test));
  // Later stores wait for the load only if all tests on leaving the loop read the loaded value.
  if (!exits.every((exit) => isTestOf(exit, into))) return step;
  if (kind === 'load') return { ...step, exits };
  const isCas = instruction.kind === 'rmw' && instruction.operation.name === 'cas';
  if (!isCas || !tests.every((test) => isAbout(test, into))) return step;
  const holds = (list: readonly CodeTransition[], result: number): boolean => {
    const registers: number[] = [];
    registers[into] = result;
    return list.some((test) => test.value(registers, 0) !== 0);
  };
  // A `cas` waits for its success if it is repeated exactly as long as it fails.
  const isWait = !holds(exits, 0) && holds(exits, 1) && !holds(tests.filter(leadsBack), 1);
  return isWait ? { ...step, exits } : step;
}

/**
 * The registers that keep values up to the ends of the threads: none, the registers in properties,
 * or all registers shown in final states.
 */
type AtEnds = 'none' | 'asked' | 'shown';

/**
 * Returns the steps of all threads; `atEnds` selects the registers that keep values up to the ends.
 */
export function compileC11(given: Program, atEnds: AtEnds = 'none'): C11Code {
  const program = withoutEmptyBlocks(given);
  const code = compileProgram(program);
  const steps = code.threads.map((leaving) =>
    leaving.map((transitions, location) =>
      transitions
        .filter(({ transition }) => isVisible(transition.instruction))
        .flatMap((transition) => {
          const step = plainStep(transition, leaving);
          return step ? [asWait(step, location, leaving)] : [];
        }),
    ),
  );
  const conditions = program.properties.map(({ condition }) => condition);
  const asked = leavesOf(atEnds === 'none' ? [] : conditions);
  const live = program.threads.map((thread, id) => {
    const kept = registersIn(asked, id);
    if (atEnds === 'shown')
      for (const [register, { hidden }] of thread.registers.entries())
        if (!hidden) kept.add(register);
    return computeLiveRegisters(thread, instructionAccess, [], kept);
  });
  const guards = new Set(code.threads.flatMap((leaving) => [...guardTransitions(leaving)]));
  return { program, code, steps, live, guards };
}

/**
 * The location and registers of a thread after all local instructions: the next step is an access,
 * a fence or a lock block, or the thread is at the end.
 */
export interface ThreadPoint {
  readonly location: LocationId;
  /** The values of the thread's registers, by register; dead registers are 0. */
  readonly registers: readonly number[];
}

/**
 * Whether a thread goes on after the step with these registers. For a step that repeats until a
 * condition holds: whether some test on leaving the loop is true. For every other step: always.
 */
export function leavesWait({ exits }: C11Step, registers: readonly number[]): boolean {
  return !exits || exits.some((exit) => exit.value(registers, 0) !== 0);
}

/** Returns the address accessed by the step with these registers. Throws `SeveralCells`. */
export function addressOfStep({ block, code }: C11Step, registers: readonly number[]): number {
  return block ? block.addressOf(registers) : code.address(registers, 0);
}

/**
 * Whether the step tests a value: the step is a loop that waits, or a lock block with conditions.
 */
export function isTesting({ exits, block }: C11Step): boolean {
  return exits !== undefined || (block !== undefined && (block.waits || block.targets.length > 1));
}

/** Whether later stores of the thread wait for a test of the step's value. */
export function ordersByTest({ exits, block }: C11Step): boolean {
  return exits !== undefined || (block !== undefined && block.waits && block.testsValue);
}

/**
 * Returns the locations of the thread after the step; `registers` are the registers after the step.
 */
export function targetsOf(
  { exits, code, block }: C11Step,
  registers: readonly number[],
): readonly LocationId[] {
  if (block) return block.targets;
  if (!exits) return [code.transition.to];
  return exits
    .filter((exit) => exit.value(registers, 0) !== 0)
    .map(({ transition }) => transition.to);
}

/**
 * Returns the registers after the step has loaded `value`: the register that the step sets, if any,
 * has this value.
 */
export function withResult(
  { into }: C11Step,
  registers: readonly number[],
  value: number,
): readonly number[] {
  return into === undefined ? registers : registers.with(into, value);
}

/** Returns the address that the step accesses, as an expression; `undefined` for a fence. */
export function addressExpression({ code }: C11Step): Expression | undefined {
  const { instruction } = code.transition;
  return 'address' in instruction ? instruction.address : undefined;
}
