import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Returns the top-level rules of a style sheet, without comments and line breaks. */
function rulesOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8');
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  return [...plain.matchAll(/([^{}]+\{)((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([rule]) => rule.trim());
}

// tools/build-web.mjs puts the first two in front of each of the others.
test('no rule stands in two of the style sheets that a page is given', () => {
  const [colours, shared, ...pages] = ['colours.css', 'shared.css', 'style.css', 'lesson.css'].map(
    rulesOf,
  );
  expect(shared!.length).toBeGreaterThan(10);
  for (const page of pages) {
    expect(page.length).toBeGreaterThan(30);
    const all = [...colours!, ...shared!, ...page];
    expect(all.filter((rule, i) => all.indexOf(rule) !== i)).toEqual([]);
  }
  const [style, lesson] = pages;
  expect(style!.filter((rule) => lesson!.includes(rule))).toEqual([]);
});
