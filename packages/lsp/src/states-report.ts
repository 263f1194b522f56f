// What a report on states takes, loaded when one is asked for: an import of the whole library at
// run time would make every part of the library a part of every start.
export { plainPalette, reachReport, replay } from '@fencewright/core';
