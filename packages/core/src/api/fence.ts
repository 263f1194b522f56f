import { Budget } from '@fencewright/ground/base/budget.js';
import {
  certifyRepairs,
  type WrittenRepair,
  writeRepairs,
} from '@fencewright/repairs/fences/certificate.js';
import { sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
import { seenLabels } from '@fencewright/repairs/fences/seen-labels.js';
import { findOptimalRepair, type RepairRun } from '@fencewright/repairs/fences/optimal-repair.js';
import type { RobustnessJudge } from '@fencewright/repairs/fences/repair-by-checks.js';
import { placeRanks } from '@fencewright/repairs/fences/place-ranks.js';
import {
  insertionProblem,
  minimisationProblem,
  problemOfText,
  type CostModel,
  type RepairProblem,
  withHeavyItems,
} from '@fencewright/repairs/fences/repair-problem.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import type {
  FencePart,
  PricedRepair,
  RepairMode,
  TextRepair,
} from '@fencewright/model/program/repair.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type {
  FenceResult,
  FenceVerdict,
  NoRepairProof,
  RestGoal,
} from '@fencewright/model/verdict/fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { CheckOptions } from './check.js';
import type { TriesProof } from './decide-in-turns.js';
import { defaults } from './defaults.js';
import { faultDiagnostics, isProgramError } from './fault-diagnostics.js';
import { type FenceAnswer, found } from './fence-answer.js';
import { optionsWithout } from './reductions.js';

export interface FenceOptions extends Pick<CheckOptions, 'limits' | 'without' | 'forTests'> {
  /**
   * The allowed repairs: insert fences (default), exchange stores, either; or remove unneeded
   * fences and exchanges.
   */
  readonly mode?: RepairMode;
  readonly costs?: CostModel;
  /** Whether a fence can be written at a location of the source; absent means everywhere. */
  readonly canFence?: (thread: ThreadId, location: LocationId) => boolean;
  /**
   * Whether a fence can be written before a location of the source, on every way to the location;
   * if absent, everywhere, unless `canFence` is given.
   */
  readonly canFenceBefore?: (thread: ThreadId, location: LocationId) => boolean;
  /** Whether a heavy fence can be written where a fence can; absent means everywhere. */
  readonly canBeHeavy?: (thread: ThreadId, location: LocationId) => boolean;
  /** Present if the source language has no heavy fences, so that none can be inserted. */
  readonly noHeavyFences?: true;
  /**
   * The repairs that can be written into the source, in place of all repairs allowed by `canFence`.
   */
  readonly repairs?: readonly TextRepair[];
  /**
   * The happens-before relation with the cycles to remove; `standard` by default. Under `value`
   * only fences may be inserted or removed: the answer for other modes is `unknown`, as an exchange
   * in place of a store can make an attack of another thread feasible.
   */
  readonly happensBefore?: HappensBefore;
  /**
   * Decides robustness of the program with fences inserted, in place of the search; for mode
   * `fence` and notion `standard` only.
   */
  readonly judge?: RobustnessJudge;
  /**
   * Tries to prove robustness if the search for repairs finds no attack for long; no proof is tried
   * if absent.
   */
  readonly triesProof?: TriesProof;
  /**
   * Instead of robustness: the names of `never` and `finally` properties to establish under TSO.
   * There is no answer for a name without such a property: the caller has to check the names.
   */
  readonly properties?: readonly string[];
  /**
   * Instead of robustness, or with `properties`: all assertions of the program to establish under
   * TSO.
   */
  readonly assertions?: boolean;
  /**
   * Instead of robustness, or with `properties` and `assertions`: goals for the states in which the
   * program comes to rest.
   */
  readonly rest?: readonly RestGoal[];
  /**
   * With goals other than robustness: returns repairs that are preferred to others of the given
   * cost, if they meet the goals; `undefined` if there are none.
   */
  readonly preferred?: (cost: number) => Promise<readonly PricedRepair[] | undefined>;
}

