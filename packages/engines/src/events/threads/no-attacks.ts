import { at } from '@fencewright/ground/base/at.js';
import {
  type Body,
  type BodyId,
  type EventInstruction,
  type EventProgram,
  isInvocation,
  isOfThreads,
} from '@fencewright/model/program/event-program.js';
import { drainsBuffer, isBuffered } from '@fencewright/model/program/instruction.js';

/**
 * The kinds of instructions in a body and in all called bodies, as far as attacks depend on these
 * kinds.
 */
interface InstructionKinds {
  readonly stores: boolean;
  /**
   * Whether the code contains an instruction that can overtake a buffered store: a load, a posting
   * of a task, or a `pass`. A `pass` lets events start that wait for a milestone.
   */
  readonly overtakes: boolean;
}

const nothing: InstructionKinds = { stores: false, overtakes: false };

function overtakes({ kind }: EventInstruction): boolean {
  return kind === 'load' || kind === 'post' || kind === 'pass';
}

/** Returns the kinds of instructions in the bodies and all their callees together. */
function instructionKindsOf({ bodies }: EventProgram, roots: Iterable<BodyId>): InstructionKinds {
  const called = new Set(roots);
  let kinds = nothing;
  for (const body of called)
    for (const { instruction } of at(bodies, body).transitions) {
      if (instruction.kind === 'call') called.add(instruction.body);
      kinds = {
        stores: kinds.stores || isBuffered(instruction),
        overtakes: kinds.overtakes || overtakes(instruction),
      };
    }
  return kinds;
}

/**
 * Whether a store of the body may still be buffered at a later load, posting, or passing of a
 * milestone.
 */
function hasAttack(program: EventProgram, { transitions }: Body): boolean {
  const kinds = transitions.map(({ instruction }): InstructionKinds =>
    instruction.kind === 'call'
      ? instructionKindsOf(program, [instruction.body])
      : { stores: isBuffered(instruction), overtakes: overtakes(instruction) },
  );
  // The order of instructions inside callees is ignored.
  if (kinds.some((each) => each.stores && each.overtakes)) return true;
  const delayed = new Set(transitions.flatMap(({ to }, id) => (at(kinds, id).stores ? [to] : [])));
  for (const location of delayed)
    for (const [id, { from, to, instruction }] of transitions.entries()) {
      if (from !== location) continue;
      if (at(kinds, id).overtakes) return true;
      if (!isOfThreads(instruction) || !drainsBuffer(instruction)) delayed.add(to);
    }
  return false;
}

/**
 * Whether the program's text alone excludes attacks, for any number of instances: no thread has a
 * load, a posting or the passing of a milestone after a store that may still be buffered ([BDM13]
 * Def. 1, including postings and milestones). Main is one thread, on which any two tasks may follow
 * each other.
 */
export function hasNoAttacks(program: EventProgram): boolean {
  const { bodies, instances } = program;
  const main = new Set(instances.map(({ event }) => event));
  const background = new Set<BodyId>();
  const reached = new Set<BodyId>(main);
  for (const body of reached)
    for (const { instruction } of at(bodies, body).transitions) {
      if (!isInvocation(instruction)) continue;
      reached.add(instruction.body);
      if (instruction.kind !== 'post') continue;
      (instruction.to === 'main' ? main : background).add(instruction.body);
    }
  const onMain = instructionKindsOf(program, main);
  if (onMain.stores && onMain.overtakes) return false;
  return [...background].every((body) => !hasAttack(program, at(bodies, body)));
}
