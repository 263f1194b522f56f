import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Scope, UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * The next actions a user can take, by meaning: the program with the options, menus or buttons
 * supplies the words.
 */
export type Advice =
  /** Advice on an unknown answer. */
  | { readonly kind: 'go-on'; readonly reason: UnknownReason }
  | { readonly kind: 'try-proof' }
  /** Advice to allow fewer stores in a buffer, for too many states. */
  | { readonly kind: 'bound-buffers' }
  /** The command that shows the execution of an attack on a page. */
  | { readonly kind: 'show-attack'; readonly file: string; readonly name: string }
  /** Advice to list everything that a text leaves out. */
  | { readonly kind: 'list-all' }
  /** Invariants and abstractions can be looked for. */
  | { readonly kind: 'infer'; readonly file: string }
  | { readonly kind: 'find-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /** Fences with which no thread waits for ever that does not under SC. */
  | { readonly kind: 'find-progress'; readonly file: string }
  | { readonly kind: 'insert-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /** Advice to compare final states and properties; `scope` gives the numbers of copies. */
  | { readonly kind: 'compare-states'; readonly file: string; readonly scope?: Scope }
  /** General advice for any program: not robust, or undecided. */
  | { readonly kind: 'any-violation' }
  | { readonly kind: 'any-limit' };

/** The words for advice; `undefined` if there are none. */
export type AdviceInWords = (advice: Advice) => string | undefined;
