import type { Bool, Int } from './terms.js';

/** An array over all integers, as a term. */
export interface IntArray {
  readonly text: string;
}

/** Limit on the length of terms; longer terms get a name. */
const longest = 400;

/**
 * The declarations and assertions of one question. The names of constants are consecutive numbers:
 * names in the program are not used, so two different variables or threads never get one name.
 */
export class Question {
  readonly #lines: string[] = [];
  #constants = 0;

  #declare(sort: string): string {
    const name = `v${this.#constants++}`;
    this.#lines.push(`(declare-const ${name} ${sort})`);
    return name;
  }

  /** An integer constant without any assertion. */
  integer(): Int {
    return { text: this.#declare('Int') };
  }

  array(): IntArray {
    return { text: this.#declare('(Array Int Int)') };
  }

  /** A short term with the value of `term`. */
  short(term: Int): Int {
    if (term.text.length <= longest) return term;
    const name = this.integer();
    this.#lines.push(`(assert (= ${name.text} ${term.text}))`);
    return name;
  }

  assert(term: Bool): void {
    if (term.value !== true) this.#lines.push(`(assert ${term.text})`);
  }

  /** The script for solvers. */
  get script(): string {
    return this.#lines.join('\n');
  }
}

/** A question with the answer that a proof needs. */
export interface Obligation {
  /** The claim, in words. */
  readonly claim: string;
  readonly script: string;
  /** `unsat`: the claim cannot fail. `sat`: the assertions of the script can hold. */
  readonly wanted: 'unsat' | 'sat';
}
