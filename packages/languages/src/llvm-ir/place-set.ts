import type { Span } from '@fencewright/ground/source/span.js';

function keyOf({ source, start }: Span): string {
  return JSON.stringify([source?.name, start]);
}

/** A set of source places. */
export class PlaceSet {
  readonly #spans = new Map<string, Span>();

  add(span: Span | undefined): void {
    if (span) this.#spans.set(keyOf(span), span);
  }

  /** Whether a place with the same start is in the set. */
  has(span: Span): boolean {
    return this.#spans.has(keyOf(span));
  }

  get spans(): readonly Span[] {
    return [...this.#spans.values()];
  }
}
