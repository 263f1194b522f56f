/**
 * Maximal depth of nested brackets in JSON, more than twice the depth of any file written for the
 * verifier.
 */
const deepest = 10_000;

/** Parses a JSON text. Throws `SyntaxError`, also if arrays and objects are nested too deeply. */
export function readJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`more than ${deepest} brackets are open at once`);
  return JSON.parse(text) as unknown;
}

/** Whether more than `deepest` arrays and objects are open somewhere in a JSON text. */
function isDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
