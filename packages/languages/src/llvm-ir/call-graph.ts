import { successorLabels } from './flow.js';
import type { Linked } from './link-modules.js';
import { type CallFrame, instructionAt } from './lowering-state.js';
import type { IrFunction, IrInstruction, IrOperation } from './syntax.js';

/** The functions that a call through a pointer may call. */
export type PointerTargets = (
  call: Extract<IrOperation, { kind: 'call' }>,
) => readonly IrFunction[] | 'anything';

/**
 * Whether the instructions may call, directly or indirectly, a function with one of the names.
 * `arePassedCalled`: a function whose address is passed to a call counts as called.
 */
export function mayCall(
  linked: Linked,
  instructions: readonly (readonly IrInstruction[])[],
  names: readonly string[],
  targetsOf: PointerTargets,
  arePassedCalled = false,
): boolean {
  const wanted = new Set(names);
  const seen = new Set<IrFunction>();
  const pending = [...instructions];
  const add = (of: IrFunction): void => {
    if (seen.has(of)) return;
    seen.add(of);
    pending.push(...of.blocks.map((block) => block.instructions));
  };
  for (const each of pending) {
    if (arePassedCalled) functionsPassed(linked, each).forEach(add);
    for (const { operation } of each) {
      if (operation.kind !== 'call' || operation.callee.kind === 'assembly') continue;
      const targets =
        operation.callee.kind === 'global'
          ? [linked.functions.get(operation.callee.name)]
          : targetsOf(operation);
      if (targets === 'anything') return true;
      if (operation.callee.kind === 'global' && wanted.has(operation.callee.name)) return true;
      for (const of of targets) {
        if (!of) continue;
        if (wanted.has(of.name)) return true;
        add(of);
      }
    }
  }
  return false;
}

/** Returns the functions of which the instructions pass the address to a call. */
function functionsPassed(
  { functions }: Linked,
  instructions: readonly IrInstruction[],
): readonly IrFunction[] {
  return instructions.flatMap(({ operation }) => {
    if (operation.kind !== 'call') return [];
    const names = operation.operands.flatMap(({ value }) =>
      value.kind === 'global' ? [value.name] : [],
    );
    return names.flatMap((name) => functions.get(name) ?? []);
  });
}

/**
 * Whether the calls in progress may still call a function with one of the names. A function whose
 * address is passed to a call counts as called, as by `atexit`.
 */
export function mayStillCall(
  linked: Linked,
  frames: readonly CallFrame[],
  names: readonly string[],
): boolean {
  return mayCall(
    linked,
    frames.map((frame) => restOf(frame)),
    names,
    () => 'anything',
    true,
  );
}

const creation = '__fencewright_thread_create';
const join = '__fencewright_thread_join';

/**
 * The answers given so far to the question whether an instruction of a program may start or join
 * threads.
 */
interface ThreadCalls {
  /** By instruction: whether the instruction itself may start threads. */
  readonly now: Map<IrInstruction, boolean>;
  /** By instruction: whether later instructions of the same function may start threads. */
  readonly later: Map<IrInstruction, boolean>;
  /**
   * By instruction: whether a loop around the instruction, in the same function, may join threads.
   */
  readonly repeated: Map<IrInstruction, boolean>;
}

const threadCalls = new WeakMap<Linked, ThreadCalls>();

/**
 * Whether the code that the calls in progress have still to execute needs known numbers. Numbers
 * identify the threads that the code starts and, in a loop around the current instruction, the
 * threads that the code joins.
 */
export function needsNumbers(
  linked: Linked,
  frames: readonly CallFrame[],
  targetsOf: PointerTargets,
): boolean {
  let calls = threadCalls.get(linked);
  if (!calls)
    threadCalls.set(linked, (calls = { now: new Map(), later: new Map(), repeated: new Map() }));
  const { now, later, repeated } = calls;
  const ask = (
    known: Map<IrInstruction, boolean>,
    instruction: IrInstruction,
    name: string,
    body: () => readonly IrInstruction[],
  ): boolean => {
    let answer = known.get(instruction);
    if (answer === undefined) {
      answer = mayCall(linked, [body()], [name], targetsOf);
      known.set(instruction, answer);
    }
    return answer;
  };
  const current = instructionAt(frames.at(-1)!);
  if (ask(now, current, creation, () => [current])) return true;
  return frames.some((frame) => {
    const instruction = instructionAt(frame);
    return (
      ask(later, instruction, creation, () => restOf(frame)) ||
      ask(repeated, instruction, join, () => loopAround(frame))
    );
  });
}

/**
 * The instructions that a call may execute between two executions of the call's current
 * instruction.
 */
function loopAround({ flow, block }: CallFrame): readonly IrInstruction[] {
  const { of, labels } = flow;
  const successors = of.blocks.map(({ instructions }) =>
    instructions.flatMap(({ operation }) =>
      successorLabels(operation).flatMap((label) => labels.get(label) ?? []),
    ),
  );
  const reachable = (from: number): ReadonlySet<number> => {
    const reached = new Set(successors[from]);
    for (const each of reached) for (const next of successors[each]!) reached.add(next);
    return reached;
  };
  const inLoop = [...reachable(block)].filter((each) => reachable(each).has(block));
  return inLoop.flatMap((each) => of.blocks[each]!.instructions);
}

/** The instructions of a call that may still be executed, without the current instruction. */
function restOf({ flow, block, next }: CallFrame): readonly IrInstruction[] {
  const { blocks } = flow.of;
  const found = [...blocks[block]!.instructions.slice(next + 1)];
  const reached = new Set<number>();
  const follow = (instructions: readonly IrInstruction[]): void => {
    for (const { operation } of instructions)
      for (const label of successorLabels(operation)) {
        const index = flow.labels.get(label);
        if (index === undefined || reached.has(index)) continue;
        reached.add(index);
        found.push(...blocks[index]!.instructions);
        follow(blocks[index]!.instructions);
      }
  };
  follow(found);
  return found;
}
