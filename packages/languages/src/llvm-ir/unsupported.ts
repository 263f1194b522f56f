import { standardName } from './scoped-names.js';

/**
 * An unsupported construct. Thrown at the construct; caught by code that knows the source place.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
  constructor(
    message: string,
    readonly hint?: string,
    /** The node of debug information that describes the variable concerned. */
    readonly variable?: string,
    /** Whether the whole program is refused, also if no execution reaches the construct. */
    readonly refusesAll = false,
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
/**
 * The refusal of a join of an unknown thread; it may only be a consequence of a store to an unknown
 * address.
 */
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
  const intrinsic = /^llvm\.([\w.]+?)(?:\.[fipv]\w+)*$/.exec(name)?.[1];
  if (intrinsic !== undefined)
    return new Unsupported(
      `the operation '${intrinsic}' of LLVM has no model`,
      intrinsic === 'fmuladd'
        ? 'compile for a processor without fused multiplication: leave out -mfma and -march'
        : 'do without the builtin that is compiled to it',
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

/** The error for an atomic section of CBMC's dialect inside another one, as CBMC has it. */
export function nestedSection(): Unsupported {
  return new Unsupported(
    'an atomic section begins inside another one',
    'end the first section before: __CPROVER_atomic_end()',
  );
}

/** The name for an argument behind `...` of a size or type without a model. */
export const otherArgument = 'an argument behind ...';

/** The refusals of labels of CBMC's dialect that start no thread here, with what to do. */
const labelledThreads = {
  other: {
    message: 'behind this label __CPROVER_ASYNC_ is something else than one call of a function',
    hint: 'put all that the thread does into a function: __CPROVER_ASYNC_1: f(0);',
  },
  text: {
    message: 'only the source text shows what belongs to the thread of a label __CPROVER_ASYNC_',
    hint: 'give the file in C',
  },
  arguments: {
    message: 'the thread of this label __CPROVER_ASYNC_ gets more than one number or pointer',
    hint: 'call a function with at most one parameter, of at most 8 bytes',
  },
  shared: {
    message: 'the new thread reads the memory for the argument behind this label __CPROVER_ASYNC_',
    hint: 'read the memory in the function, or before the label into a local variable',
  },
  local: {
    message:
      'the thread of this label __CPROVER_ASYNC_ gets the address of its own copy of a local',
    hint: 'make the variable global, or call pthread_create',
  },
} as const;

const labelled = '__CPROVER_ASYNC_ ';

/** The name of an instruction that is refused since a label of CBMC's dialect starts no thread. */
export function labelledThread(reason: keyof typeof labelledThreads): string {
  return labelled + reason;
}

/** The reader's name for a store past the caches; the reader refuses such stores. */
export const nonTemporalStore = 'store !nontemporal';

/**
 * By name of an LLVM operation on floating-point numbers, the operator or term of C for messages.
 */
const inC: Readonly<Record<string, string>> = {
  ...{ fadd: "'+'", fsub: "'-'", fmul: "'*'", fdiv: "'/'", fneg: "'-'", fcmp: 'a comparison' },
  ...{ fptosi: 'a conversion', fptoui: 'a conversion', fptrunc: 'a conversion' },
  ...{ sitofp: 'a conversion', uitofp: 'a conversion', fpext: 'a conversion' },
};

/**
 * The error for an operation on floating-point numbers, given by LLVM's name, that are known only
 * while threads run, or whose result has no precise value.
 */
export function floatNotConstant(name: string): Unsupported {
  return new Unsupported(
    `${inC[name] ?? `'${name}'`} computes with floating-point numbers, which threads may only copy`,
    'compute with integers, or before the threads start',
  );
}

/** Operations on floating-point numbers that the reader found to have no precise result. */
const floating = /^f(?:add|sub|mul|div|neg|cmp)$/;

/** The error for an instruction unknown to the reader. */
export function unknownInstruction(name: string): Unsupported {
  if (name === 'indirectbr') return computedGoto();
  if (name === nonTemporalStore)
    return new Unsupported(
      'non-temporal stores are not supported: other stores may overtake them',
      'store in the usual way',
    );
  if (name.startsWith(labelled)) {
    const { message, hint } =
      labelledThreads[name.slice(labelled.length) as keyof typeof labelledThreads];
    return new Unsupported(message, hint);
  }
  if (name === otherArgument)
    return new Unsupported(
      'an argument behind ... has more than 8 bytes, or is a vector',
      'give the function a parameter for the argument, or pass a pointer to it',
    );
  if (floating.test(name))
    return new Unsupported(
      `${inC[name] ?? `'${name}'`} may round a floating-point number in several ways`,
      'leave out -ffast-math and options like it',
    );
  return new Unsupported(`'${name}' is not supported`);
}
