import { Budget, type Limits } from '../base/budget.js';
import { repairedProgram } from '../fences/apply-repair.js';
import { type Certificate, createCertificate, repairClaim } from '../fences/certificate.js';
import { sizeCosts } from '../fences/cost-models.js';
import { findOptimalRepair, type RepairRun } from '../fences/optimal-repair.js';
import type { PropertyGoal } from '../fences/find-violation.js';
import { createPropertyCertificate } from '../fences/property-certificate.js';
import { findPropertyRepair } from '../fences/property-repair.js';
import type { PricedItem, RepairMode } from '../fences/repair-item.js';
import {
  insertionProblem,
  minimisationProblem,
  type CostModel,
  type RepairProblem,
} from '../fences/repair-problem.js';
import type { LocationId, ThreadId } from '../program/ids.js';
import type { UnboundedModel } from '../program/model.js';
import type { Program } from '../program/program.js';
import { sealCertificate, type SealedCertificate } from '../program/seal-certificate.js';
import { defaultHittingSetSolver } from '../solvers/hitting-set.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type {
  FenceResult,
  FenceVerdict,
  PlacedRepair,
  RepairReason,
} from '../verdict/fence-result.js';
import type { UnknownReason } from '../verdict/verdict.js';
import { faultDiagnostics, isProgramError } from './fault-diagnostics.js';

export interface FenceOptions {
  /** What may be done: insert fences (default), exchange stores, either; or remove what is not needed. */
  readonly mode?: RepairMode;
  readonly costs?: CostModel;
  /** Places at which the source has room for a fence; absent means everywhere. */
  readonly canFence?: (thread: ThreadId, location: LocationId) => boolean;
  readonly limits?: Limits;
  /**
   * Whose cycles are to go; `standard` by default. Under `value` only fences may be inserted or removed: the answer for other modes is `unknown`, as
   * an exchange in place of a store can make an attack of another thread feasible.
   */
  readonly notion?: HappensBefore;
  /**
   * Instead of robustness: the names of `never` and `finally` properties that are to hold under TSO. There is no answer where a name is that of no
   * such property: the caller has to look.
   */
  readonly properties?: readonly string[];
  /** Instead of robustness, or with `properties`: all assertions of the program are to hold under TSO. */
  readonly assertions?: boolean;
}

export interface FenceAnswer extends FenceResult {
  /** Present when an optimal set was found, but for any number of threads. */
  readonly certificate?: Certificate;
  /** The same where the repairs are for properties. */
  readonly propertyCertificate?: SealedCertificate;
}

function place(program: Program, { item, cost }: PricedItem): PlacedRepair {
  const { kind, thread } = item;
  if (kind === 'fence') return { kind, thread, location: item.location, cost };
  const { transition } = item;
  const location = program.threads[thread]?.transitions[transition]?.from ?? 0;
  return { kind, thread, location, transition, cost };
}

function pose(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  withEnds = false,
): RepairProblem {
  switch (mode) {
    case 'minimise':
    case 'minimise-locked':
      return minimisationProblem(program, mode === 'minimise-locked', costs);
    case 'fence':
    case 'xchg':
    case 'any':
      return insertionProblem(program, mode, costs, { withEnds });
  }
}

function restrict(problem: RepairProblem, canFence: FenceOptions['canFence']): RepairProblem {
  if (!canFence) return problem;
  const items = problem.items.filter(
    ({ item }) => item.kind !== 'fence' || canFence(item.thread, item.location),
  );
  return { ...problem, items };
}

/** The repairs that a problem chooses from, and what they cost; `withEnds`, if fences at the ends of threads count. */
export function repairItems(
  program: Program,
  {
    mode = 'fence',
    costs = sizeCosts(program),
    canFence,
  }: Pick<FenceOptions, 'mode' | 'costs' | 'canFence'>,
  withEnds: boolean,
): readonly PricedItem[] {
  return restrict(pose(program, mode, costs, withEnds), canFence).items;
}

/** The verdict for a chosen set of items. */
function found(
  program: Program,
  mode: RepairMode,
  { items }: RepairProblem,
  chosen: readonly number[],
  cost: number,
  clauses: readonly { readonly items: readonly number[]; readonly computation: Computation }[],
): FenceVerdict {
  const placed = items.map((item) => place(program, item));
  const reasons = clauses.map((clause): RepairReason => ({
    repairs: clause.items.flatMap((index) => placed[index] ?? []),
    computation: clause.computation,
  }));
  return {
    kind: 'found',
    repairs: chosen.flatMap((index) => placed[index] ?? []),
    cost,
    removable: placed.filter(({ kind }, index) => kind === 'keep' && !chosen.includes(index)),
    reasons,
    repaired: repairedProgram(program, { mode, items, chosen }),
  };
}

/** The answer to what a search for repairs of a program found. */
async function fenceForRobustness(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  problem: RepairProblem,
  budget: Budget,
  notion: HappensBefore,
): Promise<FenceAnswer> {
  const options = { budget, solver: defaultHittingSetSolver, notion };
  const run = await findOptimalRepair(problem, options);
  const { answer } = run;
  const found = robustnessResult(program, mode, problem, run, budget, notion);
  if (answer.kind !== 'optimal') return found;
  const { name } = costs;
  const certificate = await createCertificate(program, mode, notion, name, problem, answer);
  return { ...found, certificate };
}

