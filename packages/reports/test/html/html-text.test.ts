import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddedJson, html, trusted } from '../../src/html/html-text.js';

test('a template escapes texts, and takes HTML as it is', () => {
  expect(html`<b title="${'"&'}">${'<i>'}${html`<u>${1}</u>`}${false}${undefined}</b>`.html).toBe(
    '<b title="&quot;&amp;">&lt;i&gt;<u>1</u></b>',
  );
  expect(html`${[html`a`, trusted('<hr>')]}`.html).toBe('a<hr>');
});

test('no text in embedded JSON ends its element or starts another, and it reads back', () => {
  const awkward = fc.constantFrom(
    '</script>',
    '<!--',
    '<script>',
    '\u2028',
    '\u2029',
    ']]>',
    '&lt;',
  );
  const text = fc.array(fc.oneof(fc.string(), awkward)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(text), (value) => {
      const { html: embedded } = embeddedJson(value);
      expect(embedded).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(embedded)).toEqual(value);
    }),
    { seed: 1 },
  );
});

test('marks of direction are shown, and letters that run from the right are left alone', () => {
  expect(html`<b>${'a\u202eb\u2066c'}</b>`.html).toBe('<b>a[U+202E]b[U+2066]c</b>');
  expect(html`${'\u05d0\u0628'}`.html).toBe('\u05d0\u0628');
});
