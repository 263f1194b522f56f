import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { EventProgram } from '../program/event-program.js';
import type { EventRun, Task } from '../trace/event-run.js';
import { initialConfiguration, type EventConfiguration } from './configuration.js';
import { ConfigurationKeys } from './configuration-keys.js';
import { compileEventProgram } from './event-code.js';
import {
  eventSuccessors,
  isFinalConfiguration,
  type EventBounds,
  type EventFault,
  type EventMachine,
  type EventMachineOptions,
  type EventSemantics,
  type EventStep,
} from './machine.js';
import { quietSteps } from './quiet-steps.js';

/** A reached configuration, and a run to it. */
interface ReachedConfiguration {
  readonly configuration: EventConfiguration;
  readonly run: () => EventRun;
}

/** Receives the findings of an exploration; each stored configuration is visited once. */
interface EventVisitor {
  /**
   * Called for each configuration. `final`: no step is possible, and all work is done; `blocked`:
   * no step is possible, but some work is not done.
   */
  readonly onConfiguration: (
    reached: ReachedConfiguration,
    kind: 'final' | 'blocked' | 'other',
  ) => void;
  /** The last action of `run` failed an `assert`. */
  readonly onFailedAssertion: (run: () => EventRun) => void;
  /** Called for a step that faults: the execution ends there, after `run`. */
  readonly onFault: (fault: EventFault, run: () => EventRun) => void;
}

/**
 * Follows the steps of an exploration and keeps data about the past, the watch's memory.
 * Configurations with different watch memories are stored apart.
 */
export interface EventWatch<Memory> {
  readonly initial: Memory;
  /** Returns the memory after a step; `undefined` ends the exploration with this step. */
  readonly after: (memory: Memory, step: EventStep) => Memory | undefined;
  readonly keyOf: (memory: Memory) => string;
  /** Returns a name of a task that the watch's memory uses in place of the task's number. */
  readonly nameOf: (task: Task) => string;
}

/** The result of an exploration. */
interface EventExploration {
  readonly states: number;
  /** The run up to the step at which the watch ended the exploration; absent if it did not. */
  readonly found?: EventRun;
  /**
   * Why not all configurations were visited; absent if all were, and if the watch ended the
   * exploration.
   */
  readonly incomplete?: Exhaustion;
  readonly bounds: readonly (keyof EventBounds)[];
}

export interface EventExplorationOptions extends EventMachineOptions {
  /**
   * Whether steps invisible to other tasks are taken at once, and dead registers are ignored;
   * default true. No answer depends on this option.
   */
  readonly isReduced?: boolean;
}

interface EventSearchNode<Memory> {
  readonly configuration: EventConfiguration;
  readonly before: EventSearchNode<Memory> | undefined;
  readonly step: EventStep | undefined;
  /** The watch's memory. */
  readonly watched: Memory;
}

function runTo<Memory>(node: EventSearchNode<Memory>): EventRun {
  const steps: EventStep[] = [];
  for (let at: EventSearchNode<Memory> | undefined = node; at?.step; at = at.before)
    steps.push(at.step);
  steps.reverse();
  return {
    tasks: steps.flatMap(({ made }) => made),
    actions: steps.flatMap(({ actions }) => actions),
  };
}

/**
 * The maximum number of consecutive steps, invisible to other tasks, that are taken at once, as a
 * task may take only such steps for ever.
 */
const mostUnseen = 64;

/** Estimated bytes of a stored configuration, with its share of the run to the configuration. */
function sizeOf(key: string): number {
  return 1200 + 5 * key.length;
}

/** Explores one machine. */
class EventExplorer<Memory> {
  readonly #machine: EventMachine;
  readonly #isReduced: boolean;
  readonly #visitor: EventVisitor;
  readonly #seen = new Set<string>();
  readonly #bounds = new Set<keyof EventBounds>();
  readonly #keys: ConfigurationKeys;
  readonly #watch: EventWatch<Memory>;
  #bytes = 0;
  #next: EventSearchNode<Memory>[] = [];
  #found: EventRun | undefined;

