import type { PlacesCheck } from './address-numbers.js';
import { blockName } from './block-marks.js';
import { usualAlignment } from './blocks.js';
import { assumptionWith, libraryAssumptions, neverFails } from './assumed.js';
import { argumentCountFunction, argumentList, environmentList } from './command-line.js';
import { type Exceptions, noExceptions } from './exceptions.js';
import { localsAhead } from './flow.js';
import { choicesIn, type Computed, notKnown } from './computed.js';
import { bytesOfText, formattedText, writingText } from './formatted-text.js';
import { type Activation, type HostAnswer, IrInterpreter } from './interpret.js';
import { handleOf } from './lower-creation.js';
import { endingMain, listedFunctions, runningLasts } from './listed-functions.js';
import type { CallFrame, LoweringState } from './lowering-state.js';
import { overflowing, overflowOf } from './overflow.js';
import type { SourcePlaces } from './places.js';
import { conversionsIn } from './printf-format.js';
import type { IrFunction, IrInstruction, IrType, Typed } from './syntax.js';
import { endState, newState } from './thread-states.js';
import { endsEarly, lonelyEnd, nestedSection, Unsupported } from './unsupported.js';
import { nothing, numberValue, type LoweredValue } from './value.js';
import type { World } from './world.js';

/**
 * The result of running `main`: the state from which `main` is a thread, an end without threads, or
 * a refusal.
 */
export type MainEntry =
  | { readonly kind: 'threads'; readonly state: LoweringState }
  /** `main` has ended, and no thread was started. */
  | { readonly kind: 'ended' }
  | {
      readonly kind: 'refused';
      /** The calls in progress at the start of threads; empty for a program without `main`. */
      readonly calls: readonly Activation[];
      readonly at?: IrInstruction;
      readonly message: string;
      readonly hint?: string;
    };

/** The maximum number of instructions that `main` may execute before threads start. */
const mostSteps = 1 << 22;

/** The state at the beginning of `main`; `undefined` without a `main`. */
export function mainBeginning(world: World): LoweringState | undefined {
  const of = world.linked.functions.get('main');
  if (!of || of.blocks.length === 0) return undefined;
  return stateOf(world, [{ of, locals: new Map(), block: 0, previous: '', next: 0 }]);
}

/**
 * Runs constructors, `main`, and exit functions on the memory of the world, up to the first call
 * that starts a thread or needs a choice. The threads start with the resulting memory.
 * `checkPlaces` replaces the check of operations on addresses.
 */
export function mainEntry(
  world: World,
  places: SourcePlaces,
  checkPlaces?: PlacesCheck,
): MainEntry {
  const { linked, image } = world;
  const main = linked.functions.get('main');
  if (!main || main.blocks.length === 0)
    return {
      kind: 'refused',
      calls: [],
      message: "there is no 'main'",
      hint: "link the file with 'main', or add a 'main' that starts the threads",
    };
  const runs: { of: IrFunction; operands: readonly Computed[] }[] = [
    ...listedFunctions(linked, 'llvm.global_ctors').map((of) => ({ of, operands: [] })),
    { of: main, operands: [] },
    ...endingsOfMain(world).map((of) => ({ of, operands: [] })),
  ];
  for (let run = runs.shift(); run; run = runs.shift() ?? world.lastCalls.pop()) {
    const interpreter = new IrInterpreter(
      image,
      (name, operands) =>
        answer(world, name, operands, () => nameOfBlock(world, places, interpreter.activations)),
      (of, by, call) => {
        world.noteCall(of, by, call);
      },
      (of, instruction) => {
        world.ran.set(instruction, of);
        const { operation } = instruction;
        if (operation.kind === 'exchange-if' && operation.isWeak)
          world.assumedOfC11.note(libraryAssumptions.weakExchange);
      },
      checkPlaces,
    );
    if (run.of === main) {
      const given = argumentsOf(world, main);
      if (given === 'chosen')
        return { kind: 'threads', state: stateOf(world, processOf(world, [run, ...runs], false)) };
      run.operands = given;
    }
    const outcome = interpreter.run(run.of, run.operands, mostSteps);
    const calls = interpreter.activations;
    switch (outcome.kind) {
      case 'returned':
        break;
      case 'stopped':
        if (!isCalled(outcome.at, [creation, ...choosing])) return { kind: 'ended' };
        if (world.openSections > 0)
          return {
            kind: 'refused',
            calls,
            message: isCalled(outcome.at, [creation])
              ? 'the first thread is started within an atomic section'
              : 'a value is chosen within an atomic section before a thread is started',
            hint: 'end the section before the call, and begin a new section after the call',
          };
        return {
          kind: 'threads',
          state: stateOf(
            world,
            [...processOf(world, [run, ...runs], true), ...calls],
            interpreter.exceptions.state,
          ),
        };
      case 'limit':
        return {
          kind: 'refused',
          calls,
          at: outcome.at,
          message: "'main' runs for too long before it starts a thread",
          hint: 'shorten the work before the first thread: all of it is executed in advance',
        };
      case 'refused':
        return { ...outcome, calls };
    }
  }
  return { kind: 'ended' };
}

