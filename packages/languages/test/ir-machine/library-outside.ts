import type { Calling, LibraryFunction } from './library-call.js';

/** Where `errno` of a thread lies, among its own variables. */
const errnoAt = 999;

/** What a function that may fail leaves in `errno`: programs ask for 0 and `EAGAIN` only. */
const errors = [0, 11, 110];

/** What the function gives: what was said, or one of these, all of which are looked at. */
function oneOf(calling: Calling, numbers: readonly number[]): number {
  const { world, call } = calling;
  return world.image.given[call.name] ?? numbers[world.choose(numbers.length)]!;
}

export const errnoOf = (calling: Calling): number => calling.world.ownPlace(calling.id, errnoAt, 4);

/** Leaves anything in `errno`, where the program looks at it. */
export function mayFail(calling: Calling): void {
  const { world } = calling;
  if (!world.image.addressOf.has('__errno_location')) return;
  world.write(errnoOf(calling), [errors[world.choose(errors.length)]!, 0, 0, 0]);
}

/** One of these numbers, and anything in `errno`. */
export function outside(calling: Calling, numbers: readonly number[]): { readonly value: number } {
  const value = oneOf(calling, numbers);
  mayFail(calling);
  return { value: value < 0 ? value + 2 ** 32 : value };
}

const free =
  (...numbers: readonly number[]): LibraryFunction =>
  (c) =>
    outside(c, numbers);

/** A word that nobody knows: there is no variable of that name, or it says something. */
const variable: LibraryFunction = ({ world }) => ({
  value: world.choose(2) === 0 ? 0 : world.image.word,
});

/** What programs get from outside. */
export const outsideLibrary: Readonly<Record<string, LibraryFunction>> = {
  usleep: free(0, -1),
  // An interruption is not looked at: those who wait for the rest of the time would wait for ever.
  nanosleep: free(0, -1),
  sleep: free(0, 1),
  fflush: free(0, -1),
  // Programs look at it by `% 2`, `% 3` and `& 1` only.
  rand: (c) => ({ value: oneOf(c, [0, 1, 2, 3, 4, 5]) }),
  _ZNSt6thread20hardware_concurrencyEv: (c) => ({
    value: c.world.image.given.hardware_concurrency ?? [0, 1, 2, 8][c.world.choose(4)]!,
  }),
  getenv: variable,
  __errno_location: (c) => ({ value: errnoOf(c) }),
};

/** Sets `errno`. */
export function setErrno(calling: Calling, value: number): void {
  if (calling.world.image.addressOf.has('__errno_location'))
    calling.world.write(errnoOf(calling), [value, 0, 0, 0]);
}
