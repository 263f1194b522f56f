/** Returns the offset of the line break that ends the line at an offset, or the text's length. */
export function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}
