import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type Successor, executeTransition, flush } from '@fencewright/model/semantics/machine.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { guessesOf } from '@fencewright/model/analysis/guesses.js';
import { admittedBy } from '@fencewright/model/semantics/admitted.js';
import {
  type ProgramCode,
  compileProgram,
  leavingTransitions,
} from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { comesBefore } from '@fencewright/model/trace/cycle.js';
import { buildTrace, type HappensBefore, type Trace } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import {
  computationOf,
  tracedStateKey,
  extendTracedState,
  initialTracedState,
  type TracedState,
} from './traced-state.js';

/**
 * The phase of a search for the witness of an attack: no store is delayed yet; or stores are
 * delayed; or the last load is done, too.
 */
interface Stage {
  readonly store?: TransitionId;
  readonly load?: TransitionId;
  /** The index of the delayed store's issue in the computation. */
  readonly storeAt?: number;
  /** The index in the computation of the attack's load, if it is done. */
  readonly loadAt?: number;
}

interface AttackSearchNode {
  readonly reached: TracedState;
  readonly stage: Stage;
  readonly length: number;
}

export interface AttacksByDefinition {
  /** The feasible attacks on the program, in no particular order. */
  readonly feasible: readonly Attack[];
  readonly complete: boolean;
}

function stepsOf(
  model: MemoryModel,
  code: ProgramCode,
  reached: TracedState,
  thread: ThreadId,
): { successors: Successor[]; faulty: boolean } {
  const successors: Successor[] = [];
  let faulty = false;
  const location = at(reached.state.locations, thread);
  for (const step of leavingTransitions(code, thread, location)) {
    try {
      successors.push(...executeTransition(model, code, reached.state, thread, step));
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      faulty = true;
    }
  }
  return { successors, faulty };
}

/**
 * Whether, after the computation of the node, the attacker's delayed stores can reach memory in
 * such a way that the load happens before the first of these stores.
 */
function closesCycle(
  node: AttackSearchNode,
  attacker: ThreadId,
  happensBefore: HappensBefore,
  traceOf: (computation: Computation) => Trace,
): boolean {
  const { storeAt, loadAt } = node.stage;
  if (storeAt === undefined || loadAt === undefined) return false;
  let { reached } = node;
  for (;;) {
    if (reached.state.buffers[attacker]?.length === 0) break;
    const stored = flush(reached.state, attacker);
    if (!stored) return false;
    reached = extendTracedState(reached, stored);
  }
  const trace = traceOf(computationOf(reached));
  const nodeAt = (at: number) => trace.nodes.findIndex(({ issuedAt }) => issuedAt === at);
  return comesBefore(trace, nodeAt(loadAt), nodeAt(storeAt), happensBefore);
}

/**
 * Returns the successors of a node directly after the load of a read abstraction: the only possible
 * step is the abstraction's `havoc`.
 */
function choices(
  code: ProgramCode,
  node: AttackSearchNode,
  attacker: ThreadId,
): AttackSearchNode[] {
  const { reached, stage, length } = node;
  return stepsOf('TSO', code, reached, attacker).successors.map((step) => ({
    reached: extendTracedState(reached, step),
    stage,
    length: length + step.actions.length,
  }));
}

/**
 * Whether the action can be the last action of an attack: a load from memory, or the posting of a
 * task.
 */
function isLast(code: ProgramCode, action: Action): boolean {
  if (action.kind === 'load') return !action.early;
  if (action.kind !== 'rmw') return false;
  const thread = at(code.program.threads, action.thread);
  const { instruction } = at(thread.transitions, action.transition);
  return instruction.kind === 'rmw' && instruction.handOver === 'post';
}

function attackerSteps(
  code: ProgramCode,
  node: AttackSearchNode,
  attacker: ThreadId,
  guessing: ReadonlySet<TransitionId>,
): { nodes: AttackSearchNode[]; faulty: boolean } {
  const { reached, stage, length } = node;
  const extend = (step: Successor, next: Stage): AttackSearchNode => ({
    reached: extendTracedState(reached, step),
    stage: next,
    length: length + step.actions.length,
  });
  const buffered = stepsOf('TSO', code, reached, attacker);
  const nodes: AttackSearchNode[] = [];
  if (stage.store === undefined) {
    for (const step of stepsOf('SC', code, reached, attacker).successors)
      nodes.push(extend(step, stage));
    for (const step of buffered.successors) {
      const [action] = step.actions;
      if (action?.kind === 'issue')
        nodes.push(extend(step, { store: action.transition, storeAt: length }));
    }
  } else {
    for (const step of buffered.successors) {
      const [action] = step.actions;
      nodes.push(extend(step, stage));
      if (!action || !isLast(code, action)) continue;
      const last = extend(step, { ...stage, load: action.transition, loadAt: length });
      if (!guessing.has(action.transition)) nodes.push(last);
      // A read abstraction is one access: the load comes with its choice, or not at all.
      else nodes.push(...choices(code, last, attacker));
    }
  }
  return { nodes, faulty: buffered.faulty };
}

/**
 * Returns the feasible attacks by their definition: enumerates, one for each trace, the
 * computations of the shape of [BDM13] Fig. 4 and looks for the happens-before path from the load
 * to the first delayed store. (W3) is relaxed to this path: actions of `tau3` off the path can be
 * moved before the load, without changing the attack or its feasibility. Exact when `complete`.
 */
export function attacksByDefinition(
  program: Program,
  maxTracedStates = 200_000,
  happensBefore: HappensBefore = 'standard',
): AttacksByDefinition {
  const code = compileProgram(program);
  const admitted = admittedBy(program);
  const traceOf = (computation: Computation): Trace =>
    buildTrace(computation, admitted(computation));
  const feasible = new Map<string, Attack>();
  let complete = true;
  for (let attacker = 0; attacker < program.threads.length; attacker++) {
    const seen = new Set<string>();
    const own = program.threads[attacker];
    const guessing = new Set(happensBefore === 'value' && own ? guessesOf(own).keys() : []);
    const stack: AttackSearchNode[] = [];
    const visit = (node: AttackSearchNode) => {
      const { store, load } = node.stage;
      const { storeAt = -1, loadAt = -1 } = node.stage;
      const firstDelayed = at(node.reached.pending, attacker)[0] ?? 'none';
      const key = `${tracedStateKey(node.reached)}#${store}#${load}#${firstDelayed}`;
      if (seen.has(key)) return;
      seen.add(key);
      stack.push(node);
      if (store === undefined || load === undefined || storeAt < 0 || loadAt < 0) return;
      const name = `${attacker}:${store}:${load}`;
      if (!feasible.has(name) && closesCycle(node, attacker, happensBefore, traceOf))
        feasible.set(name, { thread: attacker, store, load });
    };
    visit({ reached: initialTracedState(program), stage: {}, length: 0 });
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (seen.size > maxTracedStates) {
        complete = false;
        break;
      }
      const { reached, stage, length } = top;
      if (stage.load === undefined) {
        const { nodes, faulty } = attackerSteps(code, top, attacker, guessing);
        if (faulty) complete = false;
        nodes.forEach(visit);
      }
      for (let helper = 0; helper < program.threads.length; helper++) {
        if (helper === attacker) continue;
        const { successors, faulty } = stepsOf('SC', code, reached, helper);
        if (faulty) complete = false;
        for (const step of successors)
          visit({
            reached: extendTracedState(reached, step),
            stage,
            length: length + step.actions.length,
          });
      }
    }
  }
  return { feasible: [...feasible.values()], complete };
}
