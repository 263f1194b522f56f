import type { AccessLowering } from './lower-access.js';
import type { ThreadCreation } from './lower-creation.js';
import type { Lowering } from './lowering.js';
import type { Typed } from './syntax.js';
import type { Unwinding } from './unwinding.js';

/** A thread, with the models of its accesses to memory and its thread creation. */
export interface KnownContext {
  readonly lowering: Lowering;
  readonly memory: AccessLowering;
  readonly threads: ThreadCreation;
  readonly exceptions: Unwinding;
}

/** The effect of a function without a body on a thread at the current call. */
export type KnownFunction = (context: KnownContext, operands: readonly Typed[]) => void;
