import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import { constant } from '@fencewright/model/program/expression.js';
import type {
  InstrumentedStep,
  InstrumentedInstruction,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Location, Register, Thread, Transition } from '@fencewright/model/program/program.js';

/**
 * The role of a transition of an instrumented thread, relative to its original instruction.
 *
 * - `plain`: executes the instruction unchanged, before the attack's load or off the happens-before
 *   path.
 * - `delay`: the attacker's store, into the auxiliary buffer ([BDM13] Eq. (1), (3)).
 * - `delayed`: the attacker's load or local step after the first delayed store (Eq. (4), (5)).
 * - `last-load`: the attack's load, after which the attacker halts (Eq. (2)).
 * - `join`: a helper's first access on the happens-before path (Eq. (8), (9)).
 * - `on-path`: a helper's later instruction (Eq. (10) - (12)).
 * - `goal`: the success check (Eq. (13)); executes nothing.
 */
type StepRole = 'plain' | 'delay' | 'delayed' | 'last-load' | 'join' | 'on-path' | 'goal';

/** The transition from which a transition of an instrumented thread was made, and its role. */
export interface InstrumentedOrigin {
  readonly role: StepRole;
  /** The transition of the original thread; for `goal` any transition that enters the location. */
  readonly from: TransitionId;
}

/** A thread of an instrumented program; `origins` is indexed by the `TransitionId` of `thread`. */
export interface InstrumentedThread {
  readonly thread: Thread<InstrumentedInstruction>;
  readonly origins: readonly InstrumentedOrigin[];
  readonly goal?: LocationId;
}

/** Returns steps that set registers to 0. */
export function clear(...registers: RegisterId[]): InstrumentedStep[] {
  return registers.map((into) => ({ kind: 'assign', into, value: constant(0) }));
}

/** An instrumented thread that is being built. */
export interface ThreadDraft {
  readonly original: Thread;
  /** Returns a new location, the copy of location `of`, with `mark` appended to its name. */
  location(of: LocationId, mark: string): LocationId;
  /** Returns a new hidden register. */
  register(name: string): RegisterId;
  add(
    from: LocationId,
    instruction: InstrumentedInstruction,
    to: LocationId,
    origin: InstrumentedOrigin,
  ): void;
  finish(goal?: LocationId): InstrumentedThread;
}

/**
 * Returns a draft without transitions, with the locations and registers of `original` under their
 * own ids.
 */
export function draftThread(original: Thread): ThreadDraft {
  const locations: Location[] = [...original.locations];
  const registers: Register[] = [...original.registers];
  const locationNames = new UniqueNames([], { taken: locations.map(({ name }) => name) });
  const registerNames = new UniqueNames([], { taken: registers.map(({ name }) => name) });
  const transitions: Transition<InstrumentedInstruction>[] = [];
  const origins: InstrumentedOrigin[] = [];
  return {
    original,
    location(of, mark) {
      const base = at(original.locations, of);
      return locations.push({ ...base, name: locationNames.fresh(`${base.name}_${mark}`) }) - 1;
    },
    register(name) {
      return registers.push({ name: registerNames.fresh(name), hidden: true }) - 1;
    },
    add(from, instruction, to, origin) {
      const span = original.transitions[origin.from]?.origin.span;
      transitions.push({ from, to, instruction, origin: span ? { span } : {} });
      origins.push(origin);
    },
    finish(goal) {
      return {
        thread: { ...original, locations, registers, transitions },
        origins,
        ...(goal !== undefined && { goal }),
      };
    },
  };
}
