/** For `switch`es that handle every member of a union: the compiler refuses a reachable call. */
export function unreachable(value: never): never {
  throw new Error(`not a case that there is: ${JSON.stringify(value)}`);
}
