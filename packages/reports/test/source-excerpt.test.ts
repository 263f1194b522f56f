import { expect, test } from 'vitest';
import { statementSnippet } from '../src/text/source-excerpt.js';
import { spanAt } from '@fencewright/ground/source/span.js';

const source = 'int main(void) {\n  assert(r || s); // both\n  return 0;\n}\n';

test('a statement of which only the first place is known is given to its end', () => {
  expect(statementSnippet(source, spanAt(1, 2, 1))).toBe('assert(r || s)');
  expect(statementSnippet(source, spanAt(1, 2, 0))).toBe('assert(r || s)');
});

test('a span is given as it is, also of another file', () => {
  expect(statementSnippet(source, spanAt(1, 9, 6))).toBe('r || s');
  const header = { name: 'more.h', text: '// one\n  check(q);\n' };
  expect(statementSnippet(source, spanAt(1, 2, 5, header))).toBe('check');
  expect(statementSnippet(source, spanAt(1, 2, 1, header))).toBe('check(q)');
});
