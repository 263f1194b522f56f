import type { CallPlace, Origin } from '@fencewright/model/program/program.js';
import { spanAt, type Position, type Span } from '@fencewright/ground/source/span.js';
import { nameInModule, type Linked } from './link-modules.js';
import { instructionAt, type Frame } from './lowering-state.js';
import { locatedInC, variableInC, type Located } from './positions.js';
import { demangled } from './scoped-names.js';
import type { IrFunction, IrInstruction } from './syntax.js';

/** How places in C are told. */
export interface PlaceOptions {
  /** The file whose places bear no name. */
  readonly main?: string;
  readonly sourceOf?: (file: string) => string | undefined;
  /** What a place in that file is where marks were put into its text: its place without them. */
  readonly unmarked?: (place: Position) => Position;
  /** The folders of headers whose code is never shown, as names of files start. */
  readonly headers?: readonly string[];
}

/** Where instructions stand in C. */
export class Places {
  /** By instruction, the innermost first; not empty. */
  readonly #located = new Map<IrInstruction, readonly Located[]>();
  readonly #homes = new Map<IrFunction, Located | undefined>();

  constructor(
    readonly linked: Linked,
    /** The index of the module whose code is never shown; none if negative. */
    readonly library: number,
    readonly options: PlaceOptions = {},
  ) {}

  /** Functions of no module are ours, too. */
  isInLibrary(of: IrFunction): boolean {
    const home = this.linked.homes.get(of.name);
    return home === undefined || home === this.library;
  }

  /** Whether what the frame is at is code that is never shown. */
  isHidden({ flow, ...frame }: Frame): boolean {
    const [first] = this.#placesOf(flow.of, instructionAt({ flow, ...frame }));
    return this.isInLibrary(flow.of) || this.#isHeader(first!);
  }

  #isHeader({ span }: Located): boolean {
    const { headers = [] } = this.options;
    return headers.some((folder) => span.source?.name.startsWith(folder) === true);
  }

  /** Of the instruction that the innermost is at of the frames with code of the user's, if any. */
  originOf(frames: readonly Frame[]): Origin | undefined {
    const places = frames
      .filter(({ flow }) => !this.isInLibrary(flow.of))
      .flatMap((frame) => this.#placesOf(frame.flow.of, instructionAt(frame)).toReversed())
      .filter((place) => !this.#isHeader(place))
      .toReversed();
    const [first] = places;
    if (!first) return undefined;
    const calls = places.slice(1).map(({ span }, i): CallPlace => {
      const { function: called = 'a function' } = places[i]!;
      return { function: called, span: this.#shown(span) };
    });
    return { span: this.#shown(first.span), ...(calls.length > 0 && { calls }) };
  }

  /** The place of an instruction of that function, if that is the user's. */
  spanOf(of: IrFunction, instruction: IrInstruction): Span | undefined {
    if (this.isInLibrary(of)) return undefined;
    const place = this.#placesOf(of, instruction).find((each) => !this.#isHeader(each));
    return place && this.#shown(place.span);
  }

  /** Where a global variable is declared, `variable` as in `MemoryObject`; if it is the user's. */
  spanOfVariable(variable: string): Span | undefined {
    const { sourceOf } = this.options;
    const span = variableInC(this.linked, variable, (name) => sourceOf?.(name) ?? '');
    return span && !this.#isHeader({ span }) ? this.#shown(span) : undefined;
  }

  /** What a function is called in C. */
  nameOf(of: IrFunction): string {
    return this.#homeOf(of)?.function ?? demangled(nameInModule(of.name));
  }

  /** Whether the code of a function is shown. */
  isShown(of: IrFunction): boolean {
    const home = this.#homeOf(of);
    return !this.isInLibrary(of) && !(home && this.#isHeader(home));
  }

  /** The first place in C that is the function's own, and not that of a call in line. */
  #homeOf(of: IrFunction): Located | undefined {
    if (this.#homes.has(of)) return this.#homes.get(of);
    const home = of.blocks
      .flatMap(({ instructions }) => instructions)
      .map((each) => locatedInC(this.linked, each).at(-1))
      .find((each) => each?.function !== undefined);
    this.#homes.set(of, home);
    return home;
  }

  /**
   * What has no place of its own has that of the one before, or of the first, in its block; a block
   * without any, in which objects end, that of the block above it.
   */
  #placesOf(of: IrFunction, instruction: IrInstruction): readonly Located[] {
    const known = this.#located.get(instruction);
    if (known) return known;
    const { sourceOf } = this.options;
    let above: readonly Located[] | undefined;
    for (const { instructions } of of.blocks) {
      const own = instructions.map((each) =>
        locatedInC(this.linked, each, (name) => sourceOf?.(name) ?? ''),
      );
      let last = own.find((places) => places.length > 0) ?? above;
      instructions.forEach((each, i) => {
        if (own[i]!.length > 0) last = own[i];
        const inIr = { span: each.span, function: nameInModule(of.name) };
        this.#located.set(each, last ?? [inIr]);
      });
      above = last;
    }
    return this.#located.get(instruction) ?? [{ span: instruction.span }];
  }

  /** The span without the name of the file that was to be read. */
  #shown(span: Span): Span {
    const { main, unmarked } = this.options;
    if (main === undefined || span.source?.name !== main) return span;
    if (!unmarked) return { start: span.start, end: span.end };
    const { line, column } = unmarked(span.start);
    return spanAt(line, column, 1);
  }
}
