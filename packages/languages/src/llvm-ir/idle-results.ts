import type { Linked } from './link-modules.js';
import { forEachName } from './names-in.js';
import { blocksAfter } from './pointer-origins.js';
import type { IrBlock, IrCall, IrFunction, IrInstruction, IrOperation } from './syntax.js';

/** The local in which clang keeps the result of a function. */
const resultLocal = 'retval';

/** By name of a function that starts a thread, the operand that is the start of the thread. */
const starting: ReadonlyMap<string, number> = new Map([
  ['__fencewright_thread_create', 0],
  ['pthread_create', 2],
]);
/** By name of a function that joins a thread, the operand for the address of the result. */
const joining: ReadonlyMap<string, number> = new Map([['pthread_join', 1]]);

/**
 * The program without the results of functions that may end without `return` and whose results
 * nobody uses. In C, only the use of such a result is an error [C11, 6.9.1p12]; clang's code reads
 * a local that has no value then. `library` is the index of the library's module.
 */
export function withoutIdleResults(linked: Linked, library: number): Linked {
  const open = [...linked.functions.values()].filter(mayEndWithoutResult);
  if (open.length === 0) return linked;
  const used = functionsWithUsedResult(linked, library);
  const changed = open.flatMap((of): [string, IrFunction][] =>
    of.name === 'main' || used.has(of.name) ? [] : [[of.name, withoutResult(of)]],
  );
  return { ...linked, functions: new Map([...linked.functions, ...changed]) };
}

function isResult(operation: IrOperation, kind: 'load' | 'store'): boolean {
  return (
    operation.kind === kind &&
    operation.address.kind === 'local' &&
    operation.address.name === resultLocal
  );
}

/** Whether control can reach a load of the result without a store to the result. */
function mayEndWithoutResult(of: IrFunction): boolean {
  const isOwn = of.blocks[0]?.instructions.some(
    ({ operation, result }) => operation.kind === 'alloca' && result === resultLocal,
  );
  if (isOwn !== true) return false;
  const successors = blocksAfter(of);
  const seen = new Set([0]);
  for (const block of seen) {
    const first = of.blocks[block]!.instructions.find(
      ({ operation }) => isResult(operation, 'load') || isResult(operation, 'store'),
    );
    if (first?.operation.kind === 'load') return true;
    if (!first) for (const next of successors[block]!) seen.add(next);
  }
  return false;
}

/** The function without its results, and without the loads of the local that keeps the result. */
function withoutResult(of: IrFunction): IrFunction {
  const blocks = of.blocks.map((block): IrBlock => {
    const end = block.instructions.at(-1)!;
    const { operation } = end;
    const value = operation.kind === 'return' ? operation.value?.value : undefined;
    const isLoad = (each: IrInstruction): boolean =>
      value?.kind === 'local' && each.result === value.name && isResult(each.operation, 'load');
    if (!block.instructions.some(isLoad)) return block;
    const before = block.instructions.slice(0, -1).filter((each) => !isLoad(each));
    return { ...block, instructions: [...before, { ...end, operation: { kind: 'return' } }] };
  });
  return { ...of, blocks };
}

/**
 * The names of functions with a result that some code may use: the result of a call, or that of a
 * thread, which a join reads. A function whose address is taken otherwise counts as used.
 */
function functionsWithUsedResult(
  { globals, functions, homes }: Linked,
  library: number,
): ReadonlySet<string> {
  const used = new Set<string>();
  const starts = new Set<string>();
  let isJoined = false;
  const visit = (node: unknown): void => {
    forEachName(node, 'global', (name) => used.add(name));
  };
  const isOfUser = (name: string): boolean => {
    const home = homes.get(name);
    return home !== undefined && home !== library;
  };
  const visitCall = ({ callee, operands }: IrCall): void => {
    const name = callee.kind === 'global' && !isOfUser(callee.name) ? callee.name : undefined;
    if (callee.kind !== 'global') visit(callee);
    const start = name === undefined ? undefined : starting.get(name);
    const result = name === undefined ? undefined : joining.get(name);
    if (result !== undefined && operands[result]?.value.kind !== 'null') isJoined = true;
    for (const [i, { value }] of operands.entries())
      if (i === start && value.kind === 'global') starts.add(value.name);
      else visit(value);
  };
  for (const { initial } of globals.values()) visit(initial);
  for (const of of functions.values()) {
    const read = localsReadIn(of);
    for (const { operation, result } of of.blocks.flatMap(({ instructions }) => instructions))
      if (operation.kind !== 'call') visit(operation);
      else {
        visitCall(operation);
        if (result !== undefined && read.has(result)) visit(operation.callee);
      }
  }
  const isReadElsewhere = [...joining.keys()].some((name) => used.has(name));
  return isJoined || isReadElsewhere ? new Set([...used, ...starts]) : used;
}

/** The names of the locals that instructions of a function read. */
function localsReadIn(of: IrFunction): ReadonlySet<string> {
  const names = new Set<string>();
  forEachName(of.blocks, 'local', (name) => names.add(name));
  return names;
}
