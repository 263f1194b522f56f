import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { withoutBuffers } from '@fencewright/model/semantics/without-buffers.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';

/**
 * Returns the states under a memory model along a computation of the program, and the counterpart
 * under SC: the same instructions in the same order, without buffers, as far as SC can execute
 * them. Throws `InternalError` if the program has no such computation.
 */
export function replay(
  program: Program,
  computation: Computation,
  model: RelaxedModel = 'TSO',
): Replay {
  const states = replayStates(program, computation, model);
  if (!states) throw new InternalError('the computation cannot be replayed');
  return { states, counterpart: withoutBuffers(program, computation) };
}
