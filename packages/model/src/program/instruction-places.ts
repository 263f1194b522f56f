import type { TextEditor } from './front-end.js';
import type { Program } from './program.js';

/**
 * Returns, for a text in which each transition has a source position of its own, the function from
 * a location to the places of a fence there: before the first outgoing transition of the location.
 */
export function instructionPlaces({ threads }: Program): TextEditor['placesOf'] {
  return (thread, location) => {
    const first = threads[thread]?.transitions.find(({ from }) => from === location);
    return first?.origin.span ? [first.origin.span.start] : [];
  };
}
