import type { EventInstruction, EventProgram } from './event-program.js';
import { isSame } from './expression.js';
import { transitionsFrom } from './leaving.js';
import type { LocationId } from './ids.js';
import type { Program, SharedSymbol, Thread } from './program.js';

/**
 * Whether two threads are equal up to names: starting at their initial locations, corresponding
 * locations must have equal instructions, in equal order.
 */
function sameThread(a: Thread<EventInstruction>, b: Thread<EventInstruction>): boolean {
  if (a.registers.length !== b.registers.length) return false;
  const partner = new Map<LocationId, LocationId>([[a.initial, b.initial]]);
  const taken = new Set<LocationId>([b.initial]);
  // Additions during the iteration are visited too.
  for (const [at, other] of partner) {
    const own = transitionsFrom(a, at);
    const others = transitionsFrom(b, other);
    if (own.length !== others.length) return false;
    for (const [i, step] of own.entries()) {
      const match = others[i];
      if (!match || !isSame(step.instruction, match.instruction)) return false;
      const known = partner.get(step.to);
      if (known === undefined && taken.has(match.to)) return false;
      if (known !== undefined && known !== match.to) return false;
      partner.set(step.to, match.to);
      taken.add(match.to);
    }
  }
  return true;
}

/** The shared variables, without the parts that only say how values are displayed. */
function shared({ symbols }: Program): readonly SharedSymbol[] {
  return symbols.map(({ unsignedBits: _, ...symbol }) => symbol);
}

/**
 * Whether two programs have equal threads up to names of locations and registers, unreachable code
 * and spans. Such programs have equal computations. May return `false` for equivalent programs that
 * list instructions in different order.
 */
export function sameAutomata(a: Program, b: Program): boolean {
  return (
    isSame([shared(a), a.domain], [shared(b), b.domain]) &&
    a.threads.length === b.threads.length &&
    a.threads.every((thread, t) => {
      const other = b.threads[t];
      return other !== undefined && sameThread(thread, other);
    })
  );
}

/**
 * Whether two programs of events have equal events and procedures up to names of locations and
 * registers, and equal instances and milestones.
 */
export function sameEventAutomata(a: EventProgram, b: EventProgram): boolean {
  return (
    a.bodies.length === b.bodies.length &&
    a.bodies.every((body, id) => {
      const other = b.bodies[id]!;
      return (
        body.role === other.role && body.parameters === other.parameters && sameThread(body, other)
      );
    }) &&
    // The label of a milestone is a name; the instruction `pass` has the place.
    isSame(
      [a.instances, a.milestones?.map(({ body }) => body)],
      [b.instances, b.milestones?.map(({ body }) => body)],
    )
  );
}
