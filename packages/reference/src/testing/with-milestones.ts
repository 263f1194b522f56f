import type { SeededRandom } from '@fencewright/ground/base/random.js';
import type { Body, EventProgram } from '@fencewright/model/program/event-program.js';

/** Returns the locations of an event or procedure between a `lock` and its `unlock`. */
function lockedLocations({ transitions }: Body): ReadonlySet<number> {
  const inside = new Set(
    transitions.flatMap(({ instruction, to }) => (instruction.kind === 'lock' ? [to] : [])),
  );
  for (const location of inside)
    for (const { from, to, instruction } of transitions)
      if (from === location && instruction.kind !== 'unlock') inside.add(to);
  return inside;
}

/**
 * Returns the event or procedure with a milestone (a label for which events wait) passed after a
 * transition, or before it with `isBefore`.
 */
function passing(body: Body, transition: number, milestone: number, isBefore: boolean): Body {
  const { transitions, locations } = body;
  const { from, to } = transitions[transition]!;
  const middle = locations.length;
  const pass = { instruction: { kind: 'pass', milestone }, origin: {} } as const;
  const others = transitions.map((one, id) =>
    id !== transition ? one : isBefore ? { ...one, from: middle } : { ...one, to: middle },
  );
  return {
    ...body,
    locations: [...locations, { name: `l${middle}`, hidden: true }],
    transitions: [
      ...others,
      isBefore ? { ...pass, from, to: middle } : { ...pass, from: middle, to },
    ],
  };
}

/** Whether an event runs an event or procedure `body`, directly or by calls and postings. */
function isReached({ bodies }: EventProgram, event: number, body: number): boolean {
  const reached = new Set([event]);
  for (const one of reached)
    for (const { instruction } of bodies[one]!.transitions)
      if (instruction.kind === 'call' || instruction.kind === 'post') reached.add(instruction.body);
  return reached.has(body);
}

/**
 * Returns the program with one or two milestones (labels for which events wait), each passed at one
 * random place or at two, and some instances waiting for them. Places in lock blocks are left out.
 */
export function withMilestones(random: SeededRandom, program: EventProgram): EventProgram {
  const bodies = [...program.bodies];
  const count = 1 + (random.below(4) === 0 ? 1 : 0);
  const owners = Array.from({ length: count }, (_, milestone): number => {
    const owner = random.below(bodies.length);
    const places = random.below(5) === 0 ? 2 : 1;
    for (let place = 0; place < places; place++) {
      const body = place === 0 ? owner : random.below(bodies.length);
      const locked = lockedLocations(bodies[body]!);
      const free = bodies[body]!.transitions.flatMap(({ from, to }, id) =>
        locked.has(from) || locked.has(to) ? [] : [id],
      );
      if (free.length === 0) continue;
      const stores = free.filter(
        (id) => bodies[body]!.transitions[id]!.instruction.kind === 'store',
      );
      // A store in front of the milestone may still be in the buffer when it is passed.
      const isBehindStore = stores.length > 0 && random.below(2) === 0;
      const from = isBehindStore ? stores : free;
      const isBefore = !isBehindStore && random.below(3) === 0;
      bodies[body] = passing(bodies[body]!, from[random.below(from.length)]!, milestone, isBefore);
    }
    return owner;
  });
  const milestones = owners.map((body, milestone) => ({ body, label: `m${milestone}` }));
  const waits = program.instances.map(() =>
    milestones.flatMap((_, milestone) => (random.below(3) > 0 ? [milestone] : [])),
  );
  // One entry does not wait, so that some event can start: if possible, an entry that reaches a
  // milestone.
  const first = program.instances.findIndex(({ event }) =>
    owners.some((owner) => isReached(program, event, owner)),
  );
  waits[first < 0 ? 0 : first] = [];
  return {
    ...program,
    bodies,
    instances: program.instances.map((one, entry) => ({
      ...one,
      ...(waits[entry]!.length > 0 && { after: waits[entry]! }),
    })),
    milestones,
  };
}
