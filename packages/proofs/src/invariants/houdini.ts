import { parseSmtModel } from '@fencewright/ground/solvers/smt-model.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { ObligationAnswer, Prover } from '../obligations/obligation.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import {
  byBinders,
  jointInitialQuestion,
  jointStepQuestions,
  type JointQuestion,
} from '../obligations/step-questions.js';

/**
 * The reason why an invariant was removed from a set of invariants that are to be inductive
 * together: `step` makes the invariant false; absent if the invariant is false in the initial
 * state.
 */
interface Removal {
  readonly step?: Step;
  readonly finding: Exclude<ObligationAnswer, { kind: 'holds' }>;
}

/** The options of the search for the largest inductive set of invariants. */
interface HoudiniOptions {
  /**
   * Returns invariants to try in place of a removed invariant; each follows from the removed one.
   */
  readonly weaken?: (removed: Invariant) => readonly Invariant[];
  /** Called for each invariant that is removed from the set. */
  readonly onRemoval?: (invariant: Invariant, removal: Removal) => void;
  /**
   * The maximum effort of the solver for one question; a question beyond the limit removes all its
   * invariants.
   */
  readonly effort?: number;
  /**
   * The maximum effort of the solver for all questions together; beyond it, no invariant is known
   * to be inductive. Unlimited by default.
   */
  readonly mostInAll?: number;
}

/**
 * Returns the largest set of candidates that is inductive together with `given`, which has to be
 * inductive: candidates broken by a step are removed until no step breaks any (Houdini: C.
 * Flanagan, K. R. M. Leino, FME 2001). One question asks whether a step breaks any of many
 * invariants, and each counterexample removes all the invariants it breaks; candidates undecided by
 * the solver are removed. Empty if the prover was stopped before the end: then nothing is known to
 * be inductive.
 */
export async function largestInductive(
  program: ProofProgram,
  given: readonly Invariant[],
  candidates: readonly Invariant[],
  prover: Prover,
  options: HoudiniOptions = {},
): Promise<readonly Invariant[]> {
  const search = new Houdini(program, given, candidates, prover, options);
  return (await search.run()) ? search.kept : [];
}

class Houdini {
  readonly #program: ProofProgram;
  readonly #given: readonly Invariant[];
  readonly #prover: Prover;
  readonly #options: HoudiniOptions;
  readonly #end: number;
  readonly #kept: Set<Invariant>;
  /** The invariants of the set that are known to hold in the initial state. */
  readonly #started = new Set<Invariant>();

  constructor(
    program: ProofProgram,
    given: readonly Invariant[],
    candidates: readonly Invariant[],
    prover: Prover,
    options: HoudiniOptions,
  ) {
    this.#program = program;
    this.#given = given;
    this.#prover = prover;
    this.#options = options;
    this.#end = prover.effort + (options.mostInAll ?? Infinity);
    this.#kept = new Set(candidates);
  }

  get kept(): readonly Invariant[] {
    return [...this.#kept];
  }

  /**
   * Removes invariants until all remaining ones are inductive together; returns false if the prover
   * was stopped before.
   */
  async run(): Promise<boolean> {
    const steps = this.#program.threads.flatMap((thread) => thread.steps);
    // A step that has been quiet since the last removal need not be asked again.
    let quiet = 0;
    for (let i = 0; quiet < steps.length; i = (i + 1) % steps.length) {
      if (!(await this.#checkStart())) return false;
      const before = this.#kept.size;
      const removed = await this.#checkStep(steps[i]!);
      if (removed === undefined) return false;
      quiet = removed || this.#kept.size !== before ? 0 : quiet + 1;
    }
    return await this.#checkStart();
  }

  async #checkStart(): Promise<boolean> {
    for (;;) {
      const open = this.kept.filter((invariant) => !this.#started.has(invariant));
      if (open.length === 0) return true;
      for (const group of byBinders(open)) {
        const isDone = await this.#filter(group, undefined, (targets) => {
          const question = jointInitialQuestion(this.#program, targets);
          return question ? [question] : [];
        });
        if (isDone === undefined) return false;
        for (const invariant of group) if (this.#kept.has(invariant)) this.#started.add(invariant);
      }
    }
  }

  /**
   * Returns whether the step removed some invariant; `undefined` if the prover was stopped, or no
   * effort is left.
   */
  async #checkStep(step: Step): Promise<boolean | undefined> {
    if (this.#prover.effort > this.#end) return undefined;
    let hasRemoved = false;
    for (const group of byBinders(this.kept)) {
      const removed = await this.#filter(group, step, (targets) =>
        jointStepQuestions(this.#program, [...this.#given, ...this.#kept], targets, step),
      );
      if (removed === undefined) return undefined;
      hasRemoved ||= removed;
    }
    return hasRemoved;
  }

  /**
   * Asks about the invariants of a group until no answer of the solver removes any. Returns whether
   * some invariant was removed; `undefined` if the prover was stopped.
   */
  async #filter(
    group: readonly Invariant[],
    step: Step | undefined,
    pose: (targets: readonly Invariant[]) => readonly JointQuestion[],
  ): Promise<boolean | undefined> {
    let hasRemoved = false;
    // Questions are posed anew after a removal, as less may be assumed then.
    for (let next = 0; ;) {
      const questions = pose(group.filter((invariant) => this.#kept.has(invariant)));
      const joint = questions[next];
      if (!joint) return hasRemoved;
      const finding = await this.#prover.find(joint.question, this.#options.effort);
      if (finding.kind === 'holds') {
        next += 1;
        continue;
      }
      if (this.#prover.isStopped) return undefined;
      const asked = [...joint.targets.values()];
      if (finding.kind === 'unknown' && asked.length > 1) {
        // Ask about fewer invariants at a time: one hard invariant must not discard the remaining
        // ones.
        const middle = Math.ceil(asked.length / 2);
        for (const half of [asked.slice(0, middle), asked.slice(middle)]) {
          const removed = await this.#filter(half, step, pose);
          if (removed === undefined) return undefined;
          hasRemoved ||= removed;
        }
        next = hasRemoved ? 0 : next + 1;
        continue;
      }
      const broken = finding.kind === 'fails' ? brokenIn(finding.model, joint) : asked;
      for (const invariant of broken) {
        this.#kept.delete(invariant);
        this.#options.onRemoval?.(invariant, { ...(step && { step }), finding });
        for (const weaker of this.#options.weaken?.(invariant) ?? []) this.#kept.add(weaker);
      }
      hasRemoved = true;
      // After a removal, some questions are no longer needed, so the loop starts again.
      next = 0;
    }
  }
}

/**
 * Returns the invariants that the solver's model makes false after the step; all target invariants
 * if the model does not say.
 */
function brokenIn(model: string, { targets }: JointQuestion): readonly Invariant[] {
  const found = [...parseSmtModel(model)].flatMap(([name, { body }]) =>
    body === 'false' ? (targets.get(name) ?? []) : [],
  );
  return found.length > 0 ? found : [...targets.values()];
}
