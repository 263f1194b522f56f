import { type Activation, type Computed, type HostAnswer, Interpreter } from './interpret.js';
import { listedFunctions } from './listed-functions.js';
import type { Frame, LoweringState } from './lowering-state.js';
import { overflowing, overflowOf } from './overflow.js';
import type { IrFunction, IrInstruction, Typed } from './syntax.js';
import { endsEarly, Unsupported } from './unsupported.js';
import { nothing, numberValue, type Value } from './value.js';
import type { ProcessCall, World } from './world.js';

/** Where `main` is when it starts its first thread, or why it cannot be told. */
export type MainEntry =
  | { readonly kind: 'threads'; readonly state: LoweringState }
  /** It starts none. */
  | { readonly kind: 'ended' }
  | {
      readonly kind: 'refused';
      /** The calls that had not returned; empty if there is no `main`. */
      readonly calls: readonly Activation[];
      readonly at?: IrInstruction;
      readonly message: string;
      readonly hint?: string;
    };

/** How many instructions `main` may run before there are threads. */
const mostSteps = 1 << 22;

/** The beginning of `main`, of which nothing has been run. */
export function mainBeginning(world: World): LoweringState | undefined {
  const of = world.linked.functions.get('main');
  if (!of || of.blocks.length === 0) return undefined;
  return stateOf(world, [{ of, locals: new Map(), block: 0, previous: '', next: 0 }]);
}

/**
 * Runs `main`, between what comes before it and behind it, on the memory of the world up to the
 * first call that starts a thread. What memory holds then is what threads find.
 */
export function mainEntry(world: World): MainEntry {
  const { linked, image } = world;
  const main = linked.functions.get('main');
  if (!main || main.blocks.length === 0)
    return {
      kind: 'refused',
      calls: [],
      message: "there is no 'main'",
      hint: 'give the whole program',
    };
  const runs: ProcessCall[] = [
    ...listedFunctions(linked, 'llvm.global_ctors').map((of) => ({ of, operands: [] })),
    { of: main, operands: argumentsOf(world) },
  ];
  for (let run = runs.shift(); run; run = runs.shift() ?? world.lastCalls.pop()) {
    const interpreter = new Interpreter(image, (name, operands) => answer(world, name, operands));
    const outcome = interpreter.run(run.of, run.operands, mostSteps);
    const calls = interpreter.activations;
    switch (outcome.kind) {
      case 'returned':
        break;
      case 'stopped':
        if (isCreation(outcome.at) && world.openSections > 0)
          return {
            kind: 'refused',
            calls,
            message: 'the first thread is started within an atomic section',
            hint: 'end the section before, and begin another one behind',
          };
        return isCreation(outcome.at)
          ? {
              kind: 'threads',
              state: stateOf(world, [...processOf(world, [run, ...runs]), ...calls]),
            }
          : { kind: 'ended' };
      case 'limit':
        return {
          kind: 'refused',
          calls,
          at: outcome.at,
          message: "'main' runs for too long before it starts a thread",
          hint: 'it is run until then',
        };
      case 'refused':
        return { ...outcome, calls };
    }
  }
  return { kind: 'ended' };
}

/**
 * The call that has not returned, the first of `runs`, in a function of ours: it goes on with the
 * others, up to `main`, and does what comes behind `main`, the last first. Nothing where there is
 * nothing to do.
 */
function processOf(world: World, runs: readonly ProcessCall[]): readonly Activation[] {
  const calls = [...runs, ...world.lastCalls.toReversed()];
  const [{ of: first }] = calls as [ProcessCall];
  if (calls.length === 1 && first.name === 'main') return [];
  const { span } = first;
  const instructions = [
    ...calls.map(({ of, operands }): IrInstruction => ({
      operation: {
        kind: 'call',
        returns: { kind: 'void' },
        callee: { kind: 'global', name: of.name },
        operands: of.parameters.flatMap(({ type }, i): Typed[] => {
          const value = operands[i];
          return value === undefined ? [] : [{ type, value: { kind: 'integer', value } }];
        }),
      },
      span,
    })),
    { operation: { kind: 'return' }, span } as const,
  ];
  const of: IrFunction = {
    ...{ name: '@process', parameters: [], isVariadic: false, span },
    ...{ isInternal: true, isReplaceable: false },
    blocks: [{ label: '0', instructions }],
  };
  return [{ of, locals: new Map(), block: 0, previous: '', next: 0 }];
}