/** The operand of a call by the process: a number as a constant; an empty list for other values. */
const operandOf = (value: Computed, type: IrType): Typed[] =>
  typeof value === 'bigint' ? [{ type, value: { kind: 'integer', value } }] : [];

const local = (type: IrType, name: string): Typed => ({ type, value: { kind: 'local', name } });
const [int, pointer] = [{ kind: 'int', bits: 32 }, { kind: 'pointer' }] as const;

/**
 * A call of an internal function `@process`, which makes the calls of `runs` up to `main` and then
 * the exit functions, last first. As in glibc, the process looks, under a lock, for functions
 * registered while threads run: after `main`, and after each function, but not between functions
 * with the attribute `destructor`. Thread-local objects of `main` are destroyed before the first
 * look. With `isBegun`, the first of these calls is in progress, and the result is empty if no call
 * but `main` is left. Without `isBegun`, the first call is still to come.
 */
function processOf(
  world: World,
  runs: readonly { readonly of: IrFunction; readonly operands: readonly Computed[] }[],
  isBegun: boolean,
): readonly Activation[] {
  const { linked } = world;
  const { runsLasts } = world.manner;
  const calls = [...runs, ...world.lastCalls.toReversed()];
  const { of: first } = calls[0]!;
  if (isBegun && calls.length === 1 && first.name === 'main' && !runsLasts) return [];
  const { span } = first;
  const call = (name: string, operands: readonly Typed[], result?: string): IrInstruction => ({
    operation: {
      kind: 'call',
      returns: { kind: 'void' },
      callee: { kind: 'global', name },
      operands,
    },
    ...(result !== undefined && { result }),
    span,
  });
  const begin = Math.max(
    0,
    calls.findLastIndex(({ of: { name } }) => name === 'main' || name === endingMain),
  );
  const end = calls.length - 1;
  const destructors = listedFunctions(linked, 'llvm.global_dtors').length;
  const looks = runsLasts || (end > begin && linked.functions.has(runningLasts));
  const lasts = (i: number): readonly IrInstruction[] =>
    looks && i >= begin && (i === end || i <= end - destructors)
      ? [call(runningLasts, operandOf(i === end ? 1n : 0n, int))]
      : [];
  const callOf = (
    { of, operands }: (typeof calls)[number],
    i: number,
  ): readonly IrInstruction[] => {
    const types = of.parameters.map(({ type }) => type);
    if (of.name !== 'main' || (isBegun && i === 0) || types.length === 0)
      return [
        call(
          of.name,
          types.flatMap((type, j) => operandOf(operands[j], type)),
        ),
      ];
    const given = [local(int, 'argc'), local(pointer, 'argv'), local(pointer, 'envp')];
    return [
      call(argumentCountFunction, [], 'argc'),
      call(argumentList, [local(int, 'argc')], 'argv'),
      call(environmentList, [], 'envp'),
      call(of.name, given.slice(0, types.length)),
    ];
  };
  const instructions = calls.flatMap((each, i) => [...callOf(each, i), ...lasts(i)]);
  const of: IrFunction = {
    ...{ name: '@process', parameters: [], isVariadic: false, span },
    returns: { kind: 'void' },
    ...{ isInternal: true, isReplaceable: false },
    blocks: [
      { label: '0', instructions: [...instructions, { operation: { kind: 'return' }, span }] },
    ],
  };
  return [{ of, locals: new Map(), block: 0, previous: '', next: 0 }];
}

/**
 * The values of `argc`, `argv` and `envp`; `chosen` if they are free choices, for which `main` has
 * to be a thread.
 */
