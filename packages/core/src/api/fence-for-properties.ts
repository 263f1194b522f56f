import type { Budget } from '@fencewright/ground/base/budget.js';
import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import { certifyRepairs, type RepairClaim } from '@fencewright/repairs/fences/certificate.js';
import { findViolation, type PropertyGoal } from '@fencewright/repairs/fences/find-violation.js';
import { nameOf } from '@fencewright/repairs/fences/property-clause.js';
import {
  findPropertyRepair,
  type PropertyRepairAnswer,
  type PropertyRepairTask,
  type ViolationIn,
} from '@fencewright/repairs/fences/property-repair.js';
import type { CostModel, RepairProblem } from '@fencewright/repairs/fences/repair-problem.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { FenceVerdict, NoRepairProof } from '@fencewright/model/verdict/fence-result.js';
import { faultDiagnostics, isProgramError } from './fault-diagnostics.js';
import { type FenceAnswer, found } from './fence-answer.js';

function propertyFails(
  under: BufferedModel,
  property: string | undefined,
  computation: Computation,
  instance: Program | undefined,
): FenceVerdict {
  return {
    kind: 'property-fails',
    under,
    ...(property !== undefined && { property }),
    computation,
    ...(instance && { program: instance }),
  };
}

/**
 * Returns the certificate of cheapest repairs for a goal. Every clause has a computation that
 * misses the goal unless an item of the clause is chosen.
 */
function certifyForGoal(
  program: Program,
  mode: RepairMode,
  costModel: string,
  problem: RepairProblem,
  { properties, assertions, rest = [] }: PropertyGoal,
  { chosen, clauses }: Extract<PropertyRepairAnswer, { kind: 'optimal' }>,
): Promise<SealedCertificate & RepairClaim> {
  return certifyRepairs('property-fences', program, costModel, problem.items, chosen, {
    mode,
    properties: [
      ...properties.map(({ name }) => ({ kind: 'property', name })),
      ...(assertions ? [{ kind: 'assertions' }] : []),
      ...rest.map((kind) => ({ kind })),
    ],
    clauses: clauses.map(({ items, computation, nowhere }) => ({ items, computation, nowhere })),
  });
}

/**
 * Returns the reason why repairs for a goal have no checkable proof; `undefined` if they have one.
 * The automata in certificates do not say which threads other threads create, and which threads end
 * with the process.
 */
function whyNotCertified(
  { threads, processEnds = [] }: Pick<Program, 'threads' | 'processEnds'>,
  { rest = [], progress = [] }: Pick<PropertyGoal, 'rest' | 'progress'>,
): NoRepairProof | undefined {
  const other = rest.find((goal) => goal !== 'progress') ?? progress[0]?.name;
  if (other !== undefined) return { kind: 'goal', goal: other };
  if (rest.length === 0) return undefined;
  const endsOthers = processEnds.some(({ at, awaits }) =>
    threads.some((_, t) => t !== at?.thread && awaits.every(({ thread }) => thread !== t)),
  );
  if (endsOthers) return { kind: 'process-end' };
  return threads.some(({ created }) => created !== undefined) ? { kind: 'created' } : undefined;
}

/**
 * Finds cheapest repairs that meet a goal under TSO. `find` searches for a computation that misses
 * the goal; it replaces the search of the program itself, for example by a search of all instances.
 */
export async function fenceForProperties(
  program: Program,
  mode: RepairMode,
  costs: CostModel,
  goal: PropertyGoal,
  problem: RepairProblem,
  budget: Budget,
  find?: PropertyRepairTask['find'],
  preferred?: PropertyRepairTask['preferred'],
): Promise<FenceAnswer> {
  const { rest = [], progress = [] } = goal;
  // Loaded on demand: few questions have goals at rest.
  const resting = rest.length + progress.length > 0 ? await import('./find-at-rest.js') : undefined;
  const findAny = async (model: BufferedModel, asked: Program): Promise<ViolationIn> => {
    if (goal.properties.length > 0 || goal.assertions) {
      const found = await findViolation(model, asked, goal, budget);
      if (found.violation || found.incomplete || found.faults.length > 0) return found;
    }
    return resting!.findAtRest(model, asked, rest, progress, budget);
  };
  const { answer, faults, rounds } = await findPropertyRepair({
    problem,
    goal,
    repaired: (chosen) => repairedProgram(program, { mode, items: problem.items, chosen }),
    solver: defaultHittingSetSolver,
    budget,
    ...(preferred && { preferred }),
    ...(find ? { find } : resting && { find: findAny }),
  });
  // With `find`, each computation belongs to a single instance.
  const instanceOf = (own: Program): Program | undefined => (find ? own : undefined);
  const verdict = ((): FenceVerdict => {
    switch (answer.kind) {
      case 'optimal':
        return found(
          program,
          mode,
          problem,
          answer.chosen,
          answer.cost,
          answer.clauses.map(({ program: own, ...clause }) => {
            const instance = instanceOf(own);
            return { ...clause, ...(instance && { program: instance }) };
          }),
        );
      case 'impossible': {
        const { property, computation, program: own } = answer.clause;
        return propertyFails('TSO', property, computation, instanceOf(own));
      }
      case 'violated-under-sc': {
        const { violation, program: own } = answer;
        const property = nameOf(violation);
        return propertyFails('SC', property, violation.computation, instanceOf(own));
      }
      case 'unknown':
        return faults.some(({ fault }) => isProgramError(fault))
          ? { kind: 'error' }
          : { kind: 'unknown', reason: answer.reason, bound: answer.bound };
    }
  })();
  const uncertified = whyNotCertified(program, goal);
  // Goals in all instances have no checkable proof.
  const certificate =
    answer.kind === 'optimal' && !find && !uncertified
      ? await certifyForGoal(program, mode, costs.name, problem, goal, answer)
      : undefined;
  return {
    verdict,
    ...(certificate && { certificate }),
    ...(uncertified && { uncertified }),
    statistics: {
      rounds,
      clauses: 'clauses' in answer ? answer.clauses.length : 0,
      states: budget.finishedStates,
      milliseconds: budget.milliseconds,
    },
    diagnostics: faultDiagnostics(program, faults),
  };
}
