import type { CType, HeaderFunction } from '@fencewright/core/node';

export interface HarnessThread {
  readonly name: string;
  /** The functions of the header that the thread calls. */
  readonly called: readonly HeaderFunction[];
  /** The statements of the thread's function, indented. */
  readonly lines: readonly string[];
}

/** Returns the type behind a pointer type; `undefined` for types other than pointers. */
export function pointee({ canonical }: CType): string | undefined {
  return canonical.endsWith('*') ? canonical.replace(/ ?\*$/, '').trim() : undefined;
}

/**
 * Returns the call of a function as an expression. The arguments are written for C: the address of
 * a variable stands for a reference to it, and the object comes first.
 */
export function writtenCall(
  { name, parameters, isMember }: HeaderFunction,
  given: readonly string[],
): string {
  const written = given.map((each, at) =>
    parameters[at]?.type.isReference ? each.replace(/^&/, '') : each,
  );
  const [object = '', ...rest] = written;
  return isMember
    ? `${object.replace(/^&/, '')}.${name}(${rest.join(', ')})`
    : `${name}(${written.join(', ')})`;
}
