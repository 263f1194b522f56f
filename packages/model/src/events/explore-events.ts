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

/** A reached configuration (a state of a program of events), and a run leading to it. */
interface ReachedConfiguration {
  readonly configuration: EventConfiguration;
  readonly run: () => EventRun;
}

/** The callbacks of an exploration; each stored configuration is visited once. */
interface EventVisitor {
  /**
   * Called for each configuration (a state of the program). `final`: no step is possible, and all
   * work is done; `blocked`: no step is possible, but some work is not done.
   */
  readonly onConfiguration: (
    reached: ReachedConfiguration,
    kind: 'final' | 'blocked' | 'other',
  ) => void;
  /** Called for each failed `assert`, which is the last action of `run`. */
  readonly onFailedAssertion: (run: () => EventRun) => void;
  /** Called for each step that faults: the execution ends before the step, after `run`. */
  readonly onFault: (fault: EventFault, run: () => EventRun) => void;
}

/**
 * Follows the steps of an exploration and keeps data about the past, the watch's memory.
 * Configurations (states) with different watch memories are stored as different ones.
 */
export interface EventWatch<Memory> {
  readonly initial: Memory;
  /** Returns the watch's memory after a step; `undefined` ends the exploration with this step. */
  readonly after: (memory: Memory, step: EventStep) => Memory | undefined;
  readonly keyOf: (memory: Memory) => string;
  /** Returns a name of a task, for use in the watch's memory in place of the task's number. */
  readonly nameOf: (task: Task) => string;
}

/** The result of an exploration of a program of events. */
interface EventExploration {
  readonly states: number;
  /** The run up to the step at which the watch ended the exploration; absent if it did not. */
  readonly found?: EventRun;
  /**
   * The limit for which not all configurations were visited; absent if all were, and if the watch
   * ended the exploration.
   */
  readonly incomplete?: Exhaustion;
  readonly bounds: readonly (keyof EventBounds)[];
}

export interface EventExplorationOptions extends EventMachineOptions {
  /**
   * Whether steps invisible to other tasks are taken without interleaving, and dead registers are
   * ignored; default true. No answer depends on this option.
   */
  readonly isReduced?: boolean;
}

interface EventSearchNode<Memory> {
  readonly configuration: EventConfiguration;
  readonly before: EventSearchNode<Memory> | undefined;
  readonly step: EventStep | undefined;
  /** The memory of the watch: its data about the past of the configuration. */
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
 * The maximum number of consecutive invisible steps that are taken without interleaving. The limit
 * is needed since a task may take steps invisible to other tasks for ever.
 */
const mostUnseen = 64;

/**
 * The estimated size in bytes of a stored configuration with the given key, including the last step
 * of the run that leads to it.
 */
function sizeOf(key: string): number {
  return 1200 + 5 * key.length;
}

/** Explores the configurations (states) of one machine for an event program. */
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
          incomplete = await budget.checkTime(this.#seen.size, this.#bytes);
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

  /**
   * Takes steps from a new node of the search until the next step of each reached node may be
   * visible to other threads; these nodes are searched further.
   */
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

  /** Returns the node of the search after a step; `undefined` if the watch ends the exploration. */
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

/** A watch (a follower of an exploration) that keeps no data. */
const noWatch: EventWatch<null> = {
  initial: null,
  after: () => null,
  keyOf: () => '',
  nameOf: () => '',
};

/**
 * Visits the reachable configurations (states) of an event program under `semantics`, breadth first
 * by steps that other threads notice. If there are infinitely many, the bounds or the budget end
 * the exploration.
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
 * Explores as `exploreEvents` does, with a watch that follows the steps. Milestones (labels for
 * which events wait) are passed in every order with the steps of other tasks, as a watch may
 * distinguish these orders.
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
