import { SeededRandom } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openDocument } from '../src/document.js';
import { editsBetween } from '../src/edits.js';
import { definitionAt, referencesAt, symbolAtPlace } from '../src/names.js';
import { renameAt } from '../src/rename.js';

const native = (text: string) => openDocument('file:///p.fw', 1, 'native', text);

/** Store buffering as a litmus test. */
const litmus = `X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`;

/** Two threads with a register of the same name. */
const trencher = `thread t0
initial a
transition a b write 0 1
transition b c read r 1
end
thread t1
initial a
transition a b write 1 1
transition b c read r 0
end
`;

describe('names', () => {
  test('stand where they are, up to right behind them', async () => {
    const document = await native('program P\nvar abc\nthread t { abc = 1; }\n');
    const at = (line: number, character: number) => symbolAtPlace(document, { line, character });
    const symbol = at(1, 4);
    expect(symbol).toBeDefined();
    expect([3, 4, 5, 6, 7].map((column) => at(1, column) === symbol)).toEqual([
      ...[false, true, true, true, true],
    ]);
    expect([10, 11, 14, 15].map((column) => at(2, column) === symbol)).toEqual([
      ...[false, true, true, false],
    ]);
    expect(definitionAt(document, { line: 2, character: 14 })?.range).toEqual({
      start: { line: 1, character: 4 },
      end: { line: 1, character: 7 },
    });
  });

  test.each(['\n', '\r\n', '\r'])('stand in their lines, which end in %j', async (end) => {
    const text = litmus.replaceAll('\n', end);
    const document = await openDocument('file:///sb.litmus', 1, 'litmus', text);
    const { occurrences } = document.names;
    expect(occurrences.length).toBeGreaterThanOrEqual(6);
    const lines = text.split(end);
    for (const { name, span, start, end: behind } of occurrences) {
      expect(lines[span.start.line]!.slice(span.start.column, span.end.column)).toBe(name);
      expect(text.slice(start, behind)).toBe(name);
    }
  });

  test('that make one of two variables are refused', async () => {
    const document = await openDocument('file:///sb.litmus', 1, 'litmus', litmus);
    const at = { line: 1, character: 2 };
    expect(await renameAt(document, at, 'z')).toMatchObject({ kind: 'edits' });
    const taken = await renameAt(document, at, 'y');
    expect(taken).toMatchObject({ kind: 'refused' });
  });

  test('of registers are those of their thread', async () => {
    const document = await openDocument('file:///p.trencher', 1, 'trencher', trencher);
    expect(document.diagnostics).toEqual([]);
    const lines = trencher.split('\n');
    const line = lines.findIndex((one) => one.includes('read r'));
    const character = lines[line]!.indexOf('r 1');
    const found = referencesAt(document, { line, character }, true);
    expect(found.map(({ range }) => range.start)).toEqual([{ line, character }]);
  });
});

/** Returns a text of a few short lines, the last with or without a line end. */
function anyText(random: SeededRandom): string {
  const count = random.below(6);
  const words = Array.from({ length: count }, () => 'abc'[random.below(3)]!);
  return words.join('\n') + (random.below(2) === 0 ? '\n' : '');
}

test('edits make one text of another, within the lines that there are', () => {
  const random = new SeededRandom(7);
  for (let i = 0; i < 2000; i++) {
    const [before, after] = [anyText(random), anyText(random)];
    const edits = editsBetween(before, after);
    const document = TextDocument.create('file:///p', '', 1, before);
    expect(TextDocument.applyEdits(document, edits), JSON.stringify([before, after])).toBe(after);
    const lines = before.split('\n');
    for (const { range } of edits)
      for (const { line, character } of [range.start, range.end])
        expect(character, JSON.stringify([before, after])).toBeLessThanOrEqual(
          lines[line]?.length ?? -1,
        );
    if (before === after) expect(edits).toEqual([]);
  }
});
