import type { FileFormat } from '@fencewright/ground/source/file-format.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { EventProgram } from './event-program.js';
import type { LocationId, ThreadId } from './ids.js';
import type { ThreadModel } from './model.js';
import type { ParseResult } from './parse-result.js';
import type { PrintResult } from './print-result.js';
import type { Program } from './program.js';
import type { RepairMode, TextRepair } from './repair.js';
import type { RepairedText, SourceRepair } from './source-repair.js';

/** Which of the places of a location get a fence, as indices; all where it gives `undefined`. */
export type ChoosePlaces = (
  thread: ThreadId,
  location: LocationId,
) => readonly number[] | undefined;

/** How repairs get into the text of a program. */
export interface TextEditor {
  /** Where fences make a fence at a location; empty where the text has no room for one. */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  /** The same of a fence before a location, see `FencePart`; absent where it has none. */
  readonly placesBefore?: (thread: ThreadId, location: LocationId) => readonly Position[];
  /**
   * All that can be done to the text, where its places are not the locations and instructions of
   * the program, one by one; absent where they are.
   */
  readonly repairs?: (mode: RepairMode) => readonly TextRepair[];
  readonly repair: (repairs: readonly SourceRepair[], choose: ChoosePlaces) => RepairedText;
}

/**
 * A language that programs are read from, and all that the rest knows of it. What it does is loaded
 * when it is asked for, so that a run loads the front end that it needs.
 */
export interface FrontEnd extends FileFormat {
  /** Whose language it is, for help. */
  readonly title: string;
  /** Its texts give no name to a program, which is called after its file then. */
  readonly isNameless?: true;
  /**
   * It has words for copies of threads: `parse` takes the numbers of them that are to hold instead
   * of those of the text.
   */
  readonly hasCopies?: true;
  /**
   * A compiler reads its files, with all that they include: `parse` refuses their texts. Who can
   * start a compiler reads them.
   */
  readonly needsCompiler?: true;
  /**
   * Its programs are compiled: their names are not the words of the text, and options say which
   * functions run in any number of threads.
   */
  readonly isCompiled?: true;
  readonly parse: (text: string, copies?: ReadonlyMap<string, number>) => Promise<ParseResult>;
  /** Absent where programs are not written in it. */
  readonly print?: (program: Program) => Promise<PrintResult>;
  /** Absent where it has no words for threads in any number of copies. */
  readonly printModel?: (model: ThreadModel) => Promise<PrintResult>;
  /** Absent where it has no words for events. */
  readonly printEvents?: (program: EventProgram) => Promise<PrintResult>;
  /**
   * The editor of a text that parses, with these numbers of copies, to `program`; absent where
   * nothing can be put into its texts.
   */
  readonly edit?: (
    text: string,
    program: Program,
    copies?: ReadonlyMap<string, number>,
  ) => Promise<TextEditor>;
  /** The same of a program of events, whose bodies stand for threads; absent as `printEvents`. */
  readonly editEvents?: (text: string, copies?: ReadonlyMap<string, number>) => Promise<TextEditor>;
}
