import { Budget, type Limits } from '../base/budget.js';
import type { Program, Property } from '../program/program.js';
import { claimsExistence } from '../program/property.js';
import {
  type ExplorationBounds,
  exploreMachine,
  machineStateKey,
  type MachineExploration,
  type MachineVisitor,
  type ReachedState,
} from '../reach/explore-machine.js';
import { searchAttacks } from '../search/attack-search.js';
import { isFinal, isStuck, type MemoryModel } from '../semantics/machine.js';
import { decidesProperty } from '../semantics/property.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import {
  knowsEnds,
  type FailedAssertion,
  type ModelReach,
  type PropertyVerdict,
  type ReachResult,
} from '../verdict/reach-result.js';
import { toVerdict } from './decision-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { addFoundUnderSc, completeByRobustness } from './settle-under-tso.js';

export interface ReachOptions {
  /**
   * One allowance for all of it: SC is explored first, with three quarters of the states and the
   * time at most; then TSO, which leaves a part to the question whether the program is robust.
   */
  readonly limits?: Limits;
  /**
   * How many stores a buffer holds under TSO, at least 1; as many as the program puts into it where
   * absent. Executions that need more are not seen, and the result says so unless there are none.
   */
  readonly buffer?: number;
}

/** The state with the registers that users do not know set to 0. */
function visible(program: Program, state: MachineState): MachineState {
  return {
    ...state,
    registers: state.registers.map((values, t) =>
      values.map((value, r) => (program.threads[t]?.registers[r]?.hidden ? 0 : value)),
    ),
  };
}

/**
 * A string that two final states share iff they have the same registers and memory, wherever their
 * threads ended.
 */
function finalStateKey({ lockHolder: _held, ...state }: MachineState): string {
  return machineStateKey({ ...state, locations: [] });
}

/** Follows a property through an exploration. */
interface PropertyWatch {
  readonly look: (reached: ReachedState, final: boolean, isStuck: () => boolean) => void;
  /** `ends`: some execution ends, as far as is known. */
  readonly conclude: (complete: boolean, ends: boolean) => PropertyVerdict;
}

function watch(program: Program, property: Property): PropertyWatch {
  const { name, kind } = property;
  const [found, absent] = claimsExistence(property)
    ? (['holds', 'violated'] as const)
    : (['violated', 'holds'] as const);
  let computation: Computation | undefined;
  return {
    look(reached, final, stuck) {
      if (!computation && decidesProperty(program, property, reached.state, final, stuck))
        computation = reached.computation();
    },
    conclude(complete, ends) {
      return {
        property: name,
        verdict: computation ? found : complete ? absent : 'unknown',
        ...(complete && kind === 'finally' && !ends && { isVacuous: true as const }),
        ...(computation && { computation }),
      };
    },
  };
}

async function reachUnder(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  bounds: ExplorationBounds = {},
): Promise<{ reach: ModelReach; exploration: MachineExploration }> {
  const code = compileProgram(program);
  const finalStates = new Map<string, MachineState>();
  const failed = new Map<string, FailedAssertion>();
  const watches = program.properties.map((property) => watch(program, property));
  const visitor: MachineVisitor = {
    onState(reached) {
      const final = isFinal(code, reached.state);
      if (final) {
        const state = visible(program, reached.state);
        finalStates.set(finalStateKey(state), state);
      }
      const stuck = (): boolean => isStuck(model, code, reached.state);
      for (const { look } of watches) look(reached, final, stuck);
    },
    onFailedAssertion({ thread, transition }, computation) {
      const key = `${thread}.${transition}`;
      if (!failed.has(key)) failed.set(key, { thread, transition, computation: computation() });
    },
  };
  const exploration = await exploreMachine(model, program, budget, visitor, bounds);
  const isFaulty = exploration.faults.length > 0;
  const bounded = exploration.isBounded ? 'buffer' : undefined;
  const incomplete = exploration.incomplete ?? (isFaulty ? 'unsupported' : bounded);
  const complete = incomplete === undefined;
  const sorted = [...finalStates].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    exploration,
    reach: {
      states: exploration.states,
      ...(incomplete && { incomplete }),
      ...(incomplete === 'buffer' && { buffer: bounds.buffer }),
      finalStates: sorted.map(([, state]) => state),
      properties: watches.map(({ conclude }) => conclude(complete, finalStates.size > 0)),
      failedAssertions: [...failed.values()],
    },
  };
}

function compareFinalStates(sc: ModelReach, tso: ModelReach): ReachResult['sameFinalStates'] {
  const keys = (reach: ModelReach) => new Set(reach.finalStates.map(finalStateKey));
  const sequential = keys(sc);
  if (!sc.incomplete && [...keys(tso)].some((key) => !sequential.has(key))) return 'no';
  return sc.incomplete || !knowsEnds(tso) ? 'unknown' : 'yes';
}

/** Explores with a share of what is left of the budget. */
async function exploreWith(
  share: number,
  budget: Budget,
  explore: (part: Budget) => ReturnType<typeof reachUnder>,
): ReturnType<typeof reachUnder> {
  const part = budget.slice(share);
  const explored = await explore(part);
  budget.finishSearch(part.finishedStates, part.mostBytes);
  return explored;
}

/** Searches for an attack, with what is left of the budget. */
async function askRobustness(
  program: Program,
  budget: Budget,
): Promise<NonNullable<ReachResult['robustness']>> {
  const { kind } = toVerdict(await searchAttacks(program, { budget, allAttacks: false }));
  return kind === 'error' ? 'unknown' : kind;
}

/**
 * The reachable and the final states of a program under SC and under TSO, with its properties.
 * Exact where neither side is `incomplete`; what an incomplete side says beyond `unknown` is right
 * as well, see `completeByRobustness`.
 */
export async function reach(program: Program, options: ReachOptions = {}): Promise<ReachResult> {
  const budget = new Budget(options.limits);
  const sc = await exploreWith(3 / 4, budget, (part) => reachUnder('SC', program, part));
  const { buffer } = options;
  const bounds = buffer === undefined ? {} : { buffer };
  const share = sc.reach.incomplete ? 1 : 3 / 4;
  const explored = await exploreWith(share, budget, (part) =>
    reachUnder('TSO', program, part, bounds),
  );
  const isFaulty = sc.exploration.faults.length + explored.exploration.faults.length > 0;
  let tso = explored.reach;
  if (tso.incomplete) tso = addFoundUnderSc(program, sc.reach, tso, finalStateKey);
  let robustness: ReachResult['robustness'];
  if (!isFaulty && !sc.reach.incomplete && compareFinalStates(sc.reach, tso) !== 'no')
    robustness = await askRobustness(program, budget);
  if (tso.incomplete && robustness === 'robust') tso = completeByRobustness(program, sc.reach, tso);
  const faults = new Map(
    [...sc.exploration.faults, ...explored.exploration.faults].map((fault) => [
      `${fault.thread}.${fault.transition}.${fault.fault}`,
      fault,
    ]),
  );
  return {
    sc: sc.reach,
    tso,
    sameFinalStates: compareFinalStates(sc.reach, tso),
    ...(robustness && { robustness }),
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, [...faults.values()]),
  };
}
