import type { Span } from '@fencewright/ground/source/span.js';

/** A symbol: the thing that a name means. */
export interface NameSymbol {
  readonly kind:
    | 'program'
    | 'constant'
    | 'shared variable'
    | 'thread'
    | 'event'
    | 'procedure'
    | 'parameter'
    | 'register'
    | 'label'
    | 'property'
    | 'invariant'
    | 'binder'
    | 'builtin';
  /** The name of the symbol, with every prime written in one form. */
  readonly name: string;
  /** The span of the first declaration of the symbol; absent from built-ins. */
  readonly declaration?: Span;
  /**
   * The index into `symbols` of the thread, event or procedure that declares a parameter, register
   * or label, or of the invariant that declares a binder; absent from global names.
   */
  readonly owner?: number;
}

/**
 * The role of a name at a place: the name is declared; the named variable is read, or written (also
 * by an rmw), or its address is taken; control jumps there; or any other use.
 */
export type OccurrenceRole = 'declaration' | 'load' | 'store' | 'address' | 'use' | 'jump';

/** A place in the text with a name. */
export interface Occurrence {
  readonly span: Span;
  /** The start of the name, as an offset into the text in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /**
   * The index into `symbols` of the symbol that the name denotes; `undefined` for an unknown name.
   */
  readonly symbol: number | undefined;
  readonly role: OccurrenceRole;
}

/** The symbols of a program, and the places of their names in the text. */
export interface NameIndex {
  readonly symbols: readonly NameSymbol[];
  /** The places with names, in the order of the text. */
  readonly occurrences: readonly Occurrence[];
}
