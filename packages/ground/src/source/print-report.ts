import type { Diagnostic } from './diagnostic.js';
import { leftOut, notSupported } from './diagnostic.js';
import type { Span } from './span.js';

/** Collects the parts of a program that the format cannot express. */
export class PrintReport {
  readonly diagnostics: Diagnostic[] = [];
  readonly #told = new Set<string>();

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error');
  }

  /** Reports a part that cannot be expressed, once for each place; no text will be returned. */
  refuse(span: Span | undefined, message: string, hint: string): void {
    const { source, start } = span ?? {};
    const key = `${source?.name ?? ''}:${start ? `${start.line}:${start.column}` : ':'} ${message}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.diagnostics.push(notSupported(span, message, hint));
  }

  /** Reports an omitted part; each message once, at its first place. */
  note(span: Span | undefined, message: string, hint: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.diagnostics.push(leftOut(span, message, hint));
  }
}
