/**
 * Marks the case of a `switch` that cannot occur: TypeScript reports a call that can be reached.
 */
export function unreachable(value: never): never {
  throw new Error(`not a case that there is: ${JSON.stringify(value)}`);
}
