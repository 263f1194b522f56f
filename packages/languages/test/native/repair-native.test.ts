import { describe, expect, test } from 'vitest';
import { repairNativeText } from '../../src/native/repair-native.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import { parseGood } from './listing.js';

const head = 'program P\nvar x, y, a[2]\nthread t { local r;\n';

/** Returns the body of a thread after the repairs that `choose` selects for its program. */
function repairBody(
  body: string,
  choose: (text: string) => readonly SourceRepair[],
  points?: readonly number[],
): string {
  const text = `${head}${body}\n}`;
  const { text: after, diagnostics } = repairNativeText(text, choose(text), () => points);
  if (after === undefined) return expect.fail(JSON.stringify(diagnostics));
  parseGood(after);
  expect(after.startsWith(head)).toBe(true);
  return after.slice(head.length, -2);
}

/** Returns a fence before the first instruction whose text starts with `at`. */
const fenceAt =
  (...at: readonly string[]) =>
  (text: string): readonly SourceRepair[] =>
    at.map((piece) => {
      const offset = text.indexOf(piece, head.length);
      const line = text.slice(0, offset).split('\n').length - 1;
      const column = offset - text.lastIndexOf('\n', offset) - 1;
      const step = parseGood(text).threads[0]?.transitions.find(({ origin }) => {
        const start = origin.span?.start;
        return start?.line === line && start.column === column;
      });
      return step
        ? { kind: 'fence', thread: 0, location: step.from }
        : expect.fail(`nothing at ${piece}`);
    });

const every =
  (kind: 'xchg' | 'remove', instruction: 'store' | 'fence' | 'rmw') =>
  (text: string): readonly SourceRepair[] =>
    (parseGood(text).threads[0]?.transitions ?? []).flatMap((step, transition) =>
      step.instruction.kind === instruction ? [{ kind, thread: 0, transition }] : [],
    );

