/** The maximum length of user text quoted in a message, in UTF-16 units. */
const quotedLength = 40;

/** Quotes user text for a message, cut after 40 UTF-16 units. */
export function quote(text: string): string {
  return text.length <= quotedLength ? `'${text}'` : `'${text.slice(0, quotedLength)}...'`;
}
