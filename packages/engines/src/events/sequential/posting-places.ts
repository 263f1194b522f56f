import { at } from '@fencewright/ground/base/at.js';
import {
  computeForwardOrder,
  reachableAvoiding,
} from '@fencewright/model/analysis/control-flow.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import { isAccess } from '@fencewright/model/program/instruction.js';

/** The reason why a posting followed by accesses of the posting task cannot become a call. */
export type ImpossibleCall =
  /** A run may execute the posting several times. */
  | 'repeated'
  /**
   * The posting is in a called procedure, and the calling task may make accesses after the call.
   */
  | 'in-a-call';

/**
 * The places at which the sequential program calls the tasks that a body posts, if the body runs as
 * a task.
 */
export type PostingPlaces =
  /** Each task is called at its posting: no access of the posting task comes after a posting. */
  | { readonly kind: 'at-postings' }
  /**
   * All tasks are called at the end of the body, in the order of `postings`, which is the order in
   * which a run reaches the postings.
   */
  | { readonly kind: 'at-end'; readonly postings: readonly TransitionId[] }
  | { readonly kind: 'impossible'; readonly posting: TransitionId; readonly why: ImpossibleCall };

/**
 * Finds the places at which a program can call tasks instead of posting them, so that the tasks run
 * in DFS order.
 */
export class PostingPlacesOf {
  readonly #program: EventProgram;
  readonly #accessing: ReadonlySet<BodyId>;
  readonly #posting: ReadonlySet<BodyId>;

  constructor(program: EventProgram) {
    this.#program = program;
    const { bodies } = program;
    this.#accessing = withCallers(program, (id) =>
      at(bodies, id).transitions.some(({ instruction }) => isAccess(instruction)),
    );
    this.#posting = withCallers(program, (id) => this.#postings(id).length > 0);
  }

  /**
   * Returns the places at which the posted tasks are called, for a body that runs as a task: the
   * handler of an event, or a posted procedure.
   */
  ofTask(id: BodyId): PostingPlaces {
    const body = at(this.#program.bodies, id);
    const postings = this.#postings(id);
    const isFollowed = (posting: TransitionId): boolean =>
      this.#accessesFrom(id, at(body.transitions, posting).to);
    const followed = postings.find(isFollowed);
    if (followed === undefined) return { kind: 'at-postings' };
    const posting = postings.find((one) => {
      const { from, to } = at(body.transitions, one);
      return reachableAvoiding(body, to, () => false).has(from);
    });
    if (posting !== undefined) return { kind: 'impossible', posting, why: 'repeated' };
    if (this.#calls(id).some(({ callee }) => this.#posting.has(callee)))
      return { kind: 'impossible', posting: followed, why: 'in-a-call' };
    const order = new Map(computeForwardOrder(body).map((location, place) => [location, place]));
    const placeOf = (one: TransitionId): number =>
      order.get(at(body.transitions, one).from) ?? order.size;
    return { kind: 'at-end', postings: postings.toSorted((a, b) => placeOf(a) - placeOf(b)) };
  }

  /**
   * Returns the places for a called procedure: each task is called at its posting, or the result is
   * `impossible`.
   */
  ofCall(id: BodyId): PostingPlaces {
    const { transitions } = at(this.#program.bodies, id);
    const isFollowed = this.#goesOnBehind(id);
    const posting = this.#postings(id).find(
      (one) => isFollowed || this.#accessesFrom(id, at(transitions, one).to),
    );
    return posting === undefined
      ? { kind: 'at-postings' }
      : { kind: 'impossible', posting, why: 'in-a-call' };
  }

  #postings(id: BodyId): readonly TransitionId[] {
    return at(this.#program.bodies, id).transitions.flatMap(({ instruction }, transition) =>
      instruction.kind === 'post' ? [transition] : [],
    );
  }

  #calls(id: BodyId): readonly { readonly callee: BodyId; readonly to: LocationId }[] {
    return callsOf(this.#program, id);
  }

  /** Whether control may come from the location to an access of the same task and body. */
  #accessesFrom(id: BodyId, location: LocationId): boolean {
    const body = at(this.#program.bodies, id);
    const reached = reachableAvoiding(body, location, () => false);
    return body.transitions.some(
      ({ from, instruction }) =>
        reached.has(from) &&
        (isAccess(instruction) ||
          (instruction.kind === 'call' && this.#accessing.has(instruction.body))),
    );
  }

  /** Whether some task has accesses behind a call of the procedure. */
  #goesOnBehind(called: BodyId): boolean {
    const inside = new Set([called]);
    for (const one of inside)
      for (const caller of this.#program.bodies.keys())
        for (const { callee, to } of this.#calls(caller)) {
          if (callee !== one) continue;
          if (this.#accessesFrom(caller, to)) return true;
          inside.add(caller);
        }
    return false;
  }
}

function callsOf(
  { bodies }: EventProgram,
  id: BodyId,
): readonly { readonly callee: BodyId; readonly to: LocationId }[] {
  return at(bodies, id).transitions.flatMap(({ instruction, to }) =>
    instruction.kind === 'call' ? [{ callee: instruction.body, to }] : [],
  );
}

/** Returns all bodies that satisfy `holds`, and all direct and indirect callers of these bodies. */
function withCallers(program: EventProgram, holds: (id: BodyId) => boolean): ReadonlySet<BodyId> {
  const ids = [...program.bodies.keys()];
  const found = new Set(ids.filter(holds));
  for (const one of found)
    for (const caller of ids)
      if (callsOf(program, caller).some(({ callee }) => callee === one)) found.add(caller);
  return found;
}
