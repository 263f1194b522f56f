import { describe, expect, it } from 'vitest';
import { locatedInC } from '../../src/llvm-ir/positions.js';

describe('positions in C', () => {
  const metadata = new Map([
    ['!1', '!DIFile(filename: "lock.c", directory: "/tmp")'],
    ['!2', 'distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, unit: !9)'],
    ['!3', 'distinct !DILexicalBlock(scope: !2, line: 4, column: 8)'],
    ['!4', '!DILocation(line: 5, column: 9, scope: !3)'],
    ['!5', '!DILocation(line: 0, scope: !3)'],
    ['!6', 'distinct !DILexicalBlock(scope: !6)'],
    ['!7', '!DILocation(line: 5, column: 9, scope: !6)'],
    ['!8', '!DILocation(line: 2, column: 1, scope: !9, inlinedAt: !10)'],
    ['!9', 'distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, unit: !9)'],
    ['!10', 'distinct !DILocation(line: 5, column: 9, scope: !3)'],
  ]);

  it('are those of the innermost scope with a file, and its function', () => {
    expect(locatedInC({ metadata }, { debug: '!4' }, (name) => `text of ${name}`)).toEqual([
      {
        span: {
          start: { line: 4, column: 8 },
          end: { line: 4, column: 9 },
          source: { name: 'lock.c', text: 'text of lock.c' },
        },
        function: 'f',
      },
    ]);
  });

  it('go out from where the compiler put calls in line', () => {
    expect(locatedInC({ metadata }, { debug: '!8' })).toMatchObject([
      { span: { start: { line: 1, column: 0 } }, function: 'g' },
      { span: { start: { line: 4, column: 8 } }, function: 'f' },
    ]);
  });

  it.each(['!5', '!7', '!99', undefined])('are absent where the IR has none: %s', (debug) => {
    expect(locatedInC({ metadata }, debug === undefined ? {} : { debug })).toEqual([]);
  });
});
