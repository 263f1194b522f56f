import type { Linked } from './link-modules.js';
import { forEachName } from './names-in.js';
import type { IrFunction, IrOperation, IrValue } from './syntax.js';

/** Functions that throw, or unwind the stack like an exception. */
const throwing: readonly string[] = ['__cxa_throw', '__cxa_rethrow', '__fencewright_thread_exit'];

type Call = Extract<IrOperation, { readonly kind: 'call' }>;

/**
 * The program without the landing pads of calls that cannot throw: control flow never enters such
 * landing pads.
 */
export function withoutIdleUnwinding(linked: Linked): Linked {
  const callers = throwingFunctions(linked);
  const functions = [...linked.functions].map(([name, of]): [string, IrFunction] => {
    const isIdle = (operation: IrOperation): operation is Call =>
      operation.kind === 'call' && operation.unwind !== undefined && !callers.mayThrow(operation);
    const hasIdle = of.blocks.some(({ instructions }) =>
      instructions.some(({ operation }) => isIdle(operation)),
    );
    if (!hasIdle) return [name, of];
    const blocks = of.blocks.map(({ label, instructions }) => ({
      label,
      instructions: instructions.map((each) => {
        if (!isIdle(each.operation)) return each;
        const { unwind: _, ...operation } = each.operation;
        return { ...each, operation };
      }),
    }));
    return [name, { ...of, blocks }];
  });
  return { ...linked, functions: new Map(functions) };
}

interface Throwing {
  /** Returns whether an exception may leave the function that is called. */
  readonly mayThrow: (call: Call) => boolean;
}

/**
 * Finds the functions that exceptions may leave: functions with a call that may throw and is not
 * inside `catch (...)`.
 */
function throwingFunctions(linked: Linked): Throwing {
  const { functions } = linked;
  const names = new Set(throwing);
  let taken: ReadonlySet<string> | undefined;
  // A call through a pointer may call any function whose address is taken.
  let isAnyThrowing = false;
  const mayThrow = ({ callee }: Call): boolean => {
    if (callee.kind === 'assembly') return false;
    return callee.kind === 'global' ? names.has(callee.name) : isAnyThrowing;
  };
  for (let size = -1, was = false; size !== names.size || was !== isAnyThrowing;) {
    [size, was] = [names.size, isAnyThrowing];
    for (const [name, of] of functions) {
      if (names.has(name) || !leavesBy(of, mayThrow)) continue;
      names.add(name);
      isAnyThrowing ||= (taken ??= addressesTaken(linked)).has(name);
    }
  }
  return { mayThrow };
}

/** The names of globals and functions that are used other than as the callee of a direct call. */
function addressesTaken({ globals, functions }: Linked): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    forEachName(node, 'global', (name) => names.add(name));
  };
  for (const { initial } of globals.values()) visit(initial);
  for (const { blocks } of functions.values())
    for (const { instructions } of blocks)
      for (const { operation } of instructions)
        visit(operation.kind === 'call' ? operation.operands : operation);
  return names;
}

/** Whether an exception thrown by a call in the function may leave the function. */
function leavesBy(of: IrFunction, mayThrow: (call: Call) => boolean): boolean {
  return of.blocks.some(({ instructions }) =>
    instructions.some(
      ({ operation }) =>
        operation.kind === 'call' && mayThrow(operation) && !catchesAll(of, operation.unwind),
    ),
  );
}

/** Whether the landing pad with the label catches all exceptions. */
function catchesAll({ blocks }: IrFunction, label: string | undefined): boolean {
  const isAll = ({ value }: { readonly value: IrValue }): boolean => value.kind === 'null';
  return blocks.some(
    (block) =>
      block.label === label &&
      block.instructions.some(
        ({ operation }) => operation.kind === 'landing' && operation.clauses.some(isAll),
      ),
  );
}
