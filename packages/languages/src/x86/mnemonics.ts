/** The name of an arithmetic operation of an x86 instruction. */
export type Arithmetic = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'inc' | 'dec' | 'neg' | 'not';

/** The conditions of jumps, `setCC` and `cmovCC`; the last four compare unsigned numbers. */
export type X86Condition = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'u<' | 'u<=' | 'u>' | 'u>=';

/** By letters in the names `jCC`, `setCC` and `cmovCC`, the condition. */
export const conditions: ReadonlyMap<string, X86Condition> = new Map<string, X86Condition>(
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
 * Instructions without an effect on TSO: hints, marks of branch targets (`endbr64`), and the weaker
 * fences, since loads and stores are in order without fences ([BDM13] Sect. 2).
 */
export const hints: readonly string[] = ['sfence', 'lfence', 'pause', 'endbr32', 'endbr64'];

/** Arithmetic on one operand. */
export const ofOneOperand: readonly string[] = ['inc', 'dec', 'neg', 'not'] satisfies Arithmetic[];

/** Arithmetic on two operands. */
export const ofTwoOperands: readonly string[] = [
  'add',
  'sub',
  'and',
  'or',
  'xor',
] satisfies Arithmetic[];

/** The instructions that allow the prefix LOCK if their destination is in memory. */
export const lockable: ReadonlySet<string> = new Set([
  ...ofOneOperand,
  ...ofTwoOperands,
  ...['adc', 'sbb', 'btc', 'btr', 'bts', 'cmpxchg', 'cmpxchg8b', 'cmpxchg16b', 'xadd', 'xchg'],
]);
