import {
  finiteProgram,
  openModel,
  unboundedModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import { describe, expect, it } from 'vitest';
import { parseNative, printNative, repairNativeText } from '@fencewright/core/native';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { openParts } from '@fencewright/model/program/open-parts.js';
import { errorsOf, listing, parseGood } from './listing.js';

function parseTemplates(text: string): UnboundedModel {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  const parameterized = unboundedModel(model);
  expect(program).toBeUndefined();
  expect(diagnostics).toEqual([]);
  return parameterized!;
}

describe('a fixed number of copies', () => {
  it('makes threads that differ in self only', () => {
    const program = parseGood('program P\nvar a[3]\nthread t[3] { a[self] = self + 1; }');
    expect(program.threads.map(({ name }) => name)).toEqual(['t[0]', 't[1]', 't[2]']);
    expect(program.threads.map(({ copy }) => copy)).toEqual([
      { template: 't', index: 0 },
      { template: 't', index: 1 },
      { template: 't', index: 2 },
    ]);
    expect(listing(program, 0)).toEqual(['L3: a[0] = 0 + 1 -> L3b']);
    expect(listing(program, 2)).toEqual(['L3: a[2] = 2 + 1 -> L3b']);
  });

  it('keeps locations and transitions alike, whatever self decides', () => {
    const program = parseGood(
      'program P\nvar x, y\nthread t[2] { local r; if (self == 0) { x = 1; } else { r = y; } while (self) { } }',
    );
    const [first, second] = program.threads;
    expect(first!.locations).toEqual(second!.locations);
    const shape = first!.transitions.map(({ from, to, instruction }) => [
      from,
      to,
      instruction.kind,
    ]);
    expect(
      second!.transitions.map(({ from, to, instruction }) => [from, to, instruction.kind]),
    ).toEqual(shape);
  });

  it('is known in all operands of the automaton form', () => {
    const program = parseGood(
      `program P
var a[2]
thread t[2] regs r init l begin
  l: a[self] <- self; goto l;
  l: r <- mem[a[self]]; goto l;
  l: r <- cas(a[self], self, -self); goto l;
  l: r <- fetch_add(a[self], self); goto l;
  l: xchg(a[self], self); goto l;
  l: assume self == r; goto l;
  l: r <- !self; goto l;
  l: havoc r in 0..3 with r > self; goto l;
  l: check self; goto l;
end`,
    );
    const text = listing(program, 1).join('\n');
    expect(text).not.toContain('self');
    expect(listing(program, 1)).toHaveLength(9);
    expect(text).toContain('a[1] = 1');
    expect(text).toContain('cas(a[1], 1, -1)');
  });

  it('is counted by constants, and within bounds', () => {
    expect(parseGood('program P\nconst N = 2\nthread t[N + 1] { skip; }').threads).toHaveLength(3);
    expect(parseGood('program P\nthread t[1] { skip; }').threads.map(({ name }) => name)).toEqual([
      't[0]',
    ]);
    expect(errorsOf('program P\nthread t[0] { skip; }')).toEqual([
      'FW1011 2:9 a thread has 1 to 64 copies, and not 0 (write the number of copies, such as [2], or [*] for any number of them)',
    ]);
    expect(errorsOf('program P\nthread t[65] { skip; }')).toEqual([
      'FW1011 2:9 a thread has 1 to 64 copies, and not 65 (write the number of copies, such as [2], or [*] for any number of them)',
    ]);
    expect(errorsOf('program P\nvar n\nthread t[n] { skip; }')).toEqual([
      "FW1011 3:10 a constant is needed here (use numbers and 'const' names)",
    ]);
  });

  it('reports indices that leave their arrays, once for each', () => {
    expect(errorsOf('program P\nvar a[2]\nthread t[3] { a[self] = 1; a[self + 1] = 1; }')).toEqual([
      "FW1008 3:15 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1008 3:28 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1008 3:28 index 3 is outside 'a' ('a' has 2 cells, numbered from 0)",
    ]);
  });

  it('is named in properties', () => {
    const program = parseGood(
      'program P\nthread s { skip; }\nthread t[2] { local r; l: r = 1; }\n' +
        'property p: never (t[1] @ l && t[0].r == 1 && ended(t[1]) && ended(s))',
    );
    // Brackets are no part of identifiers.
    expect(printNative(program)).toContain(
      'never (t_1_ @ l && t_0_.r == 1 && ended(t_1_) && ended(s))',
    );
    const wrong = (condition: string) =>
      errorsOf(
        `program P\nthread s { m: skip; }\nthread t[2] { l: skip; }\nproperty p: never (${condition})`,
      );
    expect(wrong('t @ l')).toEqual(["FW1011 4:20 't' stands for 2 copies (name one copy: t[0])"]);
    expect(wrong('t[2] @ l')).toEqual([
      "FW1008 4:22 index 2 is outside 't' ('t' has 2 cells, numbered from 0)",
    ]);
    expect(wrong('s[0] @ m')).toEqual([
      "FW1011 4:20 's' is a single thread (write s without an index)",
    ]);
  });

  it('gets a repair of one copy for all of them', () => {
    const text =
      'program P\nvar a[2]\nthread t[2] { local r;\n  a[self] = 1;\n  r = a[1 - self];\n}';
    const load = parseGood(text).threads[1]!.transitions[1]!.from;
    const repairs = [
      { kind: 'fence', thread: 0, location: load },
      { kind: 'fence', thread: 1, location: load },
    ] as const;
    expect(repairNativeText(text, repairs).text).toBe(
      'program P\nvar a[2]\nthread t[2] { local r;\n  a[self] = 1;\n  fence;\n  r = a[1 - self];\n}',
    );
    expect(repairNativeText(text, repairs.slice(1)).text).toBe(
      repairNativeText(text, repairs).text,
    );
  });
});

describe('any number of copies', () => {
  const text = `program P
var x
thread owner { local r; x = 1; l: r = x; }
thread thief[*] { local s; s = x; }
thread judge[2] { x = self; }
property p: never (owner @ l || owner.r == 2)`;

  it('gives a program of another type, from which numbers make programs', () => {
    const parameterized = parseTemplates(text);
    expect(parameterized.unbounded).toEqual([1]);
    const { program, templateOf } = instantiate(parameterized, [0, 3, 0, 0]);
    expect(program.threads.map(({ name }) => name)).toEqual([
      'owner',
      'thief[0]',
      'thief[1]',
      'thief[2]',
      'judge[0]',
      'judge[1]',
    ]);
    expect(templateOf).toEqual([0, 1, 1, 1, 2, 3]);
    expect(instantiate(parameterized, []).program.threads).toHaveLength(3);
  });

  it('renumbers the threads of properties', () => {
    const { program } = instantiate(
      parseTemplates(
        'program P\nthread a[*] { skip; }\nthread b { l: skip; }\nproperty p: never (ended(b))',
      ),
      [2],
    );
    expect(program.properties[0]!.condition).toEqual({ kind: 'ended', thread: 2 });
  });

  it('is printed and read back', () => {
    const parameterized = parseTemplates(text);
    const printed = printNative(parameterized);
    expect(printed).toContain('thread thief[*] regs s');
    expect(printNative(parseTemplates(printed))).toBe(printed);
  });

  it('is for proofs only where self tells them apart', () => {
    const { model } = parseNative('program P\nvar x\nthread t[*] { x = self; }');
    const program = finiteProgram(model);
    const parameterized = unboundedModel(model);
    const open = openModel(model);
    expect([program, parameterized]).toEqual([undefined, undefined]);
    expect(openParts(open!)).toEqual(["any number of copies of 't' are told apart by self"]);
  });

  it('is named in properties by copies, different ones by different numbers', () => {
    const claimed = `program P
thread t[*] { local r; l: r = 1; }
property p: never (t[0] @ l && t[7].r == 1 && ended(t[0]) && drained(t[7]))`;
    const { properties } = parseTemplates(claimed).templates;
    expect(properties[0]!.condition).toMatchObject({
      left: {
        left: { left: { kind: 'at', thread: 0, copy: 0 } },
        right: { kind: 'ended', thread: 0, copy: 0 },
      },
      right: { kind: 'drained', thread: 0, copy: 7 },
    });
    const printed = printNative(parseTemplates(claimed));
    expect(printed).toContain('t[0] @ l && t[7].r == 1 && ended(t[0]) && drained(t[7])');
    expect(printNative(parseTemplates(printed))).toBe(printed);
  });

  it.each([
    [
      'never (t @ l)',
      "3:20 't' stands for any number of copies (write t[0] for any copy, and t[1] for any other one)",
    ],
    ['never (t[-1] @ l)', '3:22 copies are numbered from 0 (write t[0] for any copy)'],
    [
      'progress (t[0])',
      "3:23 't' stands for any number of copies, and one thread is meant here " +
        '(in an invariant, bind copies: invariant m(a: t, b: t): !(a@l && b@l); for progress, write a number of copies)',
    ],
  ])('is no one thread: %s', (claim, error) => {
    expect(errorsOf(`program P\nthread t[*] { l: skip; }\nproperty p: ${claim}`)).toEqual([
      `FW1011 ${error}`,
    ]);
  });

  it('with a number, a claim about more copies than there are holds', () => {
    const text = 'program P\nthread t[*] { l: skip; }\nproperty p: never (t[0] @ l && t[1] @ l)';
    const conditions = [0, 1, 2].map(
      (count) =>
        finiteProgram(parseNative(text, new Map([['t', count]])).model)!.properties[0]!.condition,
    );
    const none = { kind: 'constant', value: 0 };
    const both = { left: { kind: 'at', thread: 0 }, right: { kind: 'at', thread: 1 } };
    expect(conditions).toMatchObject([none, none, both]);
  });
});
