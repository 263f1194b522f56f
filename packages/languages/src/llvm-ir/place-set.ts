import type { Span } from '@fencewright/ground/source/span.js';

/** A set of source places. */
export class PlaceSet {
  readonly #spans = new Map<string, Span>();

  add(span: Span | undefined): void {
    if (span) this.#spans.set(JSON.stringify([span.source?.name, span.start]), span);
  }

  get spans(): readonly Span[] {
    return [...this.#spans.values()];
  }
}
