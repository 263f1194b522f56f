import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type {
  Body,
  BodyId,
  EventInstruction,
  EventProgram,
} from '@fencewright/model/program/event-program.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import type { SharedSymbol, Transition } from '@fencewright/model/program/program.js';
import { BodyDraft } from '../sequential/body-draft.js';

/** How a body of the two-thread construction was made from a body of the program. */
interface VersionOf {
  readonly body: BodyId;
  /**
   * For each transition of the body, the transition of the original body that it stands for; absent
   * for transitions that only the construction has.
   */
  readonly transitions: readonly (TransitionId | undefined)[];
}

interface TwoThreadOptions {
  /**
   * Whether a fence follows each store of main, so that only the second thread delays stores. The
   * paper's proof considers only this case.
   */
  readonly mainWaits?: boolean;
}

/** The program 2-threads(P), and for each body, the source body in P. */
export interface TwoThreads {
  readonly program: EventProgram;
  /**
   * For each body of `program`, the source: a body of the original program; indexed by `BodyId`.
   */
  readonly versions: readonly VersionOf[];
}

type BodyTransition = Transition<EventInstruction>;
type Posting = Extract<EventInstruction, { readonly kind: 'post' }>;

/** A transition of a version of a body, and the represented transition of the original body. */
interface WrittenTransition {
  readonly step: BodyTransition;
  readonly from?: TransitionId;
}

/**
 * Returns 2-threads(P) of [BEMR18] Sect. 5, as printed: at each `async[any] p(y)`, main either
 * posts the task, if no task was posted to a separate thread before, or calls p in place; the one
 * thread besides main posts to main instead. Postings to main in P stay postings to main. The
 * printed code asks at each posting which thread runs the code; here procedures that the second
 * thread may run have a second version for that thread, so only main looks at the flag `fork`. So
 * the flag adds nothing to happens-before: every order between its accesses is also in main's
 * program order. There are no skip flags: the paper puts skip flags into seq(P), not into this
 * program.
 *
 * The result is a program of events rather than of threads: a posting between threads would be a
 * store to a flag, waiting in the store buffer behind other stores, and no posting waits. The
 * construction's answers under TSO are no answers about P, whatever the paper's Theorem 2 claims.
 */
export function twoThreads(program: EventProgram, options: TwoThreadOptions = {}): TwoThreads {
  return new Construction(program, options).run();
}

/** Returns the bodies that a task on a separate thread may execute. */
function forkedBodies({ bodies }: EventProgram): ReadonlySet<BodyId> {
  const found = new Set<BodyId>();
  for (const { transitions } of bodies)
    for (const { instruction } of transitions)
      if (instruction.kind === 'post' && instruction.to === 'any') found.add(instruction.body);
  for (const body of found)
    for (const { instruction } of at(bodies, body).transitions)
      if (instruction.kind === 'call') found.add(instruction.body);
  return found;
}

class Construction {
  readonly #program: EventProgram;
  readonly #mainWaits: boolean;
  readonly #flag: SharedSymbol;
  /**
   * The value of the flag `fork` after the posting: 0, or the least value that can be stored. The
   * initial value of the flag is greater by one, possibly outside of the domain, since no
   * instruction stores the initial value.
   */
  readonly #spent: number;
  /**
   * For each body of P that the second thread may execute, the version of the body for the second
   * thread.
   */
  readonly #forked: ReadonlyMap<BodyId, BodyId>;
  readonly #names: UniqueNames;

  constructor(program: EventProgram, { mainWaits = false }: TwoThreadOptions) {
    this.#program = program;
    this.#mainWaits = mainWaits;
    const { symbols, bodies, domain } = program;
    this.#names = new UniqueNames([...symbols, ...bodies].map(({ name }) => name));
    const base = symbols.reduce((end, symbol) => Math.max(end, symbol.base + symbol.length), 0);
    this.#spent = domain?.low ?? 0;
    this.#flag = {
      name: this.#names.fresh('fork'),
      base,
      length: 1,
      isArray: false,
      initial: [this.#spent + 1],
    };
    const ids = [...forkedBodies(program)].map((body, i) => [body, bodies.length + i] as const);
    this.#forked = new Map(ids);
  }

