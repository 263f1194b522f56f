import { type Diagnostic, leftOut, notSupported } from './diagnostic.js';
import type { Span } from './span.js';

/** Collects messages about parts of a program that a format cannot express. */
export class PrintReport {
  readonly diagnostics: Diagnostic[] = [];
  readonly #told = new Set<string>();

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error');
  }

  /**
   * Reports a part that the format cannot express, once for each place; the printer then returns no
   * text.
   */
  refuse(span: Span | undefined, message: string, hint: string): void {
    const { source, start } = span ?? {};
    const key = `${source?.name ?? ''}:${start ? `${start.line}:${start.column}` : ':'} ${message}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.diagnostics.push(notSupported(span, message, hint));
  }

  /** Reports a part that is left out of the text; each message once, at its first place. */
  note(span: Span | undefined, message: string, hint: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.diagnostics.push(leftOut(span, message, hint));
  }
}
