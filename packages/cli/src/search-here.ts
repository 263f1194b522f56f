// What a thread loads that searches a part of a program, and no more.
export { searchPart as searchHere } from '@fencewright/core';
