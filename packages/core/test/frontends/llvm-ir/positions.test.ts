import { describe, expect, it } from 'vitest';
import { functionNameInC, positionInC } from '../../../src/frontends/llvm-ir/positions.js';

describe('positions in C', () => {
  const metadata = new Map([
    ['!1', '!DIFile(filename: "lock.c", directory: "/tmp")'],
    ['!2', 'distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, unit: !9)'],
    ['!3', 'distinct !DILexicalBlock(scope: !2, line: 4, column: 8)'],
    ['!4', '!DILocation(line: 5, column: 9, scope: !3)'],
    ['!5', '!DILocation(line: 0, scope: !3)'],
    ['!6', 'distinct !DILexicalBlock(scope: !6)'],
    ['!7', '!DILocation(line: 5, column: 9, scope: !6)'],
  ]);

  it('are those of the innermost scope with a file', () => {
    expect(positionInC({ metadata }, { debug: '!4' }, (name) => `text of ${name}`)).toEqual({
      start: { line: 4, column: 8 },
      end: { line: 4, column: 9 },
      source: { name: 'lock.c', text: 'text of lock.c' },
    });
  });

  it.each(['!5', '!7', '!8', undefined])('are absent where the IR has none: %s', (debug) => {
    expect(positionInC({ metadata }, debug === undefined ? {} : { debug })).toBeUndefined();
  });

  it('come with the name of the function', () => {
    expect(functionNameInC({ metadata }, { debug: '!4' })).toBe('f');
    expect(functionNameInC({ metadata }, { debug: '!7' })).toBeUndefined();
    expect(functionNameInC({ metadata }, {})).toBeUndefined();
  });
});
