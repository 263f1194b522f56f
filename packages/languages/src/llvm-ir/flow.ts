import { loopOrder } from './loop-order.js';
import type { IrFunction, IrInstruction, IrOperation, IrValue } from './syntax.js';

/** Facts about the control flow of a function. */
export interface FunctionFlow {
  readonly of: IrFunction;
  /** By label, the index of the block in the function. */
  readonly labels: ReadonlyMap<string, number>;
  /** The labels of the blocks of the function with several incoming edges. */
  readonly joints: ReadonlySet<string>;
  /**
   * The names of the values of the function that are used outside their own block; parameters and
   * results of phis are included.
   */
  readonly carried: ReadonlySet<string>;
  /** The number of return instructions in the function. */
  readonly returns: number;
  /**
   * By index of a block, its position in an order for visits: a block comes after the blocks that
   * lead to it, and all blocks of a loop are adjacent.
   */
  readonly order: readonly number[];
  /**
   * By index of a block, the position of the last block of the loop that begins with the block;
   * `undefined` if no loop begins there.
   */
  readonly loopEnds: readonly (number | undefined)[];
}

/** The labels of the successors of a block, repetitions included. */
export function successorLabels(operation: IrOperation): readonly string[] {
  switch (operation.kind) {
    case 'jump':
      return [operation.to];
    case 'branch':
      return [operation.then, operation.otherwise];
    case 'switch':
      return [operation.otherwise, ...operation.cases.map(({ to }) => to)];
    case 'call':
      return operation.unwind === undefined ? [] : [operation.unwind];
    default:
      return [];
  }
}

/** The names of the locals that an instruction uses. */
export function localsIn(instruction: IrInstruction): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== 'object' || node === null) return;
    const value = node as Partial<IrValue>;
    if (value.kind === 'local') found.push((value as { readonly name: string }).name);
    else if (!Array.isArray(node)) for (const each of Object.values(node)) visit(each);
  };
  visit(instruction.operation);
  return found;
}

/**
 * The names of the locals that instructions of the function from index `next` of a block on may
 * use.
 */
export function localsAhead(of: IrFunction, block: number, next: number): ReadonlySet<string> {
  const labels = new Map(of.blocks.map(({ label }, i) => [label, i]));
  const used = new Set<string>();
  const reached = new Set<number>();
  const visit = (instructions: readonly IrInstruction[]): void => {
    for (const instruction of instructions) {
      for (const name of localsIn(instruction)) used.add(name);
      for (const target of successorLabels(instruction.operation))
        reached.add(labels.get(target) ?? -1);
    }
  };
  visit(of.blocks[block]?.instructions.slice(next) ?? []);
  for (const index of reached) visit(of.blocks[index]?.instructions ?? []);
  return used;
}

/** Whether some instruction of the function uses the result of the given instruction. */
export function isResultUsed(of: IrFunction, { result }: IrInstruction): boolean {
  if (result === undefined) return false;
  return of.blocks.some(({ instructions }) =>
    instructions.some((each) => localsIn(each).includes(result)),
  );
}

/** The control flow of a function with a body. */
export function computeFlow(of: IrFunction): FunctionFlow {
  const labels = new Map(of.blocks.map(({ label }, i) => [label, i]));
  const seen = new Set<string>();
  const joints = new Set<string>();
  const carried = new Set<string>(of.parameters.map(({ name }) => name));
  let returns = 0;
  for (const { instructions } of of.blocks) {
    const own = new Set<string>();
    for (const instruction of instructions) {
      const { operation, result } = instruction;
      for (const name of localsIn(instruction))
        if (!own.has(name) || operation.kind === 'phi') carried.add(name);
      if (result !== undefined) own.add(result);
      if (result !== undefined && operation.kind === 'phi') carried.add(result);
      if (operation.kind === 'return') returns += 1;
      for (const target of successorLabels(operation)) {
        if (seen.has(target)) joints.add(target);
        seen.add(target);
      }
    }
  }
  const successors = of.blocks.map(({ instructions }) =>
    instructions
      .flatMap(({ operation }) => successorLabels(operation))
      .flatMap((label) => labels.get(label) ?? []),
  );
  const { positions: order, loopEnds } = loopOrder(successors);
  return { of, labels, joints, carried, returns, order, loopEnds };
}
