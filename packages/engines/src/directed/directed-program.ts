import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { writesCell } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  AttackerAutomaton,
  nothingBlocked,
  type BlockedSteps,
} from '../automata/attacker-automaton.js';
import { AttackStarts } from '../automata/attack-starts.js';
import {
  createProgramAutomata,
  type AutomataOptions,
  type ProgramAutomata,
} from '../automata/program-automata.js';
import { PathDistances, type Helper } from './path-distances.js';
import { ReachedFacts, type Fact, type FactComponent } from './reached-facts.js';
import { RelaxedCosts, relaxedSteps, type RelaxedStep } from './relaxed-costs.js';

/** A write of a thread, known by the place of its instruction in the text of the thread. */
export interface ScheduledWrite {
  readonly thread: ThreadId;
  /**
   * The number of writing instructions before the write's instruction in the text of the thread.
   */
  readonly place: number;
}

/**
 * A thread as the attacker, with the steps of the relaxation (`ReachedFacts`) that lead to complete
 * attacks of this attacker.
 */
export interface DirectedAttacker {
  readonly thread: ThreadId;
  readonly automaton: AttackerAutomaton;
  /** The number of `automaton` in `ProgramAutomata.valueTables`, the tables of its steps. */
  readonly number: number;
  readonly starts: AttackStarts;
  readonly facts: ReachedFacts;
  readonly component: FactComponent;
  readonly costs: RelaxedCosts;
  /**
   * For each store of the attacker, the fact (`ReachedFacts`) that the attacker may delay this
   * store first. A search for attacks with one store makes only the fact of this store hold.
   */
  readonly allowed: ReadonlyMap<TransitionId, Fact>;
  /** For each last load, the fact that an attack with this last load is complete. */
  readonly goals: ReadonlyMap<TransitionId, Fact>;
}

/**
 * A program's automata and relaxation (`ReachedFacts`) for directed searches. Other searches have
 * separate automata: the relaxation also reaches nodes that no execution reaches, and faults of
 * such nodes must not count.
 */
export class DirectedProgram {
  readonly program: Program;
  readonly automata: ProgramAutomata;
  readonly facts: ReachedFacts;
  readonly #steps: readonly RelaxedStep[];
  /** The threads of the program as helpers, indexed by thread. */
  readonly helpers: readonly Helper[];
  readonly distances: PathDistances;
  /** The number of writing instructions before each transition in the text of its thread. */
  readonly #places: readonly (readonly number[])[];

  constructor(program: Program, options: AutomataOptions) {
    this.program = program;
    this.automata = createProgramAutomata(program, options);
    this.facts = new ReachedFacts(this.automata.valueTables);
    this.helpers = this.automata.threads.map(({ sequential, sequentialNumber }) => {
      const nodes = sequential.initialNodes().map(({ node }) => node);
      return { sequential, component: this.facts.add(sequentialNumber, sequential, nodes) };
    });
    this.#steps = this.isDirected ? relaxedSteps(this.facts) : [];
    this.distances = new PathDistances(this.facts);
    this.#places = program.threads.map(({ transitions }) => {
      let writes = 0;
      return transitions.map(({ instruction }) => (writesCell(instruction) ? writes++ : writes));
    });
  }

  /** Whether the relaxation has all facts, so that distances can direct the searches. */
  get isDirected(): boolean {
    return !this.facts.isCut && !this.automata.isEndless();
  }

  /** The number of writing instructions before a transition in the text of its thread. */
  placeOf(thread: ThreadId, transition: TransitionId): number {
    return at(at(this.#places, thread), transition);
  }

  /** Returns a thread as attacker that drains the store buffer at the steps in `blocked`. */
  attacker(thread: ThreadId, blocked: BlockedSteps): DirectedAttacker {
    const { program } = this;
    const facts = this.facts.fork();
    const { cells, levels, valueTables, threads } = this.automata;
    const own = at(threads, thread);
    const { sequential } = own;
    const isBlocked = blocked !== nothingBlocked;
    const automaton = isBlocked
      ? new AttackerAutomaton(at(program.threads, thread), sequential, cells, levels, blocked)
      : own.attacker;
    const number = isBlocked ? valueTables.add(automaton) : own.attackerNumber;
    const starts = new AttackStarts(sequential, automaton);
    const nodes = Object.keys(at(this.helpers, thread).component.nodes).map(Number);
    const begins = nodes.flatMap((node) => starts.at(node).map((start) => ({ node, ...start })));
    const entered = begins.flatMap(({ entries }) => entries.map((entry) => entry.node));
    const component = facts.add(number, automaton, entered);
    const allowed = new Map(begins.map(({ store }) => [store, facts.fresh()]));
    const steps: RelaxedStep[] = begins.flatMap(({ node, store, entries }) =>
      entries.map((entry) => ({
        premises: [at(this.helpers, thread).component.nodes[node]!, allowed.get(store)!],
        conclusions: [component.nodes[entry.node]!],
        cost: 1,
      })),
    );
    const goals = new Map<TransitionId, Fact>();
    const tails = new Map<string, Fact>();
    for (const node of Object.keys(component.nodes).map(Number))
      for (const { transition, cell, isEnd } of automaton.loads(node)) {
        if (!isEnd) continue;
        const target = automaton.target(node).cell;
        const name = `${cell}.${target}`;
        let tail = tails.get(name);
        if (tail === undefined) {
          tails.set(name, (tail = facts.fresh()));
          steps.push(...this.#tail(thread, cell, target, tail));
        }
        const goal = goals.get(transition) ?? facts.fresh();
        goals.set(transition, goal);
        steps.push({ premises: [component.nodes[node]!, tail], conclusions: [goal], cost: 1 });
      }
    const all = [...this.#steps, ...relaxedSteps(facts), ...steps];
    const costs = new RelaxedCosts(facts.count, all);
    return { thread, automaton, number, starts, facts, component, costs, allowed, goals };
  }

  /**
   * Returns the steps of the relaxation that lead to the fact `tail`: that a helper can complete a
   * happens-before path from a load of `cell` to `target`.
   */
  #tail(attacker: ThreadId, cell: number, target: number, tail: Fact): RelaxedStep[] {
    return this.helpers.flatMap((helper, thread) => {
      if (thread === attacker) return [];
      return Object.keys(helper.component.nodes).flatMap((name) => {
        const node = Number(name);
        const distance = this.distances.afterJoining(helper, node, cell, target);
        if (distance < 0) return [];
        const premises = [helper.component.nodes[node]!];
        return [{ premises, conclusions: [tail], cost: 1 + distance }];
      });
    });
  }
}