  constructor(
    program: EventProgram,
    semantics: EventSemantics,
    { isReduced = true, ...options }: EventExplorationOptions,
    visitor: EventVisitor,
    watch: EventWatch<Memory>,
  ) {
    this.#watch = watch;
    this.#machine = { code: compileEventProgram(program), semantics, options };
    this.#isReduced = isReduced;
    this.#visitor = visitor;
    this.#keys = new ConfigurationKeys(program, {
      isOrdered: semantics === 'single',
      countsInstances: (instances) =>
        options.instances !== undefined || program.instances[instances]?.count !== 'any',
      countsDeadRegisters: !isReduced,
      nameOf: watch.nameOf,
    });
  }

  async explore(budget: Budget): Promise<EventExploration> {
    const { program } = this.#machine.code;
    this.#reach({
      configuration: initialConfiguration(program),
      before: undefined,
      step: undefined,
      watched: this.#watch.initial,
    });
    let incomplete: Exhaustion | undefined;
    while (this.#next.length > 0 && !incomplete && !this.#found) {
      const frontier = this.#next;
      this.#next = [];
      for (let i = 0; i < frontier.length && !incomplete && !this.#found; i++) {
        if (i % 64 === 0 || budget.isDue())
          incomplete = await budget.breathe(this.#seen.size, this.#bytes);
        incomplete ??= budget.exceededBy(this.#seen.size, this.#bytes);
        const node = frontier[i];
        if (node && !incomplete) this.#expand(node);
      }
    }
    const states = this.#seen.size;
    budget.finishSearch(states, this.#bytes);
    return {
      states,
      bounds: [...this.#bounds].sort(),
      ...(incomplete && { incomplete }),
      ...(this.#found && { found: this.#found }),
    };
  }

  /** Continues from a new node to all nodes whose next step may be visible to other threads. */
  #reach(start: EventSearchNode<Memory>): void {
    const open: { readonly node: EventSearchNode<Memory>; readonly unseen: number }[] = [
      { node: start, unseen: 0 },
    ];
    for (let top = open.pop(); top && !this.#found; top = open.pop()) {
      const { node, unseen } = top;
      const quiet =
        this.#isReduced && unseen < mostUnseen
          ? quietSteps(this.#machine, node.configuration)
          : undefined;
      if (!quiet) {
        this.#store(node);
        continue;
      }
      this.#note(node, quiet);
      for (const step of [...quiet.steps].reverse()) {
        const next = this.#after(node, step);
        if (next) open.push({ node: next, unseen: unseen + 1 });
      }
    }
  }

  /** Returns the node after a step; `undefined` if the watch ends the exploration. */
  #after(before: EventSearchNode<Memory>, step: EventStep): EventSearchNode<Memory> | undefined {
    const watched = this.#watch.after(before.watched, step);
    if (watched === undefined) {
      this.#found ??= runTo({ ...before, before, step });
      return undefined;
    }
    const node = { configuration: step.configuration, before, step, watched };
    if (step.assertionFailed === true) this.#visitor.onFailedAssertion(() => runTo(node));
    return node;
  }

  #note(
    node: EventSearchNode<Memory>,
    { faults, cuts }: Pick<ReturnType<typeof eventSuccessors>, 'faults' | 'cuts'>,
  ): void {
    for (const cut of cuts) this.#bounds.add(cut);
    for (const fault of faults) this.#visitor.onFault(fault, () => runTo(node));
  }

  #store(node: EventSearchNode<Memory>): void {
    const key = `${this.#keys.of(node.configuration)}${this.#watch.keyOf(node.watched)}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#bytes += sizeOf(key);
    this.#next.push(node);
  }

  #expand(node: EventSearchNode<Memory>): void {
    const { configuration } = node;
    const found = eventSuccessors(this.#machine, configuration, this.#isReduced);
    this.#note(node, found);
    const { steps, faults, cuts } = found;
    const isEnd = steps.length + faults.length + cuts.length === 0;
    const kind = isFinalConfiguration(this.#machine.code.program, configuration)
      ? 'final'
      : isEnd
        ? 'blocked'
        : 'other';
    this.#visitor.onConfiguration({ configuration, run: () => runTo(node) }, kind);
    for (const step of steps) {
      const next = this.#after(node, step);
      if (next) this.#reach(next);
    }
  }
}

/** The watch that keeps no data. */
const noWatch: EventWatch<null> = {
  initial: null,
  after: () => null,
  keyOf: () => '',
  nameOf: () => '',
};

/**
 * Visits the reachable configurations of a machine, breadth first by visible steps. If there are
 * infinitely many, the bounds or the budget end the exploration.
 */
export function exploreEvents(
  program: EventProgram,
  semantics: EventSemantics,
  budget: Budget,
  visitor: EventVisitor,
  options: EventExplorationOptions = {},
): Promise<EventExploration> {
  return new EventExplorer(program, semantics, options, visitor, noWatch).explore(budget);
}

/**
 * Explores as `exploreEvents` does, followed by a watch. Milestones are passed in every order with
 * the steps of other tasks, as a watch may tell these orders apart.
 */
export function exploreWatched<Memory>(
  program: EventProgram,
  semantics: EventSemantics,
  budget: Budget,
  visitor: EventVisitor,
  watch: EventWatch<Memory>,
  options: EventExplorationOptions = {},
): Promise<EventExploration> {
  const isReduced = options.isReduced !== false && (program.milestones ?? []).length === 0;
  const so = { ...options, isReduced };
  return new EventExplorer(program, semantics, so, visitor, watch).explore(budget);
}
