import { openModel } from '../../src/program/model.js';
import { describe, expect, it } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { formatInvariant } from '../../src/program/format-invariant.js';
import type { Invariant } from '../../src/program/program.js';

const program = (invariants: string): string => `program P
var top, items[*]
thread owner { local t; l: t = top; items[t] = 1; top = t + 1; }
thread thief[*] { local h; s: h = items[self + 1]; e: }
${invariants}
`;

function openOf(text: string) {
  const { model, diagnostics } = parseNative(text);
  const open = openModel(model);
  expect(diagnostics).toEqual([]);
  return open!;
}

describe('an invariant as text', () => {
  it.each([
    'invariant i: top >= 0',
    'invariant i: owner @ l ==> owner.t == 0 ==> items[owner.t] != top',
    'invariant i(a: thief, b: thief): a @ s && b @ s ==> a.self != b.self || !(top == 1)',
    'invariant i(a: thief): (top == -1 || a.h == 2) && !ended(a)',
    'invariant i(a: thief): items[a.self + 1] - (top - 1) == -(top * (2 + a.h))',
  ])('%s', (text) => {
    const open = openOf(program(text));
    const [invariant] = open.templates.invariants!;
    const printed = formatInvariant(open, invariant!);
    expect(printed).toBe(text);
    // Compares the meaning, not only the text.
    const meaning = ({ binders, condition }: Invariant) => ({ binders, condition });
    expect(meaning(openOf(program(printed)).templates.invariants![0]!)).toEqual(
      meaning(invariant!),
    );
  });

  it('has labels where the text has none', () => {
    const open = openOf(program('invariant i: owner @ l ==> top == 0'));
    expect(formatInvariant(open, open.templates.invariants![0]!, () => 'here')).toBe(
      'invariant i: owner @ here ==> top == 0',
    );
  });
});
