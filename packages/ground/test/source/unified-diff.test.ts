import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/base/random.js';
import { unifiedDiff } from '../../src/source/unified-diff.js';

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}`);

test('equal texts have no difference', () => {
  expect(unifiedDiff('a\nb\n', 'a\nb\n', 'f')).toBe('');
  expect(unifiedDiff('', '', 'f')).toBe('');
});

test('a change has three lines of context around it', () => {
  const before = numbered(12);
  const after = before.toSpliced(5, 1, 'new', 'newer');
  expect(unifiedDiff(before.join('\n') + '\n', after.join('\n') + '\n', 'dir/f.fw')).toBe(
    `--- a/dir/f.fw
+++ b/dir/f.fw
@@ -3,7 +3,8 @@
 line 3
 line 4
 line 5
-line 6
+new
+newer
 line 7
 line 8
 line 9
`,
  );
});

test('changes are apart where their contexts do not meet', () => {
  const before = numbered(20);
  const hunks = (at: readonly number[]): number =>
    unifiedDiff(
      before.join('\n'),
      before.flatMap((line, i) => (at.includes(i) ? ['fence', line] : [line])).join('\n'),
      'f',
    ).split('@@ -').length - 1;
  expect(hunks([2, 9])).toBe(2);
  expect(hunks([2, 8])).toBe(1);
});

test('a missing line break at the end is told', () => {
  expect(unifiedDiff('a', 'a\n', 'f')).toBe(
    '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
  );
});

test('an empty text is line 0', () => {
  expect(unifiedDiff('', 'a\n', 'f')).toBe('--- a/f\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n');
});

test('texts without a line in common are replaced as a whole', () => {
  const diff = unifiedDiff(numbered(3000).join('\n'), 'x\n'.repeat(3000), 'f');
  expect(diff.match(/^-line/gm)?.length).toBe(3000);
  expect(diff.match(/^\+x/gm)?.length).toBe(3000);
});

const hasPatch = spawnSync('patch', ['--version']).status === 0;

test.skipIf(!hasPatch)('patch makes the one text of the other', () => {
  const random = new SeededRandom(2013);
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  const file = join(folder, 'f');
  try {
    for (let run = 0; run < 60; run++) {
      const lines = (): string[] =>
        Array.from({ length: random.below(14) }, () => `l${random.below(4)}`);
      const before = lines();
      const kept = before.filter(() => random.below(4) > 0);
      const after = kept.flatMap((line) => (random.below(4) === 0 ? [line, 'new'] : [line]));
      const end = (): string => (random.below(3) === 0 ? '' : '\n');
      const [a, b] = [before.join('\n') + end(), after.join('\n') + end()];
      writeFileSync(file, a);
      const input = unifiedDiff(a, b, 'f');
      if (input === '') expect(a).toBe(b);
      const { status } = spawnSync('patch', ['--posix', '-s', file], { input });
      if (input !== '') expect(status, input).toBe(0);
      // The program `patch` removes a file that becomes empty.
      if (b !== '' && input !== '') expect(readFileSync(file, 'utf8'), input).toBe(b);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
