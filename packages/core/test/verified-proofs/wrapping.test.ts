import { expect, it } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { claimed, verify } from './claimed.js';

/** Returns a program whose loop loads `x` and stores the changed value, with a claim about `x`. */
const text = (step: string, claim: string): string => `program P
var x
thread t[*] { local r; loop { r = x; x = ${step}; } }
invariant memory: ${claim}
invariant read(a: t): ${claim.replaceAll('x', 'a.r')}`;

describeWith('z3', ['--version'], 'claims about operators that wrap, asked of z3', () => {
  it.each([
    ['u8(r +% 1)', 'x >= 0 && x <= 255'],
    ['i8(r -% 1)', 'x >= -128 && x <= 127'],
    ['u16(r *% 5 +% 1)', 'x <% 65536'],
    ['i16(r *% 3)', 'x >= -32768 && x <= 32767'],
    ['r +% 2', '(x & 1) == 0'],
    ['(r +% 2147483647) *% 2', '(x & 1) == 0'],
    ['r >>% 1', 'x >= 0'],
    ['(r -% 1) /% 2', 'x >= 0'],
    ['(r +% 1) %% 7', 'x <% 7'],
    ['u8(r +% 1)', 'x == u8(x)'],
    ['u8(r) +% 1', 'x <% 257'],
    ['(r <<% 1) | 1', 'x == 0 || (x & 1) == 1'],
  ])('x = %s keeps %s', async (step, claim) => {
    const report = await verify(await claimed(text(step, claim)));
    expect(JSON.stringify(report)).not.toContain('still true when');
    expect(JSON.stringify(report)).not.toContain('true at the start');
  });

  // Counting from 0 reaches the number that breaks the claim, or one step from this number does.
  it.each([
    ['u8(r +% 1)', 'x >= 0 && x < 255'],
    ['i8(r -% 1)', 'x >= -127 && x <= 127'],
    ['u8(r -% 1)', 'x < 255'],
    ['u8(r) +% 1', 'x <% 2'],
    ['r +% 3', '(x & 1) == 0'],
    ['r +% 1', 'x >= 0'],
    ['0 -% r -% 1', 'x >= 0'],
    ['(r -% 1) >>% 1', 'x != 2147483647'],
    ['(r -% 1) /% 3', 'x != 1431655765'],
    ['r -% 1', 'x <% 9'],
  ])('x = %s does not keep %s', async (step, claim) => {
    const report = await verify(await claimed(text(step, claim)));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain('still true when');
  });

  it('nothing is known of divisions by what is not a number', async () => {
    const report = await verify(await claimed(text('(r | 1) /% (r | 1)', 'x == 0 || x == 1')));
    expect(report.kind).toBe('rejected');
  });
});
