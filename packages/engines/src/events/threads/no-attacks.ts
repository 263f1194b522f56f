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

/** The kinds of instructions in a body and its callees, as far as attacks depend on them. */
interface Deeds {
  readonly stores: boolean;
  /** Whether the code contains a load, a posting or a milestone, which can overtake a store. */
  readonly overtakes: boolean;
}

const nothing: Deeds = { stores: false, overtakes: false };

function overtakes({ kind }: EventInstruction): boolean {
  return kind === 'load' || kind === 'post' || kind === 'pass';
}

/** Returns the kinds of instructions in the bodies and all their callees together. */
function deedsOf({ bodies }: EventProgram, roots: Iterable<BodyId>): Deeds {
  const called = new Set(roots);
  let deeds = nothing;
  for (const body of called)
    for (const { instruction } of at(bodies, body).transitions) {
      if (instruction.kind === 'call') called.add(instruction.body);
      deeds = {
        stores: deeds.stores || isBuffered(instruction),
        overtakes: deeds.overtakes || overtakes(instruction),
      };
    }
  return deeds;
}

/** Whether a store of the body may still be buffered at a later load, posting or milestone. */
function hasAttack(program: EventProgram, { transitions }: Body): boolean {
  const deeds = transitions.map(({ instruction }): Deeds =>
    instruction.kind === 'call'
      ? deedsOf(program, [instruction.body])
      : { stores: isBuffered(instruction), overtakes: overtakes(instruction) },
  );
  // The order of instructions inside callees is ignored.
  if (deeds.some((each) => each.stores && each.overtakes)) return true;
  const delayed = new Set(transitions.flatMap(({ to }, id) => (at(deeds, id).stores ? [to] : [])));
  for (const location of delayed)
    for (const [id, { from, to, instruction }] of transitions.entries()) {
      if (from !== location) continue;
      if (at(deeds, id).overtakes) return true;
      if (!isOfThreads(instruction) || !drainsBuffer(instruction)) delayed.add(to);
    }
  return false;
}

/**
 * Whether the texts alone show, for any number of instances, that no thread has a load, a posting
 * or a milestone behind a possibly buffered store, so that there is no attack ([BDM13] Def. 1,
 * including postings and milestones). Main is one thread, on which any task may follow any other.
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
  const onMain = deedsOf(program, main);
  if (onMain.stores && onMain.overtakes) return false;
  return [...background].every((body) => !hasAttack(program, at(bodies, body)));
}