describe('a fence is inserted', () => {
  test('on a line of its own, indented like the statement', () => {
    expect(repairBody('    x = 1; // one\n\n\tr = y;', fenceAt('x = 1', 'y;'))).toBe(
      '    fence;\n    x = 1; // one\n\n\tfence;\n\tr = y;',
    );
  });

  test('beside a statement that shares its line', () => {
    expect(repairBody('x = 1; r = y;', fenceAt('y;'))).toBe('x = 1; fence; r = y;');
    expect(repairBody('/* c */ x = 1;', fenceAt('x = 1'))).toBe('/* c */ fence; x = 1;');
  });

  test('behind a label', () => {
    expect(repairBody('cs: x = 1;\ngoto cs;', fenceAt('x = 1'))).toBe(
      'cs: fence; x = 1;\ngoto cs;',
    );
    expect(repairBody('cs:\n  x = 1;\ngoto cs;', fenceAt('x = 1'))).toBe(
      'cs:\n  fence;\n  x = 1;\ngoto cs;',
    );
    expect(repairBody('if (r) cs: x = 1;', fenceAt('x = 1'))).toBe('if (r) cs: { fence; x = 1; }');
    expect(repairBody('@cost(2) cs: x = 1;', fenceAt('x = 1'))).toBe(
      '@cost(2) cs: { fence; x = 1; }',
    );
  });

  test('before annotations', () => {
    expect(repairBody('@cost(2)\nx = 1;', fenceAt('x = 1'))).toBe('fence;\n@cost(2)\nx = 1;');
  });

  test('with braces around a statement that stands alone', () => {
    expect(repairBody('if (r)\n  x = 1; // one\nelse y = 1;', fenceAt('x = 1', 'y = 1'))).toBe(
      'if (r)\n  { fence; x = 1; } // one\nelse { fence; y = 1; }',
    );
    expect(repairBody('if (r) x = 1; else if (y) x = 2;', fenceAt('y)'))).toBe(
      'if (r) x = 1; else { fence; if (y) x = 2; }',
    );
    expect(repairBody('if (r) if (x) y = 1; else y = 2;', fenceAt('x)'))).toBe(
      'if (r) { fence; if (x) y = 1; else y = 2; }',
    );
  });

  test('at the end of the body of a loop', () => {
    const fenceHead = fenceAt('x)');
    expect(repairBody('while (x) {\n  y = 1; // one\n}', fenceHead)).toBe(
      'fence;\nwhile (x) {\n  y = 1; // one\n  fence;\n}',
    );
    expect(repairBody('while (x) { y = 1; }', fenceHead)).toBe(
      'fence;\nwhile (x) { y = 1; fence; }',
    );
    expect(repairBody('while (x) y = 1;', fenceHead)).toBe('fence;\nwhile (x) { y = 1; fence; }');
    expect(repairBody('while (x) if (r) y = 1;', fenceHead)).toBe(
      'fence;\nwhile (x) { if (r) y = 1; fence; }',
    );
    expect(repairBody('while (x) {\n  if (r) {\n    y = 1;\n  }\n}', fenceHead)).toBe(
      'fence;\nwhile (x) {\n  if (r) {\n    y = 1;\n  }\n  fence;\n}',
    );
    expect(repairBody('do x = 1; while (y);', fenceAt('y)'))).toBe(
      'do { x = 1; fence; } while (y);',
    );
    expect(repairBody('while (x) { y = 1; /* a\n b */ }', fenceHead)).toBe(
      'fence;\nwhile (x) { y = 1; fence; /* a\n b */ }',
    );
    expect(repairBody('while (x) { y = 1; cs: }', fenceHead)).toBe(
      'fence;\nwhile (x) { y = 1; cs: fence; }',
    );
  });

  test('in an empty body', () => {
    const fenceHead = fenceAt('x)');
    const bodyOf = (body: string): string =>
      repairBody(`while (x)${body}`, fenceHead).slice('fence;\nwhile (x)'.length);
    expect(bodyOf(' { }')).toBe(' { fence; }');
    expect(bodyOf(' {}')).toBe(' { fence; }');
    expect(bodyOf(' { /* spin */ }')).toBe(' { /* spin */ fence; }');
    expect(bodyOf(';')).toBe('fence;');
    expect(bodyOf(' {\n}')).toBe(' {\n  fence;\n}');
    expect(bodyOf(' {\n    // spin\n  }')).toBe(' {\n    // spin\n    fence;\n  }');
    expect(bodyOf(' { // spin\n  }')).toBe(' { // spin\n    fence;\n  }');
  });

  test('before continue', () => {
    const body = 'while (x) {\n  if (r) continue;\n  if (y) {\n    continue;\n  }\n}';
    expect(repairBody(body, fenceAt('x)'))).toBe(
      'fence;\nwhile (x) {\n  if (r) { fence; continue; }\n  if (y) {\n    fence;\n    continue;\n  }\n  fence;\n}',
    );
  });

  test('only at the points chosen', () => {
    const body = 'while (x) {\n  y = 1;\n}';
    expect(repairBody(body, fenceAt('x)'), [0])).toBe(`fence;\n${body}`);
    expect(repairBody(body, fenceAt('x)'), [1])).toBe('while (x) {\n  y = 1;\n  fence;\n}');
    expect(repairBody(body, fenceAt('x)'), [])).toBe(body);
  });

  test('several around one statement, and where statements end together', () => {
    expect(
      repairBody('while (x) if (r) while (y) x = 1;', fenceAt('x)', 'r)', 'y)', 'x = 1')),
    ).toBe(
      'fence;\nwhile (x) { fence; if (r) { fence; while (y) { fence; x = 1; fence; } } fence; }',
    );
    expect(repairBody('if(r)x=1;y=1;', fenceAt('x=1', 'y=1'))).toBe(
      'if(r){ fence; x=1; }fence; y=1;',
    );
  });

  test('with the line breaks of the text', () => {
    const { text } = repairNativeText('program P\r\nvar x\r\nthread t {\r\n  x = 1;\r\n}\r\n', [
      { kind: 'fence', thread: 0, location: 0 },
    ]);
    expect(text).toBe('program P\r\nvar x\r\nthread t {\r\n  fence;\r\n  x = 1;\r\n}\r\n');
  });
});

describe('a store becomes an exchange', () => {
  test('in its own spacing', () => {
    const exchange = every('xchg', 'store');
    expect(repairBody('x = y + 1; // one', exchange)).toBe('xchg(x, y + 1); // one');
    expect(repairBody('x=1;', exchange)).toBe('xchg(x,1);');
    expect(repairBody('a[y == 1] = r;', exchange)).toBe('xchg(a[y == 1], r);');
    expect(repairBody('mem[&x + r] = 1;', exchange)).toBe('xchg(mem[&x + r], 1);');
    expect(repairBody('x /* a */ = /* b */ 1 /* c */;', exchange)).toBe(
      'xchg(x /* a */, /* b */ 1) /* c */;',
    );
    expect(repairBody('if (r) x = 1;', exchange)).toBe('if (r) xchg(x, 1);');
  });

  test('together with a fence before it', () => {
    const both = (text: string) => [...every('xchg', 'store')(text), ...fenceAt('x = 1')(text)];
    expect(repairBody('if (r) x = 1;', both)).toBe('if (r) { fence; xchg(x, 1); }');
    expect(repairBody('y = 0; x = 1;', both)).toBe('xchg(y, 0); fence; xchg(x, 1);');
  });

  test('and back', () => {
    const back = every('remove', 'rmw');
    expect(repairBody('xchg(x, y + 1); // one', back)).toBe('x = y + 1; // one');
    expect(repairBody('xchg(x,1);', back)).toBe('x=1;');
    expect(repairBody('xchg( a[1] , (r) );', back)).toBe('a[1] = (r);');
    expect(repairBody('xchg((x), 1);', back)).toBe('x = 1;');
    expect(repairBody('xchg(mem[&x], 1);', back)).toBe('mem[&x] = 1;');
  });
});

