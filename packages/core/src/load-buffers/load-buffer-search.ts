import { CellDirectory } from '../automata/cell-directory.js';
import type { Budget, Exhaustion } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import { observationOf } from '../exploration/observation.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program, Property } from '../program/program.js';
import { isFinal } from '../semantics/machine.js';
import { decidesProperty } from '../semantics/property.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { MachineState } from '../trace/machine-state.js';
import { searchBackwards } from './backward-search.js';
import { liftSteps, type LiftedSteps } from './lift-steps.js';
import type { Minor } from './minor.js';
import { impossibleMinors, inconsistentLocks } from './single-writers.js';
import { finalStatesBeyond } from './final-state-targets.js';
import { failingAssertion, targetsOf } from './property-targets.js';
import type { TargetContext } from './target-context.js';
import { threadGraphs, type GraphFailure } from './thread-graph.js';

/** Whether TSO reaches what was asked for. */
export type LoadBufferAnswer =
  | ({ readonly kind: 'reachable'; readonly kept: number } & Pick<
      LiftedSteps,
      'computation' | 'state'
    >)
  | { readonly kind: 'unreachable'; readonly kept: number }
  | {
      readonly kind: 'unknown';
      readonly reason: Exhaustion | GraphFailure | { readonly kind: 'question' };
    };

export interface LoadBufferOptions {
  /** Leave out minors by who writes which cells; on by default. */
  readonly singleWriters?: boolean;
}

/**
 * Answers what a program reaches under TSO, with buffers of any length and loops, where its data
 * are finite. Each answer "reachable" has been run by the machine with store buffers.
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

  /** Is there a state that decides the property? */
  async decide(property: Property, budget: Budget): Promise<LoadBufferAnswer> {
    const code = compileProgram(this.#program);
    return this.#search(
      (context) => targetsOf(context, property),
      budget,
      ({ state }) => decidesProperty(this.#program, property, state, isFinal(code, state)),
    );
  }

  /** Is there a final state that is not known? */
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

  /** Does an assertion fail? The computation ends with it. */
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

  async #search(
    ask: (context: TargetContext) => readonly Minor[] | undefined,
    budget: Budget,
    isAnswer: (end: LiftedSteps) => boolean,
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
        return { kind: 'unreachable', kept: found.kept };
      case 'reachable': {
        const end = liftSteps(this.#program, found.steps, last);
        if (!isAnswer(end)) throw new InternalError('a state that was asked for, but is not there');
        const { computation, state } = end;
        return { kind: 'reachable', computation, state, kept: found.kept };
      }
    }
  }
}
