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
