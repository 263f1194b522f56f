// Messages about programs in C.
import { type Diagnostic, make } from './diagnostic.js';
import type { Span } from './span.js';

/** Reports a message of clang about a file, quoted. */
export function saidByClang(
  severity: 'error' | 'warning',
  span: Span | undefined,
  message: string,
  hint?: string,
): Diagnostic {
  return make(severity === 'error' ? 'FW5001' : 'FW5002', span, message, hint);
}

/** Reports that two of several linked files define the same name. */
export function definedInTwoFiles(name: string): Diagnostic {
  return make(
    'FW1003',
    undefined,
    `'${name}' is defined in two of the files`,
    name === 'main'
      ? "leave out the file whose 'main' is not wanted"
      : "leave out one of them, or make one of the two definitions 'static'",
  );
}

/** Reports that C cannot be compiled, as clang is missing or unusable. */
export function unusableClang(message: string, hint?: string): Diagnostic {
  return make('FW5003', undefined, message, hint);
}

/**
 * Reports that the code of `main` behind the joins of all threads is left out, together with its
 * assertions, as happens if numbers of threads are given.
 */
export function leftOutBehindJoins(span: Span | undefined): Diagnostic {
  return make(
    'FW5005',
    span,
    "what 'main' does from here on is left out: all threads have been joined",
    'numbers of threads are given, and so assertions here are not looked at',
  );
}

/** Reports a heavy fence that does nothing; `text` says why. */
export function vainHeavyFence(span: Span | undefined, text: string): Diagnostic {
  return make(
    'FW5007',
    span,
    text,
    'register once, before threads start, and look at both results',
  );
}

/** Reports a heavy fence that may fail, at a call whose result nobody looks at. */
export function ignoredHeavyFence(span: Span | undefined): Diagnostic {
  return make(
    'FW5008',
    span,
    "the result of this 'membarrier' is ignored: if the call fails, there is no fence",
    'look at the result, and use a fence in all threads if the kernel has no such command',
  );
}

/** Reports a load that the compiler may do before the store in an earlier line. */
export function loadMayOvertake(span: Span, storeLine: number): Diagnostic {
  return make(
    'FW5009',
    span,
    `the compiler may do this load before the store in line ${storeLine}: a heavy fence of another thread does not order the compiler`,
    "put 'atomic_signal_fence(memory_order_seq_cst)' between them",
  );
}

/**
 * Reports that an answer about x86 assumes a compiler that keeps every access in source order;
 * `clang` is the name and version of the compiler used.
 */
export function aboutHardware(clang: string): Diagnostic {
  return make(
    'FW5004',
    undefined,
    `compiled by ${clang}: an answer about x86 assumes that the compiler keeps every access in source order`,
    'an optimiser may do more to plain accesses; see docs/c.md',
  );
}
