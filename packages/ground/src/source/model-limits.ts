/**
 * The message and the advice for a limit. If `message` is absent, the instruction at the limit has
 * one. The advice of the instruction, if any, replaces `hint`.
 */
interface LimitInWords {
  readonly message?: string;
  readonly hint: string;
}

/**
 * The operation or limit at which the modelled code ends, although the original code would go on.
 */
export type ModelLimit =
  | 'empty-pool'
  | 'block-again'
  | 'unknown-function'
  | 'wide-integer'
  | 'waiting-store'
  | 'layout'
  | 'misaligned'
  | 'unset-variable'
  | 'library-limit'
  | 'unsupported';

/** For each limit of the model of a program in C, the message and the advice. */
export const modelLimits: Readonly<Record<ModelLimit, LimitInWords>> = {
  'empty-pool': {
    message: 'no block is left in the pool of this call',
    hint: 'let each call have more blocks',
  },
  'block-again': {
    message:
      'a thread allocates memory by more than 6 calls: the reuse of freed memory is not followed',
    hint:
      'allocate memory by at most 6 calls in a thread, or free none; ' +
      'the option `assume`, set to malloc=new, assumes that freed memory is never reused',
  },
  'unknown-function': {
    message: 'an unknown function is called',
    hint: 'take the address of the function somewhere in the program',
  },
  'wide-integer': {
    message: 'a structure of 16 bytes has numbers that are too large for one cell here',
    hint: 'keep one half within 28 bits and the other half within 36 bits, signs included',
  },
  'waiting-store': {
    hint:
      'load the parts one by one, or insert a fence before the load: ' +
      'atomic_thread_fence(memory_order_seq_cst); for a load of the C++ library, ' +
      'set the option `headers` to own',
  },
  layout: {
    message:
      'the result depends on the addresses of objects, and only one memory layout would be checked',
    hint: 'subtract and order only addresses within one object',
  },
  misaligned: {
    message: 'the address of this access is no multiple of its alignment, which C leaves undefined',
    hint: 'remove tags from a pointer before its use, or copy the bytes by memcpy',
  },
  'unset-variable': { hint: 'initialise the variable where it is declared' },
  'library-limit': {
    hint: 'no engine exceeds this limit of the built-in library: change the call or leave the call out',
  },
  unsupported: { hint: 'leave the statement out, or make sure that no execution gets there' },
};

export function isModelLimitName(what: string): what is ModelLimit {
  return what in modelLimits;
}
