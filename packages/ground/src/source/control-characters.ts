/**
 * Whether the text contains characters not found in text files: controls except tabs, line ends and
 * form feeds.
 */
export function hasControlCharacters(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && (code < 0x09 || code > 0x0d)) || code === 0x7f) return true;
  }
  return false;
}
