// The module loaded by threads that search a part of a program.
export { searchPart as searchHere } from '@fencewright/core';
