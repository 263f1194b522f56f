import { openModel } from '@fencewright/model/program/model.js';
import { describe, expect, it } from 'vitest';
import { parseNative, printNative } from '@fencewright/core/native';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { instanceCells } from '@fencewright/model/program/open-parts.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { errorsOf, listing, parseGood } from './listing.js';

function parseOpen(text: string): Templates {
  const { model, diagnostics } = parseNative(text);
  const open = openModel(model);
  expect(diagnostics).toEqual([]);
  return open!;
}

const text = `program P
var top, items[*] = {7}
thread owner { local t; l: t = top; items[t] = 1; top = t + 1; }
thread thief[*] { local h; s: h = items[self + 1]; }
thread pair[2] { local g; p: g = top; }
invariant size: top >= 0
invariant own: owner @ l ==> owner.t == 0 ==> items[owner.t] != top
invariant thieves(a: thief, b: thief): a.self != b.self || ended(a)
invariant pairs(a: pair, b: pair): a.g == b.g + pair[0].g`;

describe('invariants', () => {
  it('bind the threads they speak of, single ones without being told', () => {
    const { templates } = parseOpen(text);
    expect(
      templates.invariants!.map(({ name, binders }) => [name, binders.map(({ thread }) => thread)]),
    ).toEqual([
      ['size', []],
      ['own', [0]],
      ['thieves', [1, 1]],
      // One invariant for each choice of two distinct copies; the named copy is one of them.
      ['pairs', [2, 3]],
      ['pairs', [3, 2]],
    ]);
  });

  it('group implications to the right', () => {
    const of = (condition: string) =>
      parseGood(`program P\nvar x, y, z\nthread t { skip; }\ninvariant i: ${condition}`)
        .invariants!;
    expect(of('x ==> y ==> z')[0]!.condition).toEqual(of('!(x) || (!(y) || z)')[0]!.condition);
    expect(of('x || y ==> z')[0]!.condition).toEqual(of('!(x || y) || z')[0]!.condition);
  });

  it('are printed and read back', () => {
    const printed = printNative(parseOpen(text));
    expect(printed).toContain('items[*] @ 2 = {7}'.replace(' @ 2', ''));
    expect(printed).toContain(
      'invariant thieves(a: thief, b: thief): a.self != b.self || ended(a)',
    );
    const again = parseOpen(printed);
    expect(printNative(again)).toBe(printed);
    expect(again.templates.invariants!.map(({ condition }) => condition)).toEqual(
      parseOpen(text).templates.invariants!.map(({ condition }) => condition),
    );
  });

  it('may be called what they are: the word is a name as well', () => {
    expect(
      parseGood('program P\nvar invariant\nthread t { invariant = 1; }').symbols[0]!.name,
    ).toBe('invariant');
  });

  it('report what they cannot know', () => {
    const errors = (invariant: string) =>
      errorsOf(
        `program P\nvar x, a[2]\nthread t[*] { local r; l: r = x; }\ninvariant ${invariant}`,
      );
    expect(errors('i: a == 0')).toEqual([
      "FW1011 4:14 'a' is an array (name one of its cells: a[0])",
    ]);
    expect(errors('i(u: s): u.r == 0')[0]).toContain("no thread is named 's'");
    expect(errors('i(u: t, u: t): u.r == 0')[0]).toContain('FW1003');
    expect(errors('i(u: t): u.s == 0 && u @ k')).toHaveLength(2);
    expect(errors('i: t.r == 0')[0]).toContain('any number of copies');
    expect(errors('i: mem[1] == 0')[0]).toContain('by their names only');
    expect(errors('i(u: t): ')[0]).toContain('expected an expression');
  });
});

describe('an instance of an open program', () => {
  const open = parseOpen(text);
  const { program, templateOf } = instantiate(open, [9, 2, 9, 9]);

  it('numbers the copies from 0 and gives arrays an end', () => {
    expect(templateOf).toEqual([0, 1, 1, 2, 3]);
    expect(listing(program, 1)[0]).toContain('h = items[0 + 1]');
    expect(listing(program, 2)[0]).toContain('h = items[1 + 1]');
    expect(program.symbols[1]).toMatchObject({ length: instanceCells, isArray: true });
    expect(program.symbols[1]).not.toHaveProperty('isBoundless');
    expect(program).not.toHaveProperty('invariants');
  });

  it('bounds free choices where there is no domain', () => {
    const choosing = parseOpen('program P\nvar a[*]\nthread t { local r; havoc r; a[r] = 1; }');
    const [first] = instantiate(choosing, [1], { low: 0, high: 2 }).program.threads[0]!.transitions;
    expect(first!.instruction).toEqual({ kind: 'havoc', into: 0, range: { low: 0, high: 2 } });
  });
});
