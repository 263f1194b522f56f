import type { Linked } from './link-modules.js';
import type { IrFunction, IrInstruction } from './syntax.js';

/** The function that allocates a block of memory returned by no other call. */
export const newState = '__fencewright_new_state';
/** The function that frees a block of `newState`, without any effect. */
export const endState = '__fencewright_end_state';

/**
 * Matches functions in the headers of libstdc++ that allocate a `std::thread::_State`, the heap
 * object of a thread.
 */
const makesState = /^_ZNSt6thread(?:C[12]|13_S_make_state)I/;
/** Matches functions in the headers of libstdc++ that free a `std::thread::_State`. */
const endsState = /^_ZNSt6thread11_State_implI.*ED0Ev$/;

/**
 * Matches functions in the headers of libstdc++ that allocate or free the elements of a
 * `std::vector` or the nodes of a `std::list` of threads: of `std::thread` or `std::jthread`.
 */
const ofThreads =
  /^_ZN(?:St15__new_allocator|9__gnu_cxx13new_allocator)I(?:St10_List_nodeI)?St(?:6thread|7jthread)E?E(?:8allocateE|10deallocateE)/;

/**
 * The functions that allocate and free a `std::thread::_State`, and the functions called by these.
 */
const operators = ['_Znwm', '_ZdlPv', '_ZdlPvm', 'malloc', 'free'];
/**
 * The replacements of memory operators in functions that allocate or free a `std::thread::_State`.
 */
const replaced: ReadonlyMap<string, string> = new Map([
  ['_Znwm', newState],
  ['_ZdlPv', endState],
  ['_ZdlPvm', endState],
]);

/**
 * Returns the program with memory blocks of their own for each `std::thread::_State` and for the
 * elements of vectors and lists of threads. No other call of `malloc` gets these blocks later. Only
 * a program that uses freed memory could notice: by a pointer to a captured variable, kept after
 * the thread has ended, or to an element that has moved. Such uses are not reported (`docs/c.md`).
 * Freed blocks pass to other threads by locked instructions, so the missing reuse adds no fence.
 * Programs that define memory operators keep all calls, since the effects of these operators may be
 * seen. `library` is the index of the library's module.
 */
export function withStatesApart(linked: Linked, library: number): Linked {
  const { functions, homes } = linked;
  const allocating = functions.get('_Znwm');
  const isDefinedElsewhere = (name: string): boolean =>
    (functions.get(name)?.blocks.length ?? 0) > 0 && homes.get(name) !== library;
  if (library < 0 || !allocating || operators.some(isDefinedElsewhere)) return linked;
  const declared = [newState, endState].map((name): [string, IrFunction] => [
    name,
    { ...allocating, name, blocks: [] },
  ]);
  const changed = [...functions].flatMap(([name, of]): [string, IrFunction][] =>
    [makesState, endsState, ofThreads].some((kind) => kind.test(name)) ? [[name, apart(of)]] : [],
  );
  return { ...linked, functions: new Map([...functions, ...changed, ...declared]) };
}

function apart(of: IrFunction): IrFunction {
  const blocks = of.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.map(withOtherCallee),
  }));
  return { ...of, blocks };
}

function withOtherCallee(instruction: IrInstruction): IrInstruction {
  const { operation } = instruction;
  if (operation.kind !== 'call' || operation.callee.kind !== 'global') return instruction;
  const name = replaced.get(operation.callee.name);
  if (name === undefined) return instruction;
  return { ...instruction, operation: { ...operation, callee: { ...operation.callee, name } } };
}
