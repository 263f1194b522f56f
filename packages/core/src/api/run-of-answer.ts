import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import type { Program, StateExpression } from '@fencewright/model/program/program.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { AnswerRun } from '@fencewright/model/verdict/replay.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { reachUnder } from './reach-under.js';
import { replay } from './replay.js';

/** The maximum number of states in the search for a run to a final state. */
const mostStates = 100_000;

/**
 * Returns the condition that memory and visible registers have the same values as in a given state.
 */
function isLike(program: Program, { memory, registers }: MachineState): StateExpression {
  const equals = (left: StateExpression, value: number): StateExpression => ({
    kind: 'binary',
    operator: '==',
    left,
    right: { kind: 'constant', value },
  });
  const cells = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, offset) => {
      const address = base + offset;
      return equals({ kind: 'memory', address }, memory.get(address) ?? 0);
    }),
  );
  const own = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ hidden }, register) =>
      hidden
        ? []
        : [equals({ kind: 'register', thread: t, register }, registers[t]?.[register] ?? 0)],
    ),
  );
  const truth: StateExpression = { kind: 'constant', value: 1 };
  return [...cells, ...own].reduce(
    (left, right): StateExpression => ({ kind: 'binary', operator: '&&', left, right }),
    truth,
  );
}

/**
 * Finds an execution under TSO that ends in a given final state; `undefined` if none is found
 * within the limits and `mostStates` states.
 */
async function wayTo(
  program: Program,
  state: MachineState,
  limits: Limits,
): Promise<Computation | undefined> {
  const condition = isLike(program, state);
  const asking = {
    ...program,
    properties: [{ name: 'state', kind: 'exists', condition }],
  } as const;
  const { maxStates = mostStates } = limits;
  const budget = new Budget({ ...limits, maxStates: Math.min(maxStates, mostStates) });
  const { reach } = await reachUnder('TSO', asking, budget);
  return reach.properties[0]?.computation;
}

/**
 * Returns an execution that shows the answer about claims and states under TSO, or the use of freed
 * memory that the report is about; `undefined` if there is none. `about` is the program of the
 * check result.
 */
export async function runOfAnswer(
  about: Program,
  { answer, answered, races }: CheckResult,
  limits: Limits,
): Promise<AnswerRun | undefined> {
  const used = freedUseShown({ answer, races });
  if (used?.computation)
    return {
      program: about,
      computation: used.computation,
      replay: replay(about, used.computation),
    };
  if (used) return undefined;
  const program = answered?.shown?.program ?? answered?.templates ?? about;
  const known = answer && 'computation' in answer ? answer.computation : undefined;
  const computation =
    known ?? (answer?.kind === 'differs' ? await wayTo(program, answer.state, limits) : undefined);
  return computation && { program, computation, replay: replay(program, computation) };
}