/** `argc`, `argv` and the environment: the program has no arguments, and an empty name. */
function argumentsOf({ image }: World): readonly bigint[] {
  const { memory } = image;
  const name = memory.allocate('name', 1);
  const list = memory.allocate('argv', 16);
  memory.store(name.address, 1, 0n);
  memory.store(list.address, 8, BigInt(name.address));
  memory.store(list.address + 8, 8, 0n);
  return [1n, BigInt(list.address), BigInt(list.address + 8)];
}

/** Whether something is run before `main`. */
export function hasConstructors(world: World): boolean {
  return listedFunctions(world.linked, 'llvm.global_ctors').length > 0;
}

const creation = '__fencewright_thread_create';

function isCreation({ operation }: IrInstruction): boolean {
  return (
    operation.kind === 'call' &&
    operation.callee.kind === 'global' &&
    operation.callee.name === creation
  );
}

const done: HostAnswer = { kind: 'value' };

/** What functions without a body do before there are threads. */
function answer(world: World, name: string, operands: readonly Computed[]): HostAnswer | undefined {
  const { image, lastCalls } = world;
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
  if (arithmetic) {
    const [left, right] = [first, second].map((each) => integer(each));
    return { kind: 'value', value: overflowOf(arithmetic, left!, right!) };
  }
  switch (name) {
    case '__fencewright_thread_exit':
      if (lastCalls.length > 0) throw endsEarly();
      return { kind: 'stop' };
    case creation:
    case '__fencewright_exit':
      return { kind: 'stop' };
    case '__fencewright_thread_join':
      throw new Unsupported('what is joined here is no thread');
    case '__fencewright_thread_self':
      return { kind: 'value', value: 0n };
    case '__fencewright_malloc': {
      const block = memory.allocateBlock('block', number(first));
      world.blocks.note(block);
      return { kind: 'value', value: BigInt(block.address) };
    }
    case '__fencewright_atomic_begin':
      world.openSections += 1;
      return done;
    case '__fencewright_atomic_end':
      if (world.openSections === 0)
        throw new Unsupported('an atomic section ends that has not begun');
      world.openSections -= 1;
      return done;
    case '__fencewright_free':
      world.blocks.giveBackEarly(memory, number(first));
      return done;
    case '__fencewright_need_no_last':
      if (lastCalls.length > 0) throw endsEarly();
      return done;
    case '__fencewright_run_last': {
      const of = image.functionAt(number(first));
      if (!of) throw new Unsupported('what is to run when the process ends is no function');
      lastCalls.push({ of, operands: [BigInt(number(second))] });
      return done;
    }
    case '__fencewright_assume':
      if (number(first) === 0) throw new Unsupported("'main' waits here for ever");
      return done;
    case '__fencewright_assert':
      if (number(first) === 0)
        throw new Unsupported('an assertion fails before a thread is started');
      return done;
    case '__fencewright_nondet':
      throw new Unsupported(
        "a free choice in 'main' before it starts a thread is not supported",
        'let a thread choose',
      );
    case '__fencewright_refuse':
      throw new Unsupported(memory.text(number(first)));
    default:
      return undefined;
  }
}

function integer(value: Computed): bigint {
  if (typeof value !== 'bigint') throw new Unsupported('a value that is not defined is used');
  return value;
}

function number(value: Computed): number {
  return Number(integer(value));
}

/** The calls that have not returned, for the lowering. */
export function framesOf(world: World, calls: readonly Activation[]): Frame[] {
  let path = '';
  return calls.map(({ of, locals, block, previous, next }, depth) => {
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

function stateOf(world: World, calls: readonly Activation[]): LoweringState {
  return {
    frames: framesOf(world, calls),
    cells: new Map(),
    pools: new Map(),
    locks: 0,
    created: [],
    joined: [],
    isTrunk: true,
    hiddenAt: '',
  };
}

function valueOf(value: Computed): Value {
  if (value === undefined) return nothing;
  if (typeof value === 'bigint') return numberValue(value);
  if ('bytes' in value) return nothing;
  return { kind: 'parts', parts: value.map((part) => valueOf(part)) };
}
