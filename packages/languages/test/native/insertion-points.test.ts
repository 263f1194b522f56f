import { describe, expect, test } from 'vitest';
import { nativeInsertionPoints } from '../../src/native/insertion-points.js';
import { parseGood } from './listing.js';

/** The text of one structured thread around these lines, the first of which is line 4. */
function textOf(lines: readonly string[]): string {
  return ['program P', 'var x, y, a[2]', 'thread t { local r, s;', ...lines, '}'].join('\n');
}

/** Returns the insertion points of each location that has any, as one-based `line:column`. */
function pointsOf(...lines: readonly string[]): readonly string[] {
  const points = nativeInsertionPoints(textOf(lines))?.[0]?.values() ?? [];
  return [...points].map((own) =>
    own.map(({ position }) => `${position.line + 1}:${position.column + 1}`).join(' '),
  );
}

describe('one point, before the statement', () => {
  test('in a sequence', () => {
    expect(pointsOf('x = 1;', 'r = y;')).toEqual(['4:1', '5:1']);
  });

  test('behind an if, whatever its branches', () => {
    expect(pointsOf('if (r) x = 1;', 'else { y = 1; }', 'skip;')).toEqual([
      '4:1',
      '4:8',
      '5:8',
      '6:1',
    ]);
  });

  test('of choose and of a free condition', () => {
    expect(pointsOf('choose { x = 1; } or { y = 1; }')).toEqual(['4:1']);
    expect(pointsOf('if (*) x = 1; else y = 1;')).toEqual(['4:1']);
  });

  test('behind its label, so that jumps to it pass the fence', () => {
    expect(pointsOf('cs: x = 1;', 'goto cs;')).toEqual(['4:5']);
    expect(pointsOf('cs: ds:', 'x = 1;', 'goto ds;')).toEqual(['5:1']);
  });

  test('before its annotation', () => {
    expect(pointsOf('@cost(2) x = 1;')).toEqual(['4:1']);
    expect(pointsOf('cs: @cost(2) x = 1;')).toEqual(['4:5']);
  });

  test('where one stands after a block', () => {
    expect(pointsOf('{ { x = 1; } }', '{ { y = 1; } }')).toEqual(['4:5', '5:5']);
  });

  test('within an atomic block, and at its end', () => {
    expect(pointsOf('atomic {', 'x = 1;', '}')).toEqual(['4:1', '5:1', '5:7']);
    expect(pointsOf('atomic { }')).toEqual(['4:1', '4:10']);
  });
});

describe('loops', () => {
  test('a while: before it, and at the end of its body', () => {
    expect(pointsOf('while (x) {', 'y = 1;', '}')).toEqual(['4:1 5:7', '5:1']);
    expect(pointsOf('while (x) { }')).toEqual(['4:1 4:13']);
    expect(pointsOf('while (x) { }', 'y = 1;')).toEqual(['4:1 4:13', '5:1']);
    expect(pointsOf('while (x);')).toEqual(['4:1 4:10']);
    expect(pointsOf('while (x) y = 1;')).toEqual(['4:1 4:17', '4:11']);
  });

  test('a while: before each continue', () => {
    expect(
      pointsOf('while (x) {', 'if (r) continue;', 'if (s) { continue; }', 'y = 1;', '}'),
    ).toEqual(['4:1 5:8 6:10 7:7', '5:1', '6:1', '7:1']);
  });

  test('where the head is the start of the body, one point is enough', () => {
    expect(pointsOf('loop {', 'x = 1;', 'if (r) continue;', '}')).toEqual(['5:1', '6:1']);
    expect(pointsOf('while (true) { x = 1; }')).toEqual(['4:16']);
    expect(pointsOf('do { do x = 1; while (y); } while (r);')).toEqual(['4:9', '4:15', '4:26']);
  });

  test('the condition of a do-while: the end of its body, and before each continue', () => {
    expect(pointsOf('do {', 'if (r) continue;', 'x = 1;', '} while (y);')).toEqual([
      '5:1',
      '6:1',
      '5:8 6:7',
    ]);
  });

  test('what a break leads to: before the statement', () => {
    expect(pointsOf('while (x) { break; }', 'y = 1;')).toEqual(['4:1', '5:1']);
  });

  test('loops within one another', () => {
    expect(pointsOf('while (true) {', 'while (x) { y = 1; }', '}')).toEqual(['5:1 5:19', '5:13']);
    expect(pointsOf('while (x) {', 'if (r) { y = 1; } else if (s) x = 1;', '}')).toEqual([
      '4:1 5:37',
      '5:1',
      '5:10',
      '5:24',
      '5:31',
    ]);
  });

  test('a loop made by goto: behind its label', () => {
    expect(pointsOf('again: r = x;', 'if (r) goto again;')).toEqual(['4:8', '5:1']);
  });

  test('a loop without an instruction', () => {
    expect(pointsOf('loop { }')).toEqual(['4:8']);
  });
});

describe('no point', () => {
  test('within the evaluation of a statement', () => {
    const text = textOf(['x = y + x;', 'if (x && y) skip;']);
    const program = parseGood(text);
    const points = nativeInsertionPoints(text)?.[0];
    const leaving = new Set(program.threads[0]?.transitions.map(({ from }) => from));
    expect(leaving.size).toBe(8);
    expect(pointsOf('x = y + x;', 'if (x && y) skip;')).toEqual(['4:1', '5:1', '5:13']);
    expect(points?.size).toBe(3);
  });

  test('at an end, and for a text with errors', () => {
    expect(pointsOf('x = 1;', 'end_of_it:')).toEqual(['4:1']);
    expect(nativeInsertionPoints('program P thread t { x = 1; }')).toBeUndefined();
  });
});

test('in an automaton every location with instructions has one', () => {
  const text = `program P
var x, y
thread t1 regs r init l0 begin
  l0: x <- 1; goto l1;
  l1: r <- mem[y]; goto l2;
  l0: skip; goto l2;
end
thread t2 { y = 1; }`;
  const points = nativeInsertionPoints(text)?.map((own) => [...own]);
  expect(points).toEqual([
    [
      [0, [{ position: { line: 3, column: 2 } }]],
      [1, [{ position: { line: 4, column: 2 } }]],
    ],
    [[0, [{ position: { line: 7, column: 12 } }]]],
  ]);
});
