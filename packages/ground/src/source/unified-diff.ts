/** The number of unchanged lines shown around a change. */
const contextLines = 3;

/**
 * The maximum number of differing lines for which a shortest difference is computed; with more, all
 * lines are shown as replaced.
 */
const maxDifferences = 1000;

/** A line that is kept, deleted or inserted. */
interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The lines of a text, including their line breaks. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Compares two texts line by line; returns the difference in the format of `diff -u` and `git`,
 * with three lines of context around each change; empty if the texts are equal.
 */
export function unifiedDiff(before: string, after: string, fileName: string): string {
  const lines = diffLines(splitLines(before), splitLines(after));
  const hunks = hunkRanges(lines).map(([start, end]) => formatHunk(lines, start, end));
  return hunks.length === 0 ? '' : `--- a/${fileName}\n+++ b/${fileName}\n${hunks.join('')}`;
}

function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const mark = (sign: DiffLine['mark'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ mark: sign, text }));
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  return [
    ...mark(' ', before.slice(0, head)),
    ...(shortestScript(old, fresh) ?? [...mark('-', old), ...mark('+', fresh)]),
    ...mark(' ', before.slice(before.length - tail)),
  ];
}

/**
 * Finds a shortest edit script of insertions and deletions from `a` to `b`; `undefined` if too
 * long. Source: Myers, "An O(ND) difference algorithm and its variations", 1986.
 */
function shortestScript(
  a: readonly string[],
  b: readonly string[],
): readonly DiffLine[] | undefined {
  // By diagonal x - y: the largest x reachable with the current number of differences.
  let furthest = new Map<number, number>([[1, 0]]);
  const history: ReadonlyMap<number, number>[] = [];
  for (let differences = 0; differences <= maxDifferences; differences++) {
    history.push(furthest);
    furthest = new Map(furthest);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = firstOn(furthest, diagonal, differences);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return backtrack(a, b, history);
    }
  }
  return undefined;
}

function comesFromAbove(
  furthest: ReadonlyMap<number, number>,
  diagonal: number,
  differences: number,
): boolean {
  const left = furthest.get(diagonal - 1) ?? -1;
  const above = furthest.get(diagonal + 1) ?? -1;
  return diagonal === -differences || (diagonal !== differences && left < above);
}

function firstOn(
  furthest: ReadonlyMap<number, number>,
  diagonal: number,
  differences: number,
): number {
  return comesFromAbove(furthest, diagonal, differences)
    ? (furthest.get(diagonal + 1) ?? 0)
    : (furthest.get(diagonal - 1) ?? 0) + 1;
}

function backtrack(
  a: readonly string[],
  b: readonly string[],
  history: readonly ReadonlyMap<number, number>[],
): readonly DiffLine[] {
  const script: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let differences = history.length - 1; differences >= 0; differences--) {
    const furthest = history[differences]!;
    const isComing = comesFromAbove(furthest, x - y, differences);
    const first = firstOn(furthest, x - y, differences);
    const firstY = first - (x - y);
    while (x > first && y > firstY) {
      script.push({ mark: ' ', text: a[x - 1]! });
      x -= 1;
      y -= 1;
    }
    if (differences === 0) break;
    if (isComing) y -= 1;
    else x -= 1;
    script.push(isComing ? { mark: '+', text: b[y]! } : { mark: '-', text: a[x]! });
  }
  return script.reverse();
}

/**
 * Returns the hunks of a difference (changes with their context) as half-open ranges of lines;
 * changes whose contexts touch share a hunk.
 */
function hunkRanges(lines: readonly DiffLine[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  lines.forEach(({ mark }, i) => {
    if (mark === ' ') return;
    const start = Math.max(0, i - contextLines);
    const end = Math.min(lines.length, i + contextLines + 1);
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  });
  return ranges;
}

function formatHunk(lines: readonly DiffLine[], start: number, end: number): string {
  const count = (part: readonly DiffLine[], not: DiffLine['mark']): number =>
    part.filter(({ mark }) => mark !== not).length;
  const range = (sign: '-' | '+', not: DiffLine['mark']): string => {
    const first = count(lines.slice(0, start), not);
    const length = count(lines.slice(start, end), not);
    const from = length === 0 ? first : first + 1;
    return `${sign}${from}${length === 1 ? '' : `,${length}`}`;
  };
  const body = lines.slice(start, end).map(({ mark, text }) => {
    if (text.endsWith('\n')) return mark + text;
    return `${mark}${text}\n\\ No newline at end of file\n`;
  });
  return `@@ ${range('-', '+')} ${range('+', '-')} @@\n${body.join('')}`;
}
