import { expect, test } from 'vitest';
import { readableName } from '../src/readable-name.js';

// The mangled names are those of clang 22 and of `llvm-cxxfilt`, which reads them as stated.
test.each([
  ['publish', 'publish'],
  ['_Z5otherPKc', 'other'],
  ['_ZN5Plain2goEi', 'Plain::go'],
  ['_ZN5PlainC1Ei', 'Plain::Plain'],
  ['_Z5twiceIiET_S0_', 'twice<...>'],
  ['_ZN3boxIiE3putEi', 'box<...>::put'],
  ['_ZN3boxIlED2Ev', 'box<...>::~box'],
  ['_ZN4ringIPKN3net6packetELi4EE4pushES3_', 'ring<...>::push'],
  ['_ZN5queueISt6vectorIiSaIiEEE3popEv', 'queue<...>::pop'],
  // An operator has no plain name.
  ['_ZN3boxIiEplEi', '_ZN3boxIiEplEi'],
])('%s is %s', (name, readable) => {
  expect(readableName(name)).toBe(readable);
});
