import {
  byte,
  type Calling,
  type LibraryFunction,
  nothing,
  type Result,
  zero,
} from './library-call.js';
import { Fault } from './stop.js';
import { unset } from './value.js';

/**
 * Allocates a block: a new one, or any freed block of this size. A block freed by another thread
 * takes a locked instruction. All choices are explored. As another thread may free a block before
 * the call, the call is visible.
 */
function allocate(calling: Calling, size: number, fill: number): Result {
  const { world, id } = calling;
  const given = [...world.pieces].filter(
    ([, { freed, bytes }]) => freed !== undefined && bytes.length === size,
  );
  const mine = given.filter(([, { freed }]) => freed === id);
  const others = given.filter(([, { freed }]) => freed === -1);
  if (calling.isTooEarly) return 'waits';
  const offered = calling.isDrained ? [...mine, ...others] : mine;
  const chosen = offered[world.choose(offered.length + 1) - 1];
  if (!chosen) {
    const address = world.block(id, size);
    if (fill !== unset)
      world.write(
        address,
        Array.from({ length: size }, () => fill),
      );
    return { value: address };
  }
  const [number, { base, bytes, owner, freed }] = chosen;
  world.setPiece(number, { base, bytes, owner });
  if (freed === -1) world.touch(id, base - 1);
  // These stores are like all others: earlier buffered stores to the block reach memory before
  // them.
  if (fill !== unset) storeAll(calling, base, fill, size);
  return { value: base };
}

/** Frees a block: for the thread itself, or for all threads by a locked instruction. */
function giveBack(calling: Calling): Result {
  const { world, id } = calling;
  const address = calling.number(0);
  if (address === 0) return zero;
  const { number, piece } = world.piece(address, 0);
  if (piece.base !== address || piece.freed !== undefined) throw new Fault('free of no block');
  if (calling.isTooEarly) return 'waits';
  const isForAll = calling.isDrained && world.choose(2) === 1;
  if (!isForAll) world.setPiece(number, { ...piece, freed: id });
  else {
    world.touch(id, address - 1);
    // The next owner knows the address, whether or not the thread has kept the address private.
    world.setPiece(number, { ...piece, owner: -1, freed: -1 });
    world.publish(piece.bytes);
  }
  return zero;
}

/** Returns the number of bytes that a machine copies at once. */
const stride = (left: number, at: number): number =>
  [8, 4, 2].find((size) => left >= size && at % size === 0) ?? 1;

function copy(calling: Calling): Result {
  const { world, id } = calling;
  const [to, from, size] = [calling.number(0), calling.number(1), calling.number(2)];
  if (size === 0) return { value: to };
  const isPlain = !world.isSeen(id, from, size) && !world.isSeen(id, to, size);
  if (!isPlain && !calling.call.isSeen) return 'waits';
  // If visible to other threads, each part is a step of its own, executed only if visible steps are
  // allowed.
  if (!isPlain && size > stride(size, to)) return copyPart(calling, to, from, size);
  world.store(id, to, world.load(id, from, size));
  return { value: to };
}

function copyPart(calling: Calling, to: number, from: number, size: number): Result {
  const { world, id } = calling;
  const done = calling.phase;
  const length = stride(size - done, to + done);
  world.store(id, to + done, world.load(id, from + done, length));
  const isLast = done + length >= size;
  calling.setPhase(isLast ? 0 : done + length);
  return isLast ? { value: to } : 'again';
}

function fill(calling: Calling): Result {
  const { world, id } = calling;
  const [to, value, size] = [calling.number(0), calling.number(1) & 255, calling.number(2)];
  if (size === 0) return { value: to };
  if (world.isSeen(id, to, size) && !calling.call.isSeen) return 'waits';
  storeAll(calling, to, value, size);
  return { value: to };
}

/** Stores one byte value to all bytes of a range. */
function storeAll({ world, id }: Calling, to: number, value: number, size: number): void {
  for (let done = 0; done < size;) {
    const length = stride(size - done, to + done);
    world.store(
      id,
      to + done,
      Array.from({ length }, () => value),
    );
    done += length;
  }
}

/** Returns a string in memory that no other thread writes. */
export function textAt(calling: Calling, address: number): string {
  let text = '';
  for (let at = address; ; at++) {
    const code = calling.peek(at, byte);
    if (code === 0) return text;
    text += String.fromCharCode(code);
  }
}

const doNothing: LibraryFunction = () => nothing;

/** The functions that allocate, free, or move bytes. */
export const memoryLibrary: Readonly<Record<string, LibraryFunction>> = {
  malloc: (c) => allocate(c, c.number(0), unset),
  calloc: (c) => allocate(c, c.number(0) * c.number(1), 0),
  aligned_alloc: (c) => allocate(c, c.number(1), unset),
  free: giveBack,
  _Znwm: (c) => allocate(c, c.number(0), unset),
  _Znam: (c) => allocate(c, c.number(0), unset),
  _ZdlPv: giveBack,
  _ZdlPvm: giveBack,
  _ZdaPv: giveBack,
  memcpy: copy,
  memmove: copy,
  memset: fill,
  'llvm.memcpy.p': copy,
  'llvm.memmove.p': copy,
  'llvm.memset.p': fill,
  'llvm.lifetime.start.p': doNothing,
  'llvm.lifetime.end.p': doNothing,
  'llvm.dbg.declare': doNothing,
  'llvm.assume': doNothing,
  'llvm.x86.sse2.pause': doNothing,
  'llvm.stacksave': () => zero,
  'llvm.stackrestore': doNothing,
  strlen: (c) => ({ value: textAt(c, c.number(0)).length }),
  strcmp: (c) => {
    const [one, other] = [textAt(c, c.number(0)), textAt(c, c.number(1))];
    return { value: one === other ? 0 : one < other ? 4294967295 : 1 };
  },
};
