import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { formatNative, formatSound } from '../../src/native/format-native.js';
import { tokensOf } from '../../src/native/lexer.js';
import { startsLine } from '../../src/native/token.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/core/native';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { damagedTokens } from './random-damage.js';
import { randomNamedText } from './random-named-text.js';
import { randomEventText, randomStructuredText } from './random-structured-text.js';

const runs = randomRuns(250, 10_000, 85);
const seed = randomSeed(20261123);
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Returns the texts of all `.fw` files below a folder of the repository. */
function programsIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.fw') && !name.includes('node_modules'))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'));
}

/**
 * Returns the contents that formatting must keep: tokens, comments, unreadable parts, and which
 * tokens start lines.
 */
function contentsOf(text: string): readonly string[] {
  return tokensOf(text).flatMap((token) => [
    ...token.trivia.flatMap((one) => (one.kind === 'blank' ? [] : [one.text.trimEnd()])),
    (token.kind !== 'EOF' && startsLine(token) ? '\n' : '') + token.text,
  ]);
}

function expectLaws(text: string): string {
  const formatted = formatNative(text);
  expect(contentsOf(formatted), JSON.stringify(text)).toEqual(contentsOf(text.trimStart()));
  expect(formatNative(formatted), JSON.stringify(text)).toBe(formatted);
  return formatted;
}

/** Returns the text with different blanks at line starts and between words. */
function withOtherBlanks(text: string, random: SeededRandom): string {
  return text.replaceAll(
    /(?<=\n) *(?=[^ ])|(?<=\w) +(?=\w)|(?<=;) ?(?=\w)/g,
    (blanks) => [blanks, ' ', '   ', '\t', blanks || ' '][random.below(5)]!,
  );
}

describe('formatting keeps tokens, comments and lines, and is idempotent', () => {
  test.each(['corpus', 'examples'])('in all programs of %s', (folder) => {
    const random = new SeededRandom(seed);
    const texts = programsIn(folder);
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) {
      const formatted = expectLaws(text);
      const before = finiteProgram(parseNative(text).model);
      const after = finiteProgram(parseNative(formatted).model);
      expect(after === undefined).toBe(before === undefined);
      if (before && after) expect(sameAutomata(before, after)).toBe(true);
      expectLaws(withOtherBlanks(text, random));
      expectLaws(text.replaceAll('\n', '\r\n'));
    }
  });

  it('in random texts and damaged ones', () => {
    const counts = { sound: 0, damaged: 0, changed: 0 };
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const text =
        run % 3 === 0
          ? randomNamedText(random, 'any')
          : (run % 3 === 1 ? randomStructuredText : randomEventText)(seed + run);
      if (formatSound(text).kind === 'formatted') counts.sound += 1;
      if (expectLaws(withOtherBlanks(text, random)) !== text) counts.changed += 1;
      const damaged = damagedTokens(text, random);
      if (formatSound(damaged).kind === 'unreadable') counts.damaged += 1;
      expectLaws(damaged);
    }
    expect(counts.sound).toBeGreaterThan(runs / 2);
    expect(counts.damaged).toBeGreaterThan(runs / 3);
    expect(counts.changed).toBeGreaterThan(runs / 10);
  });

  it('where hardly anything is a program', () => {
    const pieces =
      "{ } ( ) [ ] ; : . .. = == <- < - % & && @ x 5 if while /*c*/ //c\n \n ? $ ' /* \r".split(
        ' ',
      );
    for (let run = 0; run < 4 * runs; run++) {
      const random = new SeededRandom(seed + run);
      const text = Array.from({ length: random.below(25) }, () =>
        [pieces[random.below(pieces.length)]!, random.below(2) === 0 ? ' ' : ''].join(''),
      ).join('');
      expectLaws(text);
    }
  });
});

describe('the layout', () => {
  it('indents blocks, outdents labels, and puts blanks where they belong', () => {
    expect(
      formatNative(`program P


var a [ 2 ]={1,-  1},x@64
thread t[ * ]{
local r ;
if(x==1)
r=-x;
else {
r = cas( x,0,! r );
}
do
r = r+1;
while (r<3);
l:
@ cost( 3 ) x = a [ r ];
while(*){ skip ; }
choose { x=1; } or
{ x=2; }
assert ( r == 0
|| x == 1 );
}
property p : never ( t [0] @ l&&t[1] . r==0 )`),
    ).toBe(`program P

var a[2] = { 1, -1 }, x @ 64
thread t[*] {
  local r;
  if (x == 1)
    r = -x;
  else {
    r = cas(x, 0, !r);
  }
  do
    r = r + 1;
  while (r < 3);
l:
  @cost(3) x = a[r];
  while (*) { skip; }
  choose { x = 1; } or
  { x = 2; }
  assert(r == 0
      || x == 1);
}
property p: never (t[0] @ l && t[1].r == 0)
`);
  });

  it('keeps the column of instructions in automata, and that of comments', () => {
    expect(
      formatNative(`program P
var x
thread t init l begin
l:     mem[ x ] <- 1; goto long; // one
long:  fence;goto l;             // two
   // three
end`),
    ).toBe(`program P
var x
thread t init l begin
  l:     mem[x] <- 1; goto long; // one
  long:  fence; goto l;          // two
  // three
end
`);
  });

  it('refuses what it cannot understand', () => {
    expect(formatSound('program P thread {')).toMatchObject({ kind: 'unreadable' });
    expect(formatSound('program\0P')).toMatchObject({
      kind: 'unreadable',
      diagnostics: [{ code: 'FW1005' }],
    });
  });
});
