/**
 * A fact that a front end takes for granted although the source text does not state it. Answers
 * about the program apply to the text only if the fact holds, so every answer mentions the fact.
 */
export interface Assumption {
  /** The subject of the assumption, as a key for programs that read answers: `malloc`. */
  readonly name: string;
  /** A statement, without a full stop: `malloc never fails`. */
  readonly text: string;
}

/** Orders are enough for the threads that `main` starts, which need not be all uses of the code. */
export const noOtherUse: Assumption = {
  name: 'main',
  text: 'the code is used only as this main uses it (another use may need stronger orders)',
};

/** On x86 `compare_exchange_weak` fails only if the values differ; C11 lets it fail at any time. */
export const weakExchangeAsOnX86: Assumption = {
  name: 'compare_exchange_weak',
  text: 'compare_exchange_weak fails only if the values differ',
};
