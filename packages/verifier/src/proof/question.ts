import type { Bool, Int } from './terms.js';

/** An SMT-LIB term for an array over all integers. */
export interface IntArray {
  readonly text: string;
}

/** The maximum number of characters of a term; a longer term gets a name. */
const longest = 400;

/**
 * The declarations and assertions of one question to an SMT solver. Constants are named by
 * consecutive numbers: names of the program are not used, so two different variables or threads
 * never get one name.
 */
export class Question {
  readonly #lines: string[] = [];
  #constants = 0;

  #declare(sort: string): string {
    const name = `v${this.#constants++}`;
    this.#lines.push(`(declare-const ${name} ${sort})`);
    return name;
  }

  /** Declares a new integer constant of the question, and returns it. */
  integer(): Int {
    return { text: this.#declare('Int') };
  }

  array(): IntArray {
    return { text: this.#declare('(Array Int Int)') };
  }

  /**
   * Returns a term with the value of `term` and at most `longest` characters: a long term gets a
   * name.
   */
  short(term: Int): Int {
    if (term.text.length <= longest) return term;
    const name = this.integer();
    this.#lines.push(`(assert (= ${name.text} ${term.text}))`);
    return name;
  }

  assert(term: Bool): void {
    if (term.value !== true) this.#lines.push(`(assert ${term.text})`);
  }

  /** The script with the question, in SMT-LIB 2, for solvers. */
  get script(): string {
    return this.#lines.join('\n');
  }
}

/** A question to SMT solvers with the answer that a proof needs. */
export interface Obligation {
  /** The statement whose proof the obligation is a part of, in words for the user. */
  readonly claim: string;
  readonly script: string;
  /**
   * The answer of the solver that the proof needs. `unsat`: the claim cannot fail. `sat`: the
   * assertions of the script can hold.
   */
  readonly wanted: 'unsat' | 'sat';
}
