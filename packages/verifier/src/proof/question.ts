import type { Bool, Int } from './terms.js';

/** An array over all integers, as a term. */
export interface IntArray {
  readonly text: string;
}

/** Terms longer than this get a name. */
const longest = 400;

/**
 * The declarations and assertions of one question. Every constant gets the next number, and no
 * other name than that: what a program calls its variables and threads cannot make two of them one.
 */
export class Question {
  readonly #lines: string[] = [];
  #constants = 0;

  #declare(sort: string): string {
    const name = `v${this.#constants++}`;
    this.#lines.push(`(declare-const ${name} ${sort})`);
    return name;
  }

  /** An integer of which nothing is known yet. */
  integer(): Int {
    return { text: this.#declare('Int') };
  }

  array(): IntArray {
    return { text: this.#declare('(Array Int Int)') };
  }

  /** The same value, in few letters. */
  short(term: Int): Int {
    if (term.text.length <= longest) return term;
    const name = this.integer();
    this.#lines.push(`(assert (= ${name.text} ${term.text}))`);
    return name;
  }

  assert(term: Bool): void {
    if (term.value !== true) this.#lines.push(`(assert ${term.text})`);
  }

  /** What solvers read. */
  get script(): string {
    return this.#lines.join('\n');
  }
}

/** A question with the answer that a proof needs. */
export interface Obligation {
  /** What is claimed, in words. */
  readonly claim: string;
  readonly script: string;
  /** `unsat`: the claim cannot fail. `sat`: what the script says is possible. */
  readonly wanted: 'unsat' | 'sat';
}
