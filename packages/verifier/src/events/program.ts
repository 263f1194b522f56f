import type { Automata, Expression, Instruction, Thread, Transition } from '../automata.js';

/**
 * A program of events as described in `docs/automata.md`: events and procedures as automata, and
 * the instances that the environment starts.
 */
export interface EventAutomata extends Pick<Automata, 'symbols' | 'domain' | 'name'> {
  readonly format: 'fencewright-event-automata';
  readonly version: 1;
  readonly bodies: readonly Body[];
  readonly instances: readonly Instances[];
}

export interface Body extends Pick<Thread, 'name' | 'registers' | 'locations' | 'initial'> {
  readonly role: 'event' | 'procedure';
  /** The number of parameters of the body; the first registers are the parameters. */
  readonly parameters: number;
  readonly transitions: readonly EventTransition[];
}

/** A transition with instructions of type `I`. */
export type TransitionOf<I> = Omit<Transition, 'instruction'> & { readonly instruction: I };

export type EventTransition = TransitionOf<EventInstruction>;

export type EventInstruction = PlainInstruction | Invocation;

/** The instructions of bodies, except calls and postings; heavy fences are not supported. */
export type PlainInstruction = Exclude<Instruction, { readonly kind: 'heavy-fence' }>;

/** `call` runs a procedure in the current task; `post` makes a task of the procedure. */
export type Invocation =
  | { readonly kind: 'call'; readonly body: number; readonly arguments: readonly Expression[] }
  | {
      readonly kind: 'post';
      readonly body: number;
      readonly to: 'main' | 'any';
      readonly arguments: readonly Expression[];
    };

/**
 * Instances of an event, started by the environment at any time; `any` means any number, 0
 * included.
 */
export interface Instances {
  readonly event: number;
  readonly arguments: readonly number[];
  readonly count: number | 'any';
}