describe('a fence is removed', () => {
  const remove = every('remove', 'fence');

  test('with its line if it stands alone there', () => {
    expect(repairBody('x = 1;\n  fence;\n\n  mfence; \nr = y;', remove)).toBe('x = 1;\n\nr = y;');
    expect(repairBody('x = 1;\n  fence; // why\nr = y;', remove)).toBe('x = 1;\n  // why\nr = y;');
    expect(repairBody('x = 1;\n@cost(2)\nfence;\nr = y;', remove)).toBe('x = 1;\nr = y;');
  });

  test('from among others', () => {
    expect(repairBody('x = 1; fence; r = y;', remove)).toBe('x = 1; r = y;');
    expect(repairBody('x = 1; fence;\nr = y;', remove)).toBe('x = 1;\nr = y;');
    expect(repairBody('while (x) { fence; }', remove)).toBe('while (x) { }');
    expect(repairBody('cs: fence; x = 1;\ngoto cs;', remove)).toBe('cs: x = 1;\ngoto cs;');
    expect(repairBody('cs:\n  fence;\n  x = 1;\ngoto cs;', remove)).toBe('cs:\n  x = 1;\ngoto cs;');
  });

  test('but leaves a statement where one is needed', () => {
    expect(repairBody('if (r) fence;', remove)).toBe('if (r) skip;');
    expect(repairBody('if (r) cs: fence;', remove)).toBe('if (r) cs: skip;');
    expect(repairBody('@cost(2) cs: fence; x = 1;', remove)).toBe('@cost(2) cs: skip; x = 1;');
    expect(repairBody('if (r) @cost(2) fence;', remove)).toBe('if (r) @cost(2) skip;');
  });

  test('and stays where one would be inserted', () => {
    const both =
      (at: string) =>
      (text: string): readonly SourceRepair[] => [...remove(text), ...fenceAt(at)(text)];
    expect(repairBody('x = 1;\nfence;\nr = y;', both('fence'))).toBe('x = 1;\nfence;\nr = y;');
    expect(repairBody('while (x) {\n  fence;\n}', both('x)'))).toBe(
      'fence;\nwhile (x) {\n  fence;\n}',
    );
    expect(repairBody('x = 1;\nfence;\nr = y;', both('y;'))).toBe('x = 1;\nfence;\nr = y;');
  });
});

const automaton = `program P
var x, y
thread t regs r init l0 begin
  // comment
  l0: mem[x] <- 1; goto l1;   l1 : r <- mem[y]; goto l1_fenced;

  l0: @cost(2) y ← x; goto l0;
  l1_fenced: mfence; goto l3;
  l3: xchg(mem[r], 1); goto l0;
end
`;

describe('an automaton', () => {
  const repair = (...repairs: readonly SourceRepair[]): string =>
    repairNativeText(automaton, repairs).text ?? '';

  test('gets a fence by new labels', () => {
    expect(
      repair({ kind: 'fence', thread: 0, location: 0 }, { kind: 'fence', thread: 0, location: 1 }),
    ).toBe(
      automaton
        .replace('  l0: mem', '  l0: mfence; goto l0_fenced;\n  l0_fenced: mem')
        .replace('l0: @cost', 'l0_fenced: @cost')
        .replace('l1 : r', 'l1: mfence; goto l1_fenced2; l1_fenced2 : r'),
    );
  });

  test('gets and loses exchanges, and loses fences', () => {
    expect(
      repair(
        { kind: 'xchg', thread: 0, transition: 0 },
        { kind: 'xchg', thread: 0, transition: 2 },
        { kind: 'remove', thread: 0, transition: 3 },
        { kind: 'remove', thread: 0, transition: 4 },
      ),
    ).toBe(
      automaton
        .replace('mem[x] <- 1', 'xchg(mem[x], 1)')
        .replace('y ← x', 'xchg(y, x)')
        .replace('mfence', 'skip')
        .replace('xchg(mem[r], 1)', 'mem[r] <- 1'),
    );
  });
});

test('what cannot be done is told', () => {
  const text = `${head}x = x + y;\nr = xchg(x, 1);\n}`;
  const { transitions } = parseGood(text).threads[0]!;
  const { text: after, diagnostics } = repairNativeText(text, [
    { kind: 'fence', thread: 0, location: transitions[1]!.from },
    { kind: 'xchg', thread: 0, transition: 0 },
    { kind: 'remove', thread: 0, transition: 3 },
  ]);
  expect(after).toBeUndefined();
  expect(diagnostics.map(({ message }) => message).toSorted()).toEqual([
    "no fence can be inserted at 'L4b' of thread 't'",
    'only a fence, or an exchange without a result, can be removed',
    'only a store can become an exchange',
  ]);
  expect(repairNativeText('program P', []).text).toBe('program P');
  expect(repairNativeText('progam P', []).diagnostics.length).toBeGreaterThan(0);
});