function argumentsOf(world: World, main: IrFunction): readonly Computed[] | 'chosen' {
  const { outside } = world;
  if (main.parameters.length === 0) return [];
  const { low, high } = outside.choiceOf('argc');
  const choice = outside.next();
  if (choice === outside.handOverAt) return 'chosen';
  const count = low === high ? BigInt(low) : { chosen: choice };
  if (low === high) world.noteOutside('argc');
  const lists = world.commandLine;
  return [count, BigInt(lists.listOf(low === high ? low : undefined)), BigInt(lists.environment)];
}

/** The function that destroys thread-local objects of `main`; none without such objects. */
export function endingsOfMain({ linked }: World): readonly IrFunction[] {
  const of = linked.functions.get(endingMain);
  return of ? [of] : [];
}

/** Whether constructors run before `main`. */
export function hasConstructors(world: World): boolean {
  return listedFunctions(world.linked, 'llvm.global_ctors').length > 0;
}

const creation = '__fencewright_thread_create';
const choosing: readonly string[] = [
  '__fencewright_nondet',
  '__fencewright_outside',
  '__fencewright_outside_long',
];

/** Whether the instruction calls a function with one of the names. */
function isCalled({ operation }: IrInstruction, names: readonly string[]): boolean {
  return (
    operation.kind === 'call' &&
    operation.callee.kind === 'global' &&
    names.includes(operation.callee.name)
  );
}

/** An unused input value, or a stop at the choice from which `main` is a thread. */
function chosenOutside({ outside }: World): HostAnswer {
  const chosen = outside.next();
  return chosen === outside.handOverAt ? { kind: 'stop' } : { kind: 'value', value: { chosen } };
}

/** The input value with a name: the user's number, or an unused input value. */
function namedOutside(world: World, name: string): HostAnswer {
  const fixed = world.fixedOutside(name);
  return fixed === undefined ? chosenOutside(world) : { kind: 'value', value: BigInt(fixed) };
}

const done: HostAnswer = { kind: 'value' };

/**
 * By name of a function with a condition as operand: the reason why `main` cannot continue if the
 * condition is 0.
 */
const ifFalse = {
  __fencewright_assume: "'main' waits here for ever",
  __fencewright_cut_off_unless: "no execution gets past this assumption of 'main'",
  __fencewright_assert: 'an assertion fails before a thread is started',
  __fencewright_warn: 'a warning is given before a thread is started',
} as const;

/** The effect of an LLVM intrinsic before threads start; `undefined` for unknown intrinsics. */
function intrinsic(
  { image }: World,
  name: string,
  operands: readonly Computed[],
): HostAnswer | undefined {
  const { memory } = image;
  const [first, second, third] = operands;
  if (name.startsWith('llvm.memset.')) {
    memory.fill(number(first), number(third), number(second) & 255);
    return done;
  }
  if (/^llvm\.mem(?:cpy|move)\./.test(name)) {
    memory.copy(number(first), number(second), number(third));
    return done;
  }
  if (/^llvm\.(?:threadlocal\.address|expect)\./.test(name))
    return { kind: 'value', value: BigInt(number(first)) };
  if (name.startsWith('llvm.lifetime.start.')) {
    const object = memory.objectAt(number(operands.at(-1)), 1);
    if (object) image.makeAgain(object);
    return done;
  }
  if (/^llvm\.(?:dbg|lifetime|assume|stackrestore|prefetch|invariant)\b/.test(name)) return done;
  if (/^llvm\.stacksave\b/.test(name)) return { kind: 'value', value: 0n };
  const arithmetic = overflowing(name);
  if (!arithmetic) return undefined;
  const [left, right] = [first, second].map((each) => integer(each));
  return { kind: 'value', value: overflowOf(memory, arithmetic, left!, right!) };
}

