const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/**
 * Whether XML 1.0 allows the character; other characters cannot be written at all. Source: XML 1.0,
 * Sect. 2.2.
 */
function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff);
}

/** Returns the text as XML or HTML content; characters that XML does not allow become U+FFFD. */
export function xmlText(text: string): string {
  return Array.from(text, (character) =>
    isAllowed(character.codePointAt(0) ?? 0) ? (entities[character] ?? character) : '\ufffd',
  ).join('');
}

/** Returns the text as an attribute's value, in double quotes; tabs and line ends are kept. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
