import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Scope, UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * What a user can do next, as it is meant: whoever has options, menus or buttons has the words for
 * it.
 */
export type Advice =
  /** Of an answer that is not known. */
  | { readonly kind: 'go-on'; readonly reason: UnknownReason }
  | { readonly kind: 'try-proof' }
  /** Fewer stores in a buffer, where states are too many. */
  | { readonly kind: 'bound-buffers' }
  /** The command that shows the execution of an attack, on a page. */
  | { readonly kind: 'show-attack'; readonly file: string; readonly name: string }
  /** All that a text leaves out. */
  | { readonly kind: 'list-all' }
  /** Invariants and abstractions can be looked for. */
  | { readonly kind: 'infer'; readonly file: string }
  | { readonly kind: 'find-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /** Fences with which no thread waits for ever that does not under SC. */
  | { readonly kind: 'find-progress'; readonly file: string }
  | { readonly kind: 'insert-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /** Compare final states and properties; `scope`: of these numbers of copies. */
  | { readonly kind: 'compare-states'; readonly file: string; readonly scope?: Scope }
  /** In general, of any program: that is not robust, or undecided. */
  | { readonly kind: 'any-violation' }
  | { readonly kind: 'any-limit' };

/** The words for advice; nothing where there are none. */
export type AdviceInWords = (advice: Advice) => string | undefined;
