/** Whether something failed since a program is nested more deeply than the stack is large. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
