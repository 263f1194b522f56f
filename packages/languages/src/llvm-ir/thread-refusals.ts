import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweredStep, StepGraph } from './step.js';
import type { Refuse, ThreadEntry } from './thread-entry.js';
import { Unsupported } from './unsupported.js';
import type { Round } from './world.js';

/** The maximum number of IR instructions lowered for one thread. */
const mostSteps = 200_000;
/**
 * The maximum number of IR instructions lowered for one statement if `refusesLate` is set: a longer
 * statement then ends only the executions that reach the statement.
 */
const mostOfOne = mostSteps / 10;
/**
 * The maximum number of IR instructions lowered for the part of `main` after its last join. A
 * longer part is left out: only final states depend on it.
 */
const mostOfTail = mostSteps / 10;

/** The refusals by one lowering of a thread, and the length of the lowered code. */
export class ThreadRefusals {
  readonly #told: Parameters<Refuse>[] = [];
  /** The refusals of paths that end in a fault instead: see `refusesLate`. */
  readonly #late: Parameters<Refuse>[] = [];
  #steps = 0;
  /** The number of steps at the beginning of the part of `main` after the last join. */
  #tailBegin = Infinity;
  isTooLong = false;

  constructor(
    readonly round: Round,
    readonly entry: ThreadEntry,
  ) {}

  mark(): () => void {
    const lengths = [this.#told.length, this.#late.length] as const;
    const steps = this.#steps;
    return () => {
      [this.#told.length, this.#late.length] = lengths;
      this.#steps = steps;
    };
  }

  readonly add: Refuse = (...refusal) => {
    this.#told.push(refusal);
  };

  /** Counts `steps` instructions against the limit. Throws `Unsupported`. */
  spend(steps: number): void {
    if (this.round.world.manner.refusesLate && steps > mostOfOne) throw tooLong();
    this.#steps += steps;
    if (this.#steps > this.#tailBegin + mostOfTail) throw tooLong(true);
    if (this.#steps > mostSteps) this.endTooLong();
  }

  /** Counts the instructions from here on as part of `main` after its last join. */
  beginTail(): void {
    this.#tailBegin = Math.min(this.#tailBegin, this.#steps);
  }

  /** Notes that the code is too long. Throws `Unsupported`. */
  endTooLong(): never {
    const { id, isUnrolled } = this.entry;
    this.isTooLong = true;
    if (isUnrolled) this.round.world.noteTooLong(id);
    throw tooLong();
  }

  /**
   * The fault, a limit of the model, that ends the path at a statement without a model; `undefined`
   * if such statements refuse the program.
   */
  faultFor({ message, hint, refusesAll }: Unsupported, origin: Origin): LoweredStep | undefined {
    if (!this.round.world.manner.refusesLate || this.isTooLong || refusesAll) return undefined;
    this.#late.push([origin, message, hint]);
    const advice = hint === undefined ? {} : { advice: hint };
    return { kind: 'fault', reason: 'unsupported', said: message, ...advice };
  }

  /** Calls `refuse` with all refusals; `graph` is the lowered thread. */
  tell(graph: StepGraph, refuse: Refuse): void {
    // A statement that each execution of the thread reaches is refused at once.
    const isCertain = !graph.edges.some(({ step }) => step.kind === 'end');
    for (const each of [...this.#told, ...(isCertain ? this.#late : [])]) refuse(...each);
    if (this.#late.length > 0) this.round.isRefusedLate = true;
  }
}

const tooLong = (refusesAll = false): Unsupported =>
  new Unsupported(
    'the code of a thread is too long after inlining all calls',
    'a loop that starts threads has to end after few iterations',
    undefined,
    refusesAll,
  );
