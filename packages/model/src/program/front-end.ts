import type { FileFormat } from '@fencewright/ground/source/file-format.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { EventProgram } from './event-program.js';
import type { LocationId, ThreadId } from './ids.js';
import type { ThreadModel } from './model.js';
import type { OrderChange, OrderPlace } from './order-change.js';
import type { OrderLevel } from './order-level.js';
import type { ParseResult } from './parse-result.js';
import type { PrintResult } from './print-result.js';
import type { Program } from './program.js';
import type { RepairMode, TextRepair } from './repair.js';
import type { RepairedText, SourceRepair } from './source-repair.js';

/**
 * A choice among the positions in the text at which a fence for the location can stand. Returns the
 * indices of the positions that get the fence; `undefined` means all positions.
 */
export type ChoosePlaces = (
  thread: ThreadId,
  location: LocationId,
) => readonly number[] | undefined;

/** Inserts fences and other repairs into the text of a program. */
export interface TextEditor {
  /**
   * Returns the positions in the text where a fence must be inserted to put a fence at a location;
   * empty if none can be inserted.
   */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  /**
   * Returns the positions in the text for a fence in front of a label that a property observes
   * (`FencePart.before`); absent if the language has no such positions.
   */
  readonly placesBefore?: (thread: ThreadId, location: LocationId) => readonly Position[];
  /**
   * Returns the possible repairs of the text, one by one. Absent if each location and each
   * instruction of the program corresponds to one place of the text.
   */
  readonly repairs?: (mode: RepairMode) => readonly TextRepair[];
  readonly repair: (repairs: readonly SourceRepair[], choose: ChoosePlaces) => RepairedText;
  /**
   * Returns an editor of the same text that writes fences without a header or macro of the text;
   * absent if the fences of this editor never need a header or macro.
   */
  readonly plain?: () => TextEditor;
  /** Present if the editor can insert heavy fences and light fences. */
  readonly hasHeavyFences?: true;
  /**
   * Whether a heavy fence can be inserted at a location that has places for fences; if absent, a
   * heavy fence can be at each of them.
   */
  readonly canBeHeavy?: (thread: ThreadId, location: LocationId) => boolean;
  /** The editor of the text's memory orders; absent if the language has none. */
  readonly orders?: OrderEditor;
}

/** Writes memory orders, and fences with orders, into the text of a program. */
export interface OrderEditor {
  /**
   * Returns the positions in the text for a fence with a memory order at a location; empty if none
   * can be inserted.
   */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  /**
   * Returns a rank for a fence at a location: fences with smaller ranks are easier to read. Absent:
   * all ranks are equal.
   */
  readonly rankOf?: (thread: ThreadId, location: LocationId) => number;
  /**
   * Returns whether the text can express the memory order `to` at an access or fence; absent if
   * every order can be expressed everywhere.
   */
  readonly canWrite?: (place: OrderPlace, to: OrderLevel) => boolean;
  readonly write: (changes: readonly OrderChange[], choose: ChoosePlaces) => RepairedText;
}

/**
 * A source language with its parser, printers and editor. Implementations are loaded on demand, so
 * that a run loads only the needed front end.
 */
export interface FrontEnd extends FileFormat {
  /** The name of the language, for help. */
  readonly title: string;
  /** Whether the language has no names for programs, so that a program is named after its file. */
  readonly isNameless?: true;
  /**
   * Whether the language can express copies of threads: `parse` then takes numbers of copies that
   * override those of the text.
   */
  readonly hasCopies?: true;
  /**
   * Whether files must be read by a compiler, with all includes: `parse` then refuses texts.
   * Callers that can start a compiler read the files.
   */
  readonly needsCompiler?: true;
  /**
   * Whether programs are compiled. Names in such programs differ from the words of the text, and
   * options say which functions run in any number of threads.
   */
  readonly isCompiled?: true;
  /**
   * Whether a text may hold a whole program. Other texts are parts of programs, to be linked with
   * further files. Absent if each text is whole.
   */
  readonly mayBeWhole?: (text: string) => boolean;
  /** Whether programs keep the memory orders of the text. */
  readonly keepsOrders?: true;
  readonly parse: (text: string, copies?: ReadonlyMap<string, number>) => Promise<ParseResult>;
  /** Prints a program in the language; absent if the language has no printer. */
  readonly print?: (program: Program) => Promise<PrintResult>;
  /**
   * Prints a model of threads in the language; absent if the language cannot express threads with
   * any number of copies.
   */
  readonly printModel?: (model: ThreadModel) => Promise<PrintResult>;
  /** Prints an event program in the language; absent if the language cannot express events. */
  readonly printEvents?: (program: EventProgram) => Promise<PrintResult>;
  /**
   * Returns an editor of a text that parses to `program` with the given numbers of copies; absent
   * if texts cannot be edited.
   */
  readonly edit?: (
    text: string,
    program: Program,
    copies?: ReadonlyMap<string, number>,
  ) => Promise<TextEditor>;
  /**
   * Returns an editor as `edit` does, for a program of events, with events and procedures in place
   * of threads; absent if the language cannot express events.
   */
  readonly editEvents?: (text: string, copies?: ReadonlyMap<string, number>) => Promise<TextEditor>;
}
