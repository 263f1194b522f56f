import type { Calling, LibraryFunction } from './library-call.js';

/** The number of the object that holds `errno` among the objects of a thread. */
const errnoAt = 999;

/** Values of `errno` after a function that may fail; programs compare only with 0 and `EAGAIN`. */
const errors = [0, 11, 110];

/**
 * Returns the known result of the function, if any; otherwise one of `numbers`, all of which are
 * explored.
 */
function oneOf(calling: Calling, numbers: readonly number[]): number {
  const { world, call } = calling;
  return world.image.given[call.name] ?? numbers[world.choose(numbers.length)]!;
}

export const errnoOf = (calling: Calling): number => calling.world.ownPlace(calling.id, errnoAt, 4);

/** Stores any error into `errno`, if the program uses `errno`. */
export function mayFail(calling: Calling): void {
  const { world } = calling;
  if (!world.image.addressOf.has('__errno_location')) return;
  world.write(errnoOf(calling), [errors[world.choose(errors.length)]!, 0, 0, 0]);
}

/** Returns one of the numbers, and stores any error into `errno`. */
export function outside(calling: Calling, numbers: readonly number[]): { readonly value: number } {
  const value = oneOf(calling, numbers);
  mayFail(calling);
  return { value: value < 0 ? value + 2 ** 32 : value };
}

const free =
  (...numbers: readonly number[]): LibraryFunction =>
  (c) =>
    outside(c, numbers);

/** The functions whose results come from outside of the program. */
export const outsideLibrary: Readonly<Record<string, LibraryFunction>> = {
  usleep: free(0, -1),
  // Interruptions are not explored: loops that wait for the remaining time would never end.
  nanosleep: free(0, -1),
  sleep: free(0, 1),
  fflush: free(0, -1),
  // Programs use the result only in `% 2`, `% 3` and `& 1`.
  rand: (c) => ({ value: oneOf(c, [0, 1, 2, 3, 4, 5]) }),
  _ZNSt6thread20hardware_concurrencyEv: (c) => ({
    value: c.world.image.given.hardware_concurrency ?? [0, 1, 2, 8][c.world.choose(4)]!,
  }),
  // Assumed to find no variable.
  getenv: () => ({ value: 0 }),
  __errno_location: (c) => ({ value: errnoOf(c) }),
};

/** Stores a value into `errno`, if the program uses `errno`. */
export function setErrno(calling: Calling, value: number): void {
  if (calling.world.image.addressOf.has('__errno_location'))
    calling.world.write(errnoOf(calling), [value, 0, 0, 0]);
}
