import type { Span } from '@fencewright/ground/source/span.js';

/** What a name stands for. */
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
  /** With one kind of prime. */
  readonly name: string;
  /** Where it is declared first; absent from what the language brings along. */
  readonly declaration?: Span;
  /**
   * The thread, event or procedure to which a parameter, a register or a label belongs, the
   * invariant to which a binder does, as indices into `symbols`.
   */
  readonly owner?: number;
}

/**
 * What is done to what a name stands for at some place: it is declared, its value is read, it is
 * written (by an rmw, too), its address is taken, control goes there, or anything else.
 */
export type OccurrenceRole = 'declaration' | 'load' | 'store' | 'address' | 'use' | 'jump';

/** A place where a name stands. */
export interface Occurrence {
  readonly span: Span;
  /** As offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** An index into `symbols`; absent where nothing has the name. */
  readonly symbol: number | undefined;
  readonly role: OccurrenceRole;
}

/** The names of a program. */
export interface NameIndex {
  readonly symbols: readonly NameSymbol[];
  /** In the order of the text. */
  readonly occurrences: readonly Occurrence[];
}
