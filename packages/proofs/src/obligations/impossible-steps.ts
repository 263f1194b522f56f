import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { drains, type OperationEdge, type Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf } from '../steps/roles.js';
import { basicFacts } from '../steps/symbolic-state.js';
import { performEdges } from '../steps/symbolic-step.js';
import { assumeInvariants, singleRoles } from './invariant-terms.js';
import { ask, questionState, type Prover } from './obligation.js';

/**
 * Finds the steps that no thread can take from a state that the invariants allow. A load after such
 * a step never comes while a store waits ([BEMT18] Sect. 4, "reachable"). Answers are cached. The
 * invariants may be about memory and about other threads: before the first impossible step, all
 * loads of the delaying thread are right movers. So the thread's steps before the impossible step
 * lead to the same registers under SC, where the thread's stores reach memory at once.
 */
export class ImpossibleSteps {
  readonly #program: ProofProgram;
  readonly #invariants: readonly Invariant[];
  readonly #prover: Prover;
  readonly #found = new Map<ThreadId, Promise<readonly Step[]>>();

  constructor(program: ProofProgram, invariants: readonly Invariant[], prover: Prover) {
    this.#program = program;
    this.#invariants = invariants;
    this.#prover = prover;
  }

  /**
   * Returns the impossible steps of a thread, among its steps that do not drain the store buffer.
   */
  of(thread: ThreadId): Promise<readonly Step[]> {
    const found = this.#found.get(thread) ?? this.#search(thread);
    this.#found.set(thread, found);
    return found;
  }

  async #search(thread: ThreadId): Promise<readonly Step[]> {
    const impossible: Step[] = [];
    if (this.#invariants.length === 0) return impossible;
    for (const step of at(this.#program.threads, thread).steps) {
      if (this.#prover.isStopped) break;
      if (!step.edges.some(({ operation }) => operation.kind === 'assume')) continue;
      if (step.edges.some(({ operation }) => drains(operation))) continue;
      if (await this.#isImpossible(step)) impossible.push(step);
    }
    return impossible;
  }

  async #isImpossible(step: Step): Promise<boolean> {
    const program = this.#program;
    const role = roleOf(program, step.thread, 1);
    const others = singleRoles(program, this.#invariants).filter(({ name }) => name !== role.name);
    const roles = [...others, role];
    const state = questionState(program, roles);
    const { guard, declarations } = performEdges(program, step, role, state);
    const { name, locations } = at(program.templates.threads, step.thread);
    const claim = `${name} cannot go on from ${at(locations, step.from).name} to ${at(locations, step.to).name}`;
    const question = ask(
      program,
      roles,
      claim,
      [
        basicFacts(program, roles, state),
        assumeInvariants(program, this.#invariants, roles, state),
        guard,
      ],
      declarations,
    );
    return (await this.#prover.prove(question)).kind === 'holds';
  }
}

/** Returns the edges without those that occur only in impossible steps. */
export function possibleEdges(
  steps: readonly Step[],
  edges: readonly OperationEdge[],
  impossible: readonly Step[],
): readonly OperationEdge[] {
  const possible = new Set(
    steps.filter((step) => !impossible.includes(step)).flatMap((step) => step.edges),
  );
  const left = new Set(impossible.flatMap((step) => step.edges));
  return edges.filter((edge) => possible.has(edge) || !left.has(edge));
}
