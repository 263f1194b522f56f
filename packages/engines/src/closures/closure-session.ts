import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { isHandOver } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { AttackStarts } from '../automata/attack-starts.js';
import {
  createProgramAutomata,
  type AutomataOptions,
  type ProgramAutomata,
} from '../automata/program-automata.js';
import { OwnValues } from './own-values.js';
import {
  closeThreads,
  type Closure,
  type ClosedSets,
  type ClosureComponent,
  type Effort,
  type ClosureFailure,
} from './thread-closure.js';

/** One component of a closure: one thread, or several threads with equal code. */
interface ThreadGroup {
  /** The thread whose automata are used for all threads of the component. */
  readonly thread: ThreadId;
  readonly count: number;
}

/**
 * The first phase of attacks by one thread on one store, as closed sets of SC steps: the steps
 * possible while the attacker can still reach the store.
 */
export interface FirstPhase {
  readonly sets: ClosedSets;
  /** The threads of each component of `sets`, indexed by component. */
  readonly groups: readonly ThreadGroup[];
  /** The number of the attacker's component in `sets`. */
  readonly attacker: number;
  /**
   * The components of threads besides the attacker, ascending; includes the attacker's component if
   * further threads belong to the component.
   */
  readonly helpers: readonly number[];
  /**
   * The cells accessed by threads other than the attacker; only stores to these cells can be
   * noticed.
   */
  readonly noticed: ReadonlySet<number>;
}

interface Closed {
  readonly closure: Closure;
  readonly groups: readonly ThreadGroup[];
  /** The number of the attacker's component in the closure. */
  readonly component: number;
}

/**
 * Returns the nodes from which some of `goals` can be reached, including `goals`; `before` has the
 * predecessors of nodes.
 */
