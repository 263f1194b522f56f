import type { Origin } from './program.js';

/**
 * Matches the atomics of the C++ library that have an argument for the order: the members of
 * `std::atomic` and the functions beside it, in libstdc++ and libc++.
 */
const atomicCall = /^std::(?:__1::)?(?:__)?(?:cxx_)?atomic(?!.*::notify_)/;

/**
 * Whether an access or a fence of C stands in the program's text itself, and not in a library. A
 * call of the library's atomics counts as an access of the text, since the text of the call has the
 * memory order.
 */
export function standsInText({ libraryCall }: Origin): boolean {
  return libraryCall === undefined || atomicCall.test(libraryCall);
}
