import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { withoutBuffers } from '@fencewright/model/semantics/without-buffers.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';

/**
 * Returns the TSO states along a computation of the program, and the computation's counterpart
 * under SC. Throws `InternalError` if the program has no such computation.
 */
export function replay(program: Program, computation: Computation): Replay {
  const states = replayStates(program, computation);
  if (!states) throw new InternalError('the computation cannot be replayed');
  return { states, counterpart: withoutBuffers(program, computation) };
}
