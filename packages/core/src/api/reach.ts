import { Budget, type Limits } from '../base/budget.js';
import type { Program, Property } from '../program/program.js';
import {
  type ExplorationBounds,
  exploreMachine,
  machineStateKey,
  type MachineExploration,
  type MachineVisitor,
  type ReachedState,
} from '../reach/explore-machine.js';
import { isFinal, type MemoryModel } from '../semantics/machine.js';
import { decidesProperty } from '../semantics/property.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type {
  FailedAssertion,
  ModelReach,
  PropertyVerdict,
  ReachResult,
} from '../verdict/reach-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';

export interface ReachOptions {
  /** One allowance for both memory models together; SC is explored first. */
  readonly limits?: Limits;
  /**
   * How many stores a buffer holds under TSO, at least 1; as many as the program puts into it where absent. Executions that need more are not
   * seen, and the result says so unless there are none.
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

/** A string that two final states share iff they have the same registers and memory, wherever their threads ended. */
function finalStateKey({ lockHolder: _held, ...state }: MachineState): string {
  return machineStateKey({ ...state, locations: [] });
}

/** Follows a property through an exploration. */
interface PropertyWatch {
  readonly look: (reached: ReachedState, final: boolean) => void;
  readonly conclude: (complete: boolean) => PropertyVerdict;
}

function watch(program: Program, property: Property): PropertyWatch {
  const { name, kind } = property;
  let computation: Computation | undefined;
  return {
    look(reached, final) {
      if (!computation && decidesProperty(program, property, reached.state, final))
        computation = reached.computation();
    },
    conclude(complete) {
      const [found, absent] =
        kind === 'exists' ? (['holds', 'violated'] as const) : (['violated', 'holds'] as const);
      return {
        property: name,
        verdict: computation ? found : complete ? absent : 'unknown',
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
      for (const { look } of watches) look(reached, final);
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
      properties: watches.map(({ conclude }) => conclude(complete)),
      failedAssertions: [...failed.values()],
    },
  };
}

function compareFinalStates(sc: ModelReach, tso: ModelReach): ReachResult['sameFinalStates'] {
  const keys = (reach: ModelReach) => new Set(reach.finalStates.map(finalStateKey));
  const sequential = keys(sc);
  if (!sc.incomplete && [...keys(tso)].some((key) => !sequential.has(key))) return 'no';
  return sc.incomplete || tso.incomplete ? 'unknown' : 'yes';
}

/** The reachable and the final states of a program under SC and under TSO, with its properties. Exact iff neither side is `incomplete`. */
export async function reach(program: Program, options: ReachOptions = {}): Promise<ReachResult> {
  const budget = new Budget(options.limits);
  const sc = await reachUnder('SC', program, budget);
  const { buffer } = options;
  const bounds = buffer === undefined ? {} : { buffer };
  const tso = await reachUnder('TSO', program, budget, bounds);
  const faults = new Map(
    [...sc.exploration.faults, ...tso.exploration.faults].map((fault) => [
      `${fault.thread}.${fault.transition}.${fault.fault}`,
      fault,
    ]),
  );
  return {
    sc: sc.reach,
    tso: tso.reach,
    sameFinalStates: compareFinalStates(sc.reach, tso.reach),
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, [...faults.values()]),
  };
}
