import type { CallPlace, Origin } from '@fencewright/model/program/program.js';
import { at } from '@fencewright/ground/base/at.js';
import { spanAt, type Position, type Span } from '@fencewright/ground/source/span.js';
import { nameInModule, type Linked } from './link-modules.js';
import { instructionAt, type CallFrame } from './lowering-state.js';
import { locatedInC, variableInC, type Located } from './positions.js';
import { demangled, withoutTemplateArguments } from './scoped-names.js';
import type { IrFunction, IrInstruction } from './syntax.js';

/** The IR of a file, with the file's name. */
export interface LlvmIrModule {
  readonly file: string;
  readonly text: string;
}

/** Options for places in C. */
export interface SourcePlaceOptions {
  /** The name of the file whose places are shown without a file name. */
  readonly main?: string;
  readonly sourceOf?: (file: string) => string | undefined;
  /** The text that was compiled in place of the content of the file `main`. */
  readonly compiledText?: string;
  /**
   * Converts a place in the text with marks that the compiler reads to the place in the user's
   * text.
   */
  readonly unmarked?: (place: Position) => Position;
  /** The folders of headers whose code is never shown, as prefixes of file names. */
  readonly headers?: readonly string[];
}

/**
 * The name by which programs call a library function: without template arguments, `fw_`, and the
 * inline namespaces of implementations; `undefined` for a function without a name.
 */
function publicName(name: string | undefined): string | undefined {
  return name && withoutTemplateArguments(name.replaceAll(/\bfw_|\b(?:_V2|__1|__cxx11)::/g, ''));
}

/** The places of instructions in C. */
export class SourcePlaces {
  /**
   * By instruction, the places in C: the instruction's own, then the places of the inlined calls
   * around the instruction, from the inside out; not empty.
   */
  readonly #located = new Map<IrInstruction, readonly Located[]>();
  readonly #homes = new Map<IrFunction, Located | undefined>();
  readonly #hidden = new Map<IrInstruction, boolean>();
  /** The texts of source files, by name; the spans of all instructions of a file share its text. */
  readonly #texts = new Map<string, string>();
  /** By path of a call and by instruction, the source place of the instruction. */
  readonly #origins = new Map<string, Map<IrInstruction, Origin | undefined>>();

  constructor(
    readonly linked: Linked,
    /** The modules that were linked, in the order of `linked`. */
    readonly modules: readonly LlvmIrModule[],
    /** The index of the library's module, never shown; negative without a library. */
    readonly library: number,
    readonly options: SourcePlaceOptions = {},
  ) {}

  /** Whether the function is in the library or in no module. */
  isInLibrary(of: IrFunction): boolean {
    const home = this.linked.homes.get(of.name);
    return home === undefined || home === this.library;
  }

  /** Whether the current instruction of the call is in code that is never shown to users. */
  isHidden(frame: CallFrame): boolean {
    const { of } = frame.flow;
    const instruction = instructionAt(frame);
    let isHidden = this.#hidden.get(instruction);
    if (isHidden === undefined) {
      isHidden = this.isInLibrary(of) || this.#isHeader(this.#placesOf(of, instruction)[0]!);
      this.#hidden.set(instruction, isHidden);
    }
    return isHidden;
  }

