/** What an arithmetic instruction computes from the old value and its operand. */
export type Arithmetic = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'inc' | 'dec' | 'neg' | 'not';

/** The conditions of jumps and the like; the last four compare without signs. */
export type Condition = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'u<' | 'u<=' | 'u>' | 'u>=';

/** The conditions by the letters that stand for them in `jCC`, `setCC` and `cmovCC`. */
export const conditions: ReadonlyMap<string, Condition> = new Map<string, Condition>(
  Object.entries({
    e: '==',
    z: '==',
    ne: '!=',
    nz: '!=',
    l: '<',
    nge: '<',
    le: '<=',
    ng: '<=',
    g: '>',
    nle: '>',
    ge: '>=',
    nl: '>=',
    b: 'u<',
    c: 'u<',
    nae: 'u<',
    be: 'u<=',
    na: 'u<=',
    a: 'u>',
    nbe: 'u>',
    ae: 'u>=',
    nb: 'u>=',
    nc: 'u>=',
  }),
);

/**
 * Hints, ends of functions and the weaker fences: on TSO loads and stores are in order without them
 * ([BDM13] Sect. 2).
 */
export const hints: readonly string[] = ['sfence', 'lfence', 'pause', 'endbr32', 'endbr64'];

/** Arithmetic of one operand. */
export const ofOneOperand: readonly string[] = ['inc', 'dec', 'neg', 'not'] satisfies Arithmetic[];

/** Arithmetic of two operands. */
export const ofTwoOperands: readonly string[] = [
  'add',
  'sub',
  'and',
  'or',
  'xor',
] satisfies Arithmetic[];

/** Instructions that the prefix LOCK may stand before, if their destination is in memory. */
export const lockable: ReadonlySet<string> = new Set([
  ...ofOneOperand,
  ...ofTwoOperands,
  ...['adc', 'sbb', 'btc', 'btr', 'bts', 'cmpxchg', 'cmpxchg8b', 'cmpxchg16b', 'xadd', 'xchg'],
]);