  run(): TwoThreads {
    const { bodies, symbols } = this.#program;
    const onMain = bodies.map((body, id) => this.#onMain(body, id));
    const forked = [...this.#forked.keys()].map((id) =>
      this.#versionForSecondThread(at(bodies, id), id),
    );
    const made = [...onMain, ...forked];
    return {
      program: {
        ...this.#program,
        symbols: this.#forked.size > 0 ? [...symbols, this.#flag] : symbols,
        bodies: made.map(({ body }) => body),
      },
      versions: made.map(({ version }) => version),
    };
  }

  /** Makes the version of a body for main: postings become calls, except for one task. */
  #onMain(body: Body, id: BodyId): Version {
    const draft = new BodyDraft(body);
    const waits =
      this.#mainWaits && body.transitions.every(({ instruction }) => instruction.kind !== 'lock');
    const written = body.transitions.flatMap((step, from): readonly WrittenTransition[] => {
      const { instruction, origin, to } = step;
      if (waits && instruction.kind === 'store') {
        const stored = draft.hidden(step);
        const fence = { from: stored, to, instruction: { kind: 'fence' }, origin } as const;
        return [{ step: { ...step, to: stored }, from }, { step: fence }];
      }
      if (instruction.kind !== 'post' || instruction.to === 'main') return [{ step, from }];
      return this.#forkOrCall(draft, { ...step, instruction }, from);
    });
    const { registers, locations } = draft;
    return version({ ...body, registers, locations }, id, written);
  }

  #forkOrCall(
    draft: BodyDraft,
    { instruction, ...step }: Transition<Posting>,
    from: TransitionId,
  ): readonly WrittenTransition[] {
    const [looked, free, done] = [draft.hidden(step), draft.hidden(step), draft.hidden(step)];
    const flag = draft.register('may_fork');
    const address = { kind: 'address', symbol: this.#program.symbols.length } as const;
    const spent = constant(this.#spent);
    const condition = binary('!=', registerValue(flag), spent);
    const own = (start: LocationId, end: LocationId, made: EventInstruction): BodyTransition => ({
      from: start,
      to: end,
      instruction: made,
      origin: step.origin,
    });
    const { body, arguments: given } = instruction;
    return [
      // The first step keeps the marks of the posting, which concern fences before the posting.
      { step: { ...step, to: looked, instruction: { kind: 'load', into: flag, address } } },
      { step: own(looked, free, { kind: 'assume', condition }) },
      { step: own(free, done, { ...instruction, body: this.#forkedOf(body) }), from },
      { step: own(done, step.to, { kind: 'store', address, value: spent }) },
      { step: own(looked, step.to, { kind: 'call', body, arguments: given }), from },
    ];
  }

  /** Makes the version of a body for the second thread: every posting is to main. */
  #versionForSecondThread(body: Body, id: BodyId): Version {
    const written = body.transitions.map((step, from): WrittenTransition => {
      const { instruction } = step;
      switch (instruction.kind) {
        case 'call':
          return {
            step: {
              ...step,
              instruction: { ...instruction, body: this.#forkedOf(instruction.body) },
            },
            from,
          };
        case 'post':
          return { step: { ...step, instruction: { ...instruction, to: 'main' } }, from };
        default:
          return { step, from };
      }
    });
    return version({ ...body, name: this.#names.fresh(`${body.name}_forked`) }, id, written);
  }

  #forkedOf(body: BodyId): BodyId {
    const id = this.#forked.get(body);
    if (id === undefined) throw new InternalError('a body without a version for the other thread');
    return id;
  }
}

interface Version {
  readonly body: Body;
  readonly version: VersionOf;
}

function version(body: Body, id: BodyId, written: readonly WrittenTransition[]): Version {
  return {
    body: { ...body, transitions: written.map(({ step }) => step) },
    version: { body: id, transitions: written.map(({ from }) => from) },
  };
}
