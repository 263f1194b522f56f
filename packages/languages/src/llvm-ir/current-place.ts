import type { Origin } from '@fencewright/model/program/program.js';
import { type CallFrame, innermost, instructionAt, type LoweringState } from './lowering-state.js';
import type { SourcePlaces } from './places.js';
import type { IrInstruction } from './syntax.js';

/** The source place of an instruction, as seen from user code. */
interface PlaceInText {
  readonly frame: CallFrame;
  readonly instruction: IrInstruction;
  readonly origin: Origin;
  /**
   * The place of the call from user code into library code that contains the instruction; empty if
   * the instruction is in user code.
   */
  readonly hidden: string;
}

/** The source places of a thread's instructions. The last place is cached. */
export class CurrentPlace {
  #last: PlaceInText | undefined;

  /** `start` is the source place of instructions outside of all user code. */
  constructor(
    readonly places: SourcePlaces,
    readonly start: Origin,
  ) {}

  /** The source place of the current instruction. */
  in(state: LoweringState): PlaceInText {
    const frame = innermost(state);
    const instruction = instructionAt(frame);
    if (this.#last?.frame === frame && this.#last.instruction === instruction) return this.#last;
    const origin = this.places.originOfLowered(state.frames) ?? this.start;
    const isHidden = this.places.isHidden(frame);
    const hidden = isHidden ? JSON.stringify([origin.span?.start, origin.calls?.length]) : '';
    return (this.#last = { frame, instruction, origin, hidden });
  }
}
