import { isWithoutValues } from '@fencewright/model/program/instruction.js';
import { at } from '@fencewright/ground/base/at.js';
import { computeControlFlow } from '@fencewright/model/analysis/control-flow.js';
import { computeLiveRegisters } from '@fencewright/model/analysis/liveness.js';
import {
  forEachRegister,
  hasPart,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import type {
  InstrumentedStep,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import { isWithoutOld, rmwMeaning } from '@fencewright/model/program/rmw.js';
import { instrumentedAccess } from '@fencewright/model/reach/register-access.js';
import type { Space } from '@fencewright/model/reach/state-layout.js';
import { accessOf, instructionSteps, type AddressCandidates } from './address-candidates.js';

/** Returns the key of a memory cell, distinct from the keys of all other cells of all spaces. */
export function cellKey(space: Space, address: number): string {
  return `${space} ${address}`;
}

/** A memory cell in one of the address spaces of a program. */
export interface SpaceCell {
  readonly space: Space;
  readonly address: number;
}

/**
 * The registers and cells that can influence reachability. All further data are left out of the
 * encoding.
 */
export interface RelevantData {
  /**
   * Whether a register may influence a later branch, address, fault or relevant cell, and is live.
   */
  readonly isRegisterLive: (
    thread: ThreadId,
    location: LocationId,
    register: RegisterId,
  ) => boolean;
  /** Returns the relevant cells possibly read by some thread from the given locations on. */
  readonly cellsReadAfter: (locations: readonly LocationId[]) => ReadonlySet<string>;
  /** The memory cells that some step of the program may access, by `cellKey`. */
  readonly cells: ReadonlyMap<string, SpaceCell>;
}

/**
 * Whether evaluating the expression may fault; if so, its operands are relevant even if the result
 * is not used.
 */
function mayFault(expression: Expression): boolean {
  return hasPart(expression, (part) => {
    if (part.kind === 'element') return part.index.kind !== 'constant';
    const isDivision = part.kind === 'binary' && ['/', '%', '/%', '%%'].includes(part.operator);
    return isDivision && part.right.kind !== 'constant';
  });
}

/** The position of a step in the program: thread, transition and index in the transition. */
interface StepPlace {
  readonly thread: ThreadId;
  readonly id: TransitionId;
  readonly index: number;
}

/** Returns whether the register may be read after the step, in the step's block or later. */
type UsedAfter = (place: StepPlace, register: RegisterId) => boolean;

/**
 * The registers and cells found so far that can influence whether a goal is reachable. They are
 * found by following the steps of the program backwards.
 */
class Influence {
  readonly registers: Set<RegisterId>[];
  readonly cells = new Set<string>();
  readonly #hasDomain: boolean;
  readonly #isUsedAfter: UsedAfter;
  hasGrown = false;

  constructor(program: InstrumentedProgram, isUsedAfter: UsedAfter) {
    this.#isUsedAfter = isUsedAfter;
    this.registers = program.threads.map(() => new Set());
    this.#hasDomain = program.domain !== undefined;
  }

  #needRegisters(thread: ThreadId, expression: Expression): void {
    forEachRegister(expression, (register) => {
      const own = this.registers[thread];
      if (!own || own.has(register)) return;
      own.add(register);
      this.hasGrown = true;
    });
  }

  #needCells(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.cells.has(key)) continue;
      this.cells.add(key);
      this.hasGrown = true;
    }
  }

  /**
   * Whether the value that the step puts into a register can influence whether a goal is reachable.
   */
  isNeeded({ thread, id, index }: StepPlace, register: RegisterId | undefined): boolean {
    return (
      register !== undefined &&
      this.registers[thread]?.has(register) === true &&
      this.#isUsedAfter({ thread, id, index }, register)
    );
  }

  /**
   * Adds the registers and cells that the step needs, given that the registers and cells changed by
   * the step are needed.
   */
  follow(place: StepPlace, step: InstrumentedStep, touched: readonly string[]): void {
    const { thread } = place;
    const need = (expression: Expression): void => this.#needRegisters(thread, expression);
    const access = accessOf(step);
    if (access) need(access.address);
    const isCellNeeded = touched.some((key) => this.cells.has(key));
    if (isWithoutValues(step)) return;
    switch (step.kind) {
      case 'store':
      case 'auxiliary-store':
        if (isCellNeeded || this.#hasDomain || mayFault(step.value)) need(step.value);
        return;
      case 'load':
      case 'auxiliary-load':
        if (this.isNeeded(place, step.into)) this.#needCells(touched);
        return;
      case 'rmw':
        this.#followRmw(place, step, touched, isCellNeeded);
        return;
      case 'assign':
        if (this.isNeeded(place, step.into) || mayFault(step.value)) need(step.value);
        return;
      case 'assume':
        need(step.condition);
        return;
      case 'assert':
        if (mayFault(step.condition)) need(step.condition);
        return;
      case 'havoc':
        if (step.where) need(step.where);
    }
  }

  #followRmw(
    place: StepPlace,
    { operation, into }: Extract<InstrumentedStep, { kind: 'rmw' }>,
    touched: readonly string[],
    isCellNeeded: boolean,
  ): void {
    const need = (expression: Expression): void => this.#needRegisters(place.thread, expression);
    const { condition, written } = rmwMeaning(operation);
    const isOldNeeded = this.isNeeded(place, into) || condition !== undefined;
    if (isOldNeeded || (!isWithoutOld(written) && this.#hasDomain)) this.#needCells(touched);
    const isWrittenNeeded = isCellNeeded || isOldNeeded || this.#hasDomain;
    for (const operand of operation.operands)
      if (isWrittenNeeded || mayFault(operand)) need(operand);
  }
}

/**
 * Whether the value that a step reads from its cells can influence whether a goal is reachable. The
 * answer is yes for each rmw; for a load, it is the answer for the load's register.
 */
function readBy(place: StepPlace, step: InstrumentedStep, influence: Influence): boolean {
  switch (step.kind) {
    case 'load':
    case 'auxiliary-load':
      return influence.isNeeded(place, step.into);
    case 'rmw':
      return true;
    default:
      return false;
  }
}

/**
 * Returns the relevant data of a program; the candidate addresses of every step have to be known
 * (none is `any`).
 */
export function computeRelevantData(
  program: InstrumentedProgram,
  candidates: AddressCandidates,
): RelevantData {
  const cells = new Map<string, SpaceCell>();
  const touchedBy = (t: ThreadId, id: number, i: number, step: InstrumentedStep): string[] => {
    const addresses = candidates[t]?.[id]?.[i];
    const access = accessOf(step);
    if (!access || !addresses || addresses === 'any') return [];
    const { space } = access;
    return addresses.map((address) => {
      const key = cellKey(space, address);
      cells.set(key, { space, address });
      return key;
    });
  };
  const live = program.threads.map((thread) => computeLiveRegisters(thread, instrumentedAccess));
  const isUsedAfter: UsedAfter = ({ thread, id, index }, register) => {
    const code = program.threads[thread]?.transitions[id];
    if (!code) return false;
    if (live[thread]?.[code.to]?.[register] === true) return true;
    const rest = {
      kind: 'block',
      steps: instructionSteps(code.instruction).slice(index + 1),
    } as const;
    let isUsed = false;
    instrumentedAccess.forEachUse(rest, (used) => (isUsed ||= used === register));
    return isUsed;
  };
  const influence = new Influence(program, isUsedAfter);
  do {
    influence.hasGrown = false;
    program.threads.forEach((thread, t) => {
      thread.transitions.forEach(({ instruction }, id) => {
        instructionSteps(instruction).forEach((step, index) =>
          influence.follow({ thread: t, id, index }, step, touchedBy(t, id, index, step)),
        );
      });
    });
  } while (influence.hasGrown);
  const readable = program.threads.map((thread, t) => {
    const flow = computeControlFlow(thread);
    const after = thread.locations.map(() => new Set<string>());
    thread.transitions.forEach(({ from, instruction }, id) => {
      instructionSteps(instruction).forEach((step, index) => {
        if (!readBy({ thread: t, id, index }, step, influence)) return;
        for (const key of touchedBy(t, id, index, step))
          if (influence.cells.has(key)) after[from]?.add(key);
      });
    });
    const pending = thread.locations.map((_, location) => location);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const id of at(flow.incoming, next)) {
        const { from } = at(thread.transitions, id);
        const before = at(after, from);
        const { size } = before;
        for (const key of at(after, next)) before.add(key);
        if (before.size > size) pending.push(from);
      }
    }
    return after;
  });
  return {
    isRegisterLive: (thread, location, register) =>
      influence.registers[thread]?.has(register) === true &&
      live[thread]?.[location]?.[register] === true,
    cellsReadAfter: (locations) => {
      const read = new Set<string>();
      locations.forEach((location, t) => {
        for (const key of at(at(readable, t), location)) read.add(key);
      });
      return read;
    },
    cells,
  };
}
