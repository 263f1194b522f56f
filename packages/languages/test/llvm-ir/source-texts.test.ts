import { expect, test } from 'vitest';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';

/** A program of `lines` stores, each in a line of its own. */
function program(lines: number): string {
  const numbers = Array.from({ length: lines }, (_, i) => i + 2);
  return `@x = global i32 0
define i32 @main() !dbg !2 {
${numbers.map((line) => `  store i32 ${line}, ptr @x, align 4, !dbg !${100 + line}`).join('\n')}
  ret i32 0
}
!1 = !DIFile(filename: "long.c", directory: "/")
!2 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, unit: !9)
${numbers.map((line) => `!${100 + line} = !DILocation(line: ${line}, column: 3, scope: !2)`).join('\n')}
`;
}

/** The number of characters that lowering reads of the text in C. */
function charactersRead(lines: number): number {
  let read = 0;
  const sourceOf = (): string => {
    const text = 'x = 1;\n'.repeat(lines);
    read += text.length;
    return text;
  };
  const { model, diagnostics } = parseLlvmIr([{ file: '', text: program(lines) }], { sourceOf });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(model?.kind).toBe('finite');
  return read;
}

test.each([250, 1000, 2500])(
  'four times as many lines than %i are read at most five times as long',
  (lines) => {
    expect(charactersRead(lines)).toBeGreaterThan(lines);
    expect(charactersRead(4 * lines)).toBeLessThanOrEqual(5 * charactersRead(lines));
  },
);
