import { type Diagnostic, moreErrors, unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** The maximum number of errors shown for a file. */
const shownErrors = 100;

/**
 * Returns the hint how to declare an unknown name that resembles no declared name; `undefined` if
 * there is none.
 */
function declaring(what: string, name: string): string | undefined {
  switch (what) {
    case 'variable':
      return isNull(name)
        ? "write 0: variables lie at addresses from 1 on, unless '@' says else"
        : `declare it first: 'local ${name};' in the thread, or 'var ${name}' for all threads`;
    case 'shared variable':
      return `declare it first: var ${name}`;
    default:
      return undefined;
  }
}

/** The errors of one file: the first hundred are kept, further ones only counted. */
export class ProblemList {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #mayDeclare: (name: string) => boolean;
  #count = 0;

  /**
   * `mayDeclare` tells which names may have been declared in unreadable text; no error says that
   * these are unknown.
   */
  constructor(mayDeclare: (name: string) => boolean = () => false) {
    this.#mayDeclare = mayDeclare;
  }

  /** The number of errors added so far. */
  get count(): number {
    return this.#count;
  }

  /** Adds an error. */
  add(diagnostic: Diagnostic): void {
    this.#count += 1;
    if (this.#count <= shownErrors) this.#diagnostics.push(diagnostic);
  }

  /** Counts further errors without keeping their messages. */
  addUnshown(count: number): void {
    this.#count += count;
  }

  /**
   * Adds the error that no `what` (such as `variable`) is named `name`; `candidates` gives names
   * for a hint, and is called only if the error is kept.
   */
  addUnknown(span: Span, what: string, name: string, candidates: () => Iterable<string>): void {
    if (this.#mayDeclare(name)) return;
    this.#count += 1;
    if (this.#count <= shownErrors)
      this.#diagnostics.push(unknownName(span, what, name, candidates(), declaring(what, name)));
  }

  /**
   * Returns the kept errors in the order of their places; errors without a place come first, the
   * count of further errors last.
   */
  toDiagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted(byPlace);
    if (this.#count > sorted.length) sorted.push(moreErrors(this.#count - sorted.length));
    return sorted;
  }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const p = a.span?.start ?? { line: -1, column: 0 };
  const q = b.span?.start ?? { line: -1, column: 0 };
  return p.line - q.line || p.column - q.column;
}

/** Whether the name is the name of the null pointer in C or C++. */
function isNull(name: string): boolean {
  return name === 'NULL' || name === 'nullptr';
}
