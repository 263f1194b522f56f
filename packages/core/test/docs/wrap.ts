/** The maximum number of characters in a line of prose. */
export const proseWidth = 100;

/**
 * Returns a paragraph in lines of at most `proseWidth` characters; code in backquotes is not
 * broken.
 */
export function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > proseWidth && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}
