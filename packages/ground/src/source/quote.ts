/** Longest piece of the user's text that a message quotes. */
const quotedLength = 40;

/** The text as messages quote it: cut after 40 units. */
export function quote(text: string): string {
  return text.length <= quotedLength ? `'${text}'` : `'${text.slice(0, quotedLength)}...'`;
}
