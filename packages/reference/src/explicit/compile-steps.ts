import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { at, wordAt } from '@fencewright/ground/base/at.js';
import {
  compileExpression,
  compileRmw,
  ExecutionFault,
} from '@fencewright/model/program/evaluate.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import {
  isIdle,
  refuseHandOver,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import type {
  InstrumentedStep,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Space, StateLayout } from '@fencewright/model/reach/state-layout.js';

/** A state vector while it is changed; `values` is replaced when it has to grow. */
export interface Scratch {
  values: Int32Array;
}

/**
 * A function that executes one step on the scratch state; returns false if the step blocks (the
 * scratch state is then undefined). Throws `ExecutionFault`.
 */
export type ExecuteStep = (scratch: Scratch) => boolean;

/**
 * The context for compiling a thread's steps: the program, the layout of states, and the thread.
 */
interface StepContext {
  readonly program: InstrumentedProgram;
  readonly layout: StateLayout;
  readonly thread: ThreadId;
}

const done: ExecuteStep = () => true;

function readCell(layout: StateLayout, scratch: Scratch, space: Space, address: number): number {
  const slot = layout.findCell(space, address);
  return slot < 0 ? 0 : wordAt(scratch.values, slot);
}

function writeCell(
  layout: StateLayout,
  scratch: Scratch,
  space: Space,
  address: number,
  value: number,
): void {
  if (value === 0 && layout.findCell(space, address) < 0) return;
  const slot = layout.cell(space, address);
  if (slot >= scratch.values.length) {
    const larger = new Int32Array(Math.max(slot + 1, scratch.values.length * 2));
    larger.set(scratch.values);
    scratch.values = larger;
  }
  scratch.values[slot] = value;
}

function compileStore(
  { program, layout, thread }: StepContext,
  space: Space,
  address: Expression,
  value: Expression,
): ExecuteStep {
  const base = at(layout.registerBase, thread);
  const addressOf = compileExpression(address, program.symbols);
  const valueOf = compileExpression(value, program.symbols);
  const domain = space === 'program' || space === 'buffer' ? program.domain : undefined;
  return (scratch) => {
    const at = addressOf(scratch.values, base);
    const stored = valueOf(scratch.values, base);
    if (domain && (stored < domain.low || stored > domain.high)) throw new ExecutionFault('domain');
    writeCell(layout, scratch, space, at, stored);
    return true;
  };
}

function compileLoad(
  { program, layout, thread }: StepContext,
  space: Space,
  into: RegisterId,
  address: Expression,
): ExecuteStep {
  const base = at(layout.registerBase, thread);
  const addressOf = compileExpression(address, program.symbols);
  return (scratch) => {
    const at = addressOf(scratch.values, base);
    scratch.values[base + into] = readCell(layout, scratch, space, at);
    return true;
  };
}

function compileRmwStep(
  context: StepContext,
  step: Extract<Instruction, { kind: 'rmw' }>,
): ExecuteStep {
  const { program, layout, thread } = context;
  const base = at(layout.registerBase, thread);
  const addressOf = compileExpression(step.address, program.symbols);
  const rmw = compileRmw(step.operation, program.symbols);
  const { into } = step;
  const { domain } = program;
  return (scratch) => {
    const at = addressOf(scratch.values, base);
    const old = readCell(layout, scratch, 'program', at);
    const written = rmw.written(old, scratch.values, base);
    if (domain && written !== undefined && (written < domain.low || written > domain.high))
      throw new ExecutionFault('domain');
    const result =
      into === undefined ? 0 : rmw.result(written !== undefined, old, scratch.values, base);
    if (written !== undefined) writeCell(layout, scratch, 'program', at, written);
    if (into !== undefined) scratch.values[base + into] = result;
    return true;
  };
}

function compileAssume(context: StepContext, condition: Expression): ExecuteStep {
  const base = at(context.layout.registerBase, context.thread);
  const holds = compileExpression(condition, context.program.symbols);
  return ({ values }) => holds(values, base) !== 0;
}

function compileAssign(context: StepContext, into: RegisterId, value: Expression): ExecuteStep {
  const base = at(context.layout.registerBase, context.thread);
  const valueOf = compileExpression(value, context.program.symbols);
  return ({ values }) => {
    values[base + into] = valueOf(values, base);
    return true;
  };
}

/**
 * Returns the step as a function on state vectors. The function does not check whether the bus lock
 * allows a memory access, but executes `lock` and `unlock`. For a `havoc`, the caller must set the
 * register first: the step only checks the condition.
 */
export function compileStep(context: StepContext, step: InstrumentedStep): ExecuteStep {
  const holder = context.thread + 1;
  if (isIdle(step)) return done;
  switch (step.kind) {
    case 'store':
      return compileStore(context, 'program', step.address, step.value);
    case 'auxiliary-store':
      return compileStore(context, step.space, step.address, step.value);
    case 'load':
      return compileLoad(context, 'program', step.into, step.address);
    case 'auxiliary-load':
      return compileLoad(context, step.space, step.into, step.address);
    case 'rmw':
      refuseHandOver(step);
      return compileRmwStep(context, step);
    case 'assign':
      return compileAssign(context, step.into, step.value);
    case 'assume':
      return compileAssume(context, step.condition);
    case 'havoc':
      return step.where ? compileAssume(context, step.where) : done;
    case 'lock':
      return ({ values }) => {
        if (values[0] !== 0) return false;
        values[0] = holder;
        return true;
      };
    case 'unlock':
      return ({ values }) => {
        if (values[0] !== holder) return false;
        values[0] = 0;
        return true;
      };
    case 'heavy-fence':
      return refuseHeavyFence();
    case 'assert':
      return done;
  }
}
