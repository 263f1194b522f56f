/**
 * A fact that a front end takes for granted although the source text does not state it. Answers
 * about the program apply to the text only if the fact holds, so every answer mentions the fact.
 */
export interface Assumption {
  /** The subject of the assumption, as a key for programs that read answers: `malloc`. */
  readonly name: string;
  /** The assumption as a clause, without a full stop: `malloc never fails`. */
  readonly text: string;
}

/** The assumption that only threads started by `main` execute the code. */
export const noOtherUse: Assumption = {
  name: 'main',
  text: 'the code is used only as this main uses it (another use may need stronger orders)',
};

/**
 * The assumption that `compare_exchange_weak` fails only if the values differ, as on x86; C11 lets
 * it fail at any time.
 */
export const weakExchangeAsOnX86: Assumption = {
  name: 'compare_exchange_weak',
  text: 'compare_exchange_weak fails only if the values differ',
};

/**
 * The assumption of answers about C11, which are found without a check that happens-before orders
 * each use of memory before the call of `free`. Without this order, behaviour is undefined even if
 * each interleaving uses the memory first.
 */
export const noFreedUse: Assumption = {
  name: 'freed memory in C11',
  text: 'memory orders place each use of memory before its free',
};

/** The assumption that a seq_cst store of the text is one plain store, as the text has it. */
export const seqCstStoreAsWritten: Assumption = {
  name: 'seq_cst stores',
  text: 'x86 executes a seq_cst store as a plain store, as written (compilers of C make an exchange of it)',
};
