import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import type { Program } from '@fencewright/model/program/program.js';
import { admittedBy } from '@fencewright/model/semantics/admitted.js';
import { isFinal, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import { hasCycle } from '@fencewright/model/trace/cycle.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { buildTrace, type HappensBefore } from '@fencewright/model/trace/trace.js';
import {
  computationOf,
  tracedStateKey,
  extendTracedState,
  initialTracedState,
  type TracedState,
} from './traced-state.js';

export interface EnumerationOptions {
  /** The number of partial traces after which the enumeration stops, incomplete. */
  readonly maxTracedStates?: number;
  /**
   * Whether the enumeration of traces stops at the first computation with a cyclic happens-before
   * relation.
   */
  readonly stopAtViolation?: boolean;
  /** The notion of happens-before whose cycles count; `standard` by default. */
  readonly happensBefore?: HappensBefore;
}

/** The result of enumerating all TSO traces of a program, with the numbers of traces. */
export interface TraceEnumeration {
  /** Whether every trace was explored, and none ended in a fault. */
  readonly complete: boolean;
  readonly tracedStates: number;
  /**
   * The number of distinct traces of computations at whose end all threads have ended and all
   * buffers are empty.
   */
  readonly executions: number;
  /** The number of executions whose happens-before relation has a cycle. */
  readonly cyclicExecutions: number;
  /**
   * The number of distinct final states (registers and memory) of all executions: the final states
   * under TSO.
   */
  readonly finalStates: number;
  /**
   * The number of distinct final states of the executions without a cycle: the final states under
   * SC ([BDM13] Lemma 1).
   */
  readonly sequentialFinalStates: number;
  /** A computation with empty buffers at the end and a cyclic trace; absent if none was found. */
  readonly violation?: Computation;
}

/** Returns a key that equal final states share; registers made by a front end are ignored. */
function finalStateKey(program: Program, state: MachineState): string {
  const memory = [...state.memory].sort(([a], [b]) => a - b);
  const registers = program.threads.map((thread, t) =>
    thread.registers.map(({ hidden }, r) => (hidden ? 0 : state.registers[t]?.[r])),
  );
  return canonicalJson([registers, memory]);
}

function buffersEmpty(state: MachineState): boolean {
  return state.buffers.every((buffer) => buffer.length === 0);
}

/**
 * Decides robustness by its definition: enumerates the TSO computations, one for each (partial)
 * trace, and looks for cycles. Exact for programs with finitely many traces, that is, without
 * endless loops; meant for small programs, as the ground truth of everything else. Source: [BDM13]
 * Sect. 3, [BDM13x] App. A.
 */
export function enumerateTraces(
  program: Program,
  options: EnumerationOptions = {},
): TraceEnumeration {
  const {
    maxTracedStates = 1_000_000,
    stopAtViolation = false,
    happensBefore = 'standard',
  } = options;
  const code = compileProgram(program);
  const admitted = admittedBy(program);
  const seen = new Set<string>();
  const finalStates = new Set<string>();
  const sequentialFinalStates = new Set<string>();
  const stack: TracedState[] = [];
  let complete = true;
  let executions = 0;
  let cyclicExecutions = 0;
  let violation: Computation | undefined;
  const visit = (reached: TracedState) => {
    const key = tracedStateKey(reached);
    if (seen.has(key)) return;
    seen.add(key);
    stack.push(reached);
    if (!buffersEmpty(reached.state)) return;
    const final = isFinal(code, reached.state);
    // A delayed store closes a cycle at the latest when reaching memory: no other action needs a
    // check before the end.
    if (!final && reached.history?.action.kind !== 'store') return;
    const computation = computationOf(reached);
    const cyclic = hasCycle(buildTrace(computation, admitted(computation)), happensBefore);
    if (cyclic) violation ??= computation;
    if (!final) return;
    executions++;
    if (cyclic) cyclicExecutions++;
    finalStates.add(finalStateKey(program, reached.state));
    if (!cyclic) sequentialFinalStates.add(finalStateKey(program, reached.state));
  };
  visit(initialTracedState(program));
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (stopAtViolation && violation) break;
    if (seen.size > maxTracedStates) {
      complete = false;
      break;
    }
    const { steps, faults } = successors('TSO', code, top.state);
    if (faults.length > 0) complete = false;
    for (const step of steps) visit(extendTracedState(top, step));
  }
  return {
    complete,
    tracedStates: seen.size,
    executions,
    cyclicExecutions,
    finalStates: finalStates.size,
    sequentialFinalStates: sequentialFinalStates.size,
    ...(violation && { violation }),
  };
}
