import { assumptionWith, neverFails } from './assumed.js';
import { LastsNeeded } from './choice-needed.js';
import { inEachLength } from './computed-lengths.js';
import { argumentCountFunction, argumentList, environmentList } from './command-line.js';
import { at } from '@fencewright/ground/base/at.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import { markAt } from '@fencewright/model/program/text-mark.js';
import { knownOfBlocks } from './known-blocks.js';
import { knownOfExceptions } from './known-exceptions.js';
import { bytesOfText, formattedText, writingText, type WritingText } from './formatted-text.js';
import { printList, readList } from './print-list.js';
import { requireConstantText } from './printed-texts.js';
import {
  finish,
  knownNumber,
  plain,
  knownSize,
  type KnownContext,
  type KnownFunction,
} from './known-function.js';
import type { AccessLowering } from './lower-access.js';
import { handleOf } from './lower-creation.js';
import type { Lowering } from './lowering.js';
import { overflowing, overflowValue } from './overflow.js';
import type { LoweredStep } from './step.js';
import { endsEarly, nestedSection, Unsupported } from './unsupported.js';
import {
  addressValue,
  compareValues,
  expressionValue,
  nothing,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';

/** The model of a function, given by name; `undefined` for unknown functions. */
export function knownFunction(name: string): KnownFunction | undefined {
  if (/^llvm\.lifetime\.start\b/.test(name)) return startLifetime;
  if (/^llvm\.(?:dbg|lifetime|assume|stackrestore|invariant)\b/.test(name)) return ignored;
  if (/^llvm\.stacksave\b/.test(name)) return plain(() => numberValue(0));
  const arithmetic = overflowing(name);
  if (arithmetic)
    return plain(({ lowering: { round } }, [left = nothing, right = nothing]) =>
      overflowValue(round.world.image.memory, arithmetic, left, right),
    );
  const intrinsic =
    /^llvm\.(memset|memcpy|memmove|prefetch|threadlocal\.address|expect|[us]m(?:ax|in)|x86\.sse2?\.\w+|trap|eh\.typeid\.for)\b/.exec(
      name,
    )?.[1];
  return known.get(intrinsic === undefined ? name : `llvm.${intrinsic}`);
}

const ignored: KnownFunction = ({ lowering }) => {
  finish(lowering, nothing);
};

/** `llvm.lifetime.start` makes a local uninitialised. Old versions of LLVM pass the size first. */
const startLifetime: KnownFunction = ({ lowering, memory }, operands) => {
  const address = operands.at(-1);
  if (address) memory.startLifetime(lowering.value(address));
  finish(lowering, nothing);
};

/** The text at an address. Throws `Unsupported` if the address is unknown. */
function textAt({ round }: Lowering, text: LoweredValue | undefined): string {
  return round.world.image.memory.text(knownNumber(text, 'something has no model here'));
}

/**
 * A prefetch has no effect, unless its address encodes a text mark: then the call becomes a `skip`
 * with this mark.
 */
const prefetch: KnownFunction = ({ lowering }, [operand]) => {
  const value = operand?.value;
  const address = value?.kind === 'cast' ? value.from.value : undefined;
  const mark = address?.kind === 'integer' ? markAt(address.value) : undefined;
  if (mark !== undefined) lowering.emit({ kind: 'skip', mark });
  finish(lowering, nothing);
};

const fence = plain(({ lowering }) => {
  lowering.emit({ kind: 'fence', order: 'seq_cst' });
  return undefined;
});

const heavyFence = plain(({ lowering }) => {
  if (lowering.state.locks > 0)
    throw new Unsupported(
      'a heavy fence where the thread holds the bus lock',
      'a heavy fence is a system call: put the call before the block',
    );
  lowering.emit({ kind: 'heavy-fence' });
  return undefined;
});

/** The condition that a value is not 0. */
function conditionOf(value: LoweredValue | undefined) {
  return toExpression(compareValues('ne', 32, value ?? nothing, numberValue(0)));
}

/** Continues the thread only if the condition holds. */
function assumeThat(lowering: Lowering, step: Extract<LoweredStep, { kind: 'assume' }>): void {
  const { condition } = step;
  if (condition.kind !== 'constant') lowering.emit(step);
  else if (condition.value === 0) lowering.end(step);
}

/**
 * Finishes the current call with an input value. If the code is unrolled and the range is small,
 * each value gets its own copy of the code.
 */
function fromOutside(lowering: Lowering, name: string): void {
  const { world } = lowering.round;
  const range = world.outside.choiceOf(name);
  const { low, high } = range;
  world.noteOutside(name);
  if (low === high) {
    finish(lowering, numberValue(low));
    return;
  }
  if (lowering.isUnrolled && high - low < mostWays) {
    lowering.state.isTrunk = false;
    const numbers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    lowering.inEachWay(numbers.map((number) => () => numberValue(number)));
  }
  const into = lowering.resultRegister();
  lowering.emit({ kind: 'havoc', into, range, hint: world.outside.hintFor(name) });
  finish(lowering, expressionValue(registerValue(into)));
}

/** The maximum number of values that each get a copy of the code after the choice. */
const mostWays = 16;

const namedOutside: KnownFunction = ({ lowering }, [name]) => {
  fromOutside(lowering, textAt(lowering, name && lowering.value(name)));
};

/** Copies or sets bytes at known places; the number of bytes may be computed at run time. */
function inLength(
  { bytes, lowering }: AccessLowering,
  length: LoweredValue,
  places: readonly LoweredValue[],
  run: (length: LoweredValue) => void,
): LoweredValue | undefined {
  if (length.kind === 'expression') return inEachLength(lowering, length, bytes.rooms(places), run);
  run(length);
  return undefined;
}
/**
 * Returns the object that counts the threads waiting for an address. A computed address must equal
 * an address that another call waits for or notifies; otherwise the execution ends at a limit of
 * the model.
 */
const waitersFor = plain(({ lowering }, [address = nothing]) => {
  const { world } = lowering.round;
  if (address.kind === 'number') return numberValue(world.waitersFor(Number(address.number)));
  const asked = toExpression(address);
  const ways = [...world.waiters].map(([each, waiters]) => (): LoweredValue => {
    lowering.emit({ kind: 'assume', condition: binary('==', asked, constant(each)) });
    return numberValue(waiters);
  });
  const others = [...world.waiters.keys()].map((each) => binary('!=', asked, constant(each)));
  return lowering.inEachWay([
    ...ways,
    () => {
      for (const condition of others) lowering.emit({ kind: 'assume', condition });
      return lowering.end({
        ...{ kind: 'fault', reason: 'library-limit' },
        said: 'the object of this wait has to be known',
      });
    },
  ]);
});

/**
 * Writes a text; the result is the number of its characters. A text with unknown values leaves the
 * bytes that it may take uninitialised, and has no result.
 */
function writeText(
  { lowering, memory }: KnownContext,
  { size, format }: WritingText,
  values: readonly LoweredValue[],
): LoweredValue {
  const constantText = (address: number): string => {
    requireConstantText(lowering.round, address);
    return lowering.round.world.image.memory.text(address);
  };
  const operands = values.slice(format + 1);
  const room = size === undefined ? undefined : values[size];
  const capacity = room && knownSize(room, 'the capacity of a text has to be known');
  if (capacity !== undefined && operands.some(({ kind }) => kind !== 'number')) {
    memory.bytes.forget(values[0]!, capacity);
    return nothing;
  }
  const text = formattedText(
    constantText(knownNumber(values[format], 'a format has to be known')),
    operands.map((each) => (each.kind === 'number' ? each.number : undefined)),
    constantText,
    lowering.round.world.image.memory,
  );
  for (const [i, byte] of bytesOfText(text, capacity).entries())
    memory.bytes.fill(
      addressValue('add', values[0]!, numberValue(i)),
      numberValue(byte),
      numberValue(1),
    );
  return numberValue(text.length);
}

/** The maximum number of waiting threads that a 32-bit number with a bit for each can represent. */
const mostWaiters = 31;

/**
 * The memory orders of C11, by the numbers of `__ATOMIC_RELAXED`, `__ATOMIC_CONSUME`, and so on;
 * consume is acquire.
 */
const ordersOfC: readonly MemoryOrder[] = [
  ...(['relaxed', 'acquire', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const),
];

const known: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>([
  ...knownOfBlocks,
  ...knownOfExceptions,
  [
    'llvm.memset',
    plain(({ memory }, [to, byte, size]) =>
      inLength(memory, size!, [to!], (length) => {
        memory.bytes.fill(to!, byte!, length);
      }),
    ),
  ],
  [
    'llvm.memcpy',
    plain(({ memory }, [to, from, size]) =>
      inLength(memory, size!, [to!, from!], (length) => {
        memory.bytes.copy(to!, from!, length);
      }),
    ),
  ],
  [
    'llvm.memmove',
    plain(({ memory }, [to, from, size]) =>
      inLength(memory, size!, [to!, from!], (length) => {
        memory.bytes.move(to!, from!, length);
      }),
    ),
  ],
  // The name of a thread-local variable already denotes the thread's own instance.
  ['llvm.threadlocal.address', plain((_, [address]) => address)],
  ['llvm.prefetch', prefetch],
  ['llvm.expect', plain((_, [value]) => value)],
  ['llvm.x86.sse2.mfence', fence],
  ['llvm.x86.sse2.lfence', ignored],
  ['llvm.x86.sse.sfence', ignored],
  ['llvm.x86.sse2.pause', ignored],
  [
    '__fencewright_assume',
    plain(({ lowering }, [value]) => {
      assumeThat(lowering, { kind: 'assume', condition: conditionOf(value) });
      return undefined;
    }),
  ],
  [
    '__fencewright_wait',
    plain(({ lowering }, [isOver, isTimed]) => {
      const hasEnd = knownNumber(isTimed, 'whether a wait has a time-out has to be known') !== 0;
      const steps: readonly LoweredStep[] = [
        { kind: 'assume', condition: conditionOf(isOver) },
        { kind: 'skip', luck: 'chance' },
        ...(hasEnd ? [{ kind: 'skip', luck: 'time-out' } as const] : []),
      ];
      const take = (step: LoweredStep, number: number): LoweredValue => {
        lowering.emit(step);
        return numberValue(number);
      };
      return lowering.inEachWay(steps.map((step, number) => () => take(step, number)));
    }),
  ],
  [
    '__fencewright_waiter',
    plain(({ lowering }) => {
      const { thread, round } = lowering;
      const hasNumber = thread < mostWaiters && !round.world.uncounted.has(thread);
      return numberValue(hasNumber ? 2 ** thread : 0);
    }),
  ],
  [
    '__fencewright_cut_off_unless',
    plain(({ lowering }, [value]) => {
      assumeThat(lowering, { kind: 'assume', condition: conditionOf(value), cutsOff: true });
      return undefined;
    }),
  ],
  [
    '__fencewright_assert',
    plain(({ lowering }, [value]) => {
      const condition = conditionOf(value);
      if (condition.kind === 'constant' && condition.value !== 0) return undefined;
      lowering.emit({ kind: 'assert', condition });
      lowering.emit({ kind: 'assume', condition, cutsOff: true });
      return condition.kind === 'constant' ? lowering.end() : undefined;
    }),
  ],
  ['__fencewright_heavy_fence', heavyFence],
  [
    '__fencewright_vain_fence',
    plain(({ lowering }, [text]) => {
      const { round, origin } = lowering;
      round.vainFences.set(JSON.stringify(origin.span?.start), {
        origin,
        text: textAt(lowering, text),
      });
      return undefined;
    }),
  ],
  [
    '__fencewright_atomic_begin',
    plain(({ lowering }) => {
      lowering.lock();
      return undefined;
    }),
  ],
  [
    '__fencewright_need_no_section',
    plain(({ lowering }) => {
      if (lowering.state.locks > 0) throw nestedSection();
      return undefined;
    }),
  ],
  [
    '__fencewright_update_begin',
    plain(({ lowering }, [order]) => {
      const number = knownNumber(order, 'the order of an update has to be known');
      lowering.lock({ order: at(ordersOfC, number) });
      return undefined;
    }),
  ],
  [
    '__fencewright_atomic_end',
    plain(({ lowering }) => {
      lowering.unlock();
      return undefined;
    }),
  ],
  [
    '__fencewright_nondet',
    plain(({ lowering }, [least, most]) => {
      const message = 'the bounds of a free choice have to be known';
      const [low, high] = [knownNumber(least, message), knownNumber(most, message)];
      const into = lowering.resultRegister();
      lowering.emit({ kind: 'havoc', into, range: { low, high } });
      return expressionValue(registerValue(into));
    }),
  ],
  [
    '__fencewright_never_fails',
    plain(({ lowering }, [what]) => {
      lowering.round.world.assumed.note(neverFails(textAt(lowering, what)));
      return undefined;
    }),
  ],
  [
    '__fencewright_take_for_granted',
    plain(({ lowering }, [what]) => {
      lowering.round.world.assumed.note(assumptionWith(textAt(lowering, what)));
      return undefined;
    }),
  ],
  [
    '__fencewright_print_list',
    plain((context, [format, list]) => {
      printList(context, format!, list!);
      return undefined;
    }),
  ],
  [
    '__fencewright_read_list',
    plain((context, [format, list]) => {
      readList(context, format!, list!);
      return undefined;
    }),
  ],
  [
    '__fencewright_forget_text',
    plain(({ memory }, [text, size]) => {
      memory.bytes.forget(text!, knownSize(size, 'the capacity of a text has to be known'));
      return undefined;
    }),
  ],
  ['__fencewright_is_known', plain((_, [value]) => numberValue(value?.kind === 'number' ? 1 : 0))],
  ...[...writingText].map(([name, of]): [string, KnownFunction] => [
    name,
    plain((context, values) => writeText(context, of, values)),
  ]),
  [
    '__fencewright_unknown_text',
    plain(({ lowering }, [name]) =>
      numberValue(lowering.round.world.commandLine.textOf(textAt(lowering, name))),
    ),
  ],
  ['__fencewright_waiters', waitersFor],
  ['__fencewright_outside', namedOutside],
  ['__fencewright_outside_long', namedOutside],
  [
    argumentCountFunction,
    ({ lowering }) => {
      fromOutside(lowering, 'argc');
    },
  ],
  [
    argumentList,
    plain(({ lowering }, [count]) =>
      numberValue(
        lowering.round.world.commandLine.listOf(
          count?.kind === 'number' ? Number(count.number) : undefined,
        ),
      ),
    ),
  ],
  [
    environmentList,
    plain(({ lowering }) => numberValue(lowering.round.world.commandLine.environment)),
  ],
  [
    '__fencewright_exit',
    plain(({ lowering }, [status]) => {
      lowering.outputs.ended(lowering.thread === 0 ? 'return' : 'exit', status ?? nothing);
      lowering.outputs.observe();
      // The process has ended: the thread keeps the bus lock for ever, so no other thread
      // continues.
      lowering.lock();
      return lowering.end({ kind: 'end', isLast: 'exit' });
    }),
  ],
  [
    '__fencewright_need_no_last',
    plain(({ lowering }) => {
      if (lowering.round.world.hasLasts) throw endsEarly();
      return undefined;
    }),
  ],
  [
    '__fencewright_run_last',
    plain(({ lowering }) => {
      if (!lowering.round.world.manner.runsLasts) throw new LastsNeeded();
      return numberValue(0);
    }),
  ],
  ['llvm.trap', plain(({ lowering }) => lowering.end({ kind: 'fault', reason: 'trap' }))],
  [
    '__fencewright_refuse',
    plain(({ lowering }, [text]) => {
      throw new Unsupported(textAt(lowering, text));
    }),
  ],
  [
    '__fencewright_constant_text',
    plain(({ lowering }, [text]) => {
      const { memory } = lowering.round.world.image;
      const isConstant =
        text?.kind === 'number' && memory.objectAt(Number(text.number), 1)?.isConstant === true;
      return isConstant ? text : numberValue(0);
    }),
  ],
  [
    '__fencewright_limit',
    plain(({ lowering }, [text]) =>
      lowering.end({ kind: 'fault', reason: 'library-limit', said: textAt(lowering, text) }),
    ),
  ],
  [
    '__fencewright_terminate',
    plain(({ lowering }, [text]) =>
      lowering.end({ kind: 'fault', reason: 'terminated', said: textAt(lowering, text) }),
    ),
  ],
  [
    'fencewright_progress',
    plain(({ lowering }, [name]) => {
      lowering.emit({ kind: 'skip', label: textAt(lowering, name) });
      return undefined;
    }),
  ],
  [
    '__fencewright_warn',
    plain(({ lowering }, [value]) => {
      const condition = conditionOf(value);
      if (condition.kind !== 'constant' || condition.value === 0)
        lowering.emit({ kind: 'assert', condition });
      return undefined;
    }),
  ],
  [
    '__fencewright_thread_create',
    plain(({ threads }, [start, argument]) => threads.create(start!, argument!)),
  ],
  ['__fencewright_thread_join', plain(({ threads }, [thread]) => threads.join(thread!))],
  [
    '__fencewright_thread_exit',
    plain(({ lowering, exceptions }, [value]) => {
      if (lowering.thread === 0 && lowering.round.world.hasLasts) throw endsEarly();
      exceptions.checkUnwound();
      return lowering.endThread(value!);
    }),
  ],
  ['__fencewright_thread_self', plain(({ lowering }) => numberValue(handleOf(lowering.thread)))],
]);
