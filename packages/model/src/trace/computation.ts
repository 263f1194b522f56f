import type { ThreadId, TransitionId } from '../program/ids.js';

/**
 * One action of an SC or TSO computation ([BDM13] Sect. 2). Every action except `store` executes
 * the instruction `transition` of `thread`; `store` moves the oldest store from the buffer to
 * memory. Under SC an `issue` is directly followed by its `store`.
 */
export type Action = { readonly thread: ThreadId } & (
  | {
      readonly kind: 'issue';
      readonly transition: TransitionId;
      readonly address: number;
      readonly value: number;
    }
  | {
      readonly kind: 'store';
      /**
       * The index of the executed instruction; for a `store`, of the instruction that issued the
       * store.
       */
      readonly transition: TransitionId;
      readonly address: number;
      readonly value: number;
    }
  | {
      readonly kind: 'load';
      readonly transition: TransitionId;
      readonly address: number;
      readonly value: number;
      /** Whether the load got its value from the thread's own store buffer. */
      readonly early: boolean;
    }
  | {
      readonly kind: 'rmw';
      readonly transition: TransitionId;
      readonly address: number;
      /** The value that the rmw read from memory. */
      readonly value: number;
      /** The value written by the rmw; absent for a failing `cas`. */
      readonly written?: number;
    }
  | {
      readonly kind: 'local';
      readonly transition: TransitionId;
      /** The value chosen by a `havoc`; absent for other local instructions. */
      readonly choice?: number;
    }
  | {
      /** `heavy-fence` is the begin of the fence; its end follows from the later actions. */
      readonly kind: 'fence' | 'heavy-fence' | 'lock' | 'unlock';
      readonly transition: TransitionId;
    }
);

/** The actions of a computation, from the initial state on. */
export type Computation = readonly Action[];
