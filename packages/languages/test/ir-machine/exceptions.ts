import type { Code, Edge, Op } from './code.js';
import { objectAt } from './image.js';
import {
  type Calling,
  type LibraryFunction,
  long,
  nothing,
  type Outcome,
  type Result,
} from './library-call.js';
import type { Exceptions, Frame, Header } from './state.js';
import { Fault, NotKnown } from './stop.js';
import { fromBytes, toNumber, unset, type Value } from './value.js';
import type { World } from './world.js';

/*
 * Exceptions as in the runtime of the Itanium ABI: each exception object follows a header, the
 * search for a handler precedes all cleanups, and each thread records which exceptions its handlers
 * hold.
 */

/** The size in bytes of `_Unwind_Exception`, the header before the exception object. */
const headerSize = 32;

const std = (name: string): string => `_ZTISt${name.length}${name}`;

/**
 * By base class, the classes of the exceptions of libstdc++; their type descriptions are in the
 * library's binary.
 */
const standardBases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    logic_error: [
      'domain_error',
      'invalid_argument',
      'length_error',
      'out_of_range',
      'future_error',
    ],
    runtime_error: ['range_error', 'overflow_error', 'underflow_error', 'system_error'],
    bad_alloc: ['bad_array_new_length'],
    exception: [
      ...['logic_error', 'runtime_error', 'bad_alloc', 'bad_exception', 'bad_cast', 'bad_typeid'],
      ...['bad_function_call', 'bad_weak_ptr', 'bad_optional_access'],
    ],
  }).flatMap(([base, derived]) => derived.map((name) => [std(name), std(base)])),
);

function change(world: World, id: number, what: Partial<Exceptions>): void {
  const thread = world.thread(id);
  thread.exceptions = { ...thread.exceptions, ...what };
}

function headerAt(world: World, id: number, address: number): Header {
  const header = world.look(id).exceptions.headers.get(address);
  if (!header) throw new Fault('use of no exception');
  return header;
}

function withHeader(world: World, id: number, address: number, header: Header | undefined): void {
  const headers = new Map(world.look(id).exceptions.headers);
  if (header) headers.set(address, header);
  else headers.delete(address);
  change(world, id, { headers });
}

// Types.

function nameAt(world: World, address: number): string | undefined {
  for (const [name, at] of world.image.addressOf) if (at === address) return name;
  return undefined;
}

/** Returns a word of a type description, which is constant. */
function word(world: World, address: number): number {
  const { piece } = world.piece(address, 8);
  const value = fromBytes(long, piece.bytes, address - piece.base);
  return toNumber(value);
}

/**
 * Returns the addresses of a public base of the thrown object, from the type descriptions in
 * memory.
 */
function placesOf(
  world: World,
  type: string,
  handler: string,
  object: number,
  isPublic: boolean,
): readonly { readonly place: number; readonly isPublic: boolean }[] {
  if (type === handler) return [{ place: object, isPublic }];
  const standard = standardBases.get(type);
  if (standard !== undefined) return placesOf(world, standard, handler, object, isPublic);
  const at = world.image.addressOf.get(type);
  if (at === undefined || !world.pieces.has(objectAt(at))) {
    if (/^_ZTI(?:P?K?[a-z]|St9exception$|Dn$)/.test(type)) return [];
    throw new NotKnown(`exception of ${type}`);
  }
  const kind = nameAt(world, word(world, at) - 16) ?? '';
  const base = (place: number): string => nameAt(world, word(world, place)) ?? '';
  if (kind.includes('20__si_class'))
    return placesOf(world, base(at + 16), handler, object, isPublic);
  if (kind.includes('17__class') || kind.includes('__enum')) return [];
  if (!kind.includes('21__vmi_class')) throw new NotKnown(`exception of ${type}`);
  const count = Math.floor(word(world, at + 16) / 2 ** 32);
  return Array.from({ length: count }, (_, i) => at + 24 + 16 * i).flatMap((entry) => {
    const flags = word(world, entry + 8);
    if (flags % 2 === 1) throw new NotKnown('virtual base of an exception');
    const isOpen = isPublic && Math.floor(flags / 2) % 2 === 1;
    return placesOf(world, base(entry), handler, object + Math.floor(flags / 256), isOpen);
  });
}

/**
 * Returns the address that a handler of the type receives; `undefined` if the handler does not
 * catch the exception.
 */
