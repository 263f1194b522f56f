import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replay as replayStates } from '@fencewright/model/semantics/replay.js';
import { withoutBuffers } from '@fencewright/model/semantics/without-buffers.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';

/**
 * The TSO states along a computation of the program, and what becomes of it under SC. Throws
 * `InternalError` if it is not one.
 */
export function replay(program: Program, computation: Computation): Replay {
  const states = replayStates(program, computation);
  if (!states) throw new InternalError('the computation cannot be replayed');
  return { states, counterpart: withoutBuffers(program, computation) };
}
