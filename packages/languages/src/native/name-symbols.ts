import type { Span } from '@fencewright/ground/source/span.js';

/** The meaning of a name. */
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
  /** The name, with one kind of prime. */
  readonly name: string;
  /** The first declaration; absent from built-ins. */
  readonly declaration?: Span;
  /**
   * The owner: the thread, event or procedure of a parameter, register or label, or the invariant
   * of a binder, as an index into `symbols`.
   */
  readonly owner?: number;
}

/**
 * The role of a name at a place: the named thing is declared, read, written (also by an rmw), its
 * address is taken, control jumps there, or any other use.
 */
export type OccurrenceRole = 'declaration' | 'load' | 'store' | 'address' | 'use' | 'jump';

/** A place with a name. */
export interface Occurrence {
  readonly span: Span;
  /** The start as an offset into the text. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** An index into `symbols`; `undefined` for an unknown name. */
  readonly symbol: number | undefined;
  readonly role: OccurrenceRole;
}

/** The names of a program. */
export interface NameIndex {
  readonly symbols: readonly NameSymbol[];
  /** In the order of the text. */
  readonly occurrences: readonly Occurrence[];
}
