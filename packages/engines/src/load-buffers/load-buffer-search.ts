import { CellDirectory } from '../automata/cell-directory.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { observationOf } from '../exploration/observation.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { isFinal, isStuck } from '@fencewright/model/semantics/machine.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { searchBackwards } from './backward-search.js';
import { liftSteps, type LiftedSteps, performSteps } from './lift-steps.js';
import type { Minor } from './minor.js';
import type { BufferStep } from './pre-images.js';
import { impossibleMinors, inconsistentLocks } from './single-writers.js';
import { drainedStatesBeyond } from './drained-targets.js';
import { finalStatesBeyond } from './final-state-targets.js';
import { failingAssertion, propertyTargets } from './property-targets.js';
import { drainedKey, type DrainedState, exploreStoreBuffers } from './store-buffers.js';
import type { TargetContext } from './target-context.js';
import { threadGraphs, type GraphFailure } from './thread-graph.js';

/** The answer to the question whether TSO reaches one of certain states. */
export type LoadBufferAnswer =
  | ({ readonly kind: 'reachable' } & Pick<LiftedSteps, 'computation' | 'state'>)
  | { readonly kind: 'unreachable' }
  | {
      readonly kind: 'unknown';
      readonly reason: Exhaustion | GraphFailure | { readonly kind: 'question' };
    };

/** The buffer sizes with which states are explored before the backward search. */
const bufferSizes = [1, 2, 4, 8] as const;
const statesPerSize = 20_000;

interface LoadBufferOptions {
  /**
   * Whether the search leaves out minors that contradict the last stores of cells with one writer
   * (`impossibleMinors`); on by default.
   */
  readonly singleWriters?: boolean;
}

/**
 * Decides whether TSO reaches states of a program with finite data, with store buffers of any
 * length and with loops. For each answer "reachable" the machine with store buffers has executed a
 * computation.
 */
export class LoadBufferSearch {
  readonly #program: Program;
  readonly #context: TargetContext | GraphFailure;
  readonly #singleWriters: boolean;

  constructor(program: Program, { singleWriters = true }: LoadBufferOptions = {}) {
    this.#program = program;
    this.#singleWriters = singleWriters;
    const cells = new CellDirectory(program);
    const graphs = threadGraphs(program, observationOf(program), cells);
    this.#context = 'kind' in graphs ? graphs : { program, graphs, cells };
  }

  /** The reason why no question can be answered; `undefined` if questions can be answered. */
  get failure(): GraphFailure | undefined {
    return 'kind' in this.#context ? this.#context : undefined;
  }

  /**
   * Decides whether TSO reaches a state that violates the property or, for an `exists` or a
   * `stuck`, a state sought by the property.
   */
  async decide(property: Property, budget: Budget): Promise<LoadBufferAnswer> {
    const code = compileProgram(this.#program);
    return this.#search(
      (context) => propertyTargets(context, property),
      budget,
      ({ state }) =>
        decidesProperty(this.#program, property, state, isFinal(code, state), () =>
          isStuck('TSO', code, state),
        ),
    );
  }

  /** Decides whether TSO reaches a final state that is not known. */
  async findFinalState(
    isKnown: (state: MachineState) => boolean,
    budget: Budget,
  ): Promise<LoadBufferAnswer> {
    const code = compileProgram(this.#program);
    return this.#search(
      (context) => finalStatesBeyond(context, isKnown),
      budget,
      ({ state }) => isFinal(code, state) && !isKnown(state),
    );
  }

  /**
   * Decides whether TSO reaches a state in which the assertion fails; a found computation ends with
   * the failure.
   */
  async fails(
    thread: ThreadId,
    transition: TransitionId,
    budget: Budget,
  ): Promise<LoadBufferAnswer> {
    return this.#search(
      (context) => failingAssertion(context, thread, transition),
      budget,
      ({ failsAssertion }) => failsAssertion,
      { thread, transition },
    );
  }

  /**
   * Decides whether TSO reaches a state with empty buffers, outside lock blocks, that SC does not
   * reach. Two states are equal if they have equal memory, equal registers that may still be read,
   * and threads at the same locations, apart from local steps.
   */
  async findDrainedState(
    budget: Budget,
    { sizes = bufferSizes }: { readonly sizes?: readonly number[] } = {},
  ): Promise<LoadBufferAnswer> {
    const context = this.#context;
    if ('kind' in context) return { kind: 'unknown', reason: context };
    const { graphs, cells } = context;
    const sequential = new Map<string, DrainedState>();
    const note = (state: DrainedState): boolean => {
      sequential.set(drainedKey(state), state);
      return false;
    };
    const isNew = (state: DrainedState): boolean => !sequential.has(drainedKey(state));
    const underSc = await exploreStoreBuffers(graphs, 0, note, budget);
    if (underSc.kind === 'stopped') return { kind: 'unknown', reason: underSc.reason };
    for (const size of sizes) {
      const part = budget.part(statesPerSize);
      const found = await exploreStoreBuffers(graphs, size, isNew, part);
      budget.finishPart(part);
      if (found.kind === 'found') {
        const { computation, state } = performSteps(this.#program, found.steps);
        return { kind: 'reachable', computation, state };
      }
      if (found.kind === 'complete' && !found.isCut) return { kind: 'unreachable' };
      if (found.kind === 'stopped') break;
    }
    return this.#search(
      () => drainedStatesBeyond(context, sequential.values()),
      budget,
      ({ state }, steps) => {
        const { lockHolder, buffers, memory } = state;
        if (lockHolder !== undefined || buffers.some(({ length }) => length > 0)) return false;
        const nodes = graphs.threads.map(({ initial }) => initial);
        for (const step of steps) if (step.kind === 'execute') nodes[step.thread] = step.edge.to;
        const held = graphs.values.map((_, cell) =>
          cells.id(cell, memory.get(cells.address(cell)) ?? 0),
        );
        return isNew({ nodes, memory: held });
      },
    );
  }

  async #search(
    ask: (context: TargetContext) => readonly Minor[] | undefined,
    budget: Budget,
    isAnswer: (end: LiftedSteps, steps: readonly BufferStep[]) => boolean,
    last?: { readonly thread: ThreadId; readonly transition: TransitionId },
  ): Promise<LoadBufferAnswer> {
    const context = this.#context;
    if ('kind' in context) return { kind: 'unknown', reason: context };
    const targets = ask(context);
    if (!targets) return { kind: 'unknown', reason: { kind: 'question' } };
    const { threads } = context.graphs;
    const isImpossible = this.#singleWriters
      ? impossibleMinors(threads)
      : inconsistentLocks(threads);
    const found = await searchBackwards(threads, targets, isImpossible, budget);
    switch (found.kind) {
      case 'stopped':
        return { kind: 'unknown', reason: found.reason };
      case 'unreachable':
        return { kind: 'unreachable' };
      case 'reachable': {
        const end = liftSteps(this.#program, found.steps, last);
        if (!isAnswer(end, found.steps))
          throw new InternalError('a state that was asked for, but is not there');
        const { computation, state } = end;
        return { kind: 'reachable', computation, state };
      }
    }
  }
}
