import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';

/** The number of unchanged lines shown around a change. */
const context = 3;

/**
 * The maximum number of differing lines for which a shortest difference is computed; with more, all
 * lines are shown as replaced.
 */
const maxEditLength = 1000;

/**
 * Compares two texts line by line; returns the difference in the format of `diff -u` and `git`,
 * with three lines of context around each change; empty if the texts are equal.
 */
export function unifiedDiff(before: string, after: string, fileName: string): string {
  if (before === after) return '';
  const compare = (from: string, to: string, options: { maxEditLength?: number }) =>
    structuredPatch(`a/${fileName}`, `b/${fileName}`, from, to, undefined, undefined, {
      context,
      ...options,
    });
  const shortest = compare(before, after, { maxEditLength });
  const patch = shortest ?? joined(compare(before, '', {}), compare('', after, {}));
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/**
 * Returns one patch that deletes the lines of a patch with deletions, and inserts the lines of a
 * patch with insertions.
 */
function joined(deletion: StructuredPatch, insertion: StructuredPatch): StructuredPatch {
  const [deleted, inserted] = [deletion.hunks[0]!, insertion.hunks[0]!];
  const { newStart, newLines } = inserted;
  const lines = [...deleted.lines, ...inserted.lines];
  return { ...deletion, hunks: [{ ...deleted, newStart, newLines, lines }] };
}
