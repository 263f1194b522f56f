import { type Diagnostic, moreErrors } from './diagnostic.js';

/** The maximum number of errors shown for one file. */
const shownErrors = 100;

/** Collects the messages about one input: keeps the first hundred errors, and counts the rest. */
export class ErrorList {
  readonly #diagnostics: Diagnostic[] = [];
  #errors = 0;

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /**
   * Adds an error. `make` makes the message, and is not called once the maximum number of errors
   * has been added, so that files full of errors are cheap.
   */
  error(make: () => Diagnostic): void {
    this.#errors += 1;
    if (this.#errors <= shownErrors) this.#diagnostics.push(make());
  }

  /** Adds all messages of another list. */
  addAll(other: ErrorList): void {
    const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
    this.#errors += other.#errors - other.#diagnostics.filter(isError).length;
    for (const each of other.#diagnostics)
      if (isError(each)) this.error(() => each);
      else this.note(each);
  }

  /** Adds a message that is not an error. */
  note(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
  }

  /**
   * Returns all messages in the order of their places, followed by messages in further files.
   * Messages without a place come first, the count of the omitted errors last.
   */
  toDiagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted(byPlace);
    if (this.#errors > shownErrors) sorted.push(moreErrors(this.#errors - shownErrors));
    return sorted;
  }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const p = a.span?.start ?? { line: -1, column: 0 };
  const q = b.span?.start ?? { line: -1, column: 0 };
  const [file, other] = [a.span?.source?.name ?? '', b.span?.source?.name ?? ''];
  if (file !== other) return file < other ? -1 : 1;
  return p.line - q.line || p.column - q.column;
}