/** What is said of the outcome of a search for repairs. */
function robustnessResult(
  program: Program,
  mode: RepairMode,
  problem: RepairProblem,
  run: RepairRun,
  budget: Budget,
  notion: HappensBefore,
): FenceResult {
  const { answer, faults } = run;
  const clauses = answer.kind === 'impossible' ? [] : answer.clauses;
  const result = (verdict: FenceVerdict): FenceResult => ({
    verdict,
    notion,
    statistics: {
      rounds: run.rounds,
      clauses: clauses.length,
      states: run.states,
      milliseconds: budget.milliseconds,
    },
    diagnostics: faultDiagnostics(program, faults),
  });
  switch (answer.kind) {
    case 'impossible':
      return result(answer);
    case 'unknown':
      return faults.some(({ fault }) => isProgramError(fault))
        ? result({ kind: 'error' })
        : result({ kind: 'unknown', reason: answer.reason, bound: answer.bound });
    case 'optimal': {
      const reasons = answer.clauses.map(({ items, witness }) => ({
        items,
        computation: witness.computation,
      }));
      return result(found(program, mode, problem, answer.chosen, answer.cost, reasons));
    }
  }
}

async function fenceForProperties(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  goal: PropertyGoal,
  problem: RepairProblem,
  budget: Budget,
): Promise<FenceAnswer> {
  const { answer, faults, rounds } = await findPropertyRepair({
    problem,
    goal,
    repaired: (chosen) => repairedProgram(program, { mode, items: problem.items, chosen }),
    solver: defaultHittingSetSolver,
    budget,
  });
  const verdict = ((): FenceVerdict => {
    switch (answer.kind) {
      case 'optimal':
        return found(program, mode, problem, answer.chosen, answer.cost, answer.clauses);
      case 'impossible':
        return { ...answer, kind: 'property-fails' };
      case 'unknown':
        return faults.some(({ fault }) => isProgramError(fault))
          ? { kind: 'error' }
          : { kind: 'unknown', reason: answer.reason, bound: answer.bound };
    }
  })();
  const certificate =
    answer.kind === 'optimal'
      ? await createPropertyCertificate(program, mode, costs.name, problem, goal, answer)
      : undefined;
  return {
    verdict,
    ...(certificate && { propertyCertificate: certificate }),
    statistics: {
      rounds,
      clauses: answer.kind === 'impossible' ? 0 : answer.clauses.length,
      states: budget.finishedStates,
      milliseconds: budget.milliseconds,
    },
    diagnostics: faultDiagnostics(program, faults),
  };
}

/**
 * A cheapest set of repairs that makes the program robust, or makes the named properties or its assertions hold under TSO ([BDM13] Sect. 7).
 */
export async function fence(program: Program, options: FenceOptions = {}): Promise<FenceAnswer> {
  const { mode = 'fence', costs = sizeCosts(program), notion = 'standard' } = options;
  const { properties: names = [], assertions = false } = options;
  const budget = new Budget(options.limits);
  const withEnds = names.length > 0;
  const problem = restrict(pose(program, mode, costs, withEnds), options.canFence);
  if (names.length === 0 && !assertions)
    return fenceForRobustness(program, mode, costs, problem, budget, notion);
  const properties = program.properties.filter(({ name }) => names.includes(name));
  const goal = { properties, assertions };
  return fenceForProperties(program, mode, costs, goal, problem, budget);
}

export interface ParameterizedFenceOptions extends Omit<FenceOptions, 'properties' | 'assertions'> {
  /** Give the proof, which takes a search of its own. */
  readonly certify?: boolean;
}

export interface ParameterizedFenceAnswer extends FenceResult {
  /** The proof, where it was asked for and a cheapest set was found. */
  readonly certificate?: SealedCertificate;
  /** Why there is none then. */
  readonly uncertified?: UnknownReason;
}

/** A cheapest set of repairs of the templates that makes all instances robust ([BDM13] Sects. 6 and 7); for robustness only. */
export async function fenceParameterized(
  program: UnboundedModel,
  options: ParameterizedFenceOptions = {},
): Promise<ParameterizedFenceAnswer> {
  const { templates, unbounded } = program;
  const { mode = 'fence', costs = sizeCosts(templates), notion = 'standard' } = options;
  const budget = new Budget(options.limits);
  const problem = restrict(pose(templates, mode, costs), options.canFence);
  // Programs with any number of threads are few, and what decides them is large.
  const { findParameterizedRepair } = await import('../parameterized/parameterized-repair.js');
  const solver = defaultHittingSetSolver;
  const run = await findParameterizedRepair(problem, unbounded, { budget, solver, notion });
  const result = robustnessResult(templates, mode, problem, run, budget, notion);
  const { answer, instances } = run;
  if (!options.certify || answer.kind !== 'optimal') return result;
  const { proveAllInstancesFences } = await import('../parameterized/certificate.js');
  const claim = repairClaim(mode, costs.name, problem, answer.chosen);
  const { clauses } = answer;
  const proof = await proveAllInstancesFences(program, claim, notion, clauses, instances, budget);
  if (typeof proof === 'string') return { ...result, uncertified: proof };
  return { ...result, certificate: await sealCertificate('all-instances-fences', program, proof) };
}
