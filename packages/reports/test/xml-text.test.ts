import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xmlAttribute, xmlText } from '../src/words/xml-text.js';

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#13;': '\r',
  '&#10;': '\n',
  '&#9;': '\t',
};

/** Returns the text that an XML reader reads from XML content. */
function read(text: string): string {
  return text.replace(/&[^;]*;/g, (entity) => entities[entity] ?? `unknown ${entity}`);
}

test('a reader gets back every text that XML can hold, as content and as an attribute', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((s) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(s));
  const awkward = fc.constantFrom('\t', '\n', '\r', '<', '>', '&', '"', ']]>', '&amp;');
  fc.assert(
    fc.property(fc.array(fc.oneof(text, awkward)), (parts) => {
      const whole = parts.join('');
      expect(read(xmlText(whole))).toBe(whole);
      expect(read(xmlAttribute(whole))).toBe(whole);
      expect(xmlText(whole)).not.toMatch(/[<>"\r]|&(?!\w+;|#\d+;)/);
      // An XML reader turns the remaining ones of these characters into spaces.
      expect(xmlAttribute(whole)).not.toMatch(/[<>"\r\n\t]/);
    }),
    { seed: 1 },
  );
});

test.each([
  ['a control character', 'a\u0000b'],
  ['escape', 'a\u001bb'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a non-character', 'a\ufffeb'],
])('%s, which XML cannot hold, leaves a mark', (_, text) => {
  expect(xmlText(text)).toBe('a\ufffdb');
});
