import {
  byte,
  type Calling,
  type LibraryFunction,
  long,
  nothing,
  type Result,
  zero,
} from './library-call.js';
import { textAt } from './library-memory.js';
import { toBig } from './value.js';

/** Prints a text, and returns the stream. */
function put(calling: Calling, text: () => string): Result {
  if (calling.isTooEarly) return 'waits';
  calling.world.print(text());
  return { value: calling.value(0) };
}

const number =
  (bits: number): LibraryFunction =>
  (c) =>
    put(c, () => String(BigInt.asIntN(bits, toBig(c.value(1)))));

/** Rules for functions of C++ streams, by their mangled names. */
export const streamLibrary: Readonly<Record<string, LibraryFunction>> = {
  _ZNSolsEi: number(32),
  _ZNSolsEj: number(64),
  _ZNSolsEl: number(64),
  _ZNSolsEm: number(64),
  _ZNSolsEb: number(8),
  _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc: (c) =>
    put(c, () => textAt(c, c.number(1))),
  _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c: (c) =>
    put(c, () => String.fromCharCode(c.number(1))),
  // The only manipulators in these programs are `endl` and `flush`.
  _ZNSolsEPFRSoS_E: (c) => put(c, () => '\n'),
  _ZNSo5flushEv: (c) => put(c, () => ''),
  _ZNSt8ios_base4InitC1Ev: () => nothing,
  _ZNSt8ios_base4InitD1Ev: () => nothing,
};

/** Compares bytes in memory one by one, as `memcmp` does. */
function compare(calling: Calling): Result {
  const [one, other, size] = [calling.number(0), calling.number(1), calling.number(2)];
  const { world, id } = calling;
  if (size === 0) return zero;
  const isSeen = world.isSeen(id, one, size) || world.isSeen(id, other, size);
  if (isSeen && !calling.call.isSeen) return 'waits';
  for (let i = 0; i < size; i++) {
    const [a, b] = [calling.load(one + i, byte), calling.load(other + i, byte)];
    if (a !== b) return { value: a < b ? 4294967295 : 1 };
  }
  return zero;
}

/** Returns the function that `std::call_once` calls, whose address is in thread-local variables. */
export function onceTarget(calling: Calling): number {
  const { addressOf } = calling.world.image;
  const at = calling.world.own(calling.id, addressOf.get('_ZSt11__once_call') ?? 0);
  return calling.peek(at, long);
}

export const byteLibrary: Readonly<Record<string, LibraryFunction>> = { memcmp: compare };