/** The options about the places of a source that can have repairs. */
type RepairPlaces = Pick<FenceOptions, 'repairs' | 'canFence' | 'canFenceBefore' | 'canBeHeavy'>;

function pose(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  places: NonNullable<Parameters<typeof insertionProblem>[3]>,
): RepairProblem {
  switch (mode) {
    case 'minimise':
    case 'minimise-locked':
      return minimisationProblem(program, mode === 'minimise-locked', costs);
    case 'fence':
    case 'xchg':
    case 'any':
      return insertionProblem(program, mode, costs, places);
    // Heavy fences are added where they may be cheaper.
    case 'asymmetric':
      return insertionProblem(program, 'fence', costs, places);
  }
}

/** Returns the repair problem: the repairs to choose from, with costs. */
function poseBy(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  { repairs, canFence, canFenceBefore, canBeHeavy }: RepairPlaces,
  seen: readonly Property[],
): RepairProblem {
  if (repairs) return problemOfText(program, repairs, costs);
  const isSeen = seenLabels(program, seen);
  const hasRoomBefore = canFenceBefore ?? (() => !canFence);
  const posed = pose(program, mode, costs, {
    withEnds: seen.length > 0,
    isBefore: (...where) => isSeen(...where) && hasRoomBefore(...where),
  });
  const problem = { ...posed, ...(canBeHeavy && { canBeHeavy }) };
  if (!canFence) return problem;
  const items = problem.items.filter(
    (item) => item.kind !== 'fence' || item.before === true || canFence(item.thread, item.location),
  );
  const ranks = placeRanks(problem.program, items);
  return { ...problem, items, ...(problem.ranks && { ranks }) };
}

/**
 * Returns the repairs of a program to choose from, in the form used in certificates. With
 * properties in `seen`, fences at the ends of threads count, and fences at observed labels stand
 * before the labels. `withHeavy`: heavy fences are included, in modes that have them.
 */
export function repairItems(
  program: Program,
  {
    mode = defaults.mode,
    costs = sizeCosts(program),
    ...where
  }: Pick<FenceOptions, 'mode' | 'costs'> & RepairPlaces,
  seen: readonly Property[],
  withHeavy = false,
): readonly WrittenRepair[] {
  const problem = poseBy(program, mode, costs, where, seen);
  const isHeavy = withHeavy && (mode === 'asymmetric' || mode === 'any');
  const { items } = isHeavy ? withHeavyItems(problem, costs, Number.POSITIVE_INFINITY) : problem;
  return writeRepairs(items);
}

/** Finds cheapest repairs that make a program robust. */
async function fenceForRobustness(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  problem: RepairProblem,
  budget: Budget,
  happensBefore: HappensBefore,
  { without, forTests, noHeavyFences, judge, triesProof }: FenceOptions,
): Promise<FenceAnswer> {
  if (judge) {
    const { findRepairByChecks } = await import('@fencewright/repairs/fences/repair-by-checks.js');
    const solver = defaultHittingSetSolver;
    const { problems, ...run } = await findRepairByChecks(problem, { budget, solver, judge });
    const found = robustnessResult(program, mode, problem, run, budget, happensBefore);
    return problems.length === 0
      ? withCertificate(found, program, mode, costs, problem, run, happensBefore)
      : { ...found, verdict: { kind: 'error' }, diagnostics: problems };
  }
  const search = { ...optionsWithout(without), ...forTests, happensBefore };
  const beside = { ...search, allAttacks: false, ...(triesProof && { triesProof }) };
  const options = {
    ...{ ...search, budget, solver: defaultHittingSetSolver },
    isRobustBeside: async () => {
      // Loaded on demand: few searches take so long.
      const { isRobustBeside } = await import('./decide-in-turns.js');
      return isRobustBeside(problem.program, { ...beside, budget });
    },
  };
  const mayInsert = !noHeavyFences && (mode === 'asymmetric' || mode === 'any');
  const asymmetric =
    hasHeavyFences(program) || mayInsert
      ? // Loaded on demand: few programs have heavy fences.
        await (
          await import('@fencewright/repairs/fences/asymmetric-repair.js')
        ).findAsymmetricRepair(program, mode, mayInsert && costs, problem, options)
      : undefined;
  const run = asymmetric?.run ?? (await findOptimalRepair(problem, options));
  const asked = asymmetric?.problem ?? problem;
  const found = robustnessResult(program, mode, asked, run, budget, happensBefore);
  const light = withLight(found, asymmetric?.spared);
  return withCertificate(light, program, mode, costs, asked, run, happensBefore);
}

