import { at, valueAt } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { Span } from '@fencewright/ground/source/span.js';
import {
  isInvocation,
  type Body,
  type BodyId,
  type EventProgram,
  type Invocation,
} from '@fencewright/model/program/event-program.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import { PostingPlacesOf, type ImpossibleCall, type PostingPlaces } from './posting-places.js';
import { SequentialBody, type StopFlag } from './sequential-body.js';

/**
 * The result of the construction: the program seq(P), or a posting of P that cannot be replaced by
 * a call.
 */
type Sequential =
  | { readonly kind: 'sequential'; readonly program: EventProgram }
  | {
      readonly kind: 'impossible';
      readonly why: ImpossibleCall;
      /** The name of the posted procedure. */
      readonly procedure: string;
      readonly span?: Span;
    }
  /** Stopping calls need a flag with two values, and the domain has only one value. */
  | { readonly kind: 'no-flag' };

/**
 * Returns seq(P) of [BEMR18] Sect. 4: an event program with calls of tasks in place of postings.
 * Outside of lock blocks, each task may stop before each instruction. The result on a single thread
 * has exactly the final memories of P on a single thread with tasks that may stop anywhere.
 *
 * The paper guards each statement by a flag `skip`; here a jump to the end leaves each location. If
 * a called procedure stops, the callers stop, too: a flag in memory tells the callers, as calls
 * have no results. The paper forbids accesses behind a posting in a task. Here, tasks posted before
 * an access are called at the end of the posting body, with the arguments kept in registers.
 * Programs with milestones are not supported.
 */
export function sequentialProgram(program: EventProgram): Sequential {
  return new Construction(program).run();
}

/**
 * The way in which a body of the result runs: as a task of its own, or as a call inside of a task.
 */
type Role = 'task' | 'call';

class Construction {
  readonly #program: EventProgram;
  readonly #places: PostingPlacesOf;
  /**
   * By procedure that the program calls, the body that replaces the procedure in the sequential
   * program.
   */
  readonly #called = new Map<BodyId, BodyId>();
  /** The bodies that are run by calls only. */
  readonly #onlyCalled = new Set<BodyId>();
  readonly #names: UniqueNames;
  readonly #flag: SharedSymbol;
  readonly #stop: StopFlag;

  constructor(program: EventProgram) {
    this.#program = program;
    this.#places = new PostingPlacesOf(program);
    const { symbols, bodies, domain } = program;
    this.#names = new UniqueNames([...symbols, ...bodies].map(({ name }) => name));
    const base = symbols.reduce((end, symbol) => Math.max(end, symbol.base + symbol.length), 0);
    this.#stop = { symbol: symbols.length, runs: domain?.low ?? 0 };
    this.#flag = {
      name: this.#names.fresh('stopped'),
      base,
      length: 1,
      isArray: false,
      initial: [this.#stop.runs],
    };
    const invoked = (kind: Invocation['kind']): ReadonlySet<BodyId> =>
      new Set(
        bodies.flatMap(({ transitions }) =>
          transitions.flatMap(({ instruction }) =>
            isInvocation(instruction) && instruction.kind === kind ? [instruction.body] : [],
          ),
        ),
      );
    const posted = invoked('post');
    let next = bodies.length;
    for (const id of invoked('call')) {
      if (posted.has(id)) this.#called.set(id, next++);
      else {
        this.#called.set(id, id);
        this.#onlyCalled.add(id);
      }
    }
  }

  run(): Sequential {
    const { bodies, symbols, domain } = this.#program;
    const needsFlag = this.#called.size > 0;
    if (needsFlag && domain && domain.low === domain.high) return { kind: 'no-flag' };
    const made: Body[] = [];
    const write = (id: BodyId, role: Role): Sequential | undefined => {
      const places = role === 'task' ? this.#places.ofTask(id) : this.#places.ofCall(id);
      if (places.kind === 'impossible') return this.#impossible(id, places);
      made.push(this.#version(id, role, places));
      return undefined;
    };
    for (const id of bodies.keys()) {
      const failed = write(id, this.#onlyCalled.has(id) ? 'call' : 'task');
      if (failed) return failed;
    }
    for (const [id, version] of this.#called) {
      const failed = version === id ? undefined : write(id, 'call');
      if (failed) return failed;
    }
    return {
      kind: 'sequential',
      program: {
        ...this.#program,
        symbols: needsFlag ? [...symbols, this.#flag] : symbols,
        bodies: made,
      },
    };
  }

  #impossible(
    id: BodyId,
    { posting, why }: Extract<PostingPlaces, { readonly kind: 'impossible' }>,
  ): Sequential {
    const { bodies } = this.#program;
    const { instruction, origin } = at(at(bodies, id).transitions, posting);
    const procedure = isInvocation(instruction) ? at(bodies, instruction.body).name : '';
    return { kind: 'impossible', why, procedure, ...(origin.span && { span: origin.span }) };
  }

  #version(
    id: BodyId,
    role: Role,
    places: Exclude<PostingPlaces, { readonly kind: 'impossible' }>,
  ): Body {
    const body = at(this.#program.bodies, id);
    const late = places.kind === 'at-end' ? places.postings : [];
    const written = new SequentialBody(body, this.#stop, role === 'task', late);
    body.transitions.forEach((step, transition) => {
      const { instruction } = step;
      if (instruction.kind === 'call') {
        const callee = valueAt(this.#called, instruction.body);
        written.call({ ...step, instruction: { ...instruction, body: callee } });
      } else if (instruction.kind === 'post' && late.includes(transition))
        written.postpone({ ...step, instruction }, transition);
      else written.keep(step);
    });
    const isTwice = role === 'call' && !this.#onlyCalled.has(id);
    const name = isTwice ? this.#names.fresh(`${body.name}_called`) : body.name;
    return written.finish(name);
  }
}