/** The effect of a function on texts; `undefined` for all other functions. */
function ofTexts(
  { commandLine, image: { memory } }: World,
  name: string,
  operands: readonly Computed[],
): HostAnswer | undefined {
  if (name === '__fencewright_unknown_text')
    return { kind: 'value', value: BigInt(commandLine.textOf(memory.text(number(operands[0])))) };
  if (name === '__fencewright_print_list' || name === '__fencewright_read_list') {
    conversionsIn(memory.text(number(operands[0])));
    return done;
  }
  if (name === '__fencewright_forget_text') {
    const [text, size] = [number(operands[0]), number(operands[1])];
    memory.setBytes(
      text,
      Array.from({ length: size }, () => undefined),
    );
    return done;
  }
  const writing = writingText.get(name);
  if (!writing) return undefined;
  const { size, format } = writing;
  const textAt = (address: number): string => memory.text(address);
  const values = operands.slice(format + 1).map((each) => integer(each));
  const text = formattedText(textAt(number(operands[format])), values, textAt, memory);
  const capacity =
    size === undefined ? undefined : Number(BigInt.asUintN(64, integer(operands[size])));
  memory.setBytes(number(operands[0]), bytesOfText(text, capacity));
  return { kind: 'value', value: BigInt(text.length) };
}

/** The effect of a function on blocks of memory; `undefined` for all other functions. */
function ofBlocks(
  world: World,
  name: string,
  [first, second]: readonly Computed[],
  nameOfAllocated: () => string,
): HostAnswer | undefined {
  const { assumed, blocks, image } = world;
  const { memory } = image;
  const early = (size: Computed, alignment?: number, isZero?: boolean): HostAnswer => {
    const address = earlyBlock(world, nameOfAllocated(), number(size), alignment, isZero);
    return { kind: 'value', value: BigInt(address) };
  };
  switch (name) {
    case newState:
    case '__fencewright_malloc':
      return early(first);
    case '__fencewright_malloc_aligned':
      return early(second, number(first));
    case '__fencewright_malloc_zero':
      return early(second, number(first), true);
    case '__fencewright_is_block':
      return { kind: 'value', value: blocks.sizeAt(number(first)) === number(second) ? 1n : 0n };
    case endState:
      return done;
    case '__fencewright_free':
      if (number(first) !== 0) assumed.note(libraryAssumptions.freed);
      blocks.freeEarly(memory, number(first));
      return done;
    case '__fencewright_block_size':
      assumed.note(libraryAssumptions.moved);
      return { kind: 'value', value: BigInt(blocks.sizeAt(number(first)) ?? notBlock()) };
    case '__fencewright_copy_block':
      memory.copy(number(first), number(second), blocks.sizeAt(number(second)) ?? notBlock());
      return done;
    default:
      return undefined;
  }
}

/** The effect of a function for sections under the bus lock; `undefined` for other functions. */
function ofSections(world: World, name: string): HostAnswer | undefined {
  switch (name) {
    case '__fencewright_atomic_begin':
    case '__fencewright_update_begin':
      world.openSections += 1;
      return done;
    case '__fencewright_atomic_end':
      if (world.openSections === 0) throw lonelyEnd();
      world.openSections -= 1;
      return done;
    case '__fencewright_need_no_section':
      if (world.openSections > 0) throw nestedSection();
      return done;
    default:
      return undefined;
  }
}

/** The effect of a function without a body before threads start; `undefined` if unknown. */
function answer(
  world: World,
  name: string,
  operands: readonly Computed[],
  nameOfAllocated: () => string,
): HostAnswer | undefined {
  const known =
    intrinsic(world, name, operands) ??
    ofTexts(world, name, operands) ??
    ofSections(world, name) ??
    ofBlocks(world, name, operands, nameOfAllocated);
  if (known) return known;
  const { image, lastCalls } = world;
  const { memory } = image;
  const [first, second] = operands;
  switch (name) {
    case '__fencewright_thread_exit':
      if (lastCalls.length > 0) throw endsEarly();
      return { kind: 'stop' };
    case creation:
    case '__fencewright_exit':
      return { kind: 'stop' };
    case '__fencewright_thread_join':
      throw new Unsupported('the handle joined here is not a thread');
    case '__fencewright_waiters':
      return { kind: 'value', value: BigInt(world.waitersFor(number(first))) };
    case '__fencewright_waiter':
      return { kind: 'value', value: 1n };
    case '__fencewright_wait':
      return number(first) === 0 ? { kind: 'stop' } : { kind: 'value', value: 0n };
    case '__fencewright_thread_self':
      return { kind: 'value', value: BigInt(handleOf(0)) };
    case '__fencewright_need_no_last':
      if (lastCalls.length > 0) throw endsEarly();
      return done;
    case '__fencewright_run_last': {
      const of = image.functionAt(number(first));
      if (!of) throw new Unsupported('the registered exit function is not a function');
      lastCalls.push({ of, operands: [BigInt(number(second))] });
      return { kind: 'value', value: 1n };
    }
    case '__fencewright_assume':
    case '__fencewright_cut_off_unless':
    case '__fencewright_assert':
    case '__fencewright_warn':
      if (number(first) === 0) throw new Unsupported(ifFalse[name]);
      return done;
    case '__fencewright_never_fails':
      world.assumed.note(neverFails(memory.text(number(first))));
      return done;
    case '__fencewright_take_for_granted':
      world.assumed.note(assumptionWith(memory.text(number(first))));
      return done;
    case '__fencewright_is_known':
      return { kind: 'value', value: typeof first === 'bigint' ? 1n : 0n };
    case '__fencewright_nondet':
      return chosenOutside(world);
    case '__fencewright_outside':
    case '__fencewright_outside_long':
      return namedOutside(world, memory.text(number(first)));
    case '__fencewright_constant_text': {
      const isConstant = memory.objectAt(number(first), 1)?.isConstant === true;
      return { kind: 'value', value: isConstant ? integer(first) : 0n };
    }
    case '__fencewright_refuse':
    case '__fencewright_limit':
    case '__fencewright_terminate':
      throw new Unsupported(memory.text(number(first)));
    default:
      return undefined;
  }
}