/** Returns the result with a certificate, if repairs were found. */
async function withCertificate(
  found: FenceResult,
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  problem: RepairProblem,
  { answer }: RepairRun,
  happensBefore: HappensBefore,
): Promise<FenceAnswer> {
  if (answer.kind !== 'optimal') return found;
  const { chosen } = answer;
  const certificate = await certifyRepairs('fences', program, costs.name, problem.items, chosen, {
    mode,
    happensBefore,
    clauses: answer.clauses.map(({ items, witness: { computation } }) => ({ items, computation })),
  });
  return { ...found, certificate };
}

/**
 * Returns the result with the places at which a light fence (a fence for the compiler only)
 * suffices instead of a full fence.
 */
function withLight(result: FenceResult, light: readonly FencePart[] = []): FenceResult {
  const { verdict } = result;
  if (verdict.kind !== 'found' || light.length === 0) return result;
  return { ...result, verdict: { ...verdict, light } };
}

/** Returns the answer for the outcome of a search for repairs that make a program robust. */
function robustnessResult(
  program: Program,
  mode: RepairMode,
  problem: RepairProblem,
  run: RepairRun,
  budget: Budget,
  happensBefore: HappensBefore,
): FenceResult {
  const { answer, faults } = run;
  const clauses = answer.kind === 'impossible' ? [] : answer.clauses;
  const result = (verdict: FenceVerdict): FenceResult => ({
    verdict,
    happensBefore,
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
      return result({ kind: 'impossible', witness: answer.clause.witness });
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

/** Returns the answer for a program with instructions that no search for repairs supports. */
function unsupported(happensBefore: HappensBefore, { milliseconds }: Budget): FenceResult {
  const statistics = { rounds: 0, clauses: 0, states: 0, milliseconds };
  const verdict = { kind: 'unknown', reason: 'unsupported', bound: 0 } as const;
  return { verdict, happensBefore, statistics, diagnostics: [] };
}

/**
 * Finds a cheapest set of repairs that makes the program robust, or makes the named properties or
 * the program's assertions hold under TSO ([BDM13] Sect. 7).
 */
export async function fence(program: Program, options: FenceOptions = {}): Promise<FenceAnswer> {
  const {
    mode = defaults.mode,
    costs = sizeCosts(program),
    happensBefore = defaults.happensBefore,
  } = options;
  const { properties: names = [], assertions = false, rest = [] } = options;
  const budget = new Budget(options.limits);
  const properties = program.properties.filter(({ name }) => names.includes(name));
  const isForRobustness = names.length === 0 && !assertions && rest.length === 0;
  if (!isForRobustness && (hasHeavyFences(program) || mode === 'asymmetric'))
    return unsupported(happensBefore, budget);
  const problem = poseBy(program, mode, costs, options, properties);
  if (isForRobustness)
    return fenceForRobustness(program, mode, costs, problem, budget, happensBefore, options);
  const goal = {
    ...{ assertions, rest },
    properties: properties.filter(({ kind }) => kind !== 'progress'),
    progress: properties.filter(({ kind }) => kind === 'progress'),
  };
  // Loaded on demand: few questions have goals other than robustness.
  const { fenceForProperties } = await import('./fence-for-properties.js');
  const { preferred } = options;
  const indices = async (cost: number): Promise<readonly number[] | undefined> => {
    const repairs = await preferred?.(cost);
    return repairs && indicesIn(problem, repairs);
  };
  return fenceForProperties(program, mode, costs, goal, problem, budget, undefined, indices);
}

/** Returns the index of each repair in the list of items; `undefined` if some repair is no item. */
function indicesIn(
  { items }: RepairProblem,
  repairs: readonly PricedRepair[],
): readonly number[] | undefined {
  const known = new Map(items.map((item, index) => [JSON.stringify(item), index]));
  const found = repairs.flatMap((repair) => known.get(JSON.stringify(repair)) ?? []);
  return found.length === repairs.length ? found.toSorted((a, b) => a - b) : undefined;
}

/**
 * Options of a search for repairs in all instances of templates; all named properties have to be
 * `never`.
 */
export interface ParameterizedFenceOptions extends FenceOptions {
  /** Whether the result includes a certificate, which takes a separate search; off by default. */
  readonly certify?: boolean;
}

export interface ParameterizedFenceAnswer extends FenceResult {
  /** The certificate, if the caller asked for one and a cheapest set was found. */
  readonly certificate?: SealedCertificate;
  /** The reason for a missing certificate, if the caller asked for one. */
  readonly uncertified?: UnknownReason | NoRepairProof;
}

/**
 * Finds a cheapest set of repairs of the templates that makes all instances robust ([BDM13] Sects.
 * 6 and 7), or with which the named properties or the assertions hold under TSO in all instances;
 * the latter goals have no certificate.
 */
export async function fenceParameterized(
  program: UnboundedModel,
  options: ParameterizedFenceOptions = {},
): Promise<ParameterizedFenceAnswer> {
  const { templates, unbounded } = program;
  const {
    mode = defaults.mode,
    costs = sizeCosts(templates),
    happensBefore = defaults.happensBefore,
  } = options;
  const budget = new Budget(options.limits);
  const { properties: names = [], assertions = false } = options;
  const properties = templates.properties.filter(({ name }) => names.includes(name));
  if (hasHeavyFences(templates) || mode === 'asymmetric') return unsupported(happensBefore, budget);
  const problem = poseBy(templates, mode, costs, options, properties);
  if (names.length > 0 || assertions) {
    const goal = { properties, assertions };
    const { fenceForProperties } = await import('./fence-for-properties.js');
    const { InstanceViolations } =
      await import('@fencewright/repairs/any-number/instance-violations.js');
    const violations = new InstanceViolations(problem, unbounded, goal, budget);
    return fenceForProperties(templates, mode, costs, goal, problem, budget, (...asked) =>
      violations.find(...asked),
    );
  }
  // Loaded on demand: the code is large, and few programs have any number of threads.
  const { findParameterizedRepair } =
    await import('@fencewright/repairs/any-number/parameterized-repair.js');
  const solver = defaultHittingSetSolver;
  const run = await findParameterizedRepair(problem, unbounded, { budget, solver, happensBefore });
  const result = robustnessResult(templates, mode, problem, run, budget, happensBefore);
  const { answer, instances } = run;
  if (!options.certify || answer.kind !== 'optimal') return result;
  if (usesWideValues(templates)) return { ...result, uncertified: 'unsupported' };
  const { proveAllInstancesFences } =
    await import('@fencewright/repairs/any-number/certificate.js');
  const { chosen, clauses } = answer;
  const { items } = problem;
  const choice = { mode, items, chosen };
  const said = await proveAllInstancesFences(
    program,
    choice,
    happensBefore,
    clauses,
    instances,
    budget,
  );
  if (typeof said === 'string') return { ...result, uncertified: said };
  const kind = 'all-instances-fences';
  const certificate = await certifyRepairs(kind, program, costs.name, items, chosen, said);
  return { ...result, certificate };
}
