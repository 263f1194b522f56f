/** The maximum length of user text quoted in a message. */
const quotedLength = 40;

/** The text as quoted in messages: cut after 40 units. */
export function quote(text: string): string {
  return text.length <= quotedLength ? `'${text}'` : `'${text.slice(0, quotedLength)}...'`;
}
