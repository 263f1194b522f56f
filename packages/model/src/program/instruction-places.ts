import type { TextEditor } from './front-end.js';
import type { Program } from './program.js';

/**
 * Returns the places of fences in a text in which each transition has its own source position: a
 * fence stands before the first outgoing transition of its location.
 */
export function instructionPlaces({ threads }: Program): TextEditor['placesOf'] {
  return (thread, location) => {
    const first = threads[thread]?.transitions.find(({ from }) => from === location);
    return first?.origin.span ? [first.origin.span.start] : [];
  };
}
