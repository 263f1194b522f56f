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
 */
export function mayCall(
  linked: Linked,
  instructions: readonly (readonly IrInstruction[])[],
  names: readonly string[],
  targetsOf: PointerTargets,
): boolean {
  const wanted = new Set(names);
  const seen = new Set<IrFunction>();
  const pending = [...instructions];
  for (const each of pending)
    for (const { operation } of each) {
      if (operation.kind !== 'call' || operation.callee.kind === 'assembly') continue;
      const targets =
        operation.callee.kind === 'global'
          ? [linked.functions.get(operation.callee.name)]
          : targetsOf(operation);
      if (targets === 'anything') return true;
      if (operation.callee.kind === 'global' && wanted.has(operation.callee.name)) return true;
      for (const of of targets) {
        if (!of || seen.has(of)) continue;
        if (wanted.has(of.name)) return true;
        seen.add(of);
        pending.push(...of.blocks.map((block) => block.instructions));
      }
    }
  return false;
}

/** Whether the calls in progress may still call a function with one of the names. */
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
  );
}

const ofThreads = ['__fencewright_thread_create', '__fencewright_thread_join'];

/** By the current instruction of a call, whether threads may be started or joined. */
interface ThreadCalls {
  /** Whether the instruction itself may start or join threads. */
  readonly now: Map<IrInstruction, boolean>;
  /** Whether the instructions behind it in its function may. */
  readonly later: Map<IrInstruction, boolean>;
}

const threadCalls = new WeakMap<Linked, ThreadCalls>();

/** Whether the calls in progress start and join no thread any more. */
export function isPastThreads(linked: Linked, frames: readonly CallFrame[]): boolean {
  let calls = threadCalls.get(linked);
  if (!calls) threadCalls.set(linked, (calls = { now: new Map(), later: new Map() }));
  const { now, later } = calls;
  const ask = (
    known: Map<IrInstruction, boolean>,
    instruction: IrInstruction,
    body: () => readonly IrInstruction[],
  ): boolean => {
    let answer = known.get(instruction);
    if (answer === undefined) {
      answer = mayCall(linked, [body()], ofThreads, () => 'anything');
      known.set(instruction, answer);
    }
    return answer;
  };
  const current = instructionAt(frames.at(-1)!);
  if (ask(now, current, () => [current])) return false;
  return !frames.some((frame) => ask(later, instructionAt(frame), () => restOf(frame)));
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