function adjusted(world: World, type: string, handler: string, object: number): number | undefined {
  const isPointer = type.startsWith('_ZTIP');
  if (isPointer && type !== handler && handler.startsWith('_ZTIP'))
    throw new NotKnown('conversion of a pointer that is thrown');
  if (isPointer) return type === handler ? word(world, object) : undefined;
  const [first, ...others] = placesOf(world, type, handler, object, true);
  return first?.isPublic && others.length === 0 ? first.place : undefined;
}

// Unwinding.

interface Pad {
  readonly edge: Edge;
  readonly landing: Extract<Op, { readonly kind: 'landing' }>;
}

function padOf(code: Code, pc: number): Pad | undefined {
  const op = code.ops[pc];
  if (op?.kind !== 'call' || !op.unwind) return undefined;
  const landing = code.ops[op.unwind.to];
  if (landing?.kind !== 'landing') throw new NotKnown('no landing pad');
  return { edge: op.unwind, landing };
}

/**
 * Returns the clause of a landing pad that catches the exception: the address that the handler
 * receives, and the number of the clause.
 */
function clauseOf(
  world: World,
  { code }: Frame,
  { landing }: Pad,
  { type }: Header,
  address: number,
): Pick<Header, 'adjusted' | 'selector'> | undefined {
  for (const clause of landing.clauses) {
    if (clause === 'filter') throw new NotKnown('exception specification');
    const handler = toNumber(code.constants[-1 - clause]);
    const object = address + headerSize;
    if (handler === 0) return { adjusted: object, selector: -1 };
    const place = adjusted(world, type, nameAt(world, handler) ?? '', object);
    if (place !== undefined) return { adjusted: place, selector: objectAt(handler) + 1 };
  }
  return undefined;
}

/**
 * Raises an exception: first searches for a handler. Without any handler the program is terminated,
 * before cleanups.
 */
function raise(world: World, id: number, address: number): Result {
  const header = headerAt(world, id, address);
  const { frames } = world.thread(id);
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i]!;
    const pad = padOf(frame.code, frame.pc);
    const clause = pad && clauseOf(world, frame, pad, header, address);
    if (clause) {
      withHeader(world, id, address, { ...header, ...clause });
      change(world, id, { uncaught: world.look(id).exceptions.uncaught + 1 });
      return goOn(world, id, address, i);
    }
    // A callback may have cleanups; the base of a thread has none.
    const below = frames[i - 1];
    const op = below?.code.ops[below.pc];
    if (frame.isCallback && below && below.pc > 0 && op?.kind === 'call')
      throw new NotKnown('exception through a function of a library');
    if (frame.isCallback) break;
  }
  world.finish({ kind: 'abort' });
  return 'again';
}

/** Runs the cleanups of the calls up to the call with the handler, and enters the handler. */
function goOn(world: World, id: number, address: number, handler: number): Result {
  const thread = world.thread(id);
  for (;;) {
    const frame = thread.frames.at(-1)!;
    const pad = padOf(frame.code, frame.pc);
    const isHandler = thread.frames.length - 1 === handler;
    if (pad && (isHandler || pad.landing.isCleanup)) {
      const values = pad.edge.moves.map(({ from }) =>
        from >= 0 ? frame.registers[from] : frame.code.constants[-1 - from],
      );
      pad.edge.moves.forEach(({ out }, i) => (frame.registers[out] = values[i]));
      frame.pc = pad.edge.to;
      const selector = isHandler ? headerAt(world, id, address).selector : 0;
      frame.registers[pad.landing.out] = [address, selector >>> 0];
      return 'again';
    }
    world.leave(id);
  }
}

/** Returns the value of a landing pad, which the jump to the pad has stored. */
export function landed(world: World, id: number): Value {
  const frame = world.look(id).frames.at(-1)!;
  const op = frame.code.ops[frame.pc]!;
  return op.kind === 'landing' ? frame.registers[op.out] : undefined;
}

/** Continues an exception after the cleanups of a call, towards its handler. */
export function resume(world: World, id: number, value: Value): Outcome {
  const address = (value as readonly number[])[0]!;
  const header = headerAt(world, id, address);
  world.leave(id);
  const { frames } = world.thread(id);
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i]!;
    const pad = padOf(frame.code, frame.pc);
    if (!pad || !clauseOf(world, frame, pad, header, address)) continue;
    goOn(world, id, address, i);
    return 'done';
  }
  throw new Fault('no handler any more');
}

// The functions of the runtime.

function throwObject(c: Calling, object: number, type: string, destructor: number): Result {
  const { world, id } = c;
  if (c.isTooEarly) return 'waits';
  const address = object - headerSize;
  const header = { type, destructor, handlers: 0, adjusted: object, selector: 0 };
  withHeader(world, id, address, header);
  return raise(world, id, address);
}