  #isHeader({ span }: Located): boolean {
    const { headers = [] } = this.options;
    return headers.some((folder) => span.source?.name.startsWith(folder) === true);
  }

  /**
   * The place of the innermost instruction in user code, with the calls around the place, and the
   * library function called at the place; `undefined` without user code.
   */
  originOf(frames: readonly CallFrame[]): Origin | undefined {
    const all = frames
      .flatMap((frame): readonly Partial<Located>[] => {
        const { of } = frame.flow;
        if (this.isInLibrary(of)) return [{ function: this.nameOf(of) }];
        return this.#placesOf(of, instructionAt(frame)).toReversed();
      })
      .toReversed();
    const isShown = ({ span }: Partial<Located>): boolean =>
      span !== undefined && !this.#isHeader({ span });
    const places = all.filter((place): place is Located => isShown(place));
    const [first] = places;
    if (!first) return undefined;
    const libraryCall = publicName(all[all.findIndex(isShown) - 1]?.function);
    const calls = places.slice(1).map(({ span }, i): CallPlace => {
      const { function: called = 'a function' } = places[i]!;
      return { function: called, span: this.#shown(span) };
    });
    return {
      span: this.#shown(first.span),
      ...(calls.length > 0 && { calls }),
      ...(libraryCall !== undefined && { libraryCall }),
    };
  }

  /**
   * Returns the source place as `originOf` does, for calls in progress during lowering. The paths
   * of these calls distinguish them, so that each place is found once for all threads and rounds.
   */
  originOfLowered(frames: readonly CallFrame[]): Origin | undefined {
    const innermost = at(frames, frames.length - 1);
    const instruction = instructionAt(innermost);
    let ofCall = this.#origins.get(innermost.path);
    if (!ofCall) {
      ofCall = new Map();
      this.#origins.set(innermost.path, ofCall);
    }
    if (!ofCall.has(instruction)) ofCall.set(instruction, this.originOf(frames));
    return ofCall.get(instruction);
  }

  /** The place of an instruction in user code; otherwise `undefined`. */
  spanOf(of: IrFunction, instruction: IrInstruction): Span | undefined {
    if (this.isInLibrary(of)) return undefined;
    const place = this.#placesOf(of, instruction).find((each) => !this.#isHeader(each));
    return place && this.#shown(place.span);
  }

  /**
   * The declaration of a global variable, given by its node of debug information; `undefined` if
   * the declaration is not in user code.
   */
  spanOfVariable(variable: string): Span | undefined {
    const span = variableInC(this.linked, variable, (name) => this.#textOf(name));
    return span && !this.#isHeader({ span }) ? this.#shown(span) : undefined;
  }

  /** The name of a function in C. */
  nameOf(of: IrFunction): string {
    return this.#homeOf(of)?.function ?? demangled(nameInModule(of.name));
  }

  /**
   * The name of a thread that runs a function: the function's name in C, and `lambda (line 7)` for
   * a lambda, since the lambdas of a function share their name.
   */
  threadNameOf(of: IrFunction): string {
    const line = this.#homeOf(of)?.lambdaLine;
    return line === undefined ? this.nameOf(of) : `lambda (line ${line})`;
  }

  /** Whether the code of a function is shown. */
  isShown(of: IrFunction): boolean {
    const home = this.#homeOf(of);
    return !this.isInLibrary(of) && !(home && this.#isHeader(home));
  }

  /**
   * The first place in C of the function's own code, without inlined calls; `undefined` if there is
   * none.
   */
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
   * The places of an instruction. An instruction without a place gets the place of the previous
   * instruction in its block, or the first place of the block. A block without places, such as one
   * that only ends lifetimes, gets the last place of the block above.
   */
  #placesOf(of: IrFunction, instruction: IrInstruction): readonly Located[] {
    const known = this.#located.get(instruction);
    if (known) return known;
    let above: readonly Located[] | undefined;
    for (const { instructions } of of.blocks) {
      const own = instructions.map((each) =>
        locatedInC(this.linked, each, (name) => this.#textOf(name)),
      );
      let last = own.find((places) => places.length > 0) ?? above;
      instructions.forEach((each, i) => {
        if (own[i]!.length > 0) last = own[i];
        const inIr = { span: this.#inModule(of, each.span), function: nameInModule(of.name) };
        this.#located.set(each, last ?? [inIr]);
      });
      above = last;
    }
    return this.#located.get(instruction) ?? [{ span: this.#inModule(of, instruction.span) }];
  }

  #textOf(file: string): string {
    const text = this.#texts.get(file) ?? this.options.sourceOf?.(file) ?? '';
    this.#texts.set(file, text);
    return text;
  }

  /**
   * The span in the IR of a function, with the name of the function's file unless the file is the
   * first.
   */
  #inModule(of: IrFunction, span: Span): Span {
    const home = this.linked.homes.get(of.name) ?? 0;
    if (home === 0) return span;
    const { file: name, text } = at(this.modules, home);
    return { ...span, source: { name, text } };
  }

  /** The span, without a file name if it is in the main file. */
  #shown(span: Span): Span {
    const { main, unmarked } = this.options;
    if (main === undefined || span.source?.name !== main) return span;
    if (!unmarked) return { start: span.start, end: span.end };
    const { line, column } = unmarked(span.start);
    return spanAt(line, column, 1);
  }
}
