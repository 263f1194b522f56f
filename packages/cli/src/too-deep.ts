/** Whether an error came from a program nested more deeply than the stack allows. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