function beginCatch(c: Calling): Result {
  const { world, id } = c;
  const address = c.number(0);
  const header = headerAt(world, id, address);
  const { caught, uncaught } = world.look(id).exceptions;
  withHeader(world, id, address, { ...header, handlers: Math.abs(header.handlers) + 1 });
  change(world, id, {
    uncaught: uncaught - 1,
    caught: caught[0] === address ? caught : [address, ...caught],
  });
  return { value: header.adjusted };
}

function endCatch(c: Calling): Result {
  const { world, id } = c;
  const depth = world.look(id).frames.length;
  const { caught, ending } = world.look(id).exceptions;
  const last = ending.at(-1);
  if (last?.depth === depth) {
    change(world, id, { ending: ending.slice(0, -1) });
    return free(c, last.address);
  }
  const [address, ...others] = caught;
  if (address === undefined) return nothing;
  const header = headerAt(world, id, address);
  const handlers = header.handlers + (header.handlers < 0 ? 1 : -1);
  withHeader(world, id, address, { ...header, handlers });
  if (handlers !== 0) return nothing;
  change(world, id, { caught: others });
  if (header.handlers < 0) return nothing;
  const own = world.image.functionAt.get(header.destructor);
  if (own === undefined || typeof own === 'string') return free(c, address);
  change(world, id, { ending: [...ending, { address, depth }] });
  return c.callback(header.destructor, [address + headerSize]);
}

function free({ world, id }: Calling, address: number): Result {
  withHeader(world, id, address, undefined);
  const number = objectAt(address);
  const isAwaited = world.threadIds.some((each) =>
    world.look(each).buffer.some((store) => objectAt(store.address) === number),
  );
  if (!isAwaited) world.setPiece(number, undefined);
  return nothing;
}

function rethrow(c: Calling): Result {
  const { world, id } = c;
  if (c.isTooEarly) return 'waits';
  const [address] = world.look(id).exceptions.caught;
  if (address === undefined) {
    world.finish({ kind: 'abort' });
    return 'again';
  }
  const header = headerAt(world, id, address);
  withHeader(world, id, address, { ...header, handlers: -header.handlers });
  return raise(world, id, address);
}

function allocate({ world, id }: Calling, size: number): number {
  const base = world.block(id, headerSize + size);
  world.write(
    base,
    Array.from({ length: headerSize + size }, () => unset),
  );
  return base + headerSize;
}

const typeNumber: LibraryFunction = (c) => ({ value: objectAt(c.number(0)) + 1 });

export const exceptionLibrary: Readonly<Record<string, LibraryFunction>> = {
  __cxa_allocate_exception: (c) => ({ value: allocate(c, c.number(0)) }),
  __cxa_free_exception: (c) => free(c, c.number(0) - headerSize),
  __cxa_throw: (c) => throwObject(c, c.number(0), nameAt(c.world, c.number(1)) ?? '', c.number(2)),
  __cxa_get_exception_ptr: (c) => ({ value: headerAt(c.world, c.id, c.number(0)).adjusted }),
  __cxa_begin_catch: beginCatch,
  __cxa_end_catch: endCatch,
  __cxa_rethrow: rethrow,
  'llvm.eh.typeid.for': typeNumber,
  // Of newer versions of LLVM: `llvm.eh.typeid.for.p0`.
  'llvm.eh.typeid.for.p': typeNumber,
  _ZSt18uncaught_exceptionv: (c) => ({
    value: c.world.look(c.id).exceptions.uncaught > 0 ? 1 : 0,
  }),
  _ZSt19uncaught_exceptionsv: (c) => ({ value: c.world.look(c.id).exceptions.uncaught }),
};

/** Throws an exception of the library; programs look only at its type. */
export function throwStandard(c: Calling, name: string): Result {
  if (c.isTooEarly) return 'waits';
  return throwObject(c, allocate(c, 32), std(name), 0);
}

/**
 * Returns the rule that executes a function of libstdc++, given by its mangled name; `undefined`
 * for other names.
 */
export function exceptionRule(name: string): LibraryFunction | undefined {
  const thrown = /^_ZSt\d+__throw_(\w+?)(?:_fmt)?(?:PKcz?|v|i)$/.exec(name)?.[1];
  if (thrown !== undefined) return (c) => throwStandard(c, thrown);
  // Texts of exceptions are not looked at.
  const isOfException = /^_ZNSt\d+(?:\w+_(?:error|argument|range)|exception|bad_\w+)[CD]\dE/;
  return isOfException.test(name) ? () => nothing : undefined;
}