function nodesBefore(
  goals: readonly number[],
  before: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> {
  const reached = new Set(goals);
  for (const node of reached) for (const from of before.get(node) ?? []) reached.add(from);
  return reached;
}

/**
 * The data shared by all refuters of a program: closures of the first phase, and automata. The
 * search has other automata, because closures meet steps and faults that no execution has.
 */
export class ClosureSession {
  readonly program: Program;
  readonly automata: ProgramAutomata;
  readonly own = new OwnValues();
  /** Whether closures can treat all instructions of the program. */
  readonly isSupported: boolean;
  /**
   * The closures computed so far. The key names the attacker, and the nodes that the attacker may
   * visit.
   */
  readonly #closures = new Map<string, Closure | ClosureFailure>();
  readonly #effortPerClosure: number;
  /** Whether the time limit is reached, so that closures are given up. */
  readonly isOver: () => boolean;
  readonly #starts = new Map<ThreadId, AttackStarts>();

  /**
   * Creates a session for a program. `effortPerClosure` is the work that each closure of the first
   * phase may take.
   */
  constructor(
    program: Program,
    options: AutomataOptions,
    effortPerClosure: number,
    isOver: () => boolean = () => false,
  ) {
    this.program = program;
    this.#effortPerClosure = effortPerClosure;
    this.isOver = isOver;
    this.automata = createProgramAutomata(program, options);
    this.isSupported = !program.threads.some(({ transitions }) =>
      transitions.some(({ instruction }) => isHandOver(instruction)),
    );
  }

  /** The estimated number of bytes of the automata and tables. */
  get bytes(): number {
    return this.automata.bytes();
  }

  /**
   * Whether closures met faults or computations without end; then no attack can be refuted by them.
   */
  get isInVain(): boolean {
    return this.automata.isEndless() || this.automata.faults().length > 0;
  }

  /**
   * Returns, for each node of a thread's sequential automaton, the attacks that can start at the
   * node.
   */
  starts(thread: ThreadId): AttackStarts {
    const known = this.#starts.get(thread);
    if (known) return known;
    const { sequential, attacker } = at(this.automata.threads, thread);
    const starts = new AttackStarts(sequential, attacker);
    this.#starts.set(thread, starts);
    return starts;
  }

  /** Whether a closure shows that no execution under SC ends in a fault; `false` if unknown. */
  isFaultFree(): boolean {
    return this.isSupported && this.stepsUnderSc() !== undefined && !this.isInVain;
  }

  /**
   * Returns the closed sets of all steps under SC, with a component for each class of threads;
   * `undefined` if the closure needs too much work.
   */
  stepsUnderSc(): ClosedSets | undefined {
    const closed = this.#close(0, undefined, { left: 0 });
    return typeof closed === 'string' ? undefined : closed.closure.sets;
  }

  /**
   * Returns the first phase of the attacks of a thread that begin with a store, or the reason why
   * the closure was given up.
   */
  firstPhase(attacker: ThreadId, store: TransitionId, effort: Effort): FirstPhase | ClosureFailure {
    let allowed: ReadonlySet<number> | undefined;
    for (;;) {
      const closed = this.#close(attacker, allowed, effort);
      if (typeof closed === 'string') return closed;
      const { closure, component } = closed;
      const nodes = new Set(at(closure.sets.locals, component).nodes);
      const starts = this.starts(attacker);
      const goals = [...nodes].filter((node) =>
        starts.at(node).some(({ store: first }) => first === store),
      );
      const next = nodesBefore(goals, at(closure.before, component));
      if (next.size === nodes.size) return this.#firstPhaseOf(closed);
      allowed = next;
    }
  }

  #firstPhaseOf({ closure, groups, component }: Closed): FirstPhase {
    const helpers = groups.flatMap(({ count }, other) =>
      other !== component || count > 1 ? [other] : [],
    );
    const noticed = new Set(helpers.flatMap((other) => [...at(closure.accessed, other)]));
    const { sets } = closure;
    return { sets, groups, attacker: component, helpers, noticed };
  }

  /**
   * Computes the closure of all threads. With `allowed`, the attacker is a component of its own,
   * and visits only allowed nodes.
   */
  #close(
    attacker: ThreadId,
    allowed: ReadonlySet<number> | undefined,
    effort: Effort,
  ): Closed | ClosureFailure {
    const groups = this.automata.classes.map((threads): ThreadGroup => ({
      thread: at(threads, 0),
      count: threads.length,
    }));
    const component = this.automata.classes.findIndex((threads) => threads.includes(attacker));
    if (!allowed) {
      const closure = this.#closed('', groups, () => undefined, effort);
      return typeof closure === 'string' ? closure : { closure, groups, component };
    }
    const group = at(groups, component);
    const isApart = group.count > 1;
    const apart = isApart
      ? [
          ...groups.with(component, { ...group, count: group.count - 1 }),
          { thread: attacker, count: 1 },
        ]
      : groups;
    const own = isApart ? groups.length : component;
    const name = `${attacker}:${[...allowed].sort((a, b) => a - b).join()}`;
    const closure = this.#closed(name, apart, (c) => (c === own ? allowed : undefined), effort);
    return typeof closure === 'string' ? closure : { closure, groups: apart, component: own };
  }

  #closed(
    name: string,
    groups: readonly ThreadGroup[],
    allowedOf: (component: number) => ReadonlySet<number> | undefined,
    effort: Effort,
  ): Closure | ClosureFailure {
    const known = this.#closures.get(name);
    if (known) return known;
    const { automata, own } = this;
    const isOver = (): boolean => this.isOver() || this.isInVain;
    const ownEffort: Effort = { left: this.#effortPerClosure, isOver };
    const starts = groups.map(({ thread }) => {
      const nodes = at(automata.threads, thread).sequential.initialNodes();
      return { nodes: nodes.map(({ node }) => node), owns: nodes.map(() => 0) };
    });
    const closure = closeThreads(
      {
        tables: automata.valueTables,
        components: groups.map(({ thread, count }, c): ClosureComponent => {
          const automaton = at(automata.threads, thread).sequentialNumber;
          const allowed = allowedOf(c);
          return { automaton, count, ...(allowed && { allowed }) };
        }),
        own,
        valueOf: (_, content) => content,
        start: { locals: starts, contents: [] },
        notesSteps: true,
      },
      ownEffort,
    );
    effort.left -= this.#effortPerClosure - ownEffort.left;
    this.#closures.set(name, closure);
    return closure;
  }
}
