import type { Origin } from '@fencewright/model/program/program.js';
import { type CallFrame, innermost, instructionAt, type LoweringState } from './lowering-state.js';
import type { SourcePlaces } from './places.js';
import type { IrInstruction } from './syntax.js';

/** The source place of an instruction in a call. */
interface PlaceInText {
  readonly frame: CallFrame;
  readonly instruction: IrInstruction;
  readonly origin: Origin;
  /** The place of the call that leads into hidden code; empty outside of hidden code. */
  readonly hidden: string;
}

/** The source places of a thread's instructions, each kept until another is asked for. */
export class CurrentPlace {
  #last: PlaceInText | undefined;

  /** `start` is the source place of instructions without a place in user code. */
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
