import type { TextEditor } from './front-end.js';
import type { Program } from './program.js';

/**
 * The places of fences if each transition has its own source position: before the first outgoing
 * transition of the location.
 */
export function instructionPlaces({ threads }: Program): TextEditor['placesOf'] {
  return (thread, location) => {
    const first = threads[thread]?.transitions.find(({ from }) => from === location);
    return first?.origin.span ? [first.origin.span.start] : [];
  };
}
