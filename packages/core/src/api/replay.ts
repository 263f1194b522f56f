import { InternalError } from '../base/unreachable.js';
import type { Program } from '../program/program.js';
import { replay as replayStates } from '../semantics/replay.js';
import { withoutBuffers } from '../semantics/without-buffers.js';
import type { Computation } from '../trace/computation.js';
import type { Replay } from '../verdict/replay.js';

/**
 * The TSO states along a computation of the program, and what becomes of it under SC. Throws
 * `InternalError` if it is not one.
 */
export function replay(program: Program, computation: Computation): Replay {
  const states = replayStates(program, computation);
  if (!states) throw new InternalError('the computation cannot be replayed');
  return { states, counterpart: withoutBuffers(program, computation) };
}
