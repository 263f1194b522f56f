import { expect, it } from 'vitest';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { unreferencedParts } from '../../src/llvm-ir/unreferenced-parts.js';

const body = (calls: readonly string[]): string =>
  `{\n${calls.map((name) => `  call void @${name}()\n`).join('')}  ret void\n}\n`;

/** A definition with a linkage, which calls functions. */
const define = (linkage: string, name: string, ...calls: readonly string[]): string =>
  `define ${linkage} void @${name}() #0 ${body(calls)}`;

/** The first lines of the skipped definitions of each module. */
const skippedOf = (...texts: readonly string[]): readonly (readonly string[])[] =>
  unreferencedParts(texts).map((skipped, i) =>
    [...skipped].map(([start, end]) => {
      const part = texts[i]!.slice(start, end);
      expect(part.endsWith('}') || !part.includes('\n')).toBe(true);
      return /@("[^"]*"|[-\w$.]+)/.exec(part)![1]!;
    }),
  );

it('skips what a linker may leave out: internal and linkonce definitions without references', () => {
  const text = [
    '@table = internal constant [1 x ptr] [ptr @listed]\n',
    '@unused = private constant [1 x ptr] [ptr @lost]\n',
    '@seen = global ptr @table\n',
    define('dso_local', 'main', 'one'),
    define('internal', 'one', '"two parts"'),
    define('linkonce_odr dso_local', '"two parts"'),
    define('internal', 'listed'),
    define('internal', 'lost'),
    define('linkonce_odr dso_local', 'alone', 'both'),
    define('internal', 'both', 'alone'),
    define('dso_local', 'seen_by_others'),
    define('weak_odr', 'weak'),
  ].join('');
  expect(skippedOf(text)).toEqual([['unused', 'lost', 'alone', 'both']]);
});

it('skips functions of the library without references from other modules', () => {
  const program = `@first = global i32 0\n${define('dso_local', 'main', 'used', 'llvm.cttz.i32')}`;
  const library = [
    '@kept = constant [1 x ptr] [ptr @destructor]\n',
    define('dso_local', 'used', 'inner'),
    define('internal', 'inner'),
    define('dso_local', '__fencewright_cttz_i32'),
    define('dso_local', 'destructor'),
    define('dso_local', 'other', 'used'),
  ].join('');
  expect(skippedOf(program, library)).toEqual([[], ['other']]);
});

it('keeps definitions of a name that another module refers to', () => {
  const inline = define('linkonce_odr', 'inline');
  const [one, other] = [define('dso_local', 'main', 'inline') + inline, inline];
  expect(skippedOf(one, other, '')).toEqual([[], [], []]);
});

// A linker keeps what lies in the section `.init_array`, and the loader runs it.
it.each([
  [
    '@p = internal global ptr @main, section ".init_array"\n',
    "section '.init_array' makes the functions in 'p' run",
  ],
  [
    'define internal void @f() section ".init" {\n  ret void\n}\n',
    "section '.init' makes 'f' run automatically",
  ],
])('reads, and refuses, what runs by itself: %j', (text, message) => {
  const main = 'define i32 @main() {\n  ret i32 0\n}\n';
  const { diagnostics } = parseLlvmIr([{ file: 'a.ll', text: text + main }]);
  expect(diagnostics.map((each) => each.message).join()).toContain(message);
});
