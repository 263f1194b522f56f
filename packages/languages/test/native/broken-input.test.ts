import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';

const tokens =
  `program var const domain thread property regs init begin end if else while do loop choose or atomic goto local break continue
  havoc in with assume assert check skip fence mfence lock unlock xchg cas fetch_add mem never finally exists ended self true
  event procedure events async call return main any x y t r l0 0 1 0x1f 2147483648 @ . .. , ; : ( ) [ ] { } = == != < <= > >= << >> + - * / % & && | || ^ ! ~ <- ←
  $ # ' " // /* */ \n`.split(/ +/);

const good = `program Peterson
const N = 2
var flag[N], turn, data = 7
domain 0..15
thread t0 {
  local r;
  while (true) {
    flag[0] = 1;
    fence;
    turn = 1;
    while (flag[1] == 1 && turn == 1) { }
  cs:
    r = data;
    if (*) { data = r + 1; } else atomic { @cost(5) data = xchg(turn, 2); }
    choose { havoc r in 0..3; } or { goto cs; }
    flag[0] = 0;
  }
}
thread t1 regs q init l0 begin
  l0: mem[turn] <- 1; goto l1;
  l1: q <- mem[flag[1]]; goto l0;
end
property mutex: never (t0 @ cs && t1 @ l1)
property sum: finally (data == 7 || t0.r == 0)`;

/**
 * Expects that the parser does not throw, that it returns a program iff there are no errors, and
 * that all errors lie within the text.
 */
function expectSound(text: string): number {
  const { model, diagnostics } = parseNative(text);
  expect(model === undefined).toBe(diagnostics.length > 0);
  const lines = text.split(/\r\n|\n|\r/);
  for (const { span } of diagnostics)
    if (span) {
      expect(lines[span.start.line]?.length, text).toBeGreaterThanOrEqual(span.start.column);
      expect(span.end.line, text).toBeLessThan(lines.length);
    }
  return diagnostics.length;
}

const goodEvents = `program News
const N = 2
var list, shown, history[N]
event search(key, n) {
  local i;
  while (i < n) { async[any] fetch(key); call save(i, key); i = i + 1; }
}
procedure fetch(key) { async[main] show(key + list); }
procedure show(result) { local r; r = result; if (r == 0) { return; } atomic { list = r; shown = 1; } }
procedure save(i, key) { @cost(2) history[i] = key; if (i > 0) { call save(i - 1, key); } }
events search(1, N) * 2, search(7, 1) *, search(3, 0) * N
property p: finally (shown == 1 || list == 0)`;

/** The pieces of a good program, blanks included. */
const piecesOf = (text: string): readonly string[] =>
  text.match(/\s+|[\w']+|<-|==|&&|\|\||\.\.|./g)!;

describe('broken input', () => {
  it('never makes the parser throw', () => {
    const soup = fc.array(fc.constantFrom(...tokens), { maxLength: 60 });
    fc.assert(
      fc.property(soup, (words) => {
        expectSound(words.join(' '));
        expectSound(`program P\nvar x\nthread t { ${words.join(' ')} }`);
        expectSound(`program P\nvar x\nevents e(1)\nevent e(r) { ${words.join(' ')} }`);
        expectSound(`program P\nvar x\nthread t regs r init l begin l: ${words.join(' ')} end`);
      }),
      { seed: randomSeed(2013), numRuns: randomRuns(60, 1200, 20) },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'binary' }), (text) => {
        expectSound(text);
      }),
      { seed: randomSeed(2013), numRuns: randomRuns(500, 10_000, 170) },
    );
  });

  it.each([good, goodEvents])('survives any change of a few tokens: %.12s', (text) => {
    const pieces = piecesOf(text);
    const change = fc.tuple(fc.nat(pieces.length - 1), fc.constantFrom('', ...tokens));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = [...pieces];
        for (const [at, token] of changes) changed[at] = token;
        expectSound(changed.join(''));
      }),
      { seed: randomSeed(2013), numRuns: randomRuns(200, 4000, 65) },
    );
  });

  it.each([good, goodEvents])('makes few errors of one missing token: %.12s', (text) => {
    expect(expectSound(text)).toBe(0);
    const pieces = piecesOf(text);
    const counts = pieces.map((_, i) => expectSound(pieces.toSpliced(i, 1).join('')));
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(counts.length / 20);
  });
});
