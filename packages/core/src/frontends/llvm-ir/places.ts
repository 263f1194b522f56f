import type { CallPlace, Origin } from '../../program/program.js';
import type { Span } from '../../source/span.js';
import { nameInModule, type Linked } from './link-modules.js';
import { instructionAt, type Frame } from './lowering-state.js';
import { functionNameInC, positionInC } from './positions.js';
import type { IrFunction, IrInstruction } from './syntax.js';

/** How places in C are told. */
export interface PlaceOptions {
  /** The file whose places bear no name. */
  readonly main?: string;
  readonly sourceOf?: (file: string) => string | undefined;
}

/** Where instructions stand in C. */
export class Places {
  /** By instruction; what has no place of its own has that of the one before in its block. */
  readonly #spans = new Map<IrInstruction, Span>();
  readonly #names = new Map<IrFunction, string>();

  constructor(
    readonly linked: Linked,
    /** The index of the module whose code is never shown; none if negative. */
    readonly library: number,
    readonly options: PlaceOptions = {},
  ) {}

  isInLibrary(name: string): boolean {
    return this.linked.homes.get(name) === this.library;
  }

  /** Of the instruction that the innermost of the frames is at. */
  originOf(frames: readonly Frame[]): Origin {
    let shown = frames.length - 1;
    while (shown > 0 && this.isInLibrary(frames[shown]!.flow.of.name)) shown -= 1;
    const span = this.spanOf(frames[shown]!.flow.of, instructionAt(frames[shown]!));
    const calls: CallPlace[] = [];
    for (let depth = shown; depth > 0; depth--) {
      const caller = frames[depth - 1]!;
      const at = this.spanOf(caller.flow.of, instructionAt(caller));
      calls.push({ function: this.nameOf(frames[depth]!.flow.of), span: at });
    }
    return { span, ...(calls.length > 0 && { calls }) };
  }

  /** What a function is called in C. */
  nameOf(of: IrFunction): string {
    let name = this.#names.get(of);
    if (name !== undefined) return name;
    const located = of.blocks
      .flatMap(({ instructions }) => instructions)
      .map((each) => functionNameInC(this.linked, each))
      .find((each) => each !== undefined);
    this.#names.set(of, (name = located ?? nameInModule(of.name)));
    return name;
  }

  spanOf(of: IrFunction, instruction: IrInstruction): Span {
    const known = this.#spans.get(instruction);
    if (known) return known;
    const { main, sourceOf } = this.options;
    for (const { instructions } of of.blocks) {
      let last: Span | undefined;
      for (const each of instructions) {
        last = positionInC(this.linked, each, (name) => sourceOf?.(name) ?? '') ?? last;
        const place = last ?? each.span;
        this.#spans.set(
          each,
          place.source?.name === main && main !== undefined
            ? { start: place.start, end: place.end }
            : place,
        );
      }
    }
    return this.#spans.get(instruction) ?? instruction.span;
  }
}
