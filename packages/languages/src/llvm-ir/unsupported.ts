import { standardName } from './scoped-names.js';

/**
 * A construct that is not supported: thrown where the construct is found, caught where the source
 * place is known.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
  constructor(
    message: string,
    readonly hint?: string,
    /** The debug node of the variable concerned. */
    readonly variable?: string,
  ) {
    super(message);
  }

  /** The result of `make`; attaches the variable to an `Unsupported` thrown by `make`. */
  static about<T>(variable: string | undefined, make: () => T): T {
    try {
      return make();
    } catch (problem) {
      if (!(problem instanceof Unsupported)) throw problem;
      throw new Unsupported(problem.message, problem.hint, variable);
    }
  }
}

/**
 * The refusal of a thread with an unknown function; it may only be a consequence of a store to an
 * unknown address.
 */
export const unknownStart = 'the function that a thread runs has to be known here';
/** The refusal of a join of an unknown thread; may be a consequence as well. */
export const unknownJoin = 'the thread joined here has to be known';

/** The error for addresses of labels, `&&label`, and for jumps to such addresses. */
export function computedGoto(): Unsupported {
  return new Unsupported(
    'addresses of labels (computed goto) are not supported',
    'write the jump as a switch',
  );
}

/** The error for bytes whose address is unknown. */
export function unknownAddress(): Unsupported {
  return new Unsupported(
    'bytes are copied or set at an unknown address',
    'assign the elements one by one',
  );
}

/** The error for an access at an unknown address that may hit cells of several sizes. */
export function severalSizesAnywhere(): Unsupported {
  return new Unsupported(
    'this access has an unknown address and may hit memory that is accessed with several sizes',
    'use an array index where threads increment a pointer, or compare the index with the length',
  );
}

/** The error for a cell accessed with several sizes. */
export function severalSizes(name: string): Unsupported {
  return new Unsupported(
    `a part of '${name}' is accessed with several sizes: a cell has one size`,
    'use one size everywhere: assign or copy the fields one by one',
  );
}

/** The error for a call of a function without a body and without a model. */
export function withoutBody(
  name: string,
  hint = 'link the file that defines the function, or call one that docs/c-support.md lists',
): Unsupported {
  if (name.startsWith('llvm.va_'))
    return new Unsupported(
      'variable arguments (va_start) are not supported',
      'give the function a parameter for each argument; unread variable arguments are allowed',
    );
  const standard = standardName(name);
  return standard === undefined
    ? new Unsupported(`'${name}' has no body and no model`, hint)
    : new Unsupported(
        `'${standard}' of the C++ library has no model`,
        'do without it, or use what docs/c-support.md lists',
      );
}

/** The error for an early end of a process with exit functions. */
export function endsEarly(): Unsupported {
  return new Unsupported(
    'the program has exit functions and does not end by returning from main',
    'return from main',
  );
}

/** The error for the end of an atomic section without a beginning. */
export function lonelyEnd(): Unsupported {
  return new Unsupported(
    'an atomic section ends without a beginning',
    'begin the section before, in the same thread: __VERIFIER_atomic_begin()',
  );
}

/** The reader's name for a store past the caches; the reader refuses such stores. */
export const nonTemporalStore = 'store !nontemporal';

/**
 * The error for an operation on floating-point numbers, given by LLVM's name, that are known only
 * while threads run, or whose result has no precise value.
 */
export function floatNotConstant(name: string): Unsupported {
  return new Unsupported(
    `'${name}' computes with floating-point numbers, which threads may only copy`,
    'compute with integers, or before the threads start',
  );
}

/** Operations on floating-point numbers that the reader found to have no precise result. */
const floating = /^f(?:add|sub|mul|div|rem|neg|cmp)$/;

/** The error for an instruction unknown to the reader. */
export function unknownInstruction(name: string): Unsupported {
  if (name === 'indirectbr') return computedGoto();
  if (name === nonTemporalStore)
    return new Unsupported(
      'non-temporal stores are not supported: other stores may overtake them',
      'store in the usual way',
    );
  if (floating.test(name))
    return new Unsupported(
      `'${name}' may round a floating-point number in several ways`,
      'leave out -ffast-math and options like it',
    );
  return new Unsupported(`'${name}' is not supported`);
}