function notBlock(): never {
  throw new Unsupported('no block begins at this address');
}

/**
 * Returns the address of a `malloc` block allocated before threads start; its content is 0 if
 * `isZero`.
 */
function earlyBlock(
  { assumed, blocks, image }: World,
  name: string,
  size: number,
  alignment = usualAlignment,
  isZero = false,
): number {
  assumed.note(libraryAssumptions.malloc);
  const block = image.memory.allocateBlock(name, size, alignment, isZero);
  blocks.note(block);
  return block.address;
}

function integer(value: Computed): bigint {
  if (typeof value !== 'bigint') throw notKnown(value);
  return value;
}

function number(value: Computed): number {
  return Number(integer(value));
}

/** The name of the block that the innermost of the calls in progress allocates. */
function nameOfBlock(world: World, places: SourcePlaces, calls: readonly Activation[]): string {
  const origin = places.originOf(callFrames(world, calls));
  const by = origin?.calls?.[0]?.function ?? places.nameOf(calls[0]!.of);
  return blockName(by, origin?.span);
}

/** The calls in progress, in the form that lowering uses. Throws `ChoiceNeeded`. */
export function framesOf(world: World, calls: readonly Activation[]): CallFrame[] {
  calls.forEach((call, depth) => {
    needChoices(call, depth === calls.length - 1);
  });
  return callFrames(world, calls);
}

function callFrames(world: World, calls: readonly Activation[]): CallFrame[] {
  let path = '';
  return calls.map((call, depth) => {
    const { of, locals, block, previous, next } = call;
    const caller = calls[depth - 1];
    path = caller ? `${path}/${of.name}.${caller.block}.${caller.next}` : of.name;
    return {
      flow: world.flowOf(of),
      path,
      locals: new Map([...locals].map(([name, value]) => [name, valueOf(value)])),
      block,
      previous,
      next,
      objects: [],
      isAtomic: false,
      isOneOfSeveral: false,
    };
  });
}

/**
 * Throws `ChoiceNeeded` if the call may still use a local whose value depends on an unused input;
 * `isInnermost`: whether the call is the innermost one, and so does not wait for another call.
 */
function needChoices(call: Activation, isInnermost: boolean): void {
  const open = [...call.locals].filter(([, value]) => choicesIn(value).length > 0);
  if (open.length === 0) return;
  const used = localsAhead(call.of, call.block, isInnermost ? call.next : call.next + 1);
  for (const [name, value] of open) if (used.has(name)) throw notKnown(value);
}

function stateOf(
  world: World,
  calls: readonly Activation[],
  exceptions: Exceptions = noExceptions,
): LoweringState {
  return {
    frames: framesOf(world, calls),
    cells: new Map(),
    pools: new Map(),
    locks: 0,
    created: [],
    joined: [],
    exceptions,
    isTrunk: true,
    hiddenAt: '',
  };
}

function valueOf(value: Computed): LoweredValue {
  if (value === undefined) return nothing;
  if (typeof value === 'bigint') return numberValue(value);
  if ('bytes' in value || 'chosen' in value) return nothing;
  return { kind: 'parts', parts: value.map((part) => valueOf(part)) };
}
